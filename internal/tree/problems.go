package tree

import (
	"cmp"
	"math"
	"slices"

	"jl/internal/entry"
)

// Parent returns the parent of n, None if n is a root or an orphan.
func (t *Tree) Parent(n Node) Node {
	if up, ok := t.all().up(n); ok {
		return up
	}
	return None
}

// Roots returns the number of nodes that name no parent.
func (t *Tree) Roots() int {
	roots := 0
	for _, n := range t.order {
		if t.at(n).parent == None {
			roots++
		}
	}
	return roots
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.order) }

// Orphans returns the nodes whose parent is not in the log, in the order of the
// file.
func (t *Tree) Orphans() []Node {
	var orphans []Node
	for _, n := range t.order {
		if p := t.at(n).parent; p != None && !t.has(p) {
			orphans = append(orphans, n)
		}
	}
	return orphans
}

// Cycles returns the cycles: of each the nodes, from the last in the file, which
// closed it, upwards by parents. A node that is its own parent is a ring of one.
// The rings come in the order of the entries that closed them.
func (t *Tree) Cycles() [][]Node {
	v := t.all()
	var rings [][]Node
	walk := make([]int32, t.n) // by node: the walk that came by, from 1 on
	for i, n := range v.order {
		this := int32(i + 1)
		ok := true
		for ; ok && walk[n] == 0; n, ok = v.up(n) {
			walk[n] = this
		}
		if !ok || walk[n] != this {
			continue
		}
		var ring []Node
		last := 0
		for at := n; len(ring) == 0 || at != n; at = v.parent[at] {
			if len(ring) > 0 && v.at(at).offset > v.at(ring[last]).offset {
				last = len(ring)
			}
			ring = append(ring, at)
		}
		rings = append(rings, slices.Concat(ring[last:], ring[:last]))
	}
	slices.SortFunc(rings, func(a, b []Node) int { return t.byOffset(a[0], b[0]) })
	return rings
}

// A Duplicate is an id that was used again.
type Duplicate struct {
	Node           Node
	Earlier, Later entry.Pos // two entries in a row, as the file has them, with its id
}

// Duplicates returns the entries whose id an earlier entry has, in the order of the
// file.
func (t *Tree) Duplicates() []Duplicate {
	later := map[Node]entry.Pos{}
	repeats := slices.Clone(t.replaced)
	for i, r := range slices.Backward(repeats) {
		if _, ok := later[r.Node]; !ok {
			later[r.Node] = t.Pos(r.Node)
		}
		repeats[i].Later = later[r.Node]
		later[r.Node] = r.Earlier
	}
	return repeats
}

// Duplicated reports whether an earlier entry has the id of n, too.
func (t *Tree) Duplicated(n Node) bool { return t.duplicates[n] != nil }

// A ClockSkew is a node that is older than its parent.
type ClockSkew struct {
	Node Node
	By   int64 // microseconds
}

// ClockSkews returns the nodes whose timestamp is before that of their parent, in
// the order of the file.
func (t *Tree) ClockSkews() []ClockSkew {
	v := t.all()
	var back []ClockSkew
	for _, n := range v.order {
		up, ok := v.up(n)
		if !ok || v.at(n).flags&v.at(up).flags&timed == 0 {
			continue
		}
		if was, is := v.at(up).time, v.at(n).time; is < was {
			by := was - is
			if by < 0 { // 292,000 years are as far as it goes
				by = math.MaxInt64
			}
			back = append(back, ClockSkew{n, by})
		}
	}
	return back
}

// A IDCollision is a node whose id a file-history entry has as its messageId.
type IDCollision struct {
	Node     Node
	Snapshot entry.Pos
}

// IDCollisions returns the nodes that have the id of a file-history entry, in the
// order of these entries.
func (t *Tree) IDCollisions() []IDCollision {
	var same []IDCollision
	for _, o := range t.annotations {
		if o.what != snapshot {
			continue
		}
		if n := t.find(o.ref); t.has(n) {
			same = append(same, IDCollision{n, o.pos()})
		}
	}
	return same
}

// Reachable returns the number of nodes that a reader who follows parents can get
// to: those whose parents lead to a root. If those of the leaf lead to none, what
// the leaf hangs together with is all there is.
func (t *Tree) Reachable(leaf Node) int {
	v := t.all()
	end := t.ends(v)
	reached := 0
	for _, n := range v.order {
		if leaf != None && !t.isRoot(end[leaf]) {
			if end[n] == end[leaf] {
				reached++
			}
		} else if t.isRoot(end[n]) {
			reached++
		}
	}
	return reached
}

func (t *Tree) isRoot(n Node) bool { return t.at(n).parent == None }

// ends returns, by node, where its parents end: at a root, an orphan, or some node
// of a ring, the same for all that hang on it.
func (t *Tree) ends(v *view) []Node {
	end := make([]Node, t.n)
	for n := range end {
		end[n] = None
	}
	on := make([]bool, t.n) // the way
	var passed []Node
	for _, n := range v.order {
		passed = passed[:0]
		at, ok := n, true
		for ok && end[at] == None && !on[at] {
			on[at] = true
			passed = append(passed, at)
			n = at
			at, ok = v.up(at)
		}
		last := n // the end, or a new ring's name
		if ok && end[at] != None {
			last = end[at]
		}
		for _, w := range passed {
			end[w] = last
		}
	}
	return end
}

// Children returns the children of nodes in the order of the file. It reads no
// entry and takes time linear in the log, however many nodes are asked for.
func (t *Tree) Children(nodes []Node) map[Node][]Node {
	children := make(map[Node][]Node, len(nodes))
	for _, n := range nodes {
		children[n] = nil
	}
	for _, n := range t.order {
		p := t.at(n).parent
		if c, ok := children[p]; ok && p != None {
			children[p] = append(c, n)
		}
	}
	return children
}

// NodeAt returns the node whose entry is at x, None if the entry is not a node.
func (t *Tree) NodeAt(x entry.Pos) Node {
	i, ok := slices.BinarySearchFunc(t.order, x.Offset, func(n Node, at int64) int {
		return cmp.Compare(t.at(n).offset, at)
	})
	if !ok {
		return None
	}
	return t.order[i]
}

func (t *Tree) byOffset(a, b Node) int { return cmp.Compare(t.at(a).offset, t.at(b).offset) }
