package tree

import (
	"iter"
	"slices"

	"jl/internal/shape"
)

// A keptList is what a compaction kept of the entries above its boundary. What was written after
// the compaction goes on below copies of the kept entries, which are nodes of their own below the
// anchor; what was written before, or on another branch, goes on below the entries themselves.
type keptList struct {
	boundary Node
	anchor   Node
	nodes    []Node        // what is kept
	copies   map[Node]Node // by node; the first copy is Tree.copies, and the others follow in the order of nodes
	last     Node          // the last copy
	late     map[Node]bool // which of nodes have roots that are not above the boundary in the file
}

// keep makes copies of what the deciding boundary kept, if its list is sound.
func (t *Tree) keep() {
	b := t.findCuts()
	if b == None {
		return
	}
	kept, _ := shape.PreservedBy(t.Entry(b))
	anchor := t.LookUp(kept.Anchor)
	nodes := t.KeptBy(b)
	atOrBelow := t.Forest().Nearest(func(n Node) bool { return n == b })
	if !t.has(anchor) || len(nodes) == 0 ||
		atOrBelow(anchor) == None || slices.ContainsFunc(nodes, func(n Node) bool { return atOrBelow(n) != None }) {
		return // a conversation that does not come from its boundary
	}
	t.kept = &keptList{boundary: b, anchor: anchor, copies: map[Node]Node{}, late: map[Node]bool{}, last: anchor}
	t.keepWritten()
	k := t.kept
	for _, n := range nodes {
		if _, again := k.copies[n]; !again {
			c := *t.at(n)
			c.parent, k.last = k.last, Node(len(t.nodes))
			k.nodes, k.copies[n] = append(k.nodes, n), k.last
			t.nodes = append(t.nodes, c)
		}
	}
	t.forest = nil // it has no copies
	t.move()
	root := t.Forest().Root()
	for _, n := range k.nodes {
		r := root(n)
		k.late[n] = r != None && t.byOffset(r, b) >= 0
	}
	t.move()
	t.turns() // moves more
}

// move hangs nodes on the copies.
func (t *Tree) move() {
	for _, n := range t.order {
		if p := t.at(n).parent; p != None {
			if to := t.kept.hang(t, n, p); to != p {
				t.hangOn(n, to)
			}
		}
	}
}

// hangOn gives n another parent.
func (t *Tree) hangOn(n, parent Node) {
	t.at(n).parent, t.Forest().Up[n] = parent, parent
}

// hang returns the parent of n, which names p as its parent or is tied to it: p or a copy.
func (k *keptList) hang(t *Tree, n, p Node) Node {
	if _, kept := k.copies[n]; kept {
		return p
	}
	if p == k.anchor {
		return k.last
	}
	if c, kept := k.copies[p]; kept && (k.late[p] || t.byOffset(n, k.boundary) > 0) {
		return c
	}
	return p
}

// KeptBy returns the nodes that the boundary b kept, or nil if it has no sound list of them. A log
// that is itself a path may have left out some of them, and those that it has are below b.
func (t *Tree) KeptBy(b Node) []Node {
	kept, _ := shape.PreservedBy(t.Entry(b))
	below := func(n Node) bool { return t.at(n).pos.offset() > t.at(b).pos.offset() }
	if !kept.Listed {
		head, tail := t.LookUp(kept.Head), t.LookUp(kept.Tail)
		switch {
		case !t.has(head):
			return nil
		case t.has(tail):
			nodes := t.Forest().Walk(tail, func(n Node) bool { return n == head })
			if nodes[0] == head {
				return nodes
			}
			return nil
		case below(head):
			return []Node{head}
		}
		return nil
	}
	var nodes []Node
	for _, id := range kept.IDs {
		if n := t.LookUp(id); t.has(n) {
			nodes = append(nodes, n)
		}
	}
	if len(nodes) < len(kept.IDs) && slices.ContainsFunc(nodes, func(n Node) bool { return !below(n) }) {
		return nil
	}
	return nodes
}

// findCuts sets cuts, and returns the boundary that decides: the last root in the file that the list
// of no boundary above it names, or None.
func (t *Tree) findCuts() Node {
	last, named := None, map[Node]bool{}
	for _, b := range t.order {
		if !t.Boundary(b) || t.has(t.at(b).parent) {
			continue
		}
		kept, listed := shape.PreservedBy(t.Entry(b))
		if !named[b] {
			last = b
			if listed {
				t.cuts = append(t.cuts, b)
			}
		}
		for _, id := range append(kept.IDs, kept.Head, kept.Tail) {
			named[t.LookUp(id)] = true
		}
	}
	return last
}

// Original returns the node of the same entry as n that is not a copy.
func (t *Tree) Original(n Node) Node {
	if n < t.copies {
		return n
	}
	return t.kept.nodes[n-t.copies]
}

// WithCopies returns the nodes in file order, and then the copies.
func (t *Tree) WithCopies() []Node {
	nodes := t.order[:len(t.order):len(t.order)]
	for n := t.copies; int(n) < len(t.nodes); n++ {
		nodes = append(nodes, n)
	}
	return nodes
}

// Children returns a function that yields the children of a node, see [Tree.Parent].
func (t *Tree) Children() func(Node) iter.Seq[Node] { return t.Forest().Children(t.WithCopies()) }

// Copied reports whether n is the copy of an entry that a compaction kept.
func (t *Tree) Copied(n Node) bool { return n >= t.copies }

// Kept reports whether a compaction kept the entry of n, so that readers tie it to the
// compaction and not to the parent that it names.
func (t *Tree) Kept(n Node) bool {
	if t.kept == nil {
		return false
	}
	_, kept := t.kept.copies[n]
	return kept || t.Copied(n)
}
