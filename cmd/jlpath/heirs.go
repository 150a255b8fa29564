package main

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/tree"
)

// A sieve tells which nodes of a tree are printed: the wanted ones whose entries are valid JSON
// throughout. It reads an entry only if that is asked before the entry is printed. A copy is as the
// original.
type sieve struct {
	t         *tree.Tree
	in, known *forest.Set        // the wanted nodes, and those that it was told about
	torn      map[tree.Node]bool // those of the known that are not printed
}

func newSieve(t *tree.Tree) *sieve {
	return &sieve{t, forest.NewSet(t.Cap()), forest.NewSet(t.Cap()), map[tree.Node]bool{}}
}

// wants reports whether n is wanted.
func (s *sieve) wants(n tree.Node) bool { return n != tree.None && s.in.Has(s.t.Original(n)) }

// awaits reports whether n is wanted and not known.
func (s *sieve) awaits(n tree.Node) bool { return s.wants(n) && !s.known.Has(s.t.Original(n)) }

// tell says whether the entry of n is whole.
func (s *sieve) tell(n tree.Node, whole bool) {
	n = s.t.Original(n)
	s.known.Add(n)
	if !whole {
		s.torn[n] = true
	}
}

// has reports whether n is printed.
func (s *sieve) has(n tree.Node) bool {
	if s.awaits(n) {
		s.tell(n, entry.Valid(s.t.Entry(n).Bytes))
	}
	return s.wants(n) && !s.torn[s.t.Original(n)]
}

// parents returns a function that returns the parent to write for an entry of the whole log, nil to
// leave what is written: null for an orphan that is the first node, and the nearest printed node
// above instead of one that is not printed.
func (s *sieve) parents() func(*entry.Entry) entry.Value {
	up := slices.Repeat([]tree.Node{tree.None}, s.t.Cap())
	for _, n := range s.t.Nodes() {
		s.in.Add(n)
		if to := s.t.WrittenParent(n); s.t.Has(to) {
			up[n] = to
		}
	}
	nearest := (&forest.Forest{Up: up}).Nearest(s.has)
	return func(e *entry.Entry) entry.Value {
		written := s.t.LookUp(s.t.Dialect().ParentOf(e))
		switch {
		case s.t.IsList() || written == tree.None:
			return nil
		case !s.t.Has(written):
			if s.t.NodeAt(e.Pos) == s.t.Nodes()[0] {
				return entry.Value("null")
			}
			return nil
		}
		switch to := nearest(written); to {
		case written:
			return nil
		case tree.None:
			return entry.Value("null")
		default:
			return s.t.RawID(to)
		}
	}
}

// heirs are the nodes of a passage that becomes a session of its own. It must be connected by the
// parents that its entries name, and begin at a root.
type heirs struct {
	t           *tree.Tree
	g           passage
	printed     *sieve
	nearest     func(tree.Node) tree.Node // the nearest node of the passage at or above another; of a union, the nearest printed
	listed      bool                      // a reader finds the parents of what a compaction kept in the list of the boundary
	first, last tree.Node                 // of what was printed so far
	awaited     map[tree.Node]bool        // the parents that come after their children
}

func newHeirs(t *tree.Tree, g passage) *heirs {
	h := &heirs{t: t, g: g, printed: newSieve(t), first: tree.None, last: tree.None, awaited: map[tree.Node]bool{}}
	for _, n := range g.nodes {
		h.printed.in.Add(t.Original(n))
	}
	if c := tree.Node(t.Cap() - 1); t.Copied(c) { // the last one; above it are the others, the anchor and the boundary
		h.listed = !slices.ContainsFunc(t.Forest().Walk(c, nil), func(n tree.Node) bool {
			return !h.printed.has(n) || t.Copied(n) && t.Boundary(n)
		})
	}
	h.nearest = t.Forest().Nearest(h.printed.has)
	if !g.union {
		h.nearest = t.Forest().Nearest(h.printed.wants)
	}
	return h
}

// parent returns the parent to write for the next node of the passage, nil to leave what is written.
// It is the nearest node above that is in the passage, or, if a path lacks such a node or it is not
// printed, the last that was: an entry that is lost takes nothing of its turn along.
func (h *heirs) parent(x tree.Text) entry.Value {
	n, before := x.Node, h.last
	h.printed.tell(n, x.Whole)
	if !x.Whole || h.t.IsList() {
		return nil
	}
	h.last = n
	if h.first == tree.None {
		h.first = n
	}
	parent, taken := h.g.taken[n]
	if !taken {
		parent = h.t.Parent(n)
	}
	to, written := h.nearest(parent), h.t.WrittenParent(n)
	if h.printed.awaits(to) {
		h.awaited[to] = true
	}
	if h.awaited[n] {
		before = h.first // the last one may be below n
	}
	lost := !h.printed.has(to)
	switch {
	case n == h.first && (taken || lost || to != parent):
		return root(h.t, n)
	case lost && written == tree.None, lost && h.g.union && !h.t.Has(written):
		return nil
	case lost && h.g.union:
		return root(h.t, n)
	case lost:
		return h.t.RawID(before)
	case taken:
		return h.t.RawID(to)
	case h.t.Original(to) == written, to == parent && h.listed:
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
