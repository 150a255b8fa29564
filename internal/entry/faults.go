package entry

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Faults are where the text of a value is not what every program reads: offsets in the
// value, -1 for what is not wrong. JSON.parse accepts all but those of the syntax. But half
// of a surrogate pair cannot be sent or stored as UTF-8.
type Faults struct {
	Syntax    int // where the text stops being JSON, by the grammar of Valid
	UTF8      int // the first byte that is not UTF-8
	Surrogate int // the first escape that is half of a surrogate pair without the other half
	NUL       int // the first escape of NUL
}

// Faults returns the faults of the bytes of e if a [Decoder] with that option has decoded it.
func (e *Entry) Faults() Faults { return e.faults }

// faults returns the faults of v.
func (v Value) faults() Faults {
	var g grammar
	syntax := -1
	switch {
	case !g.parse(v, 0):
		syntax = g.at
	case skipSpace(v, g.at) < len(v):
		syntax = skipSpace(v, g.at)
	}
	return v.faultsWith(syntax, g.special)
}

// faultsWith returns the faults of v. Syntax is the offset at which the text stops being JSON, or
// -1, and special says whether a string has special escapes. JSON without special escapes can
// have only one other fault, invalid UTF-8.
func (v Value) faultsWith(syntax int, special bool) Faults {
	f := Faults{Syntax: syntax, UTF8: v.invalidUTF8(), Surrogate: -1, NUL: -1}
	if syntax >= 0 || special {
		f.Surrogate, f.NUL = v.badEscapes()
	}
	return f
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, -1 if there is none.
func (v Value) invalidUTF8() int {
	if utf8.Valid(v) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(v[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
}

// badEscapes returns the offsets in v of the first escape that is half of a surrogate pair
// without the other half, and of the first escape of NUL, each -1 if there is none.
func (v Value) badEscapes() (surrogate, nul int) {
	surrogate, nul = -1, -1
	for i := v.nextUnit(0); i < len(v); i = v.nextUnit(i) {
		u, ok := unit(v[i:])
		if !ok {
			i += 2 // it is broken
			continue
		}
		if u == 0 && nul < 0 {
			nul = i
		}
		if utf16.IsSurrogate(u) {
			if low, ok := unit(v[i+6:]); ok && utf16.DecodeRune(u, low) != utf8.RuneError {
				i += 6
			} else if surrogate < 0 {
				surrogate = i
			}
		}
		i += 6
	}
	return surrogate, nul
}

// nextUnit returns the offset of the first \u from i on, where no byte is escaped, len(v) if
// there is none.
func (v Value) nextUnit(i int) int {
	for {
		i = plain(v, skipText(v, i))
		switch {
		case i+1 >= len(v):
			return len(v)
		case v[i] != '\\':
			i++
		case v[i+1] == 'u':
			return i
		default:
			i += 2
		}
	}
}
