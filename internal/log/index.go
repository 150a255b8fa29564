package log

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"

	"jl/internal/entry"
	"jl/internal/numbers"
)

// session returns the ordinal of a session id, counted from 1.
func (t *Log) session(id Hash) int32 {
	s, ok := t.sessions[id]
	if !ok {
		s = int32(len(t.sessionIDs))
		t.sessions[id], t.sessionIDs = s, append(t.sessionIDs, id)
	}
	return s
}

// find returns the node of an id, or None if no entry has or names it.
func (t *Log) find(id Hash) Node {
	n := t.byID.Get(id, func(n int32) bool { return t.ids[n-1] == id })
	return Node(n) - 1
}

// name returns a number that stands for the node of an id until finish, which makes the index.
func (t *Log) name(id Hash) Node {
	t.named = append(t.named, id)
	return None - Node(len(t.named))
}

// index makes the index of the ids, and gives the nodes their parents. It does so after all entries are read,
// because a processor waits for many places of the index at once if nothing else comes between the look-ups.
func (t *Log) index() {
	if repeated := t.enter(); len(repeated) > 0 {
		t.settle(repeated)
		t.cut()
		t.enter()
	}
	t.Count = Node(len(t.ids))
	for n, up := range t.Written {
		if up < None {
			t.Written[n] = t.intern(t.named[None-up-1])
		}
	}
	t.named = nil
}

// enter makes the index of the ids, and returns the nodes with ids that a later one has, the last first.
func (t *Log) enter() (repeated []Node) {
	t.byID = numbers.New(len(t.ids))
	for n := Node(len(t.ids)) - 1; n >= 0; n-- {
		if t.enterID(t.ids[n], n) != n {
			repeated = append(repeated, n)
		}
	}
	return repeated
}

// A copied entry has an id that others have, too.
type copied struct {
	at  Node // before cut
	sum uint64
}

// settle finds the one entry of each id that counts, and marks the others as gone. That is the last, but one that says
// the same as the one that counts so far is no news. In a list, and for other programs, it is just the last.
func (t *Log) settle(repeated []Node) {
	all := make([]copied, 0, 2*len(repeated))
	for _, n := range repeated {
		all = append(all, copied{at: n})
		if last := t.find(t.ids[n]); t.Marks[last]&gone == 0 {
			t.Marks[last] |= gone // until its turn comes
			all = append(all, copied{at: last})
		}
	}
	byPlace := t.reading.Knows == nil && !t.Dialect.IsList()
	slices.SortFunc(all, func(a, b copied) int { return cmp.Compare(a.at, b.at) })
	for i := range all {
		t.Marks[all[i].at] |= gone
		if byPlace {
			all[i].sum = t.sum(t.Pos(all[i].at))
		}
	}
	t.Duplicates = make([]Duplicate, 0, len(repeated))
	id := func(c copied) Hash { return t.ids[c.at] }
	slices.SortStableFunc(all, func(a, b copied) int { return cmp.Compare(id(a), id(b)) })
	for i := 0; i < len(all); {
		counts, first, start := all[i], i, len(t.Duplicates)
		for i++; i < len(all) && id(all[i]) == id(counts); i++ {
			earlier, later := all[i-1], all[i]
			same := byPlace && earlier.sum == later.sum
			if !byPlace || later.sum != counts.sum {
				counts = later
			}
			if !t.Dialect.IsList() {
				t.Duplicates = append(t.Duplicates, Duplicate{None, t.Pos(earlier.at), t.Pos(later.at), t.isMain(earlier.at), same})
			}
		}
		t.Marks[counts.at] &^= gone
		for k := range t.Duplicates[start:] {
			t.Duplicates[start+k].Node = counts.at
		}
		if t.Dialect.IsList() { // what counts is a later text of what is in the list
			t.first[id(counts)] = t.pos[all[first].at]
		}
	}
	slices.SortFunc(t.Duplicates, func(a, b Duplicate) int { return cmp.Compare(a.Later.Offset, b.Later.Offset) })
}

// sum returns a hash of the bytes of the entry at p.
func (t *Log) sum(p entry.Pos) uint64 {
	b, err := t.window.read(t.log, t.Size, p)
	t.fail(err)
	return maphash.Bytes(t.seeds[0], bytes.TrimSpace(b))
}

// A Duplicate is an entry whose id a later entry has, too.
type Duplicate struct {
	Node           Node      // that has the id
	Earlier, Later entry.Pos // of the entry, and of the next one with its id
	Main           bool      // it is a conversation entry that is not on a sidechain
	Same           bool      // the later one has the same bytes; not known of what other programs read
}

// cut removes the nodes that are gone.
func (t *Log) cut() {
	kept, number := make([]Node, 0, len(t.ids)), make([]Node, len(t.ids)) // the nodes, and by old number the new one
	for n := range Node(len(t.ids)) {
		if t.Marks[n]&gone != 0 {
			continue
		}
		if last := n - 1; last >= 0 && t.Written[n] == last { // all others are named already
			t.Written[n] = t.name(t.ids[last])
		}
		number[n], kept = Node(len(kept)), append(kept, n)
	}
	for i := range t.Duplicates {
		t.Duplicates[i].Node = number[t.Duplicates[i].Node]
	}
	for _, c := range t.columns() {
		c.keep(kept)
	}
}

// enterID returns the node of an id. If there is none, it makes n that node.
func (t *Log) enterID(id Hash, n Node) Node {
	found := t.byID.At(id, int32(n)+1, func(n int32) bool { return t.ids[n-1] == id })
	return Node(found) - 1
}

// intern returns the node of an id. If there is none, it makes one that is not in the log.
func (t *Log) intern(id Hash) Node {
	next := Node(len(t.ids))
	n := t.enterID(id, next)
	if n == next {
		t.ids = append(t.ids, id)
	}
	return n
}
