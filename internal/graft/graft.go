// Package graft makes a part of a log a session of its own: one that is connected by the parents that
// its entries name, and begins at a root. It reads no entry but those that it is asked for, and one
// below or above them only if the answer depends on whether it is printed.
package graft

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/tree"
)

// A Part is the nodes of a log that are printed, in their order.
type Part struct {
	Nodes []tree.Node
	Taken map[tree.Node]tree.Node // the parents that replace the written ones
	Union bool                    // it is not a path, and may have several roots
	All   bool                    // it is the whole log
	Kept  bool                    // what a compaction kept gets parents, even if its list tells them
}

// A Graft knows the parents of the nodes of a part. What is not valid JSON inside is not printed; an
// entry is read for that only if the answer is needed before its turn. A copy is as its original.
type Graft struct {
	Part
	t *tree.Tree

	in, known   *forest.Set        // the originals of the part, and those known to be whole or not
	torn        map[tree.Node]bool // the known ones that are not
	first, last tree.Node          // of what was printed so far
	awaited     map[tree.Node]bool // the parents that come after their children

	// nearest returns the nearest node of the part at or above another; of a union, the nearest printed.
	nearest func(tree.Node) tree.Node

	// listed tells that what a compaction kept needs no parents: a reader finds them in its list.
	listed bool
}

// New returns the Graft of a part of t.
func New(t *tree.Tree, part Part) *Graft {
	g := &Graft{
		t: t, Part: part, in: forest.NewSet(t.Cap()), known: forest.NewSet(t.Cap()),
		torn: map[tree.Node]bool{}, awaited: map[tree.Node]bool{}, first: tree.None,
	}
	for _, n := range part.Nodes {
		g.in.Add(t.Original(n))
	}
	// Above the last copy are the others, the anchor and the boundary.
	if c := tree.Node(t.Cap() - 1); t.Copied(c) && !part.Kept {
		g.listed = !slices.ContainsFunc(t.Forest().Walk(c, nil), func(n tree.Node) bool {
			return !g.prints(n) || t.Copied(n) && t.Boundary(n)
		})
	}
	g.nearest = t.Forest().Nearest(g.has)
	if part.Union {
		g.nearest = t.Forest().Nearest(g.prints)
	}
	return g
}

// has reports whether n is in the part.
func (g *Graft) has(n tree.Node) bool { return n != tree.None && g.in.Has(g.t.Original(n)) }

// prints reports whether n is printed.
func (g *Graft) prints(n tree.Node) bool {
	if g.has(n) && !g.known.Has(g.t.Original(n)) {
		g.tell(n, entry.Valid(g.t.Entry(n).Bytes))
	}
	return g.has(n) && !g.torn[g.t.Original(n)]
}

// tell says whether the entry of n is whole.
func (g *Graft) tell(n tree.Node, whole bool) {
	g.known.Add(g.t.Original(n))
	if !whole {
		g.torn[g.t.Original(n)] = true
	}
}

// Parent returns the parent to write for n, the next node of the part, nil to leave what is written.
// It is the nearest node above that is in the part, or, if a path lacks such a node or it is not
// printed, the last that was: an entry that is lost takes nothing of its turn along.
func (g *Graft) Parent(n tree.Node, whole bool) entry.Value {
	if g.tell(n, whole); !whole || g.t.IsList() {
		return nil
	}
	before, written := g.last, g.t.WrittenParent(n)
	if g.last = n; g.first == tree.None {
		g.first = n
	}
	parent, taken := g.Taken[n]
	if g.All && g.t.Has(written) {
		parent = written
	} else if !taken {
		parent = g.t.Parent(n)
	}
	to := g.nearest(parent)
	if g.has(to) && !g.known.Has(g.t.Original(to)) {
		g.awaited[to] = true
	}
	if g.awaited[n] {
		before = g.first // the last one may be below n
	}
	lost := to == n || !g.prints(to)
	switch {
	case n == g.first && (!g.Union || taken || lost || to != parent), lost && g.Union && g.t.Has(written):
		if g.t.RawParent(n) == nil {
			return nil
		}
		return entry.Value("null")
	case lost && !g.Union:
		return g.t.RawID(before)
	case lost, !taken && (g.t.Original(to) == written || to == parent && g.listed):
		return nil
	}
	return g.t.RawID(to)
}
