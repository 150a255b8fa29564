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

// isBlank reports whether the string v is white space, as JavaScript has it. It reads no more of v than it must.
func isBlank(v entry.Value) bool {
	for i := 1; i < len(v)-1; {
		_, n := utf8.DecodeRune(v[i:])
		char := []byte(v[i : i+n])
		if v[i] == '\\' {
			n = 2
			if v[i+1] == 'u' {
				n = 6
			}
			char = entry.Value(`"` + string(v[i:min(i+n, len(v)-1)]) + `"`).Text()
		}
		if len(bytes.Trim(char, entry.SpaceJS)) > 0 {
			return false
		}
		i += n
	}
	return true
}
