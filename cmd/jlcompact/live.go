package main

import (
	"hash/maphash"
	"io"
	"slices"

	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/shape"
)

// A part says where the live part of a log begins.
type part struct {
	head       int64 // the length of a pi log's header line, 0 if there is none
	cut        int64 // the offset of the first live line; head or 0 if all is live
	compaction entry.Value
}

// live finds the live part of a log by reading backwards from its end. It reads as
// far as the conversation goes back, and to the beginning where an entry that is
// looked for is not met: because it is in no place, or because a parent stands
// below its child.
func live(r io.ReaderAt, size int64) (part, error) {
	s := scan{
		r: r, size: size,
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		nodes: map[key]*node{},
	}
	if err := s.readHead(); err != nil {
		return part{}, err
	}
	p := part{head: s.head, cut: s.head}
	if s.noIDs {
		return p, nil
	}
	w, err := s.boundary(&p)
	if err != nil || w.top == nil {
		return p, err
	}
	p.cut, err = s.above(w)
	return p, err
}

// A key is the hash of an id under seeds chosen anew in each run.
type key [2]uint64

// A node is what the way up must know of an entry with an id.
type node struct {
	parent   key
	message  key   // that an assistant entry is a part of; zero if it names none
	offset   int64 // of its line
	root     bool  // it names no parent
	boundary bool
	kept     kept
	id       entry.Value // of a pi compaction
}

// What a compaction kept of what stands above it, to be read below anchor: a list of
// ids, or the way from tail up to head.
type kept struct {
	list       []key
	head, tail key
	segment    bool
	anchor     key
}

// A scan is one pass backwards over a log.
type scan struct {
	r       io.ReaderAt
	size    int64
	dialect entry.Dialect
	noIDs   bool  // it is a pi log of version 1, which is not cut: see main.go
	head    int64 // the length of the header line

	seeds [2]maphash.Seed
	lines *line.Backward
	dec   entry.Decoder
	nodes map[key]*node // by id: its last entry in the file, as far as it was met
	end   *node         // the last entry that the conversation can end at
	bound *node         // the last boundary
	last  *node         // the last conversation entry, or of a pi log the last entry
	ended bool          // the last entry of a pi log is known, or known to have no id
}

// readHead reads the first entry, which tells the dialect.
func (s *scan) readHead() error {
	lines := line.NewForward(io.NewSectionReader(s.r, 0, s.size))
	for lines.Next() {
		if n, _ := s.dec.Decode(lines.Bytes(), lines.Number(), lines.Offset()); n == 0 {
			continue
		}
		first := s.dec.Entry(0)
		s.dialect = entry.DialectOf(first)
		s.noIDs = s.dialect == entry.Pi && entry.Numbered(first)
		if first.IsHeader() {
			s.head = lines.Offset() + int64(len(lines.Bytes()))
		}
		return nil
	}
	return lines.Err()
}

// more takes in the entries of the line before those that were read; it reports
// false at the beginning of the log.
func (s *scan) more() (bool, error) {
	if s.lines == nil {
		s.lines = line.NewBackward(s.r, s.size)
	}
	if !s.lines.Next() {
		return false, s.lines.Err()
	}
	b, err := s.lines.Bytes()
	if err != nil {
		return false, err
	}
	count, damage := s.dec.Decode(b, 0, s.lines.Offset())
	if damage != nil && damage.Value != nil && string(damage.Value) != "null" {
		s.ended = true // to pi a JSON value is an entry without an id
	}
	for i := count - 1; i >= 0; i-- {
		s.add(s.dec.Entry(i))
	}
	return true, nil
}

func (s *scan) add(e *entry.Entry) {
	if s.dialect == entry.Pi && e.Get(entry.Type).Is("session") {
		return
	}
	id := s.dialect.IDOf(e)
	if id == nil {
		s.ended = true
		return
	}
	k := s.key(id.Text())
	if s.nodes[k] != nil {
		return
	}
	n := &node{offset: s.lines.Offset(), root: true}
	if p := s.dialect.ParentOf(e); p != nil {
		n.parent, n.root = s.key(p.Text()), false
	}
	s.nodes[k] = n
	if s.dialect == entry.Pi {
		s.addPi(e, n)
		return
	}
	if e.IsBoundary() {
		n.boundary = true
		n.kept = s.kept(e)
		if s.bound == nil {
			s.bound = n
		}
	}
	if !e.IsConversation() {
		return
	}
	n.message = s.message(e)
	if s.last == nil {
		s.last = n
	}
	if s.end == nil && !e.Get(entry.IsSidechain).Truthy() {
		s.end = n
	}
}

// addPi takes in an entry of a pi log: the conversation ends at the last one.
func (s *scan) addPi(e *entry.Entry, n *node) {
	if !s.ended {
		s.ended, s.end = true, n
	}
	if e.Get(entry.Type).Is("compaction") {
		n.boundary = true
		n.id = slices.Clone(e.Get(entry.ID))
		if first := e.Get(entry.FirstKeptEntryID); !first.IsEmpty() {
			n.kept = kept{head: s.key(first.Text()), segment: true}
		}
	}
}

// message returns the key of the message that e is a part of, zero if it is of none.
func (s *scan) message(e *entry.Entry) key {
	if e.Get(entry.Type).Is("assistant") {
		if id := e.Get(entry.Message).Member("id"); !id.IsEmpty() {
			return s.key(id.Text())
		}
	}
	return key{}
}

func (s *scan) kept(boundary *entry.Entry) kept {
	p, ok := shape.PreservedBy(boundary)
	if !ok {
		return kept{}
	}
	k := kept{segment: !p.Listed, anchor: s.key(p.Anchor.Text())}
	for _, id := range p.IDs {
		k.list = append(k.list, s.key(id.Text()))
	}
	if k.segment {
		k.head, k.tail = s.key(p.Head.Text()), s.key(p.Tail.Text())
	}
	return k
}

func (s *scan) key(id []byte) key {
	return key{maphash.Bytes(s.seeds[0], id), maphash.Bytes(s.seeds[1], id)}
}

// find returns the node of an id, reading back for it as far as it takes; nil if
// the log has none.
func (s *scan) find(k key) (*node, error) {
	for {
		if n := s.nodes[k]; n != nil {
			return n, nil
		}
		if ok, err := s.more(); !ok {
			return nil, err
		}
	}
}

// leaf returns the entry that the live conversation ends at, nil if there is none.
func (s *scan) leaf() (*node, error) {
	for s.end == nil && !(s.dialect == entry.Pi && s.ended) {
		if ok, err := s.more(); err != nil {
			return nil, err
		} else if !ok {
			return s.last, nil
		}
	}
	return s.end, nil
}

// boundary returns what the live conversation is made of; its top is nil if nothing
// was compacted.
func (s *scan) boundary(p *part) (way, error) {
	n, err := s.leaf()
	if n == nil || err != nil {
		return way{}, err
	}
	if s.dialect == entry.Pi {
		return s.compaction(n, p)
	}
	w, err := s.climb(n, func(n *node) bool { return n.root })
	if err != nil || w.top == nil || !w.top.boundary {
		return way{}, err
	}
	kept, err := s.keeps(w.top.kept)
	if err != nil {
		return w, err
	}
	// A later boundary that stands elsewhere may have hung what it kept into this
	// way, where none of it was.
	if b := s.bound; b != w.top && w.on[s.nodes[b.kept.anchor]] {
		more, err := s.keeps(b.kept)
		if err != nil {
			return w, err
		}
		if !slices.ContainsFunc(more, func(n *node) bool { return w.on[n] }) {
			kept = append(kept, more...)
		}
	}
	for _, n := range kept {
		w.add(n)
	}
	return w, nil
}

// A way is a walk from parent to parent, and what was added to it.
type way struct {
	top   *node          // where it was to end; nil if it does not get there
	first int64          // the smallest offset on it
	on    map[*node]bool // what is on it
	nodes []*node        // the same, in order
}

func (w *way) add(n *node) {
	w.first = min(w.first, n.offset)
	w.on[n] = true
	w.nodes = append(w.nodes, n)
}

// climb walks up from n to the first node that there reports true for. It ends
// without where a parent is in no place and where it comes round in a ring.
func (s *scan) climb(n *node, there func(*node) bool) (way, error) {
	w := way{first: s.size, on: map[*node]bool{}}
	for {
		w.add(n)
		if there(n) {
			w.top = n
			return w, nil
		}
		if n.root {
			return w, nil
		}
		up, err := s.find(n.parent)
		if up == nil || w.on[up] || err != nil {
			return w, err
		}
		n = up
	}
}

// keeps returns what a compaction kept; nothing if what it names is not all there:
// then it is not followed.
func (s *scan) keeps(k kept) ([]*node, error) {
	var nodes []*node
	for _, id := range k.list {
		n, err := s.find(id)
		if n == nil || err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	if !k.segment {
		return nodes, nil
	}
	tail, err := s.find(k.tail)
	if tail == nil || err != nil {
		return nil, err
	}
	head, err := s.find(k.head)
	if head == nil || err != nil {
		return nil, err
	}
	w, err := s.climb(tail, func(n *node) bool { return n == head })
	if w.top == nil || err != nil {
		return nil, err
	}
	return w.nodes, nil
}

// compaction is boundary for a pi log that ends at n.
func (s *scan) compaction(n *node, p *part) (way, error) {
	below, err := s.climb(n, func(n *node) bool { return n.boundary })
	if below.top == nil || err != nil {
		return way{}, err
	}
	c := below.top
	p.compaction = c.id
	if !c.kept.segment {
		return below, nil
	}
	first, err := s.find(c.kept.head)
	if first == nil || first == c || err != nil {
		return below, err
	}
	w, err := s.climb(c, func(n *node) bool { return n == first })
	if w.top == nil || err != nil {
		return below, err
	}
	below.first = min(below.first, w.first)
	return below, nil
}

// above moves the cut that is at the first line of w up over what stands above it
// and belongs to what follows: the lines directly above that hold no entry with an
// id, the other entries of a message of w, for parallel calls are entries of their
// own, and the snapshots of entries of w, above links. It looks no further than a
// message can reach: to a prompt, a root, or another message.
func (s *scan) above(w way) (int64, error) {
	cut := w.first
	c := company{scan: s, ids: map[key]bool{}, messages: map[key]bool{}}
	for id, n := range s.nodes {
		if !w.on[n] {
			continue
		}
		c.ids[id] = true
		if n.message != (key{}) && cut < w.top.offset { // a message does not go on below a compaction
			c.messages[n.message] = true
		}
	}
	direct := true // what is above the cut is directly above what belongs to it
	lines := line.NewBackward(s.r, cut)
	for lines.Next() {
		b, err := lines.Bytes()
		if err != nil {
			return cut, err
		}
		count, _ := s.dec.Decode(b, 0, lines.Offset())
		belongs, end := false, false
		for i := range count {
			e := s.dec.Entry(i)
			switch {
			case c.has(e, lines.Offset()):
				belongs = true
			case s.dialect.IDOf(e) != nil || e.IsHeader():
				direct = false
				end = end || c.ends(e, lines.Offset())
			}
		}
		if direct = direct || belongs; direct {
			cut = lines.Offset()
		}
		if end {
			return cut, nil
		}
	}
	return cut, lines.Err()
}

// A company is what the entries of a conversation bring with them.
type company struct {
	*scan
	ids      map[key]bool // of the entries
	messages map[key]bool // that they are parts of
}

// has reports whether e, of the line at offset, is a snapshot of the conversation
// or a part of one of its messages.
func (c *company) has(e *entry.Entry, offset int64) bool {
	if c.dialect == entry.Pi {
		return false
	}
	if t := e.Get(entry.Type); t.Is("file-history-snapshot") || t.Is("file-history-delta") {
		id := e.Get(entry.MessageID)
		return !id.IsEmpty() && c.ids[c.key(id.Text())]
	}
	id := c.dialect.IDOf(e)
	if id == nil || !c.messages[c.message(e)] || c.again(id, offset) {
		return false
	}
	c.ids[c.key(id.Text())] = true
	return true
}

// again reports whether an entry with the id, met in the line at offset, was written
// again below: that one counts.
func (c *company) again(id entry.Value, offset int64) bool {
	n := c.nodes[c.key(id.Text())]
	return n != nil && n.offset != offset
}

// ends reports whether nothing of the conversation is looked for above e, an entry
// with an id that is not of it: because e cannot stand between a snapshot and its
// entry, nor between the parts of a message.
func (c *company) ends(e *entry.Entry, offset int64) bool {
	switch t := e.Get(entry.Type); {
	case c.dialect == entry.Pi:
		return true
	case c.again(c.dialect.IDOf(e), offset), !e.IsConversation():
		return false
	case len(c.messages) == 0:
		return true
	case e.Get(entry.IsSidechain).Truthy() && c.end != nil:
		return false
	case c.dialect.ParentOf(e) == nil:
		return true
	case t.Is("user"):
		return !answers(e)
	case t.Is("assistant"):
		return !c.messages[c.message(e)]
	}
	return false
}

// answers reports whether e holds the result of a call.
func answers(e *entry.Entry) bool {
	return shape.HasResult(e)
}
