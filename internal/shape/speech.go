package shape

import (
	"bytes"
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

// isBlank reports whether the string v is white space, as JavaScript has it. The first character of
// nearly all texts is an ASCII one that is not.
func isBlank(v entry.Value) bool {
	for i, most := 1, min(len(v)-1, 64); i < most; { // the rest of a long text is hardly ever needed
		switch c := v[i]; {
		case c == '\\' && v[i+1] == 'u':
			i += 6
		case c == '\\':
			i += 2
		case c > ' ' && c < utf8.RuneSelf:
			return false
		default:
			i++
		}
	}
	return len(bytes.Trim(v.Text(), entry.SpaceJS)) == 0
}
