package tree

import (
	"cmp"
	"iter"
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

// NearestOf returns a function that returns the nearest of nodes at or above a node, None if there
// is none. Any number of calls takes time linear in the log together.
func (t *Tree) NearestOf(nodes []Node) func(Node) Node {
	var set nodeSet
	set.clear(t.n)
	set.addAll(nodes)
	nearest := t.all().nearest(set.has)
	return func(n Node) Node {
		if n == None {
			return None
		}
		return nearest.of(n)
	}
}

// IsRoot reports whether n names no parent.
func (t *Tree) IsRoot(n Node) bool { return t.at(n).parent == None }

// Roots returns the number of roots.
func (t *Tree) Roots() int {
	roots := 0
	for _, n := range t.order {
		if t.IsRoot(n) {
			roots++
		}
	}
	return roots
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.order) }

// Orphans returns the nodes whose parent is not in the log, in file order.
func (t *Tree) Orphans() []Node {
	var orphans []Node
	for _, n := range t.order {
		if p := t.at(n).parent; p != None && !t.has(p) {
			orphans = append(orphans, n)
		}
	}
	return orphans
}

// Kept reports whether the last boundary of the log kept n, so that readers tie it to the
// compaction and not to the parent that it names.
func (t *Tree) Kept(n Node) bool {
	if t.plain() {
		return false
	}
	kept, _ := t.linked()
	return kept != nil && kept.kept[n]
}

// Cycles returns the nodes of each cycle, from the last in the file, which closes the
// cycle, upwards by parents. A node that is its own parent is a cycle of one. The cycles
// are in the order of the entries that close them.
func (t *Tree) Cycles() [][]Node {
	v := t.all()
	var cycles [][]Node
	walk := make([]int32, t.n) // by node: the walk that passed it, counted from 1
	for i, n := range v.order {
		this := int32(i + 1)
		ok := true
		for ; ok && walk[n] == 0; n, ok = v.up(n) {
			walk[n] = this
		}
		if !ok || walk[n] != this {
			continue
		}
		var cycle []Node
		last := 0
		for at := n; len(cycle) == 0 || at != n; at = v.parent[at] {
			if len(cycle) > 0 && v.at(at).pos.offset() > v.at(cycle[last]).pos.offset() {
				last = len(cycle)
			}
			cycle = append(cycle, at)
		}
		cycles = append(cycles, slices.Concat(cycle[last:], cycle[:last]))
	}
	slices.SortFunc(cycles, func(a, b []Node) int { return t.byOffset(a[0], b[0]) })
	return cycles
}

// A Duplicate is an entry whose id a later entry has, too.
type Duplicate struct {
	Node           Node
	Earlier, Later entry.Pos // the positions of the entry and of the next one with its id
}

// Duplicates returns the duplicates in the file order of the later entries.
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

// Repeats returns the offsets of the entries that a later entry with the same id repeats byte
// for byte. The later one counts, at its place.
func (t *Tree) Repeats() map[int64]bool {
	repeats := map[int64]bool{}
	later := map[Node]map[key]bool{} // the entries of a node further down
	for _, r := range slices.Backward(t.replaced) {
		if later[r.Node] == nil {
			later[r.Node] = map[key]bool{t.key(t.Entry(r.Node).Bytes): true}
		}
		k := t.key(t.EntryAt(r.Earlier).Bytes)
		repeats[r.Earlier.Offset] = later[r.Node][k]
		later[r.Node][k] = true
	}
	return repeats
}

// Duplicated reports whether more than one entry has the id of n.
func (t *Tree) Duplicated(n Node) bool { return t.duplicates[n] != nil }

// A ClockSkew is a node that is older than its parent.
type ClockSkew struct {
	Node Node
	By   int64 // microseconds, more than 0
}

// ClockSkews returns the nodes whose timestamp is before that of their parent, in file
// order.
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
			if by < 0 { // more than 292,000 years overflow
				by = math.MaxInt64
			}
			back = append(back, ClockSkew{n, by})
		}
	}
	return back
}

// An IDCollision is a node whose id a file-history entry has as its messageId.
type IDCollision struct {
	Node     Node
	Snapshot entry.Pos
}

// IDCollisions returns the collisions in the file order of the file-history entries.
func (t *Tree) IDCollisions() []IDCollision {
	var same []IDCollision
	for a := range t.annotations.All() {
		if a.what != snapshot {
			continue
		}
		if n := t.find(a.ref); t.has(n) {
			same = append(same, IDCollision{n, a.pos.unpack()})
		}
	}
	return same
}

// Reachable returns the number of nodes whose parents lead to a root. If those of leaf do
// not, it returns the number of nodes whose parents lead where those of leaf do.
func (t *Tree) Reachable(leaf Node) int {
	v := t.all()
	isEnd := func(n Node) bool { return t.at(n).parent == None }
	if leaf != None {
		if top := v.chain(leaf)[0]; !isEnd(top) {
			isEnd = func(n Node) bool { return n == top }
		}
	}
	ends := v.nearest(isEnd)
	reached := 0
	for _, n := range v.order {
		if ends.of(n) != None {
			reached++
		}
	}
	return reached
}

// Children returns a function that yields the children of a node in file order, those of None
// excepted. Finding all of them takes time linear in the log.
func (t *Tree) Children() func(Node) iter.Seq[Node] {
	v := t.all()
	return v.family(v.parent, &v.stock).of
}

// NodeAt returns the node whose entry is at x, None if the entry there is not a node.
func (t *Tree) NodeAt(x entry.Pos) Node {
	i, ok := slices.BinarySearchFunc(t.order, x.Offset, func(n Node, at int64) int {
		return cmp.Compare(t.at(n).pos.offset(), at)
	})
	if !ok {
		return None
	}
	return t.order[i]
}

func (t *Tree) byOffset(a, b Node) int {
	return cmp.Compare(t.at(a).pos.offset(), t.at(b).pos.offset())
}
