package check

import (
	"jl/internal/forest"
	"jl/internal/log"
)

// Beside returns how many conversation entries are neither on the path of the leaf nor on a branch that something
// explains, and how many there are in all. It returns zeros unless the former are most of the log, as they are if each
// answer names the prompt as its parent, or if the log lost its chain. Entries on sidechains do not count, nor does
// what a compaction replaced.
//
// A prompt at the top of a branch explains it. An answer does if there is only one such branch. A root does if no
// answer is a root, and if the path does not begin at an entry that only connects others: an answer without a parent,
// or a prompt below the progress of an agent, shows that parents were lost.
func Beside(t *log.Log) (beside, all int) {
	leaf := t.Leaf
	if leaf == log.None || t.Tree.Plain || len(t.Leaves) < 2 { // all is above one leaf
		return 0, 0
	}
	on := forest.NewSet(int(t.Count))
	path := t.Path(leaf, log.Options{Through: true})
	on.AddAll(path.Nodes)
	up := t.Tree.Up
	aside := t.Tree.Is(leaf, log.Sidechain) // all entries are on one, as in the log of a sub-agent
	isAnswer := func(n log.Node) bool { return t.Kinds[n] == log.Assistant || len(t.Tree.Results(n)) > 0 }
	strayed := path.Top != log.None && !t.Tree.Is(path.Top, log.Talks)
	lost := strayed
	for n := range t.Count {
		lost = lost || up[n] == log.None && t.Written[n] == log.None && t.Tree.Is(n, log.Sidechain) == aside && isAnswer(n)
	}
	isOrphan := func(n log.Node) bool { return up[n] == log.None && (lost || t.Written[n] != log.None) }
	nodes := forest.Forest{Up: up}
	top := nodes.Nearest(func(n log.Node) bool {
		return !on.Has(n) && (isOrphan(n) || up[n] != log.None && on.Has(up[n]))
	})
	unexplained := func(n log.Node) bool { return n != log.None && (isOrphan(n) || isAnswer(n)) }
	tops := map[log.Node]bool{}
	for n := range t.Count {
		switch {
		case !t.Tree.Is(n, log.Talks) || t.Tree.Is(n, log.Sidechain) != aside:
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
