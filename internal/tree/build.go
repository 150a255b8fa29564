package tree

import (
	"cmp"
	"hash/maphash"
	"io"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
)

// newTree returns a tree, as yet without entries, of the first size bytes of log.
func newTree(r Reading, log io.ReaderAt, size int64) *Tree {
	return &Tree{
		reading:    r,
		log:        log,
		size:       size,
		seeds:      [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		sessions:   map[Hash]int32{},
		sessionIDs: []Hash{0},
		byID:       newTable(1 << 10),
	}
}

// Read returns the tree of the first size bytes of a log, which it reads again whenever it needs the text
// of an entry. If damaged is not nil, Read calls it for each line that is not one whole entry, before
// it adds the entries that were recovered from the line. If reading fails, Read returns the tree of
// the entries up to there, and the error.
func Read(log io.ReaderAt, size int64, reading Reading, damaged func(*entry.Damage)) (*Tree, error) {
	t := newTree(reading, log, size)
	r := dialect.NewReader(line.NewForward(io.NewSectionReader(log, 0, size)), reading.Decoder, func(d *entry.Damage) {
		t.skip(d)
		if damaged != nil {
			damaged(d)
		}
	})
	t.addAll(r, 0)
	return t, r.Err()
}

// skip heeds a line that is not one whole entry. pi takes a line that is a JSON value, but neither an
// object nor null, for an entry without an id.
func (t *Tree) skip(d *entry.Damage) {
	if d.Value != nil && string(d.Value) != "null" {
		t.live.foreign, t.live.last = true, None
	}
}

// addAll adds the entries of r, which are at an offset in the log, and completes the tree.
func (t *Tree) addAll(r *dialect.Reader, offset int64) {
	walk := func(c entry.Cursor, f *facts) entry.Cursor { return f.read.Walk(c) }
	for f := range dialect.Ahead(r, walk, func(e *entry.Entry, f *facts) { t.prepare(e, r.Dialect(), f) }) {
		e := r.Entry()
		e.Pos.Offset += offset
		if t.thread == nil {
			t.dialect, t.thread = r.Dialect(), dialect.NewThread(r.Dialect())
			t.live.last = None
			t.live.headed = t.dialect.IsHeader(e) && !t.live.foreign
		}
		if t.add(e, f); t.reading.Each != nil && !t.reading.Each(e, r.Damage(), t.dialect, &f.read) {
			break
		}
	}
	t.lines, t.bytes = r.Read()
	t.finish()
}

// ReadTail returns the tree of the lines from an offset on, at which one begins, in the first size
// bytes of a log in the dialect d, which may begin with a header. The numbers of the lines count from
// there. If reading fails, ReadTail returns the tree of the entries up to there, and the error.
func ReadTail(log io.ReaderAt, offset, size int64, d dialect.Dialect, headed bool) (*Tree, error) {
	t := newTree(Reading{Written: true}, log, size)
	t.dialect, t.thread, t.live.last, t.live.headed = d, dialect.NewThread(d), None, headed
	r := dialect.NewReader(line.NewForward(io.NewSectionReader(log, offset, size-offset)), entry.Decoder{}, t.skip)
	r.TakeAs(d) // it is a part of one
	t.addAll(r, offset)
	return t, r.Err()
}

// add adds an entry, of which prepare has found the facts. It copies what it needs of e.
func (t *Tree) add(e *entry.Entry, f *facts) {
	t.reached = e.Pos.Offset + e.Pos.Length
	switch {
	case t.dialect.HasTurns():
		t.addClaude(e, f)
	case t.dialect.IsList():
		t.addInOrder(e, f)
	default:
		t.addPi(e, f)
	}
}

// addClaude adds an entry of a log of Claude Code.
func (t *Tree) addClaude(e *entry.Entry, f *facts) {
	kind := f.node.kind
	if f.node.flags&boundary != 0 {
		t.pinned = false
		t.boundary = pack(e.Pos)
	}
	if !kind.Conversation() || dialect.QwenTitle(e) != nil {
		t.annotate(e)
	}
	id, parent := f.id, f.parent
	if t.reading.Knows != nil {
		if !e.Get(entry.UUID).IsString() || !t.reading.Knows(kind) {
			return
		}
	} else if step := t.thread.Next(e); !step.Node {
		t.withoutID(kind, pack(e.Pos))
		return
	} else if t.dialect.IsList() {
		id, parent = t.hashOf(step.ID), t.hashOf(step.Parent)
	}
	t.insert(id, parent, t.nodeOf(e, f))
}

// addPi adds an entry of a pi log.
func (t *Tree) addPi(e *entry.Entry, f *facts) {
	if !t.dialect.IsNode(e) {
		t.aside()
		return
	}
	n := t.nodeOf(e, f)
	if !f.hasID {
		t.live.last = None
		t.withoutID(n.kind, n.pos)
		return
	}
	at := t.insert(f.id, f.parent, n)
	if main := n.flags&sidechain == 0; main || !t.live.main {
		t.live.last, t.live.main = at, main
	}
}

// withoutID counts an entry without an id, if it is a message.
func (t *Tree) withoutID(k Kind, p packedPos) {
	if !k.Message() {
		return
	}
	if t.noIDCount == 0 {
		t.noID = p
	}
	t.noIDCount++
}

// aside notes an entry that is not a node.
func (t *Tree) aside() {
	t.live.headless = t.live.headless || t.dialect.NeedsHeader() && !t.live.headed
}

// insert makes n the node of an id, and returns its handle. The id of its parent is 0 if it names
// none. The node replaces an earlier entry with its id.
func (t *Tree) insert(id, parent Hash, n node) Node {
	if parent != 0 {
		n.parent = t.intern(parent)
	}
	at := t.intern(id)
	old := t.at(at)
	n.id = id
	if old.flags&present != 0 {
		t.replaced = append(t.replaced, Duplicate{Node: at, Earlier: old.pos.unpack(), Main: old.kind.Conversation() && old.flags&sidechain == 0})
	}
	*old = n
	return at
}

// finish completes the tree after the last entry.
func (t *Tree) finish() {
	if t.dialect.IsList() && t.thread != nil {
		t.live.last = t.LookUp(t.thread.Leaf())
	}
	t.sort()
	t.up = make([]Node, t.nodes.count)
	for n := range t.up {
		t.up[n] = None
		if p := t.at(Node(n)).parent; t.has(p) && Node(n) < t.count {
			t.up[n] = p
		}
	}
	if !t.IsList() && t.reading.Knows == nil && !t.reading.Written && !t.live.headed {
		t.chain()
	}
	if t.HasTurns() && t.reading.Knows == nil {
		t.keep()
	}
}

// sort gives nodes the numbers of their places in the file, those that are only named the last.
func (t *Tree) sort() {
	last, sorted := int64(-1), true
	for i := range t.nodes.count {
		n := t.nodes.at(i)
		is := n.flags&present != 0
		sorted = sorted && is && n.pos.offset() > last
		if last = n.pos.offset(); is {
			t.count++
		}
	}
	if sorted {
		return
	}
	order := make([]Node, t.nodes.count)
	for i := range order {
		order[i] = Node(i)
	}
	slices.SortStableFunc(order, func(a, b Node) int {
		x, y := t.at(a), t.at(b)
		return cmp.Or(cmp.Compare(y.flags&present, x.flags&present), cmp.Compare(x.pos.offset(), y.pos.offset()))
	})
	places := make([]Node, len(order))
	for i, n := range order {
		places[n] = Node(i)
	}
	place := func(n *Node) {
		if *n != None {
			*n = places[*n]
		}
	}
	for i := range t.nodes.count {
		place(&t.nodes.at(i).parent)
	}
	for i := range t.replaced {
		place(&t.replaced[i].Node)
	}
	updated := map[Node]entry.Value{}
	for n, id := range t.updated {
		updated[places[n]] = id
	}
	t.updated = updated
	place(&t.live.last)
	t.byID.renumber(places)
	for i := range order { // each node goes to its place
		for places[i] != Node(i) {
			j := places[i]
			*t.at(Node(i)), *t.at(j), places[i], places[j] = *t.at(j), *t.at(Node(i)), places[j], places[i]
		}
	}
}
