package main

import (
	"hash/maphash"
	"io"
	"slices"

	"jl/internal/entry"
	"jl/internal/line"
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
	cut, err := s.boundary(&p)
	if err != nil || cut < 0 {
		return p, err
	}
	p.cut, err = s.above(cut)
	return p, err
}

// A key is the hash of an id under seeds chosen anew in each run.
type key [2]uint64

// A node is what the way up must know of an entry with an id.
type node struct {
	parent   key
	offset   int64 // of its line
	root     bool  // it names no parent
	boundary bool
	kept     kept
	id       entry.Value // of a pi compaction
}

// What a compaction kept of what stands above it: a list of ids, or the way from
// tail up to head.
type kept struct {
	list       []key
	head, tail key
	segment    bool
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
	last  *node         // the last conversation entry, or of a pi log the last entry
	ended bool          // the last entry of a pi log is known, or known to have no id
}

// readHead reads the first entry, which tells the dialect.
func (s *scan) readHead() error {
	lines := line.NewForward(io.NewSectionReader(s.r, 0, s.size))
	for lines.Next() {
		if n, _ := s.dec.Decode(lines.Bytes(), lines.Number() == 1); n == 0 {
			continue
		}
		first := s.dec.Entry(0)
		s.dialect = entry.DialectOf(first)
		s.noIDs = s.dialect == entry.Pi && entry.HasNoIDs(first)
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
	count, damage := s.dec.Decode(b, s.lines.Offset() == 0)
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
		n.kept = s.kept(e.Get(entry.CompactMetadata))
	}
	if !e.IsConversation() {
		return
	}
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

func (s *scan) kept(metadata entry.Value) kept {
	list, segment := metadata.Member("preservedMessages"), metadata.Member("preservedSegment")
	var k kept
	if uuids := list.Member("uuids"); list.IsObject() && uuids.IsArray() {
		for id := range uuids.Elements() {
			k.list = append(k.list, s.key(id.Text()))
		}
	} else if segment.IsObject() {
		k.segment = true
		k.head = s.key(segment.Member("headUuid").Text())
		k.tail = s.key(segment.Member("tailUuid").Text())
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

// boundary returns the offset of the first line that the live conversation needs,
// -1 if nothing was compacted.
func (s *scan) boundary(p *part) (int64, error) {
	n, err := s.leaf()
	if n == nil || err != nil {
		return -1, err
	}
	if s.dialect == entry.Pi {
		return s.compaction(n, p)
	}
	w, err := s.climb(n, func(n *node) bool { return n.root })
	if err != nil || w.top == nil || !w.top.boundary {
		return -1, err
	}
	first, err := s.firstKept(w.top.kept)
	return min(w.first, first), err
}

// A way is a walk from parent to parent.
type way struct {
	top   *node // where it was to end; nil if it does not get there
	first int64 // the smallest offset on it
}

// climb walks up from n to the first node that there reports true for. It ends
// without where a parent is in no place and where it comes round in a ring.
func (s *scan) climb(n *node, there func(*node) bool) (way, error) {
	w := way{first: n.offset}
	seen := map[*node]bool{}
	for {
		w.first = min(w.first, n.offset)
		if there(n) {
			w.top = n
			return w, nil
		}
		seen[n] = true
		if n.root {
			return w, nil
		}
		up, err := s.find(n.parent)
		if up == nil || seen[up] || err != nil {
			return w, err
		}
		n = up
	}
}

// firstKept returns the smallest offset of what a compaction kept; the size of the
// log if it kept nothing, or if what it names is not all there: then it is not
// followed.
func (s *scan) firstKept(k kept) (int64, error) {
	first := s.size
	for _, id := range k.list {
		n, err := s.find(id)
		if n == nil || err != nil {
			return s.size, err
		}
		first = min(first, n.offset)
	}
	if !k.segment {
		return first, nil
	}
	tail, err := s.find(k.tail)
	if tail == nil || err != nil {
		return s.size, err
	}
	head, err := s.find(k.head)
	if head == nil || err != nil {
		return s.size, err
	}
	w, err := s.climb(tail, func(n *node) bool { return n == head })
	if w.top == nil || err != nil {
		return s.size, err
	}
	return w.first, nil
}

// compaction is boundary for a pi log that ends at n.
func (s *scan) compaction(n *node, p *part) (int64, error) {
	below, err := s.climb(n, func(n *node) bool { return n.boundary })
	if below.top == nil || err != nil {
		return -1, err
	}
	c := below.top
	p.compaction = c.id
	if !c.kept.segment {
		return below.first, nil
	}
	first, err := s.find(c.kept.head)
	if first == nil || first == c || err != nil {
		return below.first, err
	}
	w, err := s.climb(c, func(n *node) bool { return n == first })
	if w.top == nil || err != nil {
		return below.first, err
	}
	return min(below.first, w.first), nil
}

// above moves a cut up over the lines directly above it that hold no entry with an
// id.
func (s *scan) above(cut int64) (int64, error) {
	lines := line.NewBackward(s.r, cut)
	for lines.Next() {
		b, err := lines.Bytes()
		if err != nil {
			return cut, err
		}
		count, _ := s.dec.Decode(b, lines.Offset() == 0)
		for i := range count {
			if e := s.dec.Entry(i); s.dialect.IDOf(e) != nil || e.IsHeader() {
				return cut, nil
			}
		}
		cut = lines.Offset()
	}
	return cut, lines.Err()
}
