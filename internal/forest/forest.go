// Package forest has nodes that are known by numbers and name their parents: it walks up, finds the
// nearest node of some kind above each node, and lists children. All of that takes time linear in
// the number of nodes, and ends on any graph, with cycles too.
package forest

import (
	"iter"
	"slices"
)

// A Node is the number of a node, counted from 0.
type Node int32

// None means no node: the parent of a root.
const None Node = -1

// A Forest is nodes with the parents that a reader gives them. Up holds the parent of each node,
// or None if the node is a root or an orphan, or the reader does not have it.
type Forest struct {
	Up   []Node
	seen Set // the nodes that the present walk has passed
}

// All returns the nodes below n. The caller owns the slice.
func All(n Node) []Node {
	nodes := make([]Node, n)
	for i := range nodes {
		nodes[i] = Node(i)
	}
	return nodes
}

// Of returns a Forest of nodes with the parents up.
func Of(up []Node) *Forest { return &Forest{Up: up} }

// Walk returns the nodes from the root above n to n. The walk begins lower down at the first node
// from n upwards for which top reports true, unless top is nil, or where a cycle comes back to a
// node that was passed.
func (f *Forest) Walk(n Node, top func(Node) bool) []Node {
	var path []Node
	f.seen.Clear(len(f.Up))
	for ; n != None && !f.seen.Has(n); n = f.Up[n] {
		f.seen.Add(n)
		path = append(path, n)
		if top != nil && top(n) {
			break
		}
	}
	slices.Reverse(path)
	return path
}

// Nearest returns a function that returns the nearest node at or above another for which is
// reports true, or None. Any number of calls takes time linear in the number of nodes.
func (f *Forest) Nearest(is func(Node) bool) func(Node) Node {
	const unasked Node = -2
	var found []Node // by node; nil as long as each answer was the node itself
	var passed []Node
	return func(n Node) Node {
		if found == nil {
			if n == None || is(n) {
				return n
			}
			found = slices.Repeat([]Node{unasked}, len(f.Up))
		}
		passed = passed[:0]
		for ; n != None; n = f.Up[n] {
			if found[n] != unasked {
				n = found[n]
				break
			}
			found[n] = None // until the end of the walk: it may be in a cycle
			passed = append(passed, n)
			if is(n) {
				break
			}
		}
		for _, p := range passed {
			found[p] = n
		}
		return n
	}
}

// Depth returns a function that returns the number of nodes above another; those of a cycle are above each
// other. Any number of calls takes time linear in the number of nodes.
func (f *Forest) Depth() func(Node) int {
	var depths []int32 // 1 + that of a node, or 0 as long as it is not known
	return func(n Node) int {
		if depths == nil {
			depths = make([]int32, len(f.Up))
		}
		walk := f.Walk(n, func(n Node) bool { return depths[n] > 0 })
		cycle := slices.Index(walk, f.Up[walk[0]]) + 1
		for i, n := range walk {
			switch {
			case depths[n] > 0:
			case i < cycle:
				depths[n] = int32(cycle)
			case i == 0:
				depths[n] = 1
			default:
				depths[n] = depths[walk[i-1]] + 1
			}
		}
		return int(depths[n]) - 1
	}
}

// Children returns a function that yields the children of a node among nodes, in the order of nodes.
func (f *Forest) Children(nodes []Node) func(Node) iter.Seq[Node] {
	first := slices.Repeat([]Node{None}, len(f.Up))
	next := slices.Clone(first)
	for _, n := range slices.Backward(nodes) {
		if p := f.Up[n]; p != None {
			next[n], first[p] = first[p], n
		}
	}
	return func(n Node) iter.Seq[Node] {
		return func(yield func(Node) bool) {
			for c := first[n]; c != None && yield(c); c = next[c] {
			}
		}
	}
}

// Tops yields the top of each tree that has one of nodes: its root, or, root or not, the nodes of its
// cycle, each of them above the next. The caller may keep it and change it.
func (f *Forest) Tops(nodes []Node) iter.Seq[[]Node] {
	return func(yield func([]Node) bool) {
		passed := NewSet(len(f.Up))
		for _, n := range nodes {
			walk := f.Walk(n, passed.Has)
			last := max(slices.Index(walk, f.Up[walk[0]]), 0)
			if !passed.Has(walk[0]) && !yield(walk[:last+1:last+1]) {
				return
			}
			passed.AddAll(walk)
		}
	}
}

// Visit calls enter for each of nodes after the nodes above it, and leave when it has entered all nodes below
// it. Other nodes do not count. It enters all nodes of a cycle before it goes on below them.
func (f *Forest) Visit(nodes []Node, enter, leave func(Node)) {
	children := f.Children(nodes)
	entered := NewSet(len(f.Up))
	var todo []Node // the complement of a node means to leave it
	begin := func(n Node) {
		entered.Add(n)
		enter(n)
		todo = append(todo, ^n)
	}
	for top := range f.Tops(nodes) {
		for _, n := range top {
			begin(n)
		}
		for _, n := range top {
			todo = slices.AppendSeq(todo, children(n))
		}
		for len(todo) > 0 {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			switch {
			case n < 0:
				leave(^n)
			case !entered.Has(n):
				begin(n)
				todo = slices.AppendSeq(todo, children(n))
			}
		}
	}
}

// Last returns the last of nodes for which is reports true, or None.
func Last(nodes []Node, is func(Node) bool) Node {
	for _, n := range slices.Backward(nodes) {
		if is(n) {
			return n
		}
	}
	return None
}

// A Set is a set of nodes. To clear it takes constant time, so one set serves many walks
// through the same log.
type Set struct {
	rounds []uint32 // by node: the last round in which it was added
	round  uint32   // the present one, counted from 1
}

// NewSet returns an empty set of nodes below n.
func NewSet(n int) *Set { return &Set{rounds: make([]uint32, n), round: 1} }

// Clear removes all nodes and makes room for those below n.
func (s *Set) Clear(n int) {
	if s.round++; s.round == 0 || n > len(s.rounds) {
		s.rounds, s.round = make([]uint32, n), 1
	}
}

// Add adds a node.
func (s *Set) Add(n Node) { s.rounds[n] = s.round }

// AddAll adds nodes.
func (s *Set) AddAll(nodes []Node) {
	for _, n := range nodes {
		s.Add(n)
	}
}

// Has reports whether n, which may be None, is in the set.
func (s *Set) Has(n Node) bool { return n >= 0 && int(n) < len(s.rounds) && s.rounds[n] == s.round }

// Skips are what [Set.FirstOut] has learned about lists: for the place of a node that is in the set, the next
// index to look at.
type Skips map[*Node]int

// FirstOut returns the first node of a list, from index i on, that is not in the set, or None. It passes
// many nodes in nearly constant time, if skips are the same for all calls, and the set only grows.
func (s *Set) FirstOut(list []Node, i int, skips Skips) Node {
	for i < len(list) && s.Has(list[i]) {
		next, ok := skips[&list[i]]
		if !ok {
			next = i + 1
		} else if next < len(list) {
			if further, ok := skips[&list[next]]; ok {
				next = further // halves the way for the next call
			}
		}
		skips[&list[i]], i = next, next
	}
	if i < len(list) {
		return list[i]
	}
	return None
}

// SetOf returns the set of nodes, for a few nodes of a large tree.
func SetOf(nodes []Node) map[Node]bool {
	set := make(map[Node]bool, len(nodes))
	for _, n := range nodes {
		set[n] = true
	}
	return set
}
