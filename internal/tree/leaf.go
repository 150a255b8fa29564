package tree

import (
	"cmp"
	"math"
	"slices"

	"jl/internal/forest"
)

// Leaves returns the leaves of the log, newest first. In a list log these are the last living
// entry and the last of each stretch that was undone. In the other logs they are the turns with a
// conversation node that is on no sidechain (or of all, if all are on one) below which no other such
// turn is. In a log like Claude's, a turn is not a leaf if it is beside another turn, or if a
// compaction kept it or summed it up before the conversation went on, unless that is so of all. The
// node that stands for the turn is its last conversation node.
//
// Those with a user or assistant entry in the turn or above come first, because a boundary that a crash
// left alone is not a conversation. The newest has the latest timestamp; those without one are the
// oldest. Among equals, the later in the file comes first.
//
// The caller must not change the slice.
func (t *Tree) Leaves() []Node {
	switch {
	case t.leaves != nil || t.tail.headless:
	case t.IsList() && !t.dialect.LeafIsNewest():
		t.leaves = t.listLeaves()
	default:
		t.leaves = t.turns().findLeaves()
	}
	return t.leaves
}

func (s *turns) findLeaves() []Node {
	s.findInner()
	kept := s.findPast()
	under := func(Node) Node { return None }
	if s.beside {
		under = s.forest().Nearest(func(turn Node) bool { return s.state[turn]&beside != 0 })
	}
	var all, living []Node
	for turn := range s.count {
		if s.of[turn] != turn || s.state[turn]&(talks|inner) != talks {
			continue
		}
		all = append(all, turn)
		if s.state[turn]&past == 0 && under(turn) == None && !s.isAll(turn, func(n Node) bool { return kept[n] }) {
			living = append(living, turn)
		}
	}
	if len(living) == 0 {
		living = all
	}
	return s.byAge(living)
}

// isAll reports whether all nodes of a turn are something.
func (s *turns) isAll(turn Node, is func(Node) bool) bool {
	for n := range s.members(turn) {
		if !is(n) {
			return false
		}
	}
	return true
}

// findInner finds the turns that converse, and those below which others do.
func (s *turns) findInner() {
	main := s.hasMain()
	for n := range s.count {
		if s.Conversation(n) && !(main && s.Sidechain(n)) {
			s.state[s.of[n]] |= talks
		}
	}
	for turn := range s.count {
		if s.state[turn]&talks == 0 {
			continue
		}
		up := s.above[turn]
		for up != None && s.state[up]&(talks|marked) == 0 {
			s.state[up] |= marked
			up = s.above[up]
		}
		if up != None {
			s.state[up] |= inner
		}
	}
}

// findPast finds the turns that were compacted before the conversation went on, and returns the nodes
// that these compactions kept.
func (s *turns) findPast() map[Node]bool {
	kept := map[Node]bool{}
	for _, b := range s.boundaries {
		if s.state[s.of[b]]&inner == 0 {
			continue
		}
		for x := s.logical(s.of[b]); x != None && s.state[x]&past == 0; x = s.whole(x) {
			s.state[x] |= past
		}
		for _, n := range s.kept[b].nodes {
			kept[n] = true
		}
	}
	return kept
}

// whole returns the turn above a turn, also across a compaction, or None.
func (s *turns) whole(turn Node) Node {
	if up := s.above[turn]; up != None {
		return up
	}
	return s.logical(turn)
}

// byAge returns the leaves that turns are, the newest first.
func (s *turns) byAge(living []Node) []Node {
	type age struct {
		leaf   Node
		spoken bool
		time   int64
		newest Node
	}
	spoken := s.spoken()
	ages := make([]age, len(living))
	for i, turn := range living {
		a := age{spoken: spoken(turn) != None, time: math.MinInt64}
		for n := range s.members(turn) {
			if s.Conversation(n) {
				a.leaf = n
				if at := s.instant(n); at >= a.time {
					a.time, a.newest = at, n
				}
			}
		}
		ages[i] = a
	}
	slices.SortFunc(ages, func(a, b age) int {
		switch {
		case a.spoken != b.spoken && a.spoken:
			return -1
		case a.spoken != b.spoken:
			return 1
		}
		return cmp.Or(cmp.Compare(b.time, a.time), cmp.Compare(b.newest, a.newest))
	})
	leaves := make([]Node, len(ages))
	for i, a := range ages {
		leaves[i] = a.leaf
	}
	return leaves
}

// spoken returns a function that returns the nearest turn at or above another in which somebody speaks.
func (s *turns) spoken() func(Node) Node {
	return s.forest().Nearest(func(turn Node) bool {
		return !s.isAll(turn, func(n Node) bool { return !s.Kind(n).Message() })
	})
}

// instant returns the timestamp of n, in microseconds since 1970; that of a node without one is before all
// others.
func (t *Tree) instant(n Node) int64 {
	if at, ok := t.Time(n); ok {
		return at
	}
	return math.MinInt64
}

// isMain reports whether n is a conversation node that is not on a sidechain.
func (t *Tree) isMain(n Node) bool { return t.Conversation(n) && !t.Sidechain(n) }

func (t *Tree) hasMain() bool {
	for n := range t.count {
		if t.isMain(n) {
			return true
		}
	}
	return false
}

// Leaf returns given, or the first of Leaves if given is None; but in a log whose dialect takes the last
// entry, that. It returns None and remarks that say why if there is no leaf.
func (t *Tree) Leaf(given Node) (Node, []Remark) {
	if t.tail.headless {
		return None, []Remark{NewRemark(1, "the header of the session is not its first line: pi does not open it")}
	}
	if given != None {
		return given, nil
	}
	if !t.dialect.LeafIsNewest() {
		given = t.find(t.tail.last)
	} else if leaves := t.Leaves(); len(leaves) > 0 {
		given = leaves[0]
	}
	if given == None {
		return None, t.noLeaf()
	}
	return given, nil
}

// noLeaf returns why a log has no leaf: if it has conversation nodes, their parents form cycles. A log
// without any node is the business of who opened it.
func (t *Tree) noLeaf() []Remark {
	if t.dialect.LeafIsNewest() {
		for n := range t.count {
			if t.Conversation(n) {
				return []Remark{NewRemark(t.at(n).pos.line(), "every conversation entry is above another one: the parents make a cycle, and there is no leaf")}
			}
		}
		if t.count > 0 {
			return []Remark{NewRemark(0, "no conversation")}
		}
	}
	return nil
}

// End returns the node that the live conversation ends at: the last conversation node in
// the file that is not on a sidechain (of all, if all are on one) and has a user or
// assistant entry at or above it, or, if none has, the last. So a boundary that a crash
// left without its summary is not the end. In a log that is not like Claude's the end is the last
// living entry. A log without conversation nodes has the end None.
func (t *Tree) End() Node {
	if !t.dialect.LeafIsNewest() {
		return t.find(t.tail.last)
	}
	spoken := t.turns().spoken()
	for _, counts := range []func(Node) bool{t.isMain, t.Conversation} {
		last := None
		for n := t.count - 1; n >= 0; n-- {
			if !counts(n) {
				continue
			}
			if spoken(t.made.of[n]) != None {
				return n
			}
			last = max(last, n)
		}
		if last != None {
			return last
		}
	}
	return None
}

// A Branch is an end: a leaf that no newer end has in its history, and behind whose fork somebody speaks.
type Branch struct {
	End  Node
	Fork Node // the last node of the nearest turn that a newer end has in its history, or None
	Own  int  // the number of conversation nodes of its path that no newer end has in its history
}

// Branches returns the branch of each end, the newest first. Of all leaves in the histories of these ends, one
// is the last in the file: last is the end that has it, or None if the log has no leaf. The history of an end
// is its path across compactions. Branches looks at each node once.
func (t *Tree) Branches() (branches []Branch, last Node) {
	c := coverage{turns: t.turns(), owners: make([]int32, t.count), nodes: forest.NewSet(int(t.count))}
	last, lastLeaf := None, None
	for _, leaf := range t.Leaves() {
		if c.owners[c.of[leaf]] == 0 {
			b, speaks := c.branch(leaf, int32(len(branches)+1))
			if speaks || len(branches) == 0 || !t.HasTurns() {
				branches = append(branches, b)
			}
		}
		if owner := c.owners[c.of[leaf]]; int(owner) <= len(branches) && leaf > lastLeaf {
			last, lastLeaf = branches[owner-1].End, leaf
		}
	}
	return branches, last
}

// LastEnd returns the end that has the last leaf in the file, as Branches does. It looks at other ends only if
// that is not the newest leaf.
func (t *Tree) LastEnd() Node {
	leaves := t.Leaves()
	if len(leaves) == 0 || slices.Max(leaves) == leaves[0] {
		return append(leaves, None)[0]
	}
	_, last := t.Branches()
	return last
}

// A coverage is the nodes and turns in the histories of some ends.
type coverage struct {
	*turns
	owners  []int32 // by turn: 1 + the index of the first end whose history passes it, or 0
	nodes   *forest.Set
	scratch []Node
}

// branch covers the history of leaf, which is to be the end with a number, and reports whether
// somebody speaks in the part of it that no other has covered.
func (c *coverage) branch(leaf Node, owner int32) (b Branch, speaks bool) {
	var own []Node
	x, path := c.of[leaf], -1 // own[:path] are on the path of leaf
	for x != None && c.owners[x] == 0 {
		c.owners[x] = owner
		own = append(own, x)
		if c.above[x] == None && path < 0 {
			path = len(own)
		}
		x = c.whole(x)
	}
	b = Branch{End: leaf, Fork: None}
	if x != None && c.owners[x] != owner {
		for b.Fork = range c.members(x) {
		}
		path = len(own)
	}
	for i, turn := range own {
		for n := range c.members(turn) {
			speaks = speaks || c.Kind(n).Message()
		}
		count := c.cover(turn)
		if i < path {
			b.Own += count
		}
	}
	return b, speaks
}

// cover covers what a path has because it passes a turn, and returns how many conversation nodes of that no
// other had covered.
func (c *coverage) cover(turn Node) (count int) {
	c.scratch = c.appendPart(c.scratch[:0], turn)
	for _, n := range c.scratch {
		if !c.nodes.Has(n) {
			c.nodes.Add(n)
			if c.Conversation(n) {
				count++
			}
		}
	}
	return count
}
