package shape

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"jl/internal/entry"
)

// Speaks reports whether m holds more than thinking and white space.
func (m *Message) Speaks() bool {
	if m.Content.IsString() && !isBlank(m.Content) {
		return true
	}
	for i := range m.Blocks {
		if b := &m.Blocks[i]; !b.IsThinking() && (!b.Text.IsString() || !isBlank(b.Text)) {
			return true
		}
	}
	return false
}

// isBlank reports whether the string v is white space, as JavaScript has it. It reads no more of a text
// than it must, but for one that begins with an escaped character.
func isBlank(v entry.Value) bool {
	for i := 1; i < len(v)-1; {
		r, n := utf8.DecodeRune(v[i:])
		if r == '\\' {
			switch r, n = rune(v[i+1]), 2; r {
			case 'n', 'r', 't', 'f':
				r = ' '
			case 'u':
				return len(bytes.Trim(v.Text(), entry.SpaceJS)) == 0
			}
		}
		if !strings.ContainsRune(entry.SpaceJS, r) {
			return false
		}
		i += n
	}
	return true
}
