package dialect

import "jl/internal/entry"

// A Thread follows a straight log: it says of each entry what becomes of it and of the
// entries before it. The living entries are those that no undo took back, in order; the
// parent of a new one is the last of them. A Thread keeps a few bytes of each living entry,
// and no more.
type Thread struct {
	row    *row
	marks  []mark // by living entry
	cuts   []int  // where the log is cut, by living boundary
	opened int    // the living entry that opened what has not been closed, -1 if there is none

	turns []turn             // the living ones
	named map[string]message // Gemini's living messages, by the key of their ids
	names []string           // their keys in order

	surface  []surfaced // DeepSeek's
	replaced bool       // its first event was replaced

	indexed bool   // Grok's prompts have an index
	index   string // of the last one
}

// A mark is what a Thread remembers of an entry.
type mark uint8

const (
	prompt mark = 1 + iota // part of a prompt
	above                  // belongs to the prompt directly below it
)

// A turn is where a turn of Codex or Grok begins among the living entries.
type turn struct {
	start  int // its prompt, or what belongs to the prompt directly above it
	opened int // what opened its task, -1 if it has no task of its own
}

// A message is the place of a message of Gemini.
type message struct {
	at       int  // the living entry that it is, or is in
	snapshot bool // the entry is a snapshot of several messages
	inside   bool // another message is before it in the snapshot
}

// A surfaced is an event of DeepSeek that the model sees.
type surfaced struct {
	seq int64
	at  int
}

// A Step is what an entry does to a straight log.
type Step struct {
	// Keep is how many of the living entries remain.
	Keep int

	// Node reports whether the entry is a node.
	Node bool

	// Agent is the sidechain that the entry is on, nil if it is on none. An entry on a
	// sidechain is not among the living.
	Agent entry.Value

	// At is the place of the entry among the living, counted from 0: Keep if it is a new
	// one, less if it is the newest text of the one there.
	At int
}

// NewThread returns a Thread for a log in a straight dialect.
func NewThread(d Dialect) *Thread {
	return &Thread{row: &dialects[d], opened: -1, named: map[string]message{}}
}

// Next returns what the next entry of the log does.
func (t *Thread) Next(e *entry.Entry) Step {
	s := Step{Keep: len(t.marks), At: len(t.marks)}
	r := t.row
	if r.header != nil && r.header(e) || r.aside != nil && r.aside(e) {
		return s
	}
	s.Node = true
	if r.side != nil {
		if s.Agent = r.side(e); s.Agent != nil {
			return s
		}
	}
	m := mark(0)
	if r.step != nil {
		m = r.step(t, e, &s)
	}
	t.keep(s.Keep)
	if s.Node && s.At == len(t.marks) {
		t.marks = append(t.marks, m)
	}
	return s
}

// Cut returns the living entry at which the log is cut, -1 if it is not cut. All that is
// above it in the file is cold.
func (t *Thread) Cut() int {
	if t.replaced {
		cut := t.surface[0].at
		for _, n := range t.surface {
			cut = min(cut, n.at)
		}
		return cut
	}
	if len(t.cuts) == 0 {
		return -1
	}
	return t.cuts[len(t.cuts)-1]
}

// cut notes that the next entry is a boundary, and where it cuts the log.
func (t *Thread) cut(at int) { t.cuts = append(t.cuts, at) }

// turn notes that the next entry is the prompt of a turn.
func (t *Thread) turn(at int) {
	if t.top() == above {
		at--
	}
	t.turns, t.opened = append(t.turns, turn{at, t.opened}), -1
}

// name notes the place of a message of Gemini, unless one with the id is alive.
func (t *Thread) name(id entry.Value, m message) {
	if _, ok := t.named[id.Key()]; !ok && !id.IsEmpty() {
		t.named[id.Key()] = m
		t.names = append(t.names, id.Key())
	}
}

// forget takes back the messages of Gemini from the living one with the key on.
func (t *Thread) forget(key string) {
	for alive := true; alive; _, alive = t.named[key] {
		last := len(t.names) - 1
		delete(t.named, t.names[last])
		t.names = t.names[:last]
	}
}

// top returns the mark of the last living entry, 0 if there is none.
func (t *Thread) top() mark {
	if len(t.marks) == 0 {
		return 0
	}
	return t.marks[len(t.marks)-1]
}

// keep takes back all living entries but the first n.
func (t *Thread) keep(n int) {
	if n >= len(t.marks) {
		return
	}
	t.marks = t.marks[:n]
	for i := len(t.cuts) - 1; i >= 0 && t.cuts[i] >= n; i-- {
		t.cuts = t.cuts[:i]
	}
	for i := len(t.turns) - 1; i >= 0 && t.turns[i].start >= n; i-- {
		t.opened = t.turns[i].opened
		t.turns = t.turns[:i]
	}
	if t.opened >= n {
		t.opened = -1
	}
	for i := len(t.names) - 1; i >= 0 && t.named[t.names[i]].at >= n; i-- {
		delete(t.named, t.names[i])
		t.names = t.names[:i]
	}
}
