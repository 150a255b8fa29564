package dialect

import (
	"slices"

	"jl/internal/entry"
)

// A Thread follows the entries of one log, in file order, and names the id and the parent of each.
//
// A log is a tree or a list. The entries of a tree name both themselves. In a list the order of
// the entries gives them their parents, and entries undo others. The living entries are those that
// no undo took back, in order; the parent of a new one is the last of them. On a sidechain the
// parent is the entry before it on the same sidechain. An entry has its own id if it has one and no
// entry before it has that id, else an id made of its place: see [PlaceIDs].
//
// Of each living entry of a list a Thread keeps its id and a few bytes, and of each entry that has
// an id a hash. It keeps nothing of the entries of a tree.
type Thread struct {
	row   *row
	log   Dialect
	names names
	last  entry.Value // the id of the last entry if all are on sidechains, or nil

	ids        []byte                 // of the living entries, one after another
	ends       []int                  // by living entry: where its id ends in ids
	mark       mark                   // of the last living entry, 0 after an undo
	sidechains map[string]entry.Value // by sidechain: the id of its last entry
	isMain     bool                   // some entry was on no sidechain

	cuts   []int // where the log is cut, by living boundary
	opened int   // the living entry that opened what has not been closed, or -1

	turns  []turn             // the living ones
	placed map[string]message // Gemini's living messages, by the key of their ids
	keys   []string           // the keys of placed in order

	surface  []surfaced // DeepSeek's
	replaced bool       // its first event was replaced

	codexID  string  // Codex's, if its entries have ordinals
	ordinals []int64 // of the living entries

	indexed bool   // Grok's prompts have an index
	index   string // of the last one
}

// A Step is what an entry does to its log.
type Step struct {
	// Node reports whether the entry is a node. If it is not, only Keep has a meaning.
	Node bool

	// ID is the id of the entry, and Parent the id of its parent, nil if it has none. They are
	// strings of JSON: the bytes of an entry, or ids that are made of places. They are valid as
	// long as the entry, until the next call of Next.
	ID, Parent entry.Value

	// Sidechain is the sidechain of a list that the entry is on, nil if it is on none. An entry on
	// a sidechain is not among the living.
	Sidechain entry.Value

	// Keep is how many of the living entries of a list remain.
	Keep int

	// At is the place of the entry among the living entries of a list, counted from 0: Keep if
	// the entry is a new one, less if it is the newest text of the one there, whose id and
	// parent it has.
	At int

	// Resumes is the id of the last living entry before, if the entry takes back all of them but holds what
	// they said, or its summary: the conversation goes on. Else it is nil. It is valid as the others are.
	Resumes entry.Value
}

// A mark is what an entry means for the next one.
type mark uint8

const (
	prompt mark = 1 + iota // part of a prompt
	above                  // belongs to the prompt directly below it
)

// A turn is where a turn begins that Codex or Grok may take back, among the living entries. It is none of package rule.
type turn struct {
	start  int // its prompt, or what belongs to the prompt directly above it
	opened int // what opened its task, -1 if it has no task of its own
}

// A message is the place of a message of Gemini.
type message struct {
	at       int  // the living entry that holds it
	snapshot bool // the entry is a snapshot of several messages
	inside   bool // another message is before it in the snapshot
}

// A surfaced is an event of DeepSeek that the model sees.
type surfaced struct {
	seq int64
	at  int
}

// NewThread returns a Thread for a log in the dialect d.
func NewThread(d Dialect) *Thread {
	t := &Thread{row: &dialects[d], log: d, opened: -1, placed: map[string]message{}, sidechains: map[string]entry.Value{}}
	if d.is(list) && !d.is(noIDs) {
		t.names.taken = map[uint64]struct{}{}
	}
	return t
}

// Next returns what the next entry of the log does.
func (t *Thread) Next(e *entry.Entry) Step {
	switch r := t.row; {
	case holds(r.header, e), holds(r.aside, e):
		if r.begin != nil {
			t.truncate(r.begin(t, e))
			t.mark = 0
		}
		return Step{Keep: len(t.ends)}
	case t.log.is(list):
		return t.inList(e)
	}
	id := t.log.IDOf(e)
	return Step{Node: id != nil, ID: id, Parent: t.log.namedParent(e)}
}

// inList is Next for a list.
func (t *Thread) inList(e *entry.Entry) Step {
	s := Step{Node: true, Keep: len(t.ends), At: len(t.ends)}
	if t.row.sidechain != nil && t.log != ClaudeNoIDs { // which is one path
		if s.Sidechain = t.row.sidechain(e); s.Sidechain != nil {
			t.nextOnSide(e, &s)
			return s
		}
	}
	m := mark(0)
	if t.row.step != nil {
		m = t.row.step(t, e, &s)
	}
	t.truncate(s.Keep)
	if !s.Node {
		t.mark = 0
		return s
	}
	s.Parent = t.id(s.At - 1)
	if s.At < len(t.ends) {
		s.ID = t.id(s.At)
		return s
	}
	s.ID = t.names.name(t.log.IDOf(e), e.Pos)
	t.ids = append(t.ids, s.ID...)
	t.ends = append(t.ends, len(t.ids))
	t.mark, t.isMain = m, true
	return s
}

// nextOnSide completes the step of an entry on a sidechain.
func (t *Thread) nextOnSide(e *entry.Entry, s *Step) {
	agent := s.Sidechain.Key()
	s.ID, s.Parent = t.names.name(t.log.IDOf(e), e.Pos), t.sidechains[agent]
	t.sidechains[agent] = slices.Clone(s.ID)
	if !t.isMain {
		t.last = t.sidechains[agent]
	}
}

// Leaf returns the id of the leaf of a list: the last living entry, or, if all entries are on
// sidechains, the last one, or nil. It is valid until the next call of Next.
func (t *Thread) Leaf() entry.Value {
	if !t.isMain {
		return t.last
	}
	return t.id(len(t.ends) - 1)
}

// id returns the id of living entry i, or nil.
func (t *Thread) id(i int) entry.Value {
	if i < 0 {
		return nil
	}
	start, end := t.idsOf(i), t.ends[i]
	return entry.Value(t.ids[start:end:end])
}

// idsOf returns the length of the ids of the first n living entries.
func (t *Thread) idsOf(n int) int {
	if n == 0 {
		return 0
	}
	return t.ends[n-1]
}

// Cut returns the living entry at which the list is cut, -1 if it is not cut. All that is
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

// cut makes the next entry a boundary that cuts the log at a living entry.
func (t *Thread) cut(at int) { t.cuts = append(t.cuts, at) }

// turn begins a turn, whose prompt is the next entry.
func (t *Thread) turn(at int) {
	if t.mark == above {
		at--
	}
	t.turns, t.opened = append(t.turns, turn{at, t.opened}), -1
}

// place keeps the place of a message of Gemini, unless one with the id is alive.
func (t *Thread) place(id entry.Value, m message) {
	if _, ok := t.placed[id.Key()]; !ok && !id.IsEmpty() {
		t.placed[id.Key()] = m
		t.keys = append(t.keys, id.Key())
	}
}

// forget takes back the messages of Gemini from the living one with the key on.
func (t *Thread) forget(key string) {
	for alive := true; alive; _, alive = t.placed[key] {
		last := len(t.keys) - 1
		delete(t.placed, t.keys[last])
		t.keys = t.keys[:last]
	}
}

// truncate takes back all living entries but the first n.
func (t *Thread) truncate(n int) {
	if n >= len(t.ends) {
		return
	}
	t.ids, t.ends = t.ids[:t.idsOf(n)], t.ends[:n]
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
	for i := len(t.keys) - 1; i >= 0 && t.placed[t.keys[i]].at >= n; i-- {
		delete(t.placed, t.keys[i])
		t.keys = t.keys[:i]
	}
}
