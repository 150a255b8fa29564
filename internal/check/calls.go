package check

import (
	"cmp"
	"iter"
	"slices"

	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/record"
	"jl/internal/shape"
)

// The two sides of a pair.
const (
	call = iota
	result
)

// A stray is a call or a result without a counterpart in the log, or on its path.
type stray struct {
	node  log.Node
	index int      // among the calls or results of node
	with  log.Node // the counterpart on another path, or log.None
	again bool     // another entry has it, too
}

// toolsOf returns the calls and the results of n. One of the two is empty.
func (l *Log) toolsOf(n log.Node) [2][]log.Hash {
	return [2][]log.Hash{l.t.Calls(n), l.t.Results(n)}
}

// unmatched reports the calls without a result and the results without a call, in the log or on
// their paths, with what a user needs to remove them from the log by hand.
func (l *Log) unmatched() {
	found := l.strays()
	if len(found[call])+len(found[result]) == 0 {
		return
	}
	children := l.written.Children(l.nodes)
	needed := map[log.Node]bool{} // by others
	for _, d := range l.t.Duplicates {
		needed[d.Node] = true
	}
	for n := range l.t.Count {
		if l.t.Is(n, log.Boundary) {
			needed[l.t.LookUp(l.dialect.LogicalParentOf(l.t.Entry(n)))] = true
		}
	}
	for side, name := range [2]string{"tool_use without tool_result", "tool_result without tool_use"} {
		slices.SortFunc(found[side], func(a, b stray) int {
			return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.index, b.index))
		})
		for _, o := range found[side] {
			l.report(record.Warning, name, l.t.Pos(o.node), func(f record.Finding) any {
				row := l.unmatchedRow(o, children(o.node))
				row.Finding, row.Removable = f, row.Removable && !needed[o.node]
				return row
			})
		}
	}
}

// unmatchedRow returns the row of a call or result. It says whether the entry can be removed, because no other
// needs it.
func (l *Log) unmatchedRow(o stray, children iter.Seq[log.Node]) record.Unmatched {
	row := record.Unmatched{Children: []int64{}}
	for c := range children {
		if len(row.Children) == listed {
			break
		}
		row.Children = append(row.Children, l.t.Pos(c).Line)
	}
	index := 0
	for t := range shape.ToolBlocks(l.t.Entry(o.node)) {
		if index == o.index {
			row.Call, row.Tool = record.Scalar(t.ID), record.Scalar(t.Name)
			row.Removable = t.Alone && !o.again && !l.torn[l.t.Pos(o.node)] && len(row.Children) == 0
		}
		index++
	}
	if o.with != log.None {
		with := record.Place(l.t.Pos(o.with))
		row.With, row.Removable = &with, false
	}
	row.ID, row.Parent = record.Scalar(l.t.RawID(o.node)), record.Scalar(l.t.RawParent(o.node))
	return row
}

// A pair is the calls and the results with one id.
type pair struct {
	first   [2]log.Node // on each side, or log.None
	stray   [2]log.Node // what match finds on each side, or log.None
	again   bool        // two entries of one side have the id
	matched bool        // some result has a call above it on its path
	above   int32       // how many of the calls are on the present path
}

// strays returns the calls and the results that lack a counterpart. A result must have its call above it
// on its path. A call must have a result on some path, and on the path of the leaf if it is on that.
func (l *Log) strays() (found [2][]stray) {
	pairs := map[log.Hash]*pair{}
	for n := range l.t.Count {
		for side, ids := range l.toolsOf(n) {
			for i, id := range ids {
				p := pairs[id]
				if p == nil {
					none := [2]log.Node{log.None, log.None}
					p = &pair{first: none, stray: none}
					pairs[id] = p
				}
				if p.first[side] == log.None {
					p.first[side] = n
				} else if slices.Index(ids, id) == i {
					p.again = true
				}
			}
		}
	}
	l.match(pairs)
	for id, p := range pairs {
		switch {
		case slices.Contains(p.first[:], log.None):
			p.stray = p.first
		case !p.matched:
			p.stray[call] = p.first[call]
		}
		for side, n := range p.stray {
			if n != log.None {
				i := slices.Index(l.toolsOf(n)[side], id)
				found[side] = append(found[side], stray{n, i, p.first[1-side], p.again})
			}
		}
	}
	return found
}

// match finds the calls on the path of the leaf that have no result there. Then it goes through all paths
// at once, and finds the results that have a call above them, and, of each id, the first result that has none.
func (l *Log) match(pairs map[log.Hash]*pair) {
	leaf := l.t.Leaf
	path := l.t.Path(leaf, log.Options{}).Nodes
	for _, n := range path {
		for _, id := range l.t.Calls(n) {
			pairs[id].stray[call] = n
		}
	}
	for _, n := range path {
		for _, id := range l.t.Results(n) {
			pairs[id].stray[call] = log.None
		}
	}
	isFar := func(n log.Node) bool {
		return slices.ContainsFunc(l.t.Results(n), func(id log.Hash) bool {
			return pairs[id].first[call] != log.None && !l.isCloseBelow(n, id)
		})
	}
	if !slices.ContainsFunc(l.nodes, isFar) { // as in most logs: all are matched
		for _, p := range pairs {
			p.matched = true
		}
		return
	}
	var turns []log.Node // scratch
	pass := func(turn log.Node, count int32) {
		turns = append(turns[:0], turn) // what its compactions kept is on the path, too
		for n := turn; n != log.None; n = l.t.Next[n] {
			for _, k := range l.t.Compactions[n].Kept {
				turns = append(turns, l.t.Turn[k])
			}
		}
		slices.Sort(turns)
		for _, turn := range slices.Compact(turns) {
			for n := turn; n != log.None; n = l.t.Next[n] {
				for _, id := range l.t.Calls(n) {
					pairs[id].above += count
				}
			}
		}
	}
	forest.Of(l.t.Above).Visit(l.t.Order, func(turn log.Node) {
		pass(turn, 1)
		for n := turn; n != log.None; n = l.t.Next[n] {
			for _, id := range l.t.Results(n) {
				if p := pairs[id]; p.above > 0 {
					p.matched = true
				} else if p.stray[result] == log.None || n < p.stray[result] {
					p.stray[result] = n
				}
			}
		}
	}, func(turn log.Node) { pass(turn, -1) })
}

// isCloseBelow reports whether a call is found a few steps above n.
func (l *Log) isCloseBelow(n log.Node, id log.Hash) bool {
	const steps, most = 4, 16
	for range steps {
		if n = l.t.Up[n]; n == log.None {
			return false
		}
		if calls := l.t.Calls(n); len(calls) <= most && slices.Contains(calls, id) {
			return true
		}
	}
	return false
}
