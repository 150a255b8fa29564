package tree

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/memory"
	"jl/internal/shape"
)

// A preserved list names the nodes that a compaction kept and the node that became their
// ancestor.
type preserved struct {
	boundary Node
	ids      []Node // if listed, all of them; else head and tail until resolve completes it
	listed   bool   // the parent of each of ids is the one before it
	anchor   Node
	kept     map[Node]bool // the set of ids, once they are complete
}

// preserved reads the preserved list of the boundary n. It reports false if there is none.
func (v *view) preserved(n Node) (p preserved, ok bool) {
	kept, ok := shape.PreservedBy(v.Entry(n))
	if !ok {
		return p, false
	}
	p.boundary, p.listed, p.anchor = n, kept.Listed, v.lookUp(kept.Anchor)
	if !kept.Listed {
		kept.IDs = []entry.Value{kept.Head, kept.Tail}
	}
	for _, id := range kept.IDs {
		p.ids = append(p.ids, v.lookUp(id))
	}
	return p, true
}

// resolve completes p.ids and reports whether all of the nodes are in the view: the nodes
// of a list, or those on the walk from a segment's tail up to its head.
func (v *view) resolve(p *preserved) bool {
	if p.listed {
		if len(p.ids) == 0 || slices.ContainsFunc(p.ids, func(n Node) bool { return !v.holds(n) }) {
			return false
		}
	} else {
		head, tail := p.ids[0], p.ids[1]
		if !v.holds(tail) {
			return false
		}
		if p.ids = v.walkUp(tail, func(n Node) bool { return n == head }); p.ids[0] != head {
			return false
		}
	}
	p.kept = SetOf(p.ids)
	return true
}

// lastPreserved returns the list of the last boundary in the file, complete, nil if it has
// none that can be resolved and anchored.
func (v *view) lastPreserved() *preserved {
	b := v.lastBoundary()
	if b == None {
		return nil
	}
	p, ok := v.preserved(b)
	if !ok || !v.holds(p.anchor) || !v.resolve(&p) {
		return nil
	}
	return &p
}

// changes reports whether p changes path: the path contains the anchor of p but none of the
// nodes that p keeps, or it continues from one of these with an entry that was written
// after the boundary. A path that leaves the kept nodes before the compaction does not
// change.
func (p *preserved) changes(v *view, path []Node) bool {
	i := lastIndex(path, func(n Node) bool { return p.kept[n] })
	if i < 0 {
		return slices.Contains(path, p.anchor)
	}
	return i+1 < len(path) && v.at(path[i+1]).pos.offset() > v.at(p.boundary).pos.offset()
}

// lastIndex returns the index of the last node for which is reports true, -1 if there is
// none.
func lastIndex(nodes []Node, is func(Node) bool) int {
	for i, n := range slices.Backward(nodes) {
		if is(n) {
			return i
		}
	}
	return -1
}

// last returns the last of the nodes that p keeps.
func (p *preserved) last() Node { return p.ids[len(p.ids)-1] }

// relink makes the nodes of a resolved list descendants of its anchor. The other children
// of the anchor, and the nodes for which also reports true, become children of the last
// node of the list.
func (v *view) relink(p *preserved, also func(Node) bool) {
	for k, n := range p.ids {
		if k == 0 {
			v.parent[n] = p.anchor
		} else if p.listed {
			v.parent[n] = p.ids[k-1]
		}
	}
	tail := p.last()
	for _, n := range v.order {
		if !p.kept[n] && (p.anchor != None && v.parent[n] == p.anchor || also(n)) {
			v.parent[n] = tail
		}
	}
}

// A changer knows of which leaves the paths change because of the list of the last boundary.
// Any number of them takes linear time.
type changer struct {
	kept                     *preserved
	linked                   *view // by the list
	lastKept, behind, anchor *nearest
}

// newChanger returns a changer, nil if the log has no such list. It ends with scratch.
func (t *Tree) newChanger(scratch *memory.Stock) *changer {
	if t.plain() {
		return nil
	}
	kept, linked := t.linked()
	if kept == nil {
		return nil
	}
	v := t.all()
	nearest := func(is func(Node) bool) *nearest {
		found := v.nearest(is)
		found.scratch = scratch
		return found
	}
	return &changer{
		kept: kept, linked: linked,
		lastKept: nearest(func(n Node) bool { return kept.kept[n] }),
		behind:   nearest(func(n Node) bool { return !kept.kept[n] && kept.kept[v.parent[n]] }),
		anchor:   nearest(func(n Node) bool { return n == kept.anchor }),
	}
}

// changes reports whether the list changes the path that ends at leaf.
func (c *changer) changes(leaf Node) bool {
	path := []Node{c.lastKept.of(leaf)} // what decides
	switch path[0] {
	case None:
		path[0] = c.anchor.of(leaf)
	case leaf:
	default:
		path = append(path, c.behind.of(leaf))
	}
	return c.kept.changes(c.lastKept.v, path)
}
