package shape

import (
	"bytes"
	"strconv"
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

// isBlank reports whether the string v is white space, as JavaScript has it. It looks at no more
// than the first character that is not.
func isBlank(v entry.Value) bool {
	for i := 1; ; {
		c := v[i]
		switch {
		case c == '"':
			return true
		case c == '\\' && v[i+1] == 'u':
			unit, err := strconv.ParseUint(string(v[i+2:min(i+6, len(v))]), 16, 16)
			if err != nil || !isSpaceJS(rune(unit)) {
				return err != nil && len(bytes.Trim(v.Text(), entry.SpaceJS)) == 0
			}
			i += 6
		case c == '\\':
			if strings.IndexByte("ntrf", v[i+1]) < 0 {
				return false
			}
			i += 2
		default:
			r, size := utf8.DecodeRune(v[i:])
			if !isSpaceJS(r) {
				return false
			}
			i += size
		}
	}
}

func isSpaceJS(r rune) bool { return strings.ContainsRune(entry.SpaceJS, r) }
