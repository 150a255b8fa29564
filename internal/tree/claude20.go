package tree

// claude20Path returns the path by the published algorithm of 2.0.73: only the walk from
// parent to parent.
func (t *Tree) claude20Path(leaf Node) Path {
	v := t.all()
	if leaf == None {
		leaf = v.claude20Leaf()
	}
	if leaf == None {
		return Path{Leaf: None}
	}
	return Path{Leaf: leaf, Nodes: v.chain(leaf)}
}

// claude20Leaf returns the leaf by that algorithm: the newest of the nodes that no node
// names as its parent. Among equals it is the one whose id occurs first in the file.
func (v *view) claude20Leaf() Node {
	named := make([]bool, v.n)
	for _, n := range v.order {
		if p := v.parent[n]; p >= 0 {
			named[p] = true
		}
	}
	first := func(n Node) int64 {
		if d := v.duplicates[n]; d != nil {
			return d.first
		}
		return v.at(n).pos.offset()
	}
	newer := func(n, m Node) bool {
		a, b := v.at(n), v.at(m)
		dated := a.flags&(timed|numeric) != 0
		switch {
		case dated != (b.flags&(timed|numeric) != 0):
			return dated
		case a.time != b.time:
			return a.time > b.time
		}
		return first(n) < first(m)
	}
	leaf := None
	for _, n := range v.order {
		if !named[n] && (leaf == None || newer(n, leaf)) {
			leaf = n
		}
	}
	return leaf
}
