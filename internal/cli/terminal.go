package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// appendEscaped appends text to dst and escapes, as \uXXXX, the characters that a
// terminal could interpret: the controls C0 (except those in keep), DEL and C1, the
// controls of bidirectional text, and the separators of lines and paragraphs. A byte that
// is not UTF-8 becomes \ufffd. A line of JSON remains JSON. jl_shown of the jq library, and
// pg_esc of the page, have the same characters.
func appendEscaped(dst, text []byte, keep string) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		control := unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
		if control && !strings.ContainsRune(keep, r) || r == utf8.RuneError && n == 1 {
			dst = fmt.Appendf(dst, `\u%04x`, r)
		} else {
			dst = append(dst, text[:n]...)
		}
		text = text[n:]
	}
	return dst
}

// A terminal writes to w and escapes all control characters except LF and TAB. The text
// of a log must not be able to move the cursor, retitle the window or fill the clipboard.
type terminal struct {
	w    io.Writer
	text []byte // not yet written to w
	out  []byte
}

func (t *terminal) Write(b []byte) (int, error) {
	t.text = append(t.text, b...)
	if err := t.pass(whole(t.text)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// end writes what is left, an incomplete UTF-8 sequence.
func (t *terminal) end() { _ = t.pass(len(t.text)) } // w remembers the error

// pass writes the first n bytes of the text to w.
func (t *terminal) pass(n int) error {
	t.out = appendEscaped(t.out[:0], t.text[:n], "\n\t")
	t.text = t.text[:copy(t.text, t.text[n:])]
	_, err := t.w.Write(t.out)
	return err
}

// whole returns the length of b without an incomplete UTF-8 sequence at its end.
func whole(b []byte) int {
	for i := len(b) - 1; i >= 0 && i > len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if utf8.FullRune(b[i:]) {
				break
			}
			return i
		}
	}
	return len(b)
}
