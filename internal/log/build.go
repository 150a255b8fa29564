package log

import (
	"hash/maphash"
	"io"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/rule"
)

// newLog returns a Log, as yet without entries, of the first size bytes of log.
func newLog(r Reading, log io.ReaderAt, size int64) *Log {
	return &Log{
		reading:    r,
		log:        log,
		Size:       size,
		Pinned:     None,
		Leaf:       None,
		seeds:      [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		sessions:   map[Hash]int32{},
		first:      map[Hash]packedPos{},
		sessionIDs: []Hash{0},
	}
}

// Read returns the Log of the first size bytes of a log, which it reads again whenever it needs the text
// of an entry. If damaged is not nil, Read calls it for each line that is not one whole entry, before
// it adds the entries that were recovered from the line. If reading fails, Read returns the Log of
// the entries up to there, and the error.
func Read(log io.ReaderAt, size int64, reading Reading, damaged func(*entry.Damage)) (*Log, error) {
	t := newLog(reading, log, size)
	r := reading.Spare.Take(line.NewForward(io.NewSectionReader(log, 0, size)), reading.Decoder, func(d *entry.Damage) {
		t.skip(d)
		if damaged != nil {
			damaged(d)
		}
	})
	defer reading.Spare.Give(r)
	t.addAll(r, 0)
	return t, r.Err()
}

// skip heeds a line that is not one whole entry. If it is a JSON value, but neither an object nor null, pi
// takes it for an entry without an id.
func (t *Log) skip(d *entry.Damage) {
	if d.Value != nil && string(d.Value) != "null" {
		t.ending.foreign, t.ending.last = true, 0
	}
}

// addAll adds the entries of r, which are at an offset in the log, and completes the Log.
func (t *Log) addAll(r *dialect.Reader, offset int64) {
	r.Prepare(func() dialect.Maker { return &facts{of: t, in: r} })
	defer r.Close()
	for r.Next() {
		e, f := r.Entry(), r.Made().(*facts)
		e.Pos.Offset += offset
		if t.thread == nil {
			t.Dialect, t.thread = r.Dialect(), dialect.NewThread(r.Dialect())
			t.ending.headed = t.Dialect.IsHeader(e) && !t.ending.foreign
		}
		if t.add(e, f); t.reading.Each != nil && !t.reading.Each(e, r.Damage(), t.Dialect, &f.read) {
			break
		}
	}
	t.Lines, t.Bytes = r.Read()
	t.finish()
}

// ReadTail returns the Log of the lines from an offset on, at which one begins, in the first size
// bytes of a log in the dialect d, which may begin with a header. The numbers of the lines count from
// there. If reading fails, ReadTail returns the Log of the entries up to there, and the error.
func ReadTail(log io.ReaderAt, offset, size int64, d dialect.Dialect, headed bool) (*Log, error) {
	t := newLog(Reading{AsNamed: true}, log, size)
	t.Dialect, t.thread, t.ending.headed = d, dialect.NewThread(d), headed
	r := dialect.NewReader(line.NewForward(io.NewSectionReader(log, offset, size-offset)), entry.Decoder{}, t.skip)
	r.TakeAs(d) // it is a part of one
	t.addAll(r, offset)
	return t, r.Err()
}

// add adds an entry with its facts. It copies what it needs of e.
func (t *Log) add(e *entry.Entry, f *facts) {
	switch {
	case t.Dialect.IsClaude():
		t.addClaude(e, f)
	case t.Dialect.IsList():
		t.addInOrder(e, f)
	default:
		t.addPi(e, f)
	}
}

// addClaude adds an entry of a log of Claude Code.
func (t *Log) addClaude(e *entry.Entry, f *facts) {
	kind := f.row.kind
	if f.row.facts&Boundary != 0 {
		t.pin = 0
		t.LastBoundary = e.Pos
	}
	if !kind.Conversation() || kind == System {
		t.annotate(e)
	}
	id, parent, isNode := f.id, f.parent, f.hasID
	if t.reading.Knows != nil {
		if !e.Get(entry.UUID).IsString() || !t.reading.Knows(kind) {
			return
		}
		isNode = true
	} else if t.Dialect.IsList() {
		step := t.thread.Next(e)
		id, parent, isNode = t.hashOf(step.ID), t.hashOf(step.Parent), step.Node
	}
	if !isNode {
		t.withoutID(kind, e.Pos)
		return
	}
	t.insert(id, parent, e, f)
}

// addPi adds an entry of a pi log.
func (t *Log) addPi(e *entry.Entry, f *facts) {
	if !t.Dialect.IsNode(e) {
		t.aside()
		return
	}
	if !f.hasID {
		t.ending.last = 0
		t.withoutID(f.row.kind, e.Pos)
		return
	}
	t.insert(f.id, f.parent, e, f)
	if main := f.row.facts&Sidechain == 0; main || !t.ending.main {
		t.ending.last, t.ending.main = f.id, main
	}
}

// withoutID counts an entry without an id, if it is a message.
func (t *Log) withoutID(k Kind, p entry.Pos) {
	if !k.Message() {
		return
	}
	if t.NoIDCount == 0 {
		t.NoID = p
	}
	t.NoIDCount++
}

// aside notes an entry that is not a node.
func (t *Log) aside() {
	t.ending.headless = t.Dialect.NeedsHeader() && !t.ending.headed
}

// insert adds e as the node of an id. The id of its parent is 0 if it names none.
func (t *Log) insert(id, parent Hash, e *entry.Entry, f *facts) {
	up := None
	if parent != 0 {
		if last := len(t.ids) - 1; last >= 0 && t.ids[last] == parent { // as nearly always
			up = Node(last)
		} else {
			up = t.name(parent)
		}
	}
	t.addRow(id, up, e.Pos, t.rowOf(f))
}

// finish completes the Log after the last entry: it makes the index of the ids, the columns of the nodes, and
// with package rule the turns and leaves.
func (t *Log) finish() {
	if t.Dialect.IsList() {
		t.ending.last = t.hashOf(t.thread.Leaf())
	}
	t.index()
	t.byRef = slices.SortedStableFunc(slices.Values(t.annotations), compareRefs)
	t.Tree.Parent = t.Written
	lost := slices.ContainsFunc(t.Written, func(up Node) bool { return up >= t.Count })
	if lost {
		t.Tree.Parent = slices.Clone(t.Written)
		for n, up := range t.Written {
			if up >= t.Count {
				t.Tree.Parent[n] = None
			}
		}
	}
	if !t.Dialect.IsList() && t.reading.Knows == nil && !t.reading.AsNamed && !t.ending.headed {
		t.chain()
	}
	if lost && !t.Unchained {
		for n, up := range t.Written {
			if up >= t.Count {
				t.Tree.Flags[n] |= rule.Lost
			}
		}
	}
	if t.Cap = len(t.ids); t.Has(t.find(t.pin)) {
		t.Pinned = t.find(t.pin)
	}
	t.Tree.Plain = !t.Dialect.IsClaude() || t.Dialect.IsList() || t.Unchained
	t.compactions()
	t.Tree.Make()
	t.choose()
}
