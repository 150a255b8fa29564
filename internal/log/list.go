package log

import "jl/internal/entry"

// addInOrder adds an entry of a list.
func (t *Log) addInOrder(e *entry.Entry, f *facts) {
	step := t.thread.Next(e)
	if !step.Node {
		t.aside()
		return
	}
	if step.Resumes != nil {
		t.resumed = append(t.resumed, [2]Hash{t.hashOf(step.ID), t.hashOf(step.Resumes)})
	}
	t.insert(t.hashOf(step.ID), t.hashOf(step.Parent), e, f)
}

// listLeaves returns the leaves of a list that is not a Claude log: the last living entry, and the last of each
// stretch that was undone.
func (t *Log) listLeaves() []Node {
	var leaves []Node
	leaf := t.find(t.ending.last)
	if leaf != None {
		leaves = append(leaves, leaf)
	}
	inner := make([]bool, len(t.ids))
	for _, r := range t.resumed { // what it goes on from is its history
		inner[t.find(r[1])] = true
	}
	for _, up := range t.Tree.Up {
		if up != None {
			inner[up] = true
		}
	}
	for n := t.Count - 1; n >= 0; n-- {
		if n != leaf && !inner[n] && !t.Tree.Is(n, Sidechain) {
			leaves = append(leaves, n)
		}
	}
	return leaves
}
