package log

import (
	"slices"

	"jl/internal/rule"
	"jl/internal/shape"
)

// compactions reads what each boundary of a log like Claude's names: what it kept, its summary and its logical
// parent; and, in a list, from which entry another one goes on.
//
// The segments of all boundaries together may be much longer than the log, because each is the walk
// between two entries. All walks together may take two steps for each node. A boundary whose walk takes more
// than what is left keeps nothing.
func (t *Log) compactions() {
	t.Compactions = map[Node]rule.Compaction{}
	steps := 2 * len(t.Written)
	for n := range t.Count {
		if t.Plain {
			break
		}
		if !t.Is(n, Boundary) {
			continue
		}
		logical := t.LookUp(t.Dialect.LogicalParentOf(t.Entry(n)))
		if !t.Has(logical) {
			logical = None
		}
		c := rule.Compaction{Summary: n, Logical: logical}
		if t.reading.Knows == nil {
			kept, anchor := t.keptBy(n, &steps)
			if t.Has(anchor) && t.Written[anchor] == n && t.Is(anchor, Sidechain) == t.Is(n, Sidechain) {
				c.Summary = anchor
			}
			c.Kept, c.From = kept, anchor == n
		}
		t.Compactions[n] = c
	}
	for _, r := range t.resumed {
		if n, to := t.find(r[0]), t.find(r[1]); n != None && to != None {
			t.Compactions[n] = rule.Compaction{Summary: n, Logical: to}
		}
	}
}

// keptBy returns the nodes that the list or segment of the boundary b names, in file order, and its
// anchor. It takes one of steps for each node of a segment.
func (t *Log) keptBy(b Node, steps *int) (nodes []Node, anchor Node) {
	kept, _ := shape.PreservedBy(t.Entry(b))
	if kept.Listed {
		for _, id := range kept.IDs {
			if n := t.LookUp(id); t.Has(n) {
				nodes = append(nodes, n)
			}
		}
	} else {
		head, seen := t.LookUp(kept.Head), map[Node]bool{}
		n := t.LookUp(kept.Tail)
		for ; t.Has(n) && !seen[n] && *steps > 0; n = t.Written[n] {
			*steps--
			seen[n], nodes = true, append(nodes, n)
			if n == head {
				break
			}
		}
		if n != head || !t.Has(n) {
			nodes = nil
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes), t.LookUp(kept.Anchor)
}
