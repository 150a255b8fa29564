package reader

import (
	"cmp"
	"jl/internal/entry"
	"math"
	"slices"
	"strconv"

	"jl/internal/log"
)

// asClaude20 returns the path by the published algorithm of 2.0.73: only the walk from parent to
// parent.
func (r *Reader) asClaude20(leaf log.Node) log.Path {
	if r.claude20 == nil {
		r.claude20 = newView(r.t, Claude20)
		r.claude20.link()
		r.newest = r.claude20.newest()
	}
	if leaf == none {
		leaf = r.newest
	}
	return log.Path{Leaf: leaf, Nodes: r.claude20.Walk(leaf, nil)}
}

// newest returns the newest of the nodes that no node names as its parent. Among equals it is the
// one whose id comes first in the file.
func (v *view) newest() log.Node {
	ends := v.ends(v.nodes, all)
	if len(ends) == 0 {
		return none
	}
	first := map[log.Node]int64{} // where the first of several entries with one id is
	for _, d := range slices.Backward(v.Duplicates) {
		first[d.Node] = d.Earlier.Offset
	}
	at := func(n log.Node) int64 {
		if offset, again := first[n]; again {
			return offset
		}
		return v.Pos(n).Offset
	}
	return slices.MaxFunc(ends, func(a, b log.Node) int {
		return cmp.Or(cmp.Compare(v.dateOrNumber(a), v.dateOrNumber(b)), cmp.Compare(at(b), at(a)))
	})
}

// maxDate is the largest distance from 1970 that a JavaScript Date can have, in milliseconds.
const maxDate = 8.64e15

// dateOrNumber is date, but a number is a readable timestamp too.
func (v *view) dateOrNumber(n log.Node) int64 {
	if date := v.date(n); date != undated {
		return date
	}
	at := v.Entry(n).Get(entry.Timestamp)
	if ms, err := strconv.ParseFloat(string(at), 64); err == nil && math.Abs(ms) <= maxDate {
		return int64(ms*1000) / 1000
	}
	return undated
}
