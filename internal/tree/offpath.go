package tree

import (
	"jl/internal/entry"
	"jl/internal/forest"
)

// Beside counts the conversation entries that are neither on the path of the leaf nor on a branch that
// something explains, and all of them. It returns 0 unless the first are most of the log, as in one in
// which each answer names the prompt as its parent, or in one that lost its chain. Entries on
// sidechains do not count, nor does what a compaction replaced.
//
// A prompt at its top explains a branch; an answer does if there is only one such branch. A root
// explains its branch if no answer is a root, and the path begins at none that only connects others: an answer without
// a parent, or a prompt below the progress of an agent, shows that parents were lost.
func (t *Tree) Beside() (beside, all int) {
	leaf, _ := t.Leaf(None)
	if leaf == None || t.Plain || len(t.Leaves) < 2 { // all is above one leaf
		return 0, 0
	}
	on := forest.NewSet(int(t.Count))
	for _, n := range t.Path(leaf, Options{Through: true}).Nodes {
		on.Add(n)
	}
	up := t.Up
	aside := t.Sidechain(leaf) // all entries are on one, as in the log of a sub-agent
	isAnswer := func(n Node) bool { return t.Kinds[n] == Assistant || len(t.Results(n)) > 0 }
	root := leaf
	for range t.Count { // a cycle ends, too
		if up[root] != None {
			root = up[root]
		}
	}
	strayed := !t.Conversation(root)
	lost := strayed
	for n := range t.Count {
		lost = lost || up[n] == None && t.Written[n] == None && t.Sidechain(n) == aside && isAnswer(n)
	}
	isOrphan := func(n Node) bool { return up[n] == None && (lost || t.Written[n] != None) }
	nodes := forest.Forest{Up: up}
	top := nodes.Nearest(func(n Node) bool {
		return !on.Has(n) && (isOrphan(n) || up[n] != None && on.Has(up[n]))
	})
	unexplained := func(n Node) bool { return n != None && (isOrphan(n) || isAnswer(n)) }
	tops := map[Node]bool{}
	for n := range t.Count {
		switch {
		case !t.Conversation(n) || t.Sidechain(n) != aside:
		case on.Has(n):
			all++
		case unexplained(top(n)):
			tops[top(n)] = true
			beside++
		}
	}
	if all += beside; len(tops) < 2 && !strayed || 2*beside <= all {
		return 0, 0
	}
	return beside, all
}

// WithoutID returns how many messages have no id in a log whose entries have ids, and the place of the
// first. They are not nodes, so they are on no path.
func (t *Tree) WithoutID() (count int, first entry.Pos) { return t.noIDCount, t.noID.unpack() }

// Aside returns how many conversation entries are on sidechains, if the leaf is on none.
func (t *Tree) Aside() int {
	leaf, _ := t.Leaf(None)
	if leaf == None || t.Sidechain(leaf) {
		return 0
	}
	count := 0
	for n := range t.Count {
		if t.Conversation(n) && t.Sidechain(n) {
			count++
		}
	}
	return count
}
