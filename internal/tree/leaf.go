package tree

import (
	"cmp"
	"slices"

	"jl/internal/forest"
)

// Leaves returns the leaves of the log, newest first. In a list log these are the last living
// entry and the last of each stretch that was undone. In a log like Claude's they are the
// conversation nodes that are not on a sidechain (or all, if all are on one) from which no other
// of them descends, directly or through links and sidechains. Those with a user or assistant entry
// at or above them come first, because a boundary that a crash left alone is not a conversation.
// The newest has the latest timestamp; those without one are the oldest. Among equals, the later
// in the file comes first.
//
// The caller must not change the slice.
func (t *Tree) Leaves() []Node {
	switch {
	case t.leaves != nil || t.live.headless:
	case t.IsList() && !t.dialect.LeafIsNewest():
		t.leaves = t.listLeaves()
	default:
		t.leaves = t.findLeaves()
	}
	return t.leaves
}

func (t *Tree) findLeaves() []Node {
	f := t.Forest()
	all := !slices.ContainsFunc(t.order, t.isMain)
	main := func(n Node) bool { return !t.Copied(n) && (t.isMain(n) || all && t.Conversation(n)) }
	inner, above := make([]bool, len(t.nodes)), f.Nearest(main)
	for _, n := range t.order {
		if main(n) {
			if up := above(f.Up[n]); up != None {
				inner[up] = true
			}
		}
	}
	spoken := f.Nearest(func(n Node) bool { return t.at(n).kind.Message() })
	var leaves []Node
	silent := map[Node]int{} // 1 if nobody speaks at or above it
	for _, n := range t.order {
		if main(n) && !inner[n] {
			leaves = append(leaves, n)
			if spoken(n) == None {
				silent[n] = 1
			}
		}
	}
	slices.SortFunc(leaves, func(a, b Node) int {
		x, y := t.at(a), t.at(b)
		return cmp.Or(silent[a]-silent[b], cmp.Compare(y.flags&timed, x.flags&timed),
			cmp.Compare(y.timeOrZero(), x.timeOrZero()), t.byOffset(b, a))
	})
	return leaves
}

// isMain reports whether n is a conversation node that is not on a sidechain.
func (t *Tree) isMain(n Node) bool { return t.Conversation(n) && t.at(n).flags&sidechain == 0 }

// Leaf returns given, or the first of Ends if given is None. It returns None and remarks that
// say why if there is no leaf.
func (t *Tree) Leaf(given Node) (Node, []Remark) {
	if t.live.headless {
		return None, []Remark{NewRemark(1, "the header of the session is not its first line: pi does not open it")}
	}
	if given != None {
		return given, nil
	}
	if !t.dialect.LeafIsNewest() {
		given = t.live.last
	} else if ends := t.Ends(); len(ends) > 0 {
		given = ends[0]
	}
	if given == None {
		return None, t.noLeaf()
	}
	return given, nil
}

// End returns the node that the live conversation ends at: the last conversation node in
// the file that is not on a sidechain (of all, if all are on one) and has a user or
// assistant entry at or above it, or, if none has, the last. So a boundary that a crash
// left without its summary is not the end. In a log that is not like Claude's the end is the last
// living entry. A log without conversation nodes has the end None.
func (t *Tree) End() Node {
	if !t.dialect.LeafIsNewest() {
		return t.live.last
	}
	spoken := t.Forest().Nearest(func(n Node) bool { return t.at(n).kind.Message() })
	for _, counts := range []func(Node) bool{t.isMain, t.Conversation} {
		last := forest.Last(t.order, func(n Node) bool { return counts(n) && spoken(n) != None })
		if last == None {
			last = forest.Last(t.order, counts)
		}
		if last != None {
			return last
		}
	}
	return None
}

// Ends returns the ends of the log, newest first: its leaves, but not those that are history across a
// compaction, and not those that are on the path of another because they belong to one of its turns.
// If nothing continues from a turn, one of its leaves is the end: the one with the most turns above it,
// because the parents of another part may be missing, or, among equals, the newest. An end is as new as
// the newest leaf on its path.
//
// The caller must not change the slice.
func (t *Tree) Ends() []Node {
	if t.ends == nil {
		t.ends = t.Leaves()
		if t.HasTurns() && len(t.leaves) > 1 {
			t.ends = t.findEnds()
		}
	}
	return t.ends
}

func (t *Tree) findEnds() []Node {
	f := endFinder{Tree: t, turns: t.turns().merged, in: map[int32][]Node{}, known: map[int32]Node{}}
	for _, n := range f.leaves {
		f.in[f.turn(n)] = append(f.in[f.turn(n)], n)
	}
	f.divide()
	f.follow()
	var ends []Node
	seen := map[Node]bool{None: true}
	for _, n := range f.marked[:f.living] {
		end := n
		if turn := f.belongs(n); turn != 0 { // which has it on its path
			end = f.endOf(turn)
		}
		if !seen[end] {
			seen[end] = true
			ends = append(ends, end)
		}
	}
	if len(ends) == 0 { // all are history of each other, or belong to turns above them or on cycles
		return f.leaves
	}
	return ends
}

// An endFinder decides which leaves of a log are ends.
type endFinder struct {
	*Tree
	*turns
	in      map[int32][]Node // by turn: the leaves in it, newest first
	marked  []Node           // the leaves, newest first, those that are history after the others
	living  int              // how many of them are not history
	next    []int32          // by turn: 1 + the index of the first of marked that is below it but not in it, or 0
	known   map[int32]Node   // by turn: what endOf returns
	lengths []int32          // see lengthsOfPaths
}

// divide sets marked and living. Leaves are history if a compaction kept them, because what follows
// is below their copies, or if the conversation of a boundary that is not a leaf goes on above it there,
// or at another node of their turn.
func (f *endFinder) divide() {
	isLeaf, past, turns := forest.SetOf(f.leaves), map[Node]bool{}, map[int32]bool{}
	main := f.Forest().Nearest(func(n Node) bool { return isLeaf[n] || f.isMain(n) })
	if f.kept != nil {
		past = forest.SetOf(f.kept.nodes)
	}
	roots := f.rootsOfTurns()
	for _, b := range f.order {
		if !f.Boundary(b) || isLeaf[b] {
			continue
		}
		n := f.Logical(b)
		if n == None || f.Sidechain(n) != f.Sidechain(b) || main(n) == None {
			continue
		}
		if f.byOffset(n, b) > 0 && roots(n)[b] || f.Kept(b) && roots(n)[f.kept.boundary] {
			continue // a path, which has lost what was above the boundary
		}
		n = main(n) // what is below it are links and sidechains
		past[n], turns[f.turn(n)] = true, f.turn(n) != 0
	}
	isPast := func(n Node) bool { return past[n] || turns[f.belongs(n)] }
	f.marked = slices.DeleteFunc(slices.Clone(f.leaves), isPast)
	f.living = len(f.marked)
	for _, n := range f.leaves {
		if isPast(n) {
			f.marked = append(f.marked, n)
		}
	}
}

// rootsOfTurns returns a function that returns the roots of the turn of a node, or of the node.
func (f *endFinder) rootsOfTurns() func(Node) map[Node]bool {
	root, known := f.Forest().Root(), map[int32]map[Node]bool{}
	return func(n Node) map[Node]bool {
		turn := f.belongs(n)
		if turn == 0 {
			return map[Node]bool{root(n): true}
		}
		if known[turn] == nil {
			known[turn] = map[Node]bool{}
			for _, n := range f.members(turn) {
				known[turn][root(n)] = true
			}
		}
		return known[turn]
	}
}

// best returns the leaf in a turn that is the end if nothing continues from the turn, or None: the one
// whose path is the longest, counted in turns and single nodes, or, among equals, the newest.
func (f *endFinder) best(turn int32) Node {
	best := None
	for _, n := range f.in[turn] {
		if best == None || f.lengthsOfPaths()[n] > f.lengthsOfPaths()[best] {
			best = n
		}
	}
	return best
}

// lengthsOfPaths returns, by node, how many turns and single nodes the walk to it passes.
func (f *endFinder) lengthsOfPaths() []int32 {
	if f.lengths == nil {
		f.lengths = make([]int32, f.Cap())
		s, length := f.Tree.turns(), int32(0)
		passed := make([]int32, len(s.starts)) // by turn: how many of its nodes are above
		add := func(n Node, count int32) {
			before := passed[s.turn(n)]
			if passed[s.turn(n)] += count; s.turn(n) == 0 || before+passed[s.turn(n)] == 1 {
				length += count
			}
		}
		f.Forest().Visit(f.WithCopies(), func(n Node) {
			add(n, 1)
			f.lengths[n] = length
		}, func(n Node) { add(n, -1) })
	}
	return f.lengths
}

// follow sets next.
func (f *endFinder) follow() {
	f.next = make([]int32, len(f.starts))
	up, passed := f.Forest().Up, forest.NewSet(f.Cap())
	top := f.Forest().Nearest(func(n Node) bool { return up[n] == None || f.turn(up[n]) != f.turn(n) })
	for i, leaf := range f.marked {
		for n := f.start(leaf); n != None && !passed.Has(n); n = up[n] {
			turn := f.turn(n)
			if turn != 0 && turn == f.turn(leaf) {
				if n = top(n); n == None { // the turn has a cycle
					break
				}
				continue
			}
			if passed.Add(n); f.next[turn] == 0 {
				f.next[turn] = int32(i + 1)
			}
		}
	}
}

// endOf returns the newest end whose path contains a turn, or None if the turn is past, or has
// no leaf in it or below it.
func (f *endFinder) endOf(turn int32) Node {
	if end, ok := f.known[turn]; ok {
		return end
	}
	end, next := None, int(f.next[turn])-1
	if next < 0 {
		end = f.best(turn)
	} else if next < f.living {
		if end = f.marked[next]; f.turn(end) != 0 {
			end = f.endOf(f.turn(end))
		}
	}
	f.known[turn] = end
	return end
}

// Depths returns, by node, the number of nodes above it. The caller must not change the slice.
func (t *Tree) Depths() []int32 {
	if t.depths != nil {
		return t.depths
	}
	t.depths = slices.Repeat([]int32{-1}, len(t.nodes))
	children := t.Children()
	for top := range t.Forest().Tops(t.WithCopies()) {
		for _, n := range top { // each node of a cycle is below all others
			t.depths[n] = int32(len(top) - 1)
		}
		for todo := top; len(todo) > 0; {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for c := range children(n) {
				if t.depths[c] < 0 {
					t.depths[c] = t.depths[n] + 1
					todo = append(todo, c)
				}
			}
		}
	}
	return t.depths
}
