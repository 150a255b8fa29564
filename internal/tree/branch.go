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
		b := &branches[i]
		b.End = end
		own, fork, after := c.add(t, end, t.Logical)
		b.Fork = fork
		for _, n := range own[:after] {
			if t.Conversation(n) {
				b.Own++
			}
		}
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

// add adds the path that ends at leaf. It returns the nodes that no other path had, and the last
// node of the path that another path had too, or None. The first of the own nodes, as many as after
// says, are after that node on the path, or, if there is none, on the path itself. Logical returns
// where the path goes on above its first node, or None.
func (c *coverage) add(t *Tree, leaf Node, logical func(Node) Node) (own []Node, fork Node, after int) {
	var below, above []Node // the fork
	fork = None
	n, near := t.start(leaf), -1 // near is how many of below are on the path itself
	for up := None; n != None && !c.walked.Has(n); n = up {
		c.walked.Add(n)
		if fork == None && c.nodes.Has(n) {
			fork = n
		}
		if fork == None {
			below = append(below, n)
		} else {
			above = append(above, n)
		}
		if up = t.Forest().Up[n]; up == None {
			if near < 0 {
				near = len(below)
			}
			up = logical(n)
		}
	}
	if fork == None && c.nodes.Has(n) { // else n closes a cycle
		fork = n
	}
	if t.HasTurns() && fork != None && t.turns().turn(fork) != 0 {
		fork = forest.Last(t.turns().members(t.turns().of[fork]), c.nodes.Has)
	}
	if fork != None || near < 0 {
		near = len(below)
	}
	own = c.take(t, nil, below[:near])
	after = len(own)
	own = c.take(t, own, below[near:])
	return c.take(t, own, above), fork, after
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
