package check

import (
	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/record"
)

// secondRoots reports the turns without a parent at which a conversation begins anew, though one began before in the
// session and nothing tells how they hang together: no compaction, no plan that was approved, no parent that was lost.
// Most readers show one of these conversations. It is a note if a prompt is at its top and most of the log is in the
// tree of the leaf, because a client begins so when the first prompt is edited and sent again. It reports none if most
// of the conversation is beside the path: [Log.beside] has said so.
func (l *Log) secondRoots() {
	t := l.t
	if t.Tree.Plain || t.Leaf == log.None {
		return
	}
	isRoot := func(turn log.Node) bool {
		return t.Tree.Above[turn] == log.None && t.Tree.Crossing(turn) == log.None && t.Written[turn] == log.None
	}
	roots := 0
	for _, turn := range t.Tree.Order {
		if isRoot(turn) {
			roots++
		}
	}
	if roots < 2 { // as in nearly all logs
		return
	}
	if beside, _ := Beside(t); beside > 0 {
		return
	}
	aside := t.Tree.Is(t.Leaf, log.Sidechain) // all entries are on one, as in the log of a sub-agent
	whole := forest.Of(t.Tree.Whole())
	top := whole.Nearest(func(turn log.Node) bool { return whole.Up[turn] == log.None })
	size, speaks := make([]int, t.Cap), forest.NewSet(int(t.Count)) // by top: the conversation entries of its tree, and whether somebody speaks there
	all := 0
	for n := range t.Count {
		if !t.Tree.Is(n, log.Talks) || t.Tree.Is(n, log.Sidechain) != aside {
			continue
		}
		if root := top(t.Tree.Turn[n]); root != log.None {
			size[root]++
			all++
			if t.Tree.Is(n, log.Prompt|log.Answer) {
				speaks.Add(root)
			}
		}
	}
	begun := map[int32]bool{} // the sessions
	for n := range t.Count {
		if !speaks.Has(n) || !isRoot(n) {
			continue
		}
		first := !begun[t.Tree.Strand[n]]
		if begun[t.Tree.Strand[n]] = true; first || t.Tree.Is(n, log.Boundary) {
			continue
		}
		severity := record.Warning
		if t.Tree.Is(n, log.Prompt) && 2*size[top(t.Tree.Turn[t.Leaf])] >= all {
			severity = record.Note
		}
		if f, ok := l.finding(severity, "second root", t.Pos(n)); ok {
			l.give(record.Root{Finding: f, ID: record.Raw(t.RawID(n)), Below: size[n], All: all})
		}
	}
}
