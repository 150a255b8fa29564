package tree

import (
	"iter"
	"slices"

	"jl/internal/entry"
	"jl/internal/memory"
)

// A view is a tree as one reader sees it: some of the nodes, with the parents that the
// reader gives them.
type view struct {
	*Tree
	order  []Node   // the nodes in file order; other views may share it, so it must not be changed
	in     []bool   // by Node: whether it is one of them
	parent []Node   // by Node: None for a root; not in the view for an orphan
	from   int64    // the offset of the first entry that the reader reads
	ranked *ranking // of the nodes that may have come before orphans, built on first use
	unread *unread  // of a log that is read backwards, else nil
}

// view returns a view of the nodes of order, with the parents that they name.
func (t *Tree) view(order []Node) *view {
	v := &view{Tree: t, order: order, in: lasting[bool](t, int(t.n)), parent: lasting[Node](t, int(t.n))}
	for n := range v.parent {
		v.parent[n] = t.at(Node(n)).parent
	}
	for _, n := range order {
		v.in[n] = true
	}
	return v
}

// drop removes the nodes for which gone reports true.
func (v *view) drop(gone func(Node) bool) {
	var order []Node
	for _, n := range v.order {
		if gone(n) {
			v.in[n] = false
		} else {
			order = append(order, n)
		}
	}
	v.order = order
}

// up returns the parent of n. It reports false if n is a root or an orphan.
func (v *view) up(n Node) (Node, bool) {
	p := v.parent[n]
	return p, v.holds(p)
}

// chain returns the nodes from the root above leaf to leaf. It starts at an orphan, or
// below the first repeat of a cycle, if parents lead there.
func (v *view) chain(leaf Node) []Node {
	return v.walkUp(leaf, func(Node) bool { return false })
}

// walkUp walks from n by parents up to the first node for which top reports true, or else
// as far as chain does, and returns the nodes from the uppermost to n.
func (v *view) walkUp(n Node, top func(Node) bool) []Node {
	var path []Node
	v.walked.clear(v.n)
	for ok := true; ok && !v.walked.has(n); n, ok = v.up(n) {
		v.walked.add(n)
		path = append(path, n)
		if top(n) {
			break
		}
	}
	slices.Reverse(path)
	return path
}

// A nodeSet is a set of nodes. To clear it takes constant time, so one set serves many
// walks through the same log.
type nodeSet struct {
	rounds []uint32 // by node: the last round in which it was added
	round  uint32   // the present one, counted from 1
}

// clear removes all nodes and makes room for those below n.
func (s *nodeSet) clear(n Node) {
	if s.round++; s.round == 0 || int(n) > len(s.rounds) {
		s.rounds, s.round = make([]uint32, n), 1
	}
}

func (s *nodeSet) add(n Node) {
	s.round = max(s.round, 1)
	if grow := int(n) + 1 - len(s.rounds); grow > 0 {
		s.rounds = append(s.rounds, make([]uint32, grow)...)
	}
	s.rounds[n] = s.round
}

func (s *nodeSet) addAll(nodes []Node) {
	for _, n := range nodes {
		s.add(n)
	}
}

func (s *nodeSet) has(n Node) bool { return n >= 0 && int(n) < len(s.rounds) && s.rounds[n] == s.round }

// A nearest finds the nearest node at or above other nodes for which is reports true. Any
// number of them takes linear time.
type nearest struct {
	v       *view
	is      func(Node) bool
	scratch *memory.Stock // where found is, nil if it is on the heap
	found   []Node        // by node, unasked until then; nil as long as each answer was the node itself
	passed  []Node        // by the present walk
}

// unasked stands in found for a node that no walk has passed.
const unasked Node = -3

func (v *view) nearest(is func(Node) bool) *nearest {
	return &nearest{v: v, is: is}
}

// of returns the nearest node at or above n, or None.
func (f *nearest) of(n Node) Node {
	if f.found == nil {
		if f.is(n) {
			return n
		}
		f.found = memory.Make[Node](f.scratch, int(f.v.n))
		for n := range f.found {
			f.found[n] = unasked
		}
	}
	found := None
	f.passed = f.passed[:0]
	for ok := true; ok; n, ok = f.v.up(n) {
		if f.found[n] != unasked {
			found = f.found[n]
			break
		}
		f.found[n] = None // until the end of the walk: it may be in a cycle
		f.passed = append(f.passed, n)
		if f.is(n) {
			found = n
			break
		}
	}
	for _, p := range f.passed {
		f.found[p] = found
	}
	return found
}

func (v *view) isMessage(n Node) bool { return v.at(n).kind.isMessage() }

// SetOf returns the set of nodes, for a few nodes of a large tree.
func SetOf(nodes []Node) map[Node]bool {
	set := make(map[Node]bool, len(nodes))
	for _, n := range nodes {
		set[n] = true
	}
	return set
}

// A family lists the children of each node in file order.
type family struct{ first, next []Node }

// family returns the children of each node, given the parent of each. It ends with stock.
func (v *view) family(parent []Node, stock *memory.Stock) family {
	f := family{memory.Make[Node](stock, int(v.n)), memory.Make[Node](stock, int(v.n))}
	for n := range f.first {
		f.first[n], f.next[n] = None, None
	}
	for _, n := range slices.Backward(v.order) {
		if p := parent[n]; p >= 0 {
			f.next[n], f.first[p] = f.first[p], n
		}
	}
	return f
}

// of yields the children of n. None has no children.
func (f family) of(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n == None {
			return
		}
		for c := f.first[n]; c != None; c = f.next[c] {
			if !yield(c) {
				return
			}
		}
	}
}

// missing is the node of an id that no entry of the log has or names as its parent.
const missing Node = -2

// lookUp returns the node of an id, None if the id is not a string.
func (v *view) lookUp(id entry.Value) Node {
	if !id.IsString() {
		return None
	}
	if v.unread != nil {
		return v.node(id)
	}
	if n := v.find(v.key(id.Text())); n != None {
		return n
	}
	return missing
}

// holds reports whether n is a node of the view.
func (v *view) holds(n Node) bool {
	return n >= 0 && (v.in[n] || v.unread != nil && v.readTo(n))
}

// lastBoundary returns the last boundary in the file, or None.
func (v *view) lastBoundary() Node {
	for n := range v.backward() {
		if v.isBoundary(n) {
			return n
		}
	}
	return None
}

func (v *view) isBoundary(n Node) bool { return v.at(n).flags&boundary != 0 }
