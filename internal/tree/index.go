package tree

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"

	"jl/internal/entry"
	"jl/internal/numbers"
	"jl/internal/rule"
)

// session returns the ordinal of a session id, counted from 1.
func (t *Tree) session(id Hash) int32 {
	s, ok := t.sessions[id]
	if !ok {
		s = int32(len(t.sessionIDs))
		t.sessions[id], t.sessionIDs = s, append(t.sessionIDs, id)
	}
	return s
}

// find returns the node of an id, or None if no entry has or names it.
func (t *Tree) find(id Hash) Node {
	return Node(t.byID.Get(id, func(n int32) bool { return t.places.at(int(n-1)).id == id }) - 1)
}

// name returns a number that stands for the node of an id until finish, which makes the index.
func (t *Tree) name(id Hash) Node {
	t.named = append(t.named, id)
	return None - Node(len(t.named))
}

// index makes the index of the ids, and gives the nodes their parents. It does so after all entries are read,
// because a processor waits for many places of the index at once if nothing else comes between the look-ups.
func (t *Tree) index() {
	if repeated := t.enter(); len(repeated) > 0 {
		t.settle(repeated)
		t.cut()
		t.enter()
	}
	t.Count = Node(t.places.count)
	for n := range t.places.count {
		if x := t.rows.at(n); x.parent < None {
			id, next := t.named[None-x.parent-1], Node(t.places.count)
			if x.parent = t.intern(id, next); x.parent == next {
				t.places.add(place{id: id})
			}
		}
	}
	t.named = nil
}

// enter makes the index of the ids, and returns the nodes with ids that a later one has, the last first.
func (t *Tree) enter() (repeated []Node) {
	t.byID = numbers.New(t.places.count)
	for n := Node(t.places.count) - 1; n >= 0; n-- {
		if t.intern(t.places.at(int(n)).id, n) != n {
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
func (t *Tree) settle(repeated []Node) {
	all := make([]copied, 0, 2*len(repeated))
	for _, n := range repeated {
		all = append(all, copied{at: n})
		if last := t.find(t.places.at(int(n)).id); t.rows.at(int(last)).flags&gone == 0 {
			t.rows.at(int(last)).flags |= gone // until its turn comes
			all = append(all, copied{at: last})
		}
	}
	byPlace := t.reading.Knows == nil && !t.IsList()
	slices.SortFunc(all, func(a, b copied) int { return cmp.Compare(a.at, b.at) })
	for i := range all {
		t.rows.at(int(all[i].at)).flags |= gone
		if byPlace {
			all[i].sum = t.sum(t.places.at(int(all[i].at)).pos.unpack())
		}
	}
	t.Duplicates = make([]Duplicate, 0, len(repeated))
	id := func(c copied) Hash { return t.places.at(int(c.at)).id }
	slices.SortStableFunc(all, func(a, b copied) int { return cmp.Compare(id(a), id(b)) })
	for i := 0; i < len(all); {
		counts, first := all[i], i
		for i++; i < len(all) && id(all[i]) == id(counts); i++ {
			earlier, later := all[i-1], all[i]
			same := byPlace && earlier.sum == later.sum
			if !byPlace || later.sum != counts.sum {
				counts = later
			}
			if !t.IsList() {
				t.repeat(earlier.at, later.at, same)
			}
		}
		t.rows.at(int(counts.at)).flags &^= gone
		if t.IsList() { // what counts is a later text of what is in the list
			t.first[id(counts)] = t.places.at(int(all[first].at)).pos
		}
	}
	slices.SortFunc(t.Duplicates, func(a, b Duplicate) int { return cmp.Compare(a.later.offset(), b.later.offset()) })
}

// sum returns a hash of the bytes of the entry at p.
func (t *Tree) sum(p entry.Pos) uint64 {
	b, err := t.window.read(t.log, t.size, p)
	t.fail(err)
	return maphash.Bytes(t.seeds[0], bytes.TrimSpace(b))
}

// A Duplicate is an entry whose id a later entry has, too.
type Duplicate struct {
	id             Hash
	earlier, later packedPos
	Main           bool // it is a conversation entry that is not on a sidechain
	Same           bool // the later one has the same bytes; not known of what other programs read, nor of a list
}

// repeat keeps a duplicate.
func (t *Tree) repeat(earlier, later Node, same bool) {
	x := t.rows.at(int(earlier))
	t.Duplicates = append(t.Duplicates, Duplicate{
		id: t.places.at(int(earlier)).id, earlier: t.places.at(int(earlier)).pos, later: t.places.at(int(later)).pos,
		Main: x.kind.Conversation() && x.facts&rule.Sidechain == 0, Same: same,
	})
}

// Places returns the positions of the entry and of the next one with its id.
func (d *Duplicate) Places() (earlier, later entry.Pos) { return d.earlier.unpack(), d.later.unpack() }

// NodeOf returns the node that a duplicate is an entry of.
func (t *Tree) NodeOf(d Duplicate) Node { return t.find(d.id) }

// cut removes the nodes that are gone.
func (t *Tree) cut() {
	kept := 0
	for n := range t.places.count {
		x := *t.rows.at(n)
		if x.flags&gone != 0 {
			continue
		}
		switch last := n - 1; {
		case last < 0 || x.parent != Node(last):
		case t.rows.at(last).flags&gone == 0:
			x.parent = Node(kept - 1)
		default:
			x.parent = t.name(t.places.at(last).id)
		}
		*t.rows.at(kept), *t.places.at(kept) = x, *t.places.at(n)
		kept++
	}
	t.rows.cut(kept)
	t.places.cut(kept)
}

// intern returns the node of an id. If there is none, it makes next that node.
func (t *Tree) intern(id Hash, next Node) Node {
	return Node(t.byID.At(id, int32(next)+1, func(n int32) bool { return t.places.at(int(n-1)).id == id }) - 1)
}
