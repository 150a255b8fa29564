package tree

import (
	"slices"

	"jl/internal/shape"
)

// A keptList is what a boundary kept, in file order, and its summary.
type keptList struct {
	nodes   []Node
	summary Node
}

// keep finds what each boundary kept. An entry after a boundary that names a kept entry as its parent then
// hangs on the summary of the boundary; if several kept that entry, on the summary of the last of them that
// comes before. A boundary keeps what it names, if that is in the log and above it in the file.
//
// The segments of all boundaries together may be much longer than the log, because each is the walk
// between two entries. All walks together may take two steps for each node. A boundary whose walk takes more
// than what is left keeps nothing, and paths through it say so.
func (t *Tree) keep() {
	var hooks []Node // by node: the summary of the last boundary that kept it, or None
	steps := 2 * t.nodes.count
	for n := range t.count {
		if p := t.up[n]; p != None && hooks != nil && hooks[p] != None && hooks[p] != n {
			t.up[n] = hooks[p]
		}
		if !t.Boundary(n) {
			continue
		}
		kept, anchor, ok := t.keptBy(n, &steps)
		if !ok {
			t.unkept = append(t.unkept, n)
		}
		if len(kept) == 0 || kept[len(kept)-1] > n {
			continue
		}
		if hooks == nil {
			hooks, t.kept = slices.Repeat([]Node{None}, t.nodes.count), map[Node]keptList{}
		}
		hook := n
		if t.has(anchor) && t.at(anchor).parent == n && t.Sidechain(anchor) == t.Sidechain(n) {
			hook = anchor
		}
		for _, k := range kept {
			hooks[k] = hook
		}
		t.kept[n] = keptList{kept, hook}
	}
}

// keptBy returns the nodes that the list or segment of the boundary b names, in file order, and its
// anchor. It takes one of steps for each node of a segment, and reports false if none is left.
func (t *Tree) keptBy(b Node, steps *int) (nodes []Node, anchor Node, ok bool) {
	kept, _ := shape.PreservedBy(t.Entry(b))
	if kept.Listed {
		for _, id := range kept.IDs {
			if n := t.LookUp(id); t.has(n) {
				nodes = append(nodes, n)
			}
		}
	} else {
		head, seen := t.LookUp(kept.Head), map[Node]bool{}
		n := t.LookUp(kept.Tail)
		for ; t.has(n) && !seen[n] && *steps > 0; n = t.at(n).parent {
			*steps--
			seen[n], nodes = true, append(nodes, n)
			if n == head {
				break
			}
		}
		if n != head || !t.has(n) {
			nodes = nil
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes), t.LookUp(kept.Anchor), *steps > 0
}

// Kept returns the nodes that the boundary b kept, in file order, and its summary, below which what follows
// them hangs: the anchor of the list if that is a child of b, else b. The caller must not change the slice.
func (t *Tree) Kept(b Node) (nodes []Node, summary Node) {
	k := t.kept[b]
	return k.nodes, k.summary
}
