package tree

import (
	"slices"

	"jl/internal/entry"
)

// addInOrder adds an entry of a list.
func (t *Tree) addInOrder(e *entry.Entry, f *facts) {
	step := t.thread.Next(e)
	if !step.Node {
		t.aside()
		return
	}
	n := t.nodeOf(e, f)
	if step.Resumes != nil {
		t.resumed = append(t.resumed, [2]Hash{t.hashOf(step.ID), t.hashOf(step.Resumes)})
	}
	n.parent = t.LookUp(step.Parent)
	at := t.intern(t.hashOf(step.ID))
	n.id = t.at(at).id
	if t.has(at) && t.hasPlaceID(at, e) { // e is the newest text of at, and its place is not in its id
		if t.updated == nil {
			t.updated = map[Node]entry.Value{}
		}
		t.updated[at] = slices.Clone(step.ID)
	}
	*t.at(at) = n
}

// listLeaves is Leaves for a list that is not a Claude log.
func (t *Tree) listLeaves() []Node {
	var leaves []Node
	leaf := t.live.last
	if leaf != None {
		leaves = append(leaves, leaf)
	}
	inner := make([]bool, t.nodes.count)
	for _, r := range t.resumed { // what it goes on from is its history
		if n := t.find(r[1]); n != None {
			inner[n] = true
		}
	}
	for n := range t.count {
		if up := t.up[n]; up != None {
			inner[up] = true
		}
	}
	for n := t.count - 1; n >= 0; n-- {
		if n != leaf && !inner[n] && t.at(n).flags&sidechain == 0 {
			leaves = append(leaves, n)
		}
	}
	return leaves
}
