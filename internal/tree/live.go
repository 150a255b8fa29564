package tree

import (
	"io"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/shape"
)

// A Live is the place of the live part of a log: what is left of the conversation
// since the last compaction. It begins with the header, if there is one, and goes on
// from Cut to the end of the log.
type Live struct {
	Dialect    dialect.Dialect // of the log
	Head       int64           // the offset of the first line after the header, 0 if there is no header
	Cut        int64           // the offset of a line; Head if all of the log is live
	Compaction entry.Value     // the id of the pi compaction that the log is cut at, else nil

	view  *view // of the log, as far as it is read
	first Node  // in a pi log that is cut, the uppermost node of the live path
}

// ReadLive finds the live part of the first size bytes of a log, without reading what is above
// it. It reads the first entry and then, from the end of the log upwards, as much as the
// conversation takes. If it looks for an entry that the log does not have, or that is below its
// child, it reads the whole log.
//
// A Claude log is cut if the conversation that ends at [Tree.End] goes back to a
// boundary: at the boundary, or at the first entry that it, or the last boundary of
// the log, preserved for this conversation. If it goes back to an orphan below the last
// boundary, the log is cut at that boundary. A pi log is cut at the first entry that the
// last compaction above the last entry kept. The cut then moves up over what belongs
// to the entry there: see extend. A pi log of version 1 is never cut, because its
// compactions count entries. ReadLive reads all of a straight log, and cuts it where its
// [dialect.Thread] says. The caller closes the Live, unless there is an error.
func ReadLive(log io.ReaderAt, size int64) (Live, error) {
	first := dialect.NewReader(line.NewForward(io.NewSectionReader(log, 0, size)), entry.Decoder{}, nil)
	if !first.Next() {
		return Live{}, first.Err()
	}
	l := Live{Dialect: first.Dialect()}
	if l.Dialect.IsHeader(first.Entry()) {
		_, l.Head = first.Bounds()
	}
	l.Cut = l.Head
	if l.Dialect.IsList() {
		return l.straight(first)
	}
	v := newUnread(first.Entry(), l.Dialect, log, size)
	if nodes := v.live(&l); len(nodes) > 0 {
		l.Cut = v.extend(nodes)
	}
	if err := v.err; err != nil {
		v.Close()
		return Live{}, err
	}
	l.view = v
	return l, nil
}

// Close gives the memory of what was read back. Of the methods of l, none may be called
// afterwards.
func (l *Live) Close() {
	if l.view != nil {
		l.view.Close()
	}
}

// straight finds the cut of a straight log. It reads all of the log, because an undo can
// be at its end.
func (l Live) straight(r *dialect.Reader) (Live, error) {
	thread := dialect.NewThread(l.Dialect)
	var starts []int64 // of the lines of the living entries
	for ok := true; ok; ok = r.Next() {
		step := thread.Next(r.Entry())
		starts = starts[:step.Keep]
		if start, _ := r.Bounds(); step.Node && step.Agent == nil && step.At == len(starts) {
			starts = append(starts, start)
		}
	}
	if cut := thread.Cut(); cut >= 0 {
		l.Cut = max(l.Head, starts[cut])
	}
	return l, r.Err()
}

// End returns the node that the live conversation ends at: the last conversation node in
// the file that is not on a sidechain (of all, if all are on one) and has a user or
// assistant entry at or above it, or, if none has, the last. So a boundary that a crash
// left without its summary is not the end. In a pi log the end is the last entry. It is
// None if there is none.
func (t *Tree) End() Node {
	if !t.dialect.LikeClaude() {
		return t.pi.last
	}
	return t.all().end()
}

// end is End for a Claude log.
func (v *view) end() Node {
	if n := v.lastSpoken(v.isMain); n != None {
		return n
	}
	return v.lastSpoken(v.Conversation)
}

// isMain reports whether n is a conversation node that is not on a sidechain.
func (v *view) isMain(n Node) bool { return v.Conversation(n) && v.at(n).flags&sidechain == 0 }

// lastSpoken returns the last node in the file that counts and has a message at or above
// it, or, if none has, the last that counts.
func (v *view) lastSpoken(counts func(Node) bool) Node {
	last := None
	var silent nodeSet // the nodes that have no message at or above them
	for n := range v.backward() {
		if !counts(n) {
			continue
		}
		if last == None {
			last = n
		}
		for up, ok := n, true; ok && !silent.has(up); up, ok = v.up(up) {
			if v.isMessage(up) {
				return n
			}
			silent.add(up)
		}
	}
	return last
}

// live returns the nodes of the live conversation, the compaction that it goes back to
// first; none if it goes back to no compaction.
func (v *view) live(l *Live) []Node {
	if !v.dialect.LikeClaude() {
		return v.livePi(l)
	}
	end := v.end()
	if end == None {
		return nil
	}
	path := v.chain(end)
	top := path[0]
	if v.parent[top] == None && v.isBoundary(top) {
		return v.withKept(top, path)
	}
	// The conversation goes on from an entry that a compaction kept, or the log has lost
	// how it goes back to the compaction.
	kept := v.lastPreserved()
	if kept != nil && kept.changes(v, path) {
		above := v.chain(kept.anchor)
		if up := above[0]; v.parent[up] == None && v.isBoundary(up) {
			behind := 1 + lastIndex(path, func(n Node) bool { return kept.kept[n] })
			return v.withKept(up, slices.Concat(above, kept.ids, path[behind:]))
		}
	}
	lost := v.parent[top] != None && !v.holds(v.parent[top])
	if b := v.lastMainBoundary(); lost && b != None && v.at(b).pos.offset() < v.at(top).pos.offset() {
		return slices.Concat([]Node{b}, v.withKept(b, path))
	}
	return nil
}

// withKept returns the nodes of a path, which goes back to the boundary top or has lost how,
// and those that compactions kept for it.
func (v *view) withKept(top Node, path []Node) []Node {
	nodes := path
	if kept, ok := v.preserved(top); ok && v.resolve(&kept) {
		nodes = slices.Concat(nodes, kept.ids)
	}
	if kept := v.lastPreserved(); kept != nil && kept.boundary != top && kept.changes(v, path) {
		nodes = slices.Concat(nodes, kept.ids, v.chain(kept.anchor))
	}
	return nodes
}

// lastMainBoundary returns the last boundary in the file that is not on a sidechain, unless
// all nodes are, or None.
func (v *view) lastMainBoundary() Node {
	allSide := v.allSide()
	for n := range v.backward() {
		if v.isBoundary(n) && (allSide || v.at(n).flags&sidechain == 0) {
			return n
		}
	}
	return None
}

// livePi is live for a pi log.
func (v *view) livePi(l *Live) []Node {
	for !v.pi.hasMain && v.readLine() {
	}
	if v.pi.last == None {
		return nil
	}
	nodes := v.walkUp(v.pi.last, v.isBoundary)
	top := nodes[0]
	if !v.isBoundary(top) {
		return nil
	}
	l.Compaction, l.first = v.RawID(top), top
	id := v.Entry(top).Get(entry.FirstKeptEntryID)
	if id.IsEmpty() {
		return nodes
	}
	head := v.lookUp(id)
	if kept := v.walkUp(top, func(n Node) bool { return n == head }); kept[0] == head {
		nodes, l.first = append(nodes, kept...), head
	}
	return nodes
}

// extend returns the offset at which the log is cut to keep the nodes, which live
// returned, and what belongs to them but is above: the other entries of their
// messages, because parallel calls are entries of their own; their snapshots, even
// above links; and the lines without an id directly above what is kept. It reads no
// further up than a message can reach: to a prompt, a root or another message, but always
// to the one that the parents of a kept entry lead to.
func (v *view) extend(nodes []Node) int64 {
	r := related{view: v, messages: map[hash]bool{}, start: v.size}
	r.mainLine = v.dialect.LikeClaude() && !v.allSide()
	cut := v.size
	keep := func(n Node) {
		r.nodes.add(n)
		cut = min(cut, v.at(n).pos.line())
	}
	for _, n := range nodes {
		keep(n)
		m := v.messageOf(n)
		if m == 0 {
			continue
		}
		r.messages[m] = true
		if v.at(n).pos.line() > v.at(nodes[0]).pos.line() {
			continue // what its parents lead to is one of the nodes, or lost
		}
		before := func(up Node) bool { return v.at(up).kind == assistant && v.messageOf(up) != m || v.isPrompt(up) }
		walk := v.walkUp(n, before)
		for _, up := range walk {
			if v.messageOf(up) == m {
				keep(up)
			}
		}
		if top := walk[0]; before(top) || v.parent[top] == None {
			r.start = min(r.start, v.at(top).pos.line())
		} else {
			r.start = 0 // what it began below is lost, and the log is read to its beginning
		}
	}
	lines := line.NewBackward(v.log, cut)
	adjacent := true // all from this line to the cut belongs to what is kept
	for {
		count, _, ok := v.decode(lines)
		if !ok {
			return cut
		}
		belongs, end := false, false
		for i := range count {
			e := v.unread.dec.Entry(i)
			switch {
			case r.has(e):
				belongs = true
			case v.dialect.IDOf(e) != nil || v.dialect.IsHeader(e):
				adjacent = false
				end = end || r.ends(e)
			}
		}
		if adjacent = adjacent || belongs; adjacent {
			cut = lines.Offset()
		}
		if end {
			return cut
		}
	}
}

// A related knows which entries above a cut belong to the nodes below it.
type related struct {
	*view
	nodes    nodeSet
	messages map[hash]bool // the messages of the nodes
	start    int64         // the offset of a line that the messages of kept entries begin below
	mainLine bool          // the conversation is not a sidechain
}

// has reports whether e is a snapshot of one of the nodes or part of one of their
// messages. A part becomes one of the nodes.
func (r *related) has(e *entry.Entry) bool {
	switch {
	case !r.dialect.LikeClaude():
		return false
	case shape.NamesBackups(e):
		id := e.Get(entry.MessageID)
		return !id.IsEmpty() && r.nodes.has(r.find(r.key(id.Text())))
	case r.dialect.IDOf(e) == nil || !r.isPart(e) || r.repeated(e):
		return false
	}
	r.nodes.add(r.node(e.Get(entry.UUID)))
	return true
}

// isPart reports whether e is an entry of one of the messages.
func (r *related) isPart(e *entry.Entry) bool {
	if kindOf(e.Get(entry.Type)) != assistant {
		return false
	}
	id := e.Get(entry.Message).Member("id")
	return !id.IsEmpty() && r.messages[r.hash(id.Text())]
}

// repeated reports whether a line further down has another entry with the id of e,
// which then is the one that counts.
func (r *related) repeated(e *entry.Entry) bool {
	n := r.find(r.key(r.dialect.IDOf(e).Text()))
	return n != None && r.in[n] && r.at(n).pos.line() != e.Pos.Line
}

// ends reports whether nothing above e, a node that belongs to no other, can belong to
// the nodes: e cannot be between the entries of a message, nor between a snapshot and
// its entry.
func (r *related) ends(e *entry.Entry) bool {
	if !r.dialect.LikeClaude() {
		return true
	}
	k := kindOf(e.Get(entry.Type))
	switch {
	case !k.inConversation(), r.repeated(e), e.Pos.Line > r.start:
		return false
	case len(r.messages) == 0:
		return true
	case e.Get(entry.IsSidechain).Truthy() && r.mainLine:
		return false
	case r.dialect.ParentOf(e) == nil, k == assistant:
		return true
	}
	prompt, _ := shape.Prompt(e, r.dialect)
	return k == user && prompt != nil
}
