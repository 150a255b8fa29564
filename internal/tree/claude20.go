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
		return v.at(n).offset
	}
	const when = timed | numeric
	leaf := None
	for _, n := range v.order {
		if named[n] {
			continue
		}
		if leaf == None {
			leaf = n
			continue
		}
		a, b := v.at(n), v.at(leaf)
		switch {
		case a.flags&when != 0 && (b.flags&when == 0 || a.time > b.time):
			leaf = n
		case (a.flags&when == 0) == (b.flags&when == 0) && (a.flags&when == 0 || a.time == b.time) && first(n) < first(leaf):
			leaf = n
		}
	}
	return leaf
}
