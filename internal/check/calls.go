package check

import (
	"cmp"
	"iter"
	"slices"

	"jl/internal/record"
	"jl/internal/shape"
	"jl/internal/tree"
)

// The two sides of a pair.
const (
	call = iota
	result
)

// A stray is a call or a result without a counterpart in the log, or on its path.
type stray struct {
	node  tree.Node
	index int       // among the calls or results of node
	with  tree.Node // the counterpart on another path, or tree.None
	again bool      // another entry has it, too
}

// toolsOf returns the calls and the results of n. One of the two is empty.
func (l *Log) toolsOf(n tree.Node) [2][]tree.Hash {
	return [2][]tree.Hash{l.t.Calls(n), l.t.Results(n)}
}

// unmatched reports the calls without a result and the results without a call, in the log or on
// their paths, with what a user needs to remove them from the log by hand.
func (l *Log) unmatched() {
	found := l.strays()
	if len(found[call])+len(found[result]) == 0 {
		return
	}
	children := l.written.Children(l.t.Nodes())
	needed := map[tree.Node]bool{} // by others
	for _, d := range l.t.Duplicates() {
		needed[d.Node] = true
	}
	for _, n := range l.t.Nodes() {
		if l.t.Boundary(n) {
			needed[l.t.LookUp(l.dialect.LogicalParentOf(l.t.Entry(n)))] = true
		}
	}
	for side, name := range [2]string{"tool_use without tool_result", "tool_result without tool_use"} {
		slices.SortFunc(found[side], func(a, b stray) int {
			return cmp.Or(cmp.Compare(l.t.Pos(a.node).Offset, l.t.Pos(b.node).Offset), cmp.Compare(a.index, b.index))
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

// unmatchedRow returns the row of a call or result, which can be removed unless others need its entry.
func (l *Log) unmatchedRow(o stray, children iter.Seq[tree.Node]) record.Unmatched {
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
	if o.with != tree.None {
		with := record.Place(l.t.Pos(o.with))
		row.With, row.Removable = &with, false
	}
	row.ID, row.Parent = record.Scalar(l.t.RawID(o.node)), record.Scalar(l.t.RawParent(o.node))
	return row
}

// What is known of the calls and results with one id: on which sides there are any, and whether two entries of
// one side have them.
const (
	both  = 1<<call | 1<<result
	again = 1 << 2
)

// strays returns the calls and the results that lack a counterpart. A result must have its call above it
// on its path. A call must have a result on some path, and on the path of the leaf if it is on that.
func (l *Log) strays() (found [2][]stray) {
	known := map[tree.Hash]uint8{}
	for _, n := range l.t.Nodes() {
		for side, ids := range l.toolsOf(n) {
			for i, id := range ids {
				if known[id]&(1<<side) != 0 && slices.Index(ids, id) == i {
					known[id] |= again
				}
				known[id] |= 1 << side
			}
		}
	}
	for _, n := range l.t.Nodes() {
		for side, ids := range l.toolsOf(n) {
			for i, id := range ids {
				if k := known[id]; k&both == 1<<side {
					found[side] = append(found[side], stray{n, i, tree.None, k&again != 0})
					known[id] = 0 // told
				}
			}
		}
	}
	for id, p := range l.pairs(func(id tree.Hash) bool { return known[id]&both == both }) {
		for side, n := range p.stray {
			if n != tree.None {
				i := slices.Index(l.toolsOf(n)[side], id)
				found[side] = append(found[side], stray{n, i, p.first[1-side], true})
			}
		}
	}
	return found
}

// A pair is the calls and the results with one id, some of which may be on different paths.
type pair struct {
	makers  []tree.Node  // the turns that make the call
	first   [2]tree.Node // the first on each side, or tree.None
	stray   [2]tree.Node // the call, if it lacks a result, and the first result that lacks a call; see strays
	matched bool         // some result has a call on its path
}

// mostMakers is how many turns that make the same call are told apart.
const mostMakers = 16

// pairs returns the pairs, of those with both sides, that may be apart, with their strays.
func (l *Log) pairs(paired func(tree.Hash) bool) map[tree.Hash]*pair {
	pairs := l.suspects(paired)
	if len(pairs) == 0 {
		return nil
	}
	for _, n := range l.t.Nodes() {
		for side, ids := range l.toolsOf(n) {
			for _, id := range ids {
				p := pairs[id]
				if p == nil {
					continue
				}
				if p.first[side] == tree.None {
					p.first[side] = n
				}
				if m := l.t.Turn(n); side == call && len(p.makers) < mostMakers && !slices.Contains(p.makers, m) {
					p.makers = append(p.makers, m)
				}
			}
		}
	}
	l.match(pairs)
	for _, p := range pairs {
		if !p.matched {
			p.stray[call] = p.first[call]
		}
	}
	return pairs
}

// suspects returns the pairs whose result is not close below its call, and those whose call has no
// result on the path of the leaf.
func (l *Log) suspects(paired func(tree.Hash) bool) map[tree.Hash]*pair {
	pairs := map[tree.Hash]*pair{}
	add := func(id tree.Hash, n tree.Node) {
		if pairs[id] == nil {
			none := [2]tree.Node{tree.None, tree.None}
			pairs[id] = &pair{first: none, stray: none}
		}
		pairs[id].stray[call] = n
	}
	for _, n := range l.t.Nodes() {
		for _, id := range l.t.Results(n) {
			if paired(id) && !l.isCloseBelow(n, id) {
				add(id, tree.None)
			}
		}
	}
	leaf, _ := l.t.Leaf(tree.None)
	open, path := map[tree.Hash]tree.Node{}, l.t.Path(leaf, tree.Options{}).Nodes
	for _, n := range path {
		for _, id := range l.t.Calls(n) {
			if paired(id) {
				open[id] = n
			}
		}
	}
	for _, n := range path {
		for _, id := range l.t.Results(n) {
			delete(open, id)
		}
	}
	for id, n := range open {
		add(id, n)
	}
	return pairs
}

// isCloseBelow reports whether a call is found a few steps above n.
func (l *Log) isCloseBelow(n tree.Node, id tree.Hash) bool {
	const steps, most = 4, 16
	for range steps {
		if n = l.t.Parent(n); n == tree.None {
			return false
		}
		if calls := l.t.Calls(n); len(calls) <= most && slices.Contains(calls, id) {
			return true
		}
	}
	return false
}

// match goes through all paths at once and finds the results that have a call on their path, and
// those that have none.
func (l *Log) match(pairs map[tree.Hash]*pair) {
	onPath := map[tree.Node]int{}
	isOnPath := func(turn tree.Node) bool { return onPath[turn] > 0 }
	pass := func(turn tree.Node, count int) { // what its compactions kept is on the path, too
		onPath[turn] += count
		for n := range l.t.Members(turn) {
			kept, _ := l.t.Kept(n)
			for _, k := range kept {
				onPath[l.t.Turn(k)] += count
			}
		}
	}
	var turns []tree.Node
	for _, n := range l.t.Nodes() {
		if l.t.Turn(n) == n {
			turns = append(turns, n)
		}
	}
	l.t.Turns().Visit(turns, func(turn tree.Node) {
		pass(turn, 1)
		for n := range l.t.Members(turn) {
			for _, id := range l.t.Results(n) {
				if p := pairs[id]; p == nil {
					continue
				} else if len(p.makers) == mostMakers || slices.ContainsFunc(p.makers, isOnPath) {
					p.matched = true
				} else if p.stray[result] == tree.None || n < p.stray[result] {
					p.stray[result] = n
				}
			}
		}
	}, func(turn tree.Node) { pass(turn, -1) })
}
