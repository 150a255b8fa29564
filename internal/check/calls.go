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

// unmatchedNames are the findings about a side without the other.
var unmatchedNames = [...]string{call: "tool_use without tool_result", result: "tool_result without tool_use"}

// A stray is a call or a result without a counterpart in the log, or on its path.
type stray struct {
	node  log.Node
	id    log.Hash
	index int      // the first with that id among the calls or results of node
	with  log.Node // the counterpart on another path, or log.None
	again bool     // another entry has it, too
}

// toolsOf returns the calls and the results of n. One of the two is empty.
func (l *Log) toolsOf(n log.Node) [2][]log.Hash {
	return [2][]log.Hash{l.t.Tree.Calls(n), l.t.Tree.Results(n)}
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
		if l.t.Tree.Is(n, log.Boundary) {
			needed[l.t.LookUp(l.dialect.LogicalParentOf(l.t.Entry(n)))] = true
		}
	}
	for side, name := range unmatchedNames {
		l.sort(found[side], side)
		for _, o := range found[side] {
			if f, ok := l.finding(record.Warning, name, l.t.Pos(o.node)); ok {
				row := l.unmatchedRow(o, children(o.node))
				row.Finding, row.Removable = f, row.Removable && !needed[o.node]
				l.give(row)
			}
		}
	}
}

// sort finds the indices of strays of one side, and puts them in the order of the log.
func (l *Log) sort(strays []stray, side int) {
	slices.SortFunc(strays, func(a, b stray) int { return cmp.Compare(a.node, b.node) })
	at := map[log.Hash]int{} // of node
	node := log.None
	for i := range strays {
		o := &strays[i]
		if o.node != node {
			node = o.node
			clear(at)
			for i, id := range slices.Backward(l.toolsOf(node)[side]) {
				at[id] = i
			}
		}
		o.index = at[o.id]
	}
	slices.SortFunc(strays, func(a, b stray) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.index, b.index))
	})
}

// A tool is what a row tells of a call or a result.
type tool struct {
	id, name record.Raw
	alone    bool // the content has no other element
}

// toolsIn returns the calls or results of n. It keeps those of the last n, because many may be without a counterpart.
func (l *Log) toolsIn(n log.Node) []tool {
	if l.toolsNode != n || l.tools == nil {
		l.toolsNode, l.tools = n, l.tools[:0]
		for t := range shape.ToolBlocks(l.t.Entry(n)) {
			l.tools = append(l.tools, tool{record.Scalar(t.ID), record.Scalar(t.Name), t.Alone})
		}
	}
	return l.tools
}

// unmatchedRow returns the row of a call or result. It says whether the entry can be removed, because no other
// needs it.
func (l *Log) unmatchedRow(o stray, children iter.Seq[log.Node]) record.Unmatched {
	row := record.Unmatched{Children: []int64{}}
	for c := range children {
		if len(row.Children) == listMost {
			break
		}
		row.Children = append(row.Children, l.t.Pos(c).Line)
	}
	if tools := l.toolsIn(o.node); o.index < len(tools) { // else the file changed
		t := tools[o.index]
		row.Call, row.Tool = t.id, t.name
		row.Removable = t.alone && !o.again && !l.torn[l.t.Pos(o.node)] && len(row.Children) == 0
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
			for _, id := range ids {
				p := pairs[id]
				if p == nil {
					none := [2]log.Node{log.None, log.None}
					p = &pair{first: none, stray: none}
					pairs[id] = p
				}
				if p.first[side] == log.None {
					p.first[side] = n
				} else if p.first[side] != n {
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
				found[side] = append(found[side], stray{n, id, 0, p.first[1-side], p.again})
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
		for _, id := range l.t.Tree.Calls(n) {
			pairs[id].stray[call] = n
		}
	}
	for _, n := range path {
		for _, id := range l.t.Tree.Results(n) {
			pairs[id].stray[call] = log.None
		}
	}
	isFar := func(n log.Node) bool {
		return slices.ContainsFunc(l.t.Tree.Results(n), func(id log.Hash) bool {
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
		for n := turn; n != log.None; n = l.t.Tree.Next[n] {
			for _, k := range l.t.Tree.Compactions[n].Kept {
				turns = append(turns, l.t.Tree.Turn[k])
			}
		}
		slices.Sort(turns)
		for _, turn := range slices.Compact(turns) {
			for n := turn; n != log.None; n = l.t.Tree.Next[n] {
				for _, id := range l.t.Tree.Calls(n) {
					pairs[id].above += count
				}
			}
		}
	}
	forest.Of(l.t.Tree.Above).Visit(l.t.Tree.Order, func(turn log.Node) {
		pass(turn, 1)
		for n := turn; n != log.None; n = l.t.Tree.Next[n] {
			for _, id := range l.t.Tree.Results(n) {
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
		if n = l.t.Tree.Up[n]; n == log.None {
			return false
		}
		if calls := l.t.Tree.Calls(n); len(calls) <= most && slices.Contains(calls, id) {
			return true
		}
	}
	return false
}
