package tree

import (
	"slices"

	"jl/internal/memory"
)

// A Branch is an end, and what its path has of its own.
type Branch struct {
	End  Node
	Fork Node // the last node that the path shares with a newer end's path, None if it shares none
	Own  int  // the number of conversation nodes behind the fork, or of the path if there is none
}

// Branches returns the branch of each end that is not on the path of a newer one. The newest
// end comes first. Branches looks at each path from its end up to the turn of its fork, so
// many ends cost little more than one, unless nothing but results of calls is above a fork.
func (t *Tree) Branches(ends []Node) []Branch {
	c := t.newClimber()
	defer c.scratch.Free()
	var branches []Branch
	var covered nodeSet // by newer paths
	covered.clear(t.n)
	for _, end := range ends {
		if covered.has(end) {
			continue
		}
		part, _ := c.climb(end)
		b := Branch{End: end, Fork: None}
		for _, n := range slices.Backward(part) {
			if covered.has(n) {
				b.Fork = n
				break
			}
			if t.Conversation(n) {
				b.Own++
			}
		}
		covered.addAll(part)
		branches = append(branches, b)
	}
	return branches
}

// Union returns the nodes of the default paths that end at leaves, in file order, and the
// remarks about these paths. It looks at each node about once, as Branches does.
func (t *Tree) Union(leaves []Node) ([]Node, []Remark) {
	c := t.newClimber()
	defer c.scratch.Free()
	var nodes []Node
	var remarks []Remark
	var covered nodeSet
	covered.clear(t.n)
	for _, leaf := range leaves {
		part, known := c.climb(leaf)
		if !known {
			remarks = append(remarks, t.Path(leaf, Options{Chain: true}).Remarks...)
		}
		for _, n := range part {
			if !covered.has(n) {
				covered.add(n)
				nodes = append(nodes, n)
			}
		}
	}
	slices.SortFunc(nodes, t.byOffset)
	return nodes, remarks
}

// A climber goes up from the ends of default paths, from each as far as it has not been.
type climber struct {
	*Tree
	scratch memory.Stock // what uses a climber frees it
	changer *changer     // nil if no list changes paths
	climbed nodeSet      // the nodes that were climbed, on paths that the list does not change
	moved   nodeSet      // those on paths that it changes, which have other nodes above them
}

func (t *Tree) newClimber() *climber {
	c := &climber{Tree: t}
	c.changer = t.newChanger(&c.scratch)
	c.climbed.clear(t.n)
	c.moved.clear(t.n)
	return c
}

// climb returns the part of the default path that ends at end which begins in the turn of the
// last node that was climbed before, so that what is above it is known, as climb reports; or all
// of the path. What a path has beside it, of its messages, need not hang below it, and is not
// climbed.
func (c *climber) climb(end Node) (part []Node, known bool) {
	v, climbed := c.all(), &c.climbed
	if c.changer != nil && c.changer.changes(end) {
		v, climbed = c.changer.linked, &c.moved
	}
	part = v.walkUp(end, c.turnStart(climbed))
	known = slices.ContainsFunc(part, climbed.has)
	climbed.addAll(part)
	if !c.plain() {
		part = v.withParallel(part, c.parallel().siblings(part))
	}
	return part, known
}

// turnStart returns a function that is asked for the nodes of a path upwards. It reports
// true for the first node that is climbed, or, because the entries and results of a turn
// stay together, for the first one above the turn of that node.
func (t *Tree) turnStart(climbed *nodeSet) func(Node) bool {
	reached := false
	message := hash(0)
	return func(n Node) bool {
		if reached = reached || climbed.has(n); !reached || t.plain() {
			return reached
		}
		switch a := t.at(n); a.kind {
		case user:
			return len(t.resultsOf(n)) == 0
		case assistant:
			m := t.messageOf(n)
			if message == 0 {
				message = m
			}
			return m == 0 || m != message
		}
		return false
	}
}
