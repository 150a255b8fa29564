package said

import (
	"jl/internal/says"
)

// An anew follows what a client tells again with other ids: Gemini CLI writes all of the conversation at once after a
// cancelled call.
type anew struct {
	repeats bool
	last    int64           // the time of the last entry that tells again
	known   map[uint64]bool // hashes of what was told: whether in the part; nil for a log that never begins anew
}

// next follows the next entry. The first beginning is that of the log, and each later one begins anew.
func (a *anew) next(t *says.Telling, at int64) {
	switch {
	case t.Anew && a.known == nil:
		a.known = map[uint64]bool{}
	case t.Anew:
		a.repeats, a.last = true, at
	case a.repeats && at >= 0:
		a.repeats = at <= a.last+atOnce
		a.last = at
	}
}

// has reports whether the words of a thing, the id of a call, or the model and the tokens of a message, were told
// before and are told again: in the part, or out of it.
func (a *anew) has(is says.Kind, words []byte, out bool) bool {
	if a.known == nil {
		return false
	}
	hash := hashOf(is, words)
	inPart, known := a.known[hash]
	a.known[hash] = inPart || !out
	return known && a.repeats && (inPart || out)
}
