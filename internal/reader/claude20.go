package reader

import (
	"cmp"
	"slices"

	"jl/internal/tree"
)

// asClaude20 returns the path by the published algorithm of 2.0.73: only the walk from parent to
// parent.
func (r *Reader) asClaude20(leaf tree.Node) tree.Path {
	if r.claude20 == nil {
		r.claude20 = newView(r.t, Claude20)
		r.claude20.link()
		r.newest = r.claude20.newest()
	}
	if leaf == none {
		leaf = r.newest
	}
	return tree.Path{Leaf: leaf, Nodes: r.claude20.Walk(leaf, nil)}
}

// newest returns the newest of the nodes that no node names as its parent. Among equals it is the
// one whose id comes first in the file.
func (v *view) newest() tree.Node {
	ends := v.ends(v.nodes, all)
	if len(ends) == 0 {
		return none
	}
	first := map[tree.Node]int64{} // where the first of several entries with one id is
	for _, d := range slices.Backward(v.Duplicates()) {
		first[d.Node] = d.Earlier.Offset
	}
	at := func(n tree.Node) int64 {
		if offset, again := first[n]; again {
			return offset
		}
		return v.Pos(n).Offset
	}
	return slices.MaxFunc(ends, func(a, b tree.Node) int {
		return cmp.Or(cmp.Compare(v.dateOrNumber(a), v.dateOrNumber(b)), cmp.Compare(at(b), at(a)))
	})
}

// dateOrNumber is date, but a number is a readable timestamp too.
func (v *view) dateOrNumber(n tree.Node) int64 {
	if at, ok := v.Number(n); ok {
		return at / 1000
	}
	return v.date(n)
}
