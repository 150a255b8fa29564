package shape

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// TestIsSpace: white space is what ECMAScript says that trim() removes: the spaces of Unicode, and
// some other characters.
func TestIsSpace(t *testing.T) {
	isSpace := func(r rune) bool {
		return unicode.Is(unicode.Zs, r) || strings.ContainsRune("\t\v\f\ufeff\n\r\u2028\u2029", r)
	}
	blank := func(text []byte) bool { return len(bytes.TrimFunc(text, isSpace)) == 0 }
	texts := []string{"", "x", " x", "  \n", `\`, `\x`, `"`, "\b", "\x00", "é", " é ", "\u2003x", "\u0085", "\ufeff", strings.Repeat(" ", 100)}
	for r := rune(0); r <= 0x3001; r++ {
		texts = append(texts, string(r), " "+string(r)+"\n")
	}
	for _, text := range texts {
		v := entry.Value(entry.AppendString(nil, []byte(text)))
		require.Equal(t, blank([]byte(text)), IsSpace(v), "%s", v)
	}
	for text, want := range map[string]bool{`"\n\t\r\f"`: true, `"\n \u0020"`: true, `"\/"`: false, `"\b"`: false, `"\n\\"`: false, `"\n\""`: false} {
		require.Equal(t, want, IsSpace(entry.Value(text)), text)
	}
	for _, text := range []string{`"\u00a0\u2003"`, `"\u00a0x"`, `" \u0009"`, `"\ufeff"`, `"\u0085"`, `"\ud83d\ude00"`, `"\u0041"`, `"\u12"`, `" \u"`, `"\u12 \n"`, "\"\xff\"", "\" \xc2\""} {
		v := entry.Value(text)
		require.Equal(t, blank(v.Text()), IsSpace(v), text)
	}
}
