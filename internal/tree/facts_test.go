package tree

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

func TestIsBlank(t *testing.T) {
	const spaces = " \t\n\v\f\r\u0085\u00a0\u2003\u3000"
	texts := []string{"", "x", " x", "  \n", `\`, `\x`, `"`, "\b", "\x00", "é", " é ", "\u2003x", "\ufeff", strings.Repeat(" ", 100), spaces, spaces + "x"}
	for _, c := range spaces {
		texts = append(texts, string(c), " "+string(c)+"\n")
	}
	for _, text := range texts {
		v := entry.Value(entry.AppendString(nil, []byte(text)))
		want := len(bytes.TrimSpace([]byte(text))) == 0
		require.Equal(t, want, isBlank(v), "%s", v)
	}
	for text, want := range map[string]bool{`"\n\t\r\f"`: true, `"\n \u0020"`: true, `"\/"`: false, `"\b"`: false, `"\n\\"`: false, `"\n\""`: false} {
		require.Equal(t, want, isBlank(entry.Value(text)), text)
	}
	for _, text := range []string{`"\u00a0\u2003"`, `"\u00a0x"`, `" \u0009"`, `"\ud83d\ude00"`, `"\u0041"`, `"\u12"`, `" \u"`, `"\u12 \n"`, "\"\xff\"", "\" \xc2\""} {
		v := entry.Value(text)
		require.Equal(t, len(bytes.TrimSpace(v.Text())) == 0, isBlank(v), text)
	}
}
