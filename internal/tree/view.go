package tree

import (
	"iter"
	"slices"

	"jl/internal/entry"
	"jl/internal/shape"
)

// A view is a tree as one reader sees it: which nodes there are, and who is
// whose parent.
type view struct {
	*Tree
	order  []Node  // the nodes in the order of the file
	in     []bool  // by Node: is it one of them
	parent []Node  // by Node: None for a root; one that is not in is missing
	from   int64   // entries before this offset are not seen
	unread *unread // of a log that is read backwards, else nil
}

// view returns the tree as it is written, with the nodes that keep reports true
// for.
func (t *Tree) view(keep func(Node) bool) *view {
	v := &view{Tree: t, in: make([]bool, t.n), parent: make([]Node, t.n)}
	for n := range v.parent {
		v.parent[n] = t.at(Node(n)).parent
	}
	for _, n := range t.order {
		if keep(n) {
			v.in[n] = true
			v.order = append(v.order, n)
		}
	}
	return v
}

// drop takes those nodes away for which gone reports true.
func (v *view) drop(gone func(Node) bool) {
	v.order = slices.DeleteFunc(v.order, func(n Node) bool {
		if gone(n) {
			v.in[n] = false
			return true
		}
		return false
	})
}

// up returns the parent of n if it is there.
func (v *view) up(n Node) (Node, bool) {
	p := v.parent[n]
	return p, v.holds(p)
}

// chain walks from leaf to the root and returns the nodes root first. It ends at
// the first repeat.
func (v *view) chain(leaf Node) []Node {
	return v.walkUp(leaf, func(Node) bool { return false })
}

// walkUp walks from n by parents to the first node that top reports true for, or else
// to the root or the first repeat, and returns the nodes, the uppermost first.
func (v *view) walkUp(n Node, top func(Node) bool) []Node {
	var path []Node
	seen := make(marks, v.n)
	for ok := true; ok && !seen.has(n); n, ok = v.up(n) {
		seen.add(n)
		path = append(path, n)
		if top(n) {
			break
		}
	}
	slices.Reverse(path)
	return path
}

// Marks are a set of nodes.
type marks []bool

func (m *marks) add(n Node) {
	if grow := int(n) + 1 - len(*m); grow > 0 {
		*m = append(*m, make([]bool, grow)...)
	}
	(*m)[n] = true
}

func (m marks) has(n Node) bool { return n >= 0 && int(n) < len(m) && m[n] }

// above returns the first node at or above n that yes reports true for, None if
// there is none. What it passes is marked in dead and not looked at again, so that
// calls with the same dead, until one finds something, take linear time together.
func (v *view) above(n Node, dead []bool, yes func(Node) bool) Node {
	for ok := true; ok && !dead[n]; n, ok = v.up(n) {
		if yes(n) {
			return n
		}
		dead[n] = true
	}
	return None
}

// isMessage reports whether n is a user or assistant entry.
func (v *view) isMessage(n Node) bool { return v.at(n).kind.isMessage() }

// A family lists the children of each node in the order of the file.
type family struct{ first, next []Node }

func (v *view) family() family {
	f := family{make([]Node, v.n), make([]Node, v.n)}
	for n := range f.first {
		f.first[n], f.next[n] = None, None
	}
	for _, n := range slices.Backward(v.order) {
		if p := v.parent[n]; p >= 0 {
			f.next[n], f.first[p] = f.first[p], n
		}
	}
	return f
}

// of yields the children of n.
func (f family) of(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := f.first[n]; c != None; c = f.next[c] {
			if !yield(c) {
				return
			}
		}
	}
}

// ---- the preserved lists of compactions

// missing is a parent that is named but whose id no entry of the log has or names.
const missing Node = -2

// A preserved list names the entries that a compaction kept and the entry that
// they now hang below.
type preserved struct {
	ids    []Node // the whole list; of a segment head and tail
	listed bool   // it is a list: the parent of each id is the one before
	anchor Node
}

// preserved reads the list of the boundary n. It reports false if there is none.
func (v *view) preserved(n Node) (p preserved, ok bool) {
	kept, ok := shape.PreservedBy(v.entry(n))
	if !ok {
		return p, false
	}
	p.listed, p.anchor = kept.Listed, v.lookUp(kept.Anchor)
	if !kept.Listed {
		kept.IDs = []entry.Value{kept.Head, kept.Tail}
	}
	for _, id := range kept.IDs {
		p.ids = append(p.ids, v.lookUp(id))
	}
	return p, true
}

// lookUp returns the node of the id that a value holds: None if it is no string,
// missing if the log does not know it.
func (v *view) lookUp(id entry.Value) Node {
	if !id.IsString() {
		return None
	}
	if v.unread != nil {
		return v.node(id)
	}
	if n := v.find(v.key(id.Text())); n != None {
		return n
	}
	return missing
}

// holds reports whether n is a node of the view.
func (v *view) holds(n Node) bool {
	return n >= 0 && (v.in[n] || v.unread != nil && v.readTo(n))
}

// resolve completes p and reports whether it can be followed: all that a list names
// is there; the head of a segment is met on the way up from its tail, and ids is
// then all of that way.
func (v *view) resolve(p *preserved) bool {
	if p.listed {
		return len(p.ids) > 0 && !slices.ContainsFunc(p.ids, func(n Node) bool { return !v.holds(n) })
	}
	head, tail := p.ids[0], p.ids[1]
	if !v.holds(tail) {
		return false
	}
	p.ids = v.walkUp(tail, func(n Node) bool { return n == head })
	return p.ids[0] == head
}

// relink hangs the entries of a sound list below its anchor, and what hung there
// below the last of them. also reports further nodes to be hung there.
func (v *view) relink(p preserved, also func(Node) bool) {
	kept := make(map[Node]bool, len(p.ids))
	for k, n := range p.ids {
		kept[n] = true
		if k == 0 {
			v.parent[n] = p.anchor
		} else if p.listed {
			v.parent[n] = p.ids[k-1]
		}
	}
	tail := p.ids[len(p.ids)-1]
	for _, n := range v.order {
		if !kept[n] && (p.anchor != None && v.parent[n] == p.anchor || also(n)) {
			v.parent[n] = tail
		}
	}
}

// lastBoundary returns the last boundary that is a node, None if there is none.
func (v *view) lastBoundary() Node {
	for n := range v.backward() {
		if v.isBoundary(n) {
			return n
		}
	}
	return None
}

func (v *view) isBoundary(n Node) bool { return v.at(n).flags&boundary != 0 }
