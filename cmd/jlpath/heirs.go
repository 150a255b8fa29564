package main

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/tree"
)

// heirs are the nodes of a passage that becomes a session of its own. It must be connected by the
// parents that its entries name, and begin at a root. What is not valid JSON inside is not printed; an
// entry is read for that only if the answer is needed before its turn. A copy is as its original.
type heirs struct {
	t           *tree.Tree
	g           passage
	in, known   *forest.Set               // the originals of the passage, and those known to be whole or not
	torn        map[tree.Node]bool        // the known ones that are not
	nearest     func(tree.Node) tree.Node // the nearest node of the passage at or above another; of a union, the nearest printed
	listed      bool                      // a reader finds the parents of what a compaction kept in the list of the boundary
	first, last tree.Node                 // of what was printed so far
	awaited     map[tree.Node]bool        // the parents that come after their children
}

func newHeirs(t *tree.Tree, g passage) *heirs {
	h := &heirs{
		t: t, g: g, in: forest.NewSet(t.Cap()), known: forest.NewSet(t.Cap()),
		torn: map[tree.Node]bool{}, awaited: map[tree.Node]bool{}, first: tree.None,
	}
	for _, n := range g.nodes {
		h.in.Add(t.Original(n))
	}
	if c := tree.Node(t.Cap() - 1); t.Copied(c) { // the last one; above it are the others, the anchor and the boundary
		h.listed = !slices.ContainsFunc(t.Forest().Walk(c, nil), func(n tree.Node) bool {
			return !h.prints(n) || t.Copied(n) && t.Boundary(n)
		})
	}
	h.nearest = t.Forest().Nearest(h.has)
	if g.union {
		h.nearest = t.Forest().Nearest(h.prints)
	}
	return h
}

// has reports whether n is in the passage.
func (h *heirs) has(n tree.Node) bool { return n != tree.None && h.in.Has(h.t.Original(n)) }

// prints reports whether n is printed.
func (h *heirs) prints(n tree.Node) bool {
	if h.has(n) && !h.known.Has(h.t.Original(n)) {
		h.tell(n, entry.Valid(h.t.Entry(n).Bytes))
	}
	return h.has(n) && !h.torn[h.t.Original(n)]
}

// tell says whether the entry of n is whole.
func (h *heirs) tell(n tree.Node, whole bool) {
	h.known.Add(h.t.Original(n))
	if !whole {
		h.torn[h.t.Original(n)] = true
	}
}

// parent returns the parent to write for n, the next node of the passage, nil to leave what is written.
// It is the nearest node above that is in the passage, or, if a path lacks such a node or it is not
// printed, the last that was: an entry that is lost takes nothing of its turn along.
func (h *heirs) parent(n tree.Node, whole bool) entry.Value {
	if h.tell(n, whole); !whole || h.t.IsList() {
		return nil
	}
	before, written := h.last, h.t.WrittenParent(n)
	if h.last = n; h.first == tree.None {
		h.first = n
	}
	parent, taken := h.g.taken[n]
	if h.g.all && h.t.Has(written) {
		parent = written
	} else if !taken {
		parent = h.t.Parent(n)
	}
	to := h.nearest(parent)
	if h.has(to) && !h.known.Has(h.t.Original(to)) {
		h.awaited[to] = true
	}
	if h.awaited[n] {
		before = h.first // the last one may be below n
	}
	lost := !h.prints(to)
	switch {
	case n == h.first && (taken || lost || to != parent), lost && h.g.union && h.t.Has(written):
		return root(h.t, n)
	case lost && (written == tree.None || h.g.union):
		return nil
	case lost:
		return h.t.RawID(before)
	case !taken && (h.t.Original(to) == written || to == parent && h.listed):
		return nil
	}
	return h.t.RawID(to)
}

// root returns the parent to write for n to make it a root, nil if it is one.
func root(t *tree.Tree, n tree.Node) entry.Value {
	if t.WrittenParent(n) == tree.None || t.IsList() {
		return nil
	}
	return entry.Value("null")
}
