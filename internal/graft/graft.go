// Package graft finds the parents that make a part of a log a session of its own: one that begins at a root,
// and is connected by the parents that its entries name. It reads each entry of the part once, to know which
// are printed: those that are valid JSON inside.
//
// It promises that the parents form no cycle that the log had not, because each parent that it makes up
// comes before its child on the path. It prints nothing; that is for its caller.
package graft

import (
	"cmp"
	"slices"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
)

// A Part is some nodes of a log.
type Part struct {
	Nodes []log.Node            // in the order in which they are printed
	Chain []log.Node            // the turns of the path that it is a part of, leaf first; nil if it may have several roots
	Taken map[log.Node]log.Node // the parents that replace the written ones
	Kept  bool                  // entries that a compaction kept get parents, even if its list tells these
}

// A Graft knows the parents of the nodes of a part.
type Graft struct {
	Part
	t       *log.Log
	printed *forest.Set
	first   log.Node      // of what is printed, or None
	up      forest.Forest // the parents that the nodes of the part get, and those of the others
	nearest func(log.Node) log.Node
	settled map[log.Node]bool // nodes that need no parent, because the list of a compaction tells it
}

// New returns the Graft of a part of t.
func New(t *log.Log, part Part) *Graft {
	g := &Graft{t: t, Part: part, printed: forest.NewSet(t.Cap), first: log.None}
	for x := range t.Texts(part.Nodes, nil) {
		if x.Whole {
			g.printed.Add(x.Node)
		}
	}
	g.up.Up = slices.Clone(t.Tree.Up)
	for _, n := range part.Nodes {
		if !g.printed.Has(n) {
			continue
		}
		if g.first == log.None {
			g.first = n
		}
		if written := t.Written[n]; g.printed.Has(written) && !t.Dialect.IsList() {
			g.up.Up[n] = written
		}
		if to, ok := part.Taken[n]; ok {
			g.up.Up[n] = to
		}
	}
	if part.Chain != nil && !t.Dialect.IsList() {
		g.connect()
	}
	g.nearest = g.up.Nearest(g.printed.Has)
	return g
}

// Parent returns the parent to write for n, a node of the part that is printed: the nearest printed node above
// it. It returns nil to leave the parent that n names.
func (g *Graft) Parent(n log.Node) entry.Value {
	if g.t.Dialect.IsList() || g.settled[n] {
		return nil
	}
	written := g.t.Written[n]
	to := g.nearest(g.up.Up[n])
	_, taken := g.Taken[n]
	switch {
	case to == log.None || to == n:
		if (g.Chain == nil && n != g.first && !g.t.Has(written)) || g.t.RawParent(n) == nil {
			return nil
		}
		return entry.Value("null")
	case to == written && !taken:
		return nil
	}
	return g.t.RawID(to)
}

// A placer puts the nodes of a path in the order of the path.
type placer struct {
	*Graft
	places []int // by turn on the chain: twice its number, from the root on; else that of the turn above it, or 0
}

// connect gives a parent that comes before it on the path to each node, except the first, that has no node of
// the part above it, or only one that is not printed. So an entry that is lost takes nothing of its turn along.
func (g *Graft) connect() {
	p := placer{g, make([]int, len(g.t.Tree.Turn))}
	for i, turn := range slices.Backward(g.Chain) {
		p.places[turn] = 2 * (len(g.Chain) - i)
	}
	g.settled = p.kept()
	for _, turn := range g.t.Tree.Order {
		if up := g.t.Tree.Above[turn]; up != log.None && p.places[turn] == 0 {
			p.places[turn] = p.places[up]
		}
	}
	for top := range g.up.Tops(g.Nodes) {
		if g.up.Up[top[0]] != log.None { // a cycle
			g.up.Up[slices.Min(top)] = log.None
		}
	}
	in := forest.SetOf(g.Nodes)
	nearest := g.up.Nearest(func(n log.Node) bool { return in[n] })
	isTop := func(n log.Node) bool {
		return g.printed.Has(n) && !g.printed.Has(nearest(g.up.Up[n])) && !g.settled[n]
	}
	var tops []log.Node
	for _, n := range g.Nodes {
		if isTop(n) {
			tops = append(tops, n)
		}
	}
	if len(tops) < 2 {
		return
	}
	slices.SortStableFunc(tops, func(a, b log.Node) int { return cmp.Or(p.place(a)-p.place(b), int(a-b)) })
	p.tie(tops, g.up.Nearest(isTop))
}

// tie ties each of tops to the first: its parent is the node that is printed last before it in its turn, or else
// in the turns above.
func (p placer) tie(tops []log.Node, top func(log.Node) log.Node) {
	byPlace := map[int][]log.Node{} // what is printed, by its place on the path
	for _, n := range p.Nodes {
		if p.printed.Has(n) {
			byPlace[p.place(n)] = append(byPlace[p.place(n)], n)
		}
	}
	tied := map[log.Node]bool{tops[0]: true}
	for _, n := range tops[1:] {
		to := log.None
		for at := p.place(n); at >= 0 && to == log.None; at-- {
			to = forest.Last(byPlace[at], func(m log.Node) bool { return (at < p.place(n) || m < n) && tied[top(m)] })
		}
		if to == log.None {
			to = tops[0]
		}
		p.up.Up[n] = to
		tied[n] = true
	}
}

// place returns the place of n on the path: that of its turn, or of the nearest turn above it that the path
// passes. A node that a compaction kept is behind the summary of that.
func (p placer) place(n log.Node) int { return p.places[p.t.Tree.Turn[n]] }

// kept ties the nodes that compactions kept to their summaries, and what follows to the last of these nodes,
// unless the lists of the compactions tell readers the same. It returns the nodes that then need no parent.
func (p placer) kept() map[log.Node]bool {
	settled := map[log.Node]bool{}
	for _, turn := range p.Chain {
		for b := turn; b != log.None; b = p.t.Tree.Next[b] {
			kept, summary := p.t.Tree.Compactions[b].Kept, p.t.Tree.Compactions[b].Summary
			last := forest.Last(kept, p.printed.Has)
			if last == log.None {
				continue
			}
			isPrinted := func(n log.Node) bool { return p.printed.Has(n) }
			listed := !p.Kept && isPrinted(b) && isPrinted(summary) && !slices.ContainsFunc(kept, func(n log.Node) bool { return !isPrinted(n) })
			at := p.places[p.t.Tree.Turn[summary]] + 1
			for _, n := range kept {
				settled[n] = listed
				p.places[p.t.Tree.Turn[n]] = at
			}
			if listed {
				continue
			}
			for n := range p.t.Count {
				if p.up.Up[n] == summary && !slices.Contains(kept, n) {
					p.up.Up[n] = last
				}
			}
		}
	}
	return settled
}
