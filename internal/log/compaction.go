package log

import (
	"slices"

	"jl/internal/rule"
	"jl/internal/shape"
)

// compactions reads what each boundary of a log like Claude's names: what it kept, its summary and its logical
// parent; and, in a list, from which entry another one goes on.
func (t *Log) compactions() {
	t.Tree.Compactions = map[Node]rule.Compaction{}
	segments := newSegments(t)
	for n := range t.Count {
		if t.Tree.Plain || !t.Tree.Is(n, Boundary) {
			continue
		}
		logical := t.LookUp(t.Dialect.LogicalParentOf(t.Entry(n)))
		if !t.Has(logical) {
			logical = None
		}
		c := rule.Compaction{Summary: n, Logical: logical}
		if t.reading.Knows == nil {
			kept, anchor := segments.keptBy(n)
			if t.Has(anchor) && t.Written[anchor] == n && t.Tree.Is(anchor, Sidechain) == t.Tree.Is(n, Sidechain) {
				c.Summary = anchor
			}
			if len(kept) > 0 && kept[len(kept)-1] > n { // it names what comes after it, so it keeps nothing
				kept = nil
			}
			c.Kept, c.From = kept, anchor == n
		}
		t.Tree.Compactions[n] = c
	}
	t.TooLong = segments.tooLong
	for _, r := range t.resumed {
		n := t.find(r[0])
		t.Tree.Compactions[n] = rule.Compaction{Summary: n, Logical: t.find(r[1])}
	}
}

// Segments finds what the boundaries of a log kept.
//
// A boundary may name its segment by the ends alone. The segments of all boundaries together may be much longer
// than the log, although one is nearly always as long as what it compacted. So they may have segmentsMost nodes for
// each of the log. A boundary whose segment is longer than what is left keeps nothing, and is counted.
type segments struct {
	*Log
	left int                // how many nodes more there may be
	seen []int32            // by node: the number of the last walk that met it; nil before the first
	same map[[2]Node][]Node // by head and tail

	walks   int32
	tooLong int // see Log.TooLong
}

const segmentsMost = 64

func newSegments(t *Log) *segments {
	return &segments{Log: t, left: segmentsMost * len(t.Written), same: map[[2]Node][]Node{}}
}

// keptBy returns the nodes that the list or segment of the boundary b names, in file order, and its anchor. The
// caller must not change the slice.
func (s *segments) keptBy(b Node) (nodes []Node, anchor Node) {
	kept, _ := shape.PreservedBy(s.Entry(b))
	anchor = s.LookUp(kept.Anchor)
	if !kept.Listed {
		return s.between(s.LookUp(kept.Head), s.LookUp(kept.Tail)), anchor
	}
	for _, id := range kept.IDs {
		if n := s.LookUp(id); s.Has(n) {
			nodes = append(nodes, n)
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes), anchor
}

// between returns the nodes from tail up to head, in file order; none if head is not above tail.
func (s *segments) between(head, tail Node) (nodes []Node) {
	if !s.Has(tail) || !s.Has(head) {
		return nil
	}
	nodes, isKnown := s.same[[2]Node{head, tail}]
	if !isKnown {
		if s.seen == nil {
			s.seen = make([]int32, s.Count)
		}
		s.walks++
		n := tail
		for ; s.Has(n) && s.seen[n] != s.walks && len(nodes) < s.left; n = s.Written[n] {
			s.seen[n], nodes = s.walks, append(nodes, n)
			if n == head {
				break
			}
		}
		if len(nodes) == 0 || nodes[len(nodes)-1] != head {
			if s.left -= len(nodes); s.left == 0 { // it is too long for what was left, as any other is now
				s.tooLong++
				return nil
			}
			nodes = nil
		}
		slices.Sort(nodes)
		s.same[[2]Node{head, tail}] = nodes
	}
	if len(nodes) > s.left {
		s.tooLong++
		return nil
	}
	s.left -= len(nodes)
	return nodes
}
