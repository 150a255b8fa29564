package check

import (
	"iter"
	"slices"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/record"
	"jl/internal/shape"
)

// A tree has the calls and the results of a tree: those in the columns of the log. A result must have its call above
// it on its path. A call must have a result on some path, and on the path of the leaf if it is on that.
type tree struct {
	*Log
	children func(log.Node) iter.Seq[log.Node]
	needed   map[log.Node]bool // by other entries; nil before the first row
}

func (t *tree) match() matcher {
	m := newMatcher()
	for n := range t.t.Count {
		for i, id := range t.t.Tree.Calls(n) {
			m.add(call, id, place{n, int32(i)})
		}
		for i, id := range t.t.Tree.Results(n) { // an entry with calls has none
			m.add(result, id, place{n, int32(i)})
		}
	}
	t.onLeafPath(m)
	t.onPaths(m)
	return m
}

// onLeafPath finds the calls on the path of the leaf that have results, but none there.
func (t *tree) onLeafPath(m matcher) {
	path := t.t.Path(t.t.Leaf, log.Options{}).Nodes
	for _, n := range path {
		for _, id := range t.t.Tree.Results(n) {
			m.pairs[id].answered = true
		}
	}
	for _, n := range path {
		for i, id := range slices.Backward(t.t.Tree.Calls(n)) {
			if p := m.pairs[id]; !p.answered && p.first[result] != nowhere {
				m.apart[call][id] = place{n, int32(i)}
			}
		}
	}
}

// onPaths goes through all paths at once. It finds the ids of which no result has a call above it, and, of each id, the
// first result that has none.
func (t *tree) onPaths(m matcher) {
	isFar := func(n log.Node) bool {
		return slices.ContainsFunc(t.t.Tree.Results(n), func(id log.Hash) bool {
			return m.pairs[id].first[call] != nowhere && !t.isCloseBelow(n, id)
		})
	}
	if !slices.ContainsFunc(t.nodes, isFar) { // as in most logs: all are matched
		return
	}
	var turns []log.Node // scratch
	pass := func(turn log.Node, count int32) {
		turns = append(turns[:0], turn) // what its compactions kept is on the path, too
		for n := turn; n != log.None; n = t.t.Tree.Next[n] {
			for _, k := range t.t.Tree.Compactions[n].Kept {
				turns = append(turns, t.t.Tree.Turn[k])
			}
		}
		slices.Sort(turns)
		for _, turn := range slices.Compact(turns) {
			for n := turn; n != log.None; n = t.t.Tree.Next[n] {
				for _, id := range t.t.Tree.Calls(n) {
					m.pairs[id].above += count
				}
			}
		}
	}
	forest.Of(t.t.Tree.Above).Visit(t.t.Tree.Order, func(turn log.Node) {
		pass(turn, 1)
		for n := turn; n != log.None; n = t.t.Tree.Next[n] {
			for i, id := range t.t.Tree.Results(n) {
				if p := m.pairs[id]; p.above > 0 {
					p.matched = true
				} else if old, ok := m.apart[result][id]; !ok || n < old.entry {
					m.apart[result][id] = place{n, int32(i)}
				}
			}
		}
	}, func(turn log.Node) { pass(turn, -1) })
	for id, p := range m.pairs {
		if !p.matched && p.first[call] != nowhere {
			m.apart[call][id] = p.first[call]
		}
	}
}

// isCloseBelow reports whether a call is found a few steps above n.
func (t *tree) isCloseBelow(n log.Node, id log.Hash) bool {
	const steps, most = 4, 16
	for range steps {
		if n = t.t.Tree.Up[n]; n == log.None {
			return false
		}
		if calls := t.t.Tree.Calls(n); len(calls) <= most && slices.Contains(calls, id) {
			return true
		}
	}
	return false
}

func (t *tree) pos(n log.Node) entry.Pos { return t.t.Pos(n) }

func (t *tree) tools(n log.Node) (tools []tool) {
	for b := range shape.ToolBlocks(t.t.Entry(n)) {
		tools = append(tools, tool{record.Scalar(b.ID), record.Scalar(b.Name), b.Alone})
	}
	return tools
}

// row tells what a user needs to remove a call or a result from the log by hand.
func (t *tree) row(o stray, x tool) record.Unmatched {
	if t.needed == nil {
		t.findNeeded()
	}
	n := o.entry
	row := record.Unmatched{
		ID: record.Scalar(t.t.RawID(n)), Parent: record.Scalar(t.t.RawParent(n)), Call: x.id, Tool: x.name, Children: []int64{},
	}
	for c := range t.children(n) {
		if len(row.Children) == listMost {
			break
		}
		row.Children = append(row.Children, t.t.Pos(c).Line)
	}
	if o.with != log.None {
		with := record.Place(t.t.Pos(o.with))
		row.With = &with
	}
	row.Removable = x.alone && !o.shared && !t.torn[t.t.Pos(n)] && len(row.Children) == 0 && row.With == nil && !t.needed[n]
	return row
}

// findNeeded finds the children of entries, and the entries that cannot be removed because others name them.
func (t *tree) findNeeded() {
	t.children, t.needed = t.written.Children(t.nodes), map[log.Node]bool{}
	for _, d := range t.t.Duplicates {
		t.needed[d.Node] = true
	}
	for n := range t.t.Count {
		if t.t.Tree.Is(n, log.Boundary) {
			t.needed[t.t.LookUp(t.dialect.LogicalParentOf(t.t.Entry(n)))] = true
		}
	}
}
