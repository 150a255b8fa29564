package said

import (
	"bytes"

	"jl/internal/entry"
	"jl/internal/says"
)

// A copied follows a beginning of a log that is a copy of another log.
type copied struct {
	is      bool
	root    entry.Value // the session that the copy is of, as counts of tokens name it
	session entry.Value // that session
	own     entry.Value // the id that the log tells first
	begins  int64       // when the log itself began
	last    int64       // the time of the last copied entry
	bySteps bool        // it ends where the log says so
	none    bool        // the log went on by itself

	told map[uint64]bool // by their hashes, the messages whose tokens the copy tells, which the log may tell again
}

// atOnce is the longest time between two entries of a copy, in microseconds: a client writes all of it at once. Real
// copies of Codex have 0 to 2 milliseconds; the first entry of its own comes later, after work.
const atOnce = 20_000

// next follows the next entry. Codex copies the header of the other log too, so a second header begins a copy.
func (c *copied) next(t *says.Telling, at int64) {
	for i := range t.Things {
		x := &t.Things[i]
		switch {
		case x.Is != says.Setting || x.Call == nil:
		case c.own == nil:
			if x.Again || t.Copied {
				c.own, c.begins, c.last = bytes.Clone(x.Call), at, at
				c.is, c.bySteps = t.Copied, t.Copied
			} else {
				c.own = entry.Value{}
			}
		case c.mayBegin() && !bytes.Equal(c.own, x.Call):
			c.is = true
		}
	}
	if c.is = !t.CopyEnded && c.goesOn(at); c.is {
		set(&c.session, t.Session.NonEmpty())
		c.last = max(c.last, at)
	}
}

// mayBegin reports whether a copy may begin with the next entry.
func (c *copied) mayBegin() bool { return len(c.own) > 0 && !c.is && c.root == nil && !c.none }

// passed takes the time of an entry that says nothing, where a copy may begin. A client copies nothing once it has gone
// on.
func (c *copied) passed(at int64) { c.none = at > c.begins+atOnce }

// goesOn reports whether an entry of that time is still part of the copy.
func (c *copied) goesOn(at int64) bool {
	return c.is && (c.bySteps || at <= c.begins || at <= c.last+atOnce)
}
