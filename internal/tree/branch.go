package tree

import (
	"slices"

	"jl/internal/forest"
)

// A Branch is an end, and what its path has of its own.
type Branch struct {
	End  Node
	Fork Node // the last node that the path shares with a newer end's, both across compactions, or None
	Own  int  // the number of conversation nodes after the fork, or of the path if there is none
}

// Branches returns the branch of each of Ends, and the end whose path contains the leaf that is the
// last in the file, or None if the log has no leaf. It looks at each node once.
func (t *Tree) Branches() (branches []Branch, last Node) {
	ends := t.Ends()
	if len(ends) == 0 {
		return nil, None
	}
	leaf := slices.MaxFunc(t.leaves, t.byOffset)
	c := t.newCoverage()
	branches, last = make([]Branch, len(ends)), None
	for i, end := range ends {
		branches[i] = c.branch(t, end)
		if last == None && c.nodes.Has(leaf) {
			last = end
		}
	}
	if last == None {
		last = ends[0]
	}
	return branches, last
}

// Union returns what the paths that end at leaves have together: their nodes once, in file order, the
// remarks about them and what they have taken. It looks at each node once, so o must not have a Tie,
// which depends on the path.
func (t *Tree) Union(leaves []Node, o Options) Path {
	c := t.newCoverage()
	p := Path{Leaf: None}
	for _, p.Leaf = range leaves {
		p.Chain = nil
		if p.climb(t, o, c.walked); o.Chain {
			p.Nodes = append(p.Nodes, p.Chain...)
		} else {
			p.Nodes = c.take(t, p.Nodes, p.Chain)
		}
	}
	slices.SortFunc(p.Nodes, t.byOffset)
	p.Nodes = slices.CompactFunc(p.Nodes, func(a, b Node) bool { return t.Original(a) == t.Original(b) })
	return p
}

// A coverage is what some paths have together.
type coverage struct{ walked, nodes *forest.Set }

func (t *Tree) newCoverage() *coverage {
	return &coverage{forest.NewSet(len(t.nodes)), forest.NewSet(len(t.nodes))}
}

// branch covers the path that ends at end, also across compactions, and returns the branch.
func (c *coverage) branch(t *Tree, end Node) Branch {
	p, up := Path{Leaf: end}, t.start(end)
	if p.climb(t, Options{Through: true}, c.walked); len(p.Chain) > 0 {
		up = t.Forest().Up[p.Chain[0]]
		if to, taken := p.Taken[p.Chain[0]]; taken {
			up = to
		}
	}
	fork := forest.Last(p.Chain, c.nodes.Has)
	own := slices.Index(p.Chain, fork) + 1
	if fork == None && c.nodes.Has(up) {
		fork = up
	} else if fork == None { // what is above the last root is across a compaction
		root := forest.Last(p.Chain, func(n Node) bool { return t.Forest().Up[n] == None })
		own = max(slices.Index(p.Chain, root), 0)
	}
	if t.HasTurns() && fork != None && t.turns().turn(fork) != 0 {
		fork = forest.Last(t.turns().members(t.turns().of[fork]), c.nodes.Has)
	}
	b := Branch{End: end, Fork: fork}
	for _, n := range c.take(t, nil, p.Chain[own:]) {
		if t.Conversation(n) {
			b.Own++
		}
	}
	c.take(t, nil, p.Chain[:own])
	return b
}

// take appends to own the nodes of a walk and of the turns that it passes that are not covered.
func (c *coverage) take(t *Tree, own, walk []Node) []Node {
	for i, n := range walk {
		members := walk[i : i+1]
		if c.nodes.Has(n) {
			continue // with all of its turn
		}
		if t.HasTurns() && t.turns().turn(n) != 0 {
			members = t.turns().members(t.turns().of[n])
		}
		for _, m := range members {
			if !c.nodes.Has(m) {
				c.nodes.Add(m)
				own = append(own, m)
			}
		}
	}
	return own
}
