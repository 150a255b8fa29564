package entry

import "unicode/utf8"

// Faults are the places at which some program cannot read the text of a value, as offsets in the
// value; -1 means none. JSON.parse accepts all except those of the syntax. But half of a surrogate
// pair cannot be sent or stored as UTF-8. Escapes after a fault of the syntax do not count.
type Faults struct {
	Syntax    int // where the text stops being JSON, by the grammar of Valid
	UTF8      int // the first byte that is not UTF-8
	Surrogate int // the first escape that is half of a surrogate pair without the other half
	NUL       int // the first escape of NUL
}

// Faults returns the faults of the bytes of e if a [Decoder] with that option has decoded it.
func (e *Entry) Faults() Faults { return e.faults }

// faults returns the faults of v. The grammar has checked v if valid is set.
func (g *grammar) faults(v Value, valid bool) Faults {
	f := Faults{Syntax: -1, UTF8: v.invalidUTF8()}
	if !valid {
		g.surrogate, g.nul = -1, -1
		if !g.whole(v) {
			f.Syntax = g.at
		}
	}
	f.Surrogate, f.NUL = g.surrogate, g.nul
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
