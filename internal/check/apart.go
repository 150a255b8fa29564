package check

import (
	"maps"
	"slices"

	"jl/internal/shape"
	"jl/internal/tree"
)

// The two sides of a pair.
const (
	call = iota
	result
)

// A pair is the calls and the results with one id, some of which may be on different paths.
type pair struct {
	makers  []int        // the turns that make the call, see Log.maker
	first   [2]tree.Node // the first on each side, or tree.None
	lone    [2]tree.Node // a call without a result on the path of the leaf; the first result without a call on its path
	matched bool         // some result has a call on its path
}

// apart returns the calls and the results whose counterparts are in the log, but not on a path with
// them: a result must have its call above it on its path, a call a result on some path, and on that
// of the leaf.
func (l *Log) apart() (found [2][]*block) {
	pairs := l.pairs()
	if len(pairs) == 0 {
		return found
	}
	for _, n := range l.t.WithCopies() {
		for side, ids := range [2][]tree.Hash{l.t.Calls(n), l.t.Results(n)} {
			for _, id := range ids {
				p := pairs[id]
				if p == nil {
					continue
				}
				if p.first[side] == tree.None {
					p.first[side] = n
				}
				if m := l.maker(n); side == call && len(p.makers) < mostMakers && !slices.Contains(p.makers, m) {
					p.makers = append(p.makers, m)
				}
			}
		}
	}
	l.match(pairs)
	for _, p := range pairs {
		if p.lone[result] != tree.None && !p.matched {
			p.lone[call] = p.first[call]
		}
	}
	for side := range found {
		found[side] = l.blocksOf(pairs, side)
	}
	return found
}

// mostMakers is how many messages that make the same call are told apart.
const mostMakers = 16

// maker returns a number for the turn of n, or for n if it is in none.
func (l *Log) maker(n tree.Node) int {
	if turn := l.t.Turn(n); turn != 0 {
		return turn
	}
	return -1 - int(n)
}

// pairs returns the pairs whose result is not close below its call, and those whose call has no
// result on the path of the leaf.
func (l *Log) pairs() map[tree.Hash]*pair {
	pairs := map[tree.Hash]*pair{}
	add := func(id tree.Hash, lone tree.Node) {
		if pairs[id] == nil {
			none := [2]tree.Node{tree.None, tree.None}
			pairs[id] = &pair{first: none, lone: none}
		}
		pairs[id].lone[call] = lone
	}
	for _, n := range l.t.WithCopies() {
		for _, id := range l.t.Results(n) {
			if l.calls.open[result][id] == nil && !l.isCloseBelow(n, id) {
				add(id, tree.None)
			}
		}
	}
	leaf, _ := l.t.Leaf(tree.None)
	open := l.unanswered(l.t.Forest().Walk(leaf, nil))
	if len(open) > 0 { // maybe by what hangs beside the walk
		open = l.unanswered(l.t.Path(leaf, tree.Options{}).Nodes)
	}
	for id, n := range open {
		add(id, l.t.Original(n))
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

// unanswered returns the calls on a path that have results in the log, but none below them there.
func (l *Log) unanswered(path []tree.Node) map[tree.Hash]tree.Node {
	open := map[tree.Hash]tree.Node{}
	for _, n := range path {
		for _, id := range l.t.Calls(n) {
			if l.calls.open[call][id] == nil {
				open[id] = n
			}
		}
		for _, id := range l.t.Results(n) {
			delete(open, id)
		}
	}
	return open
}

// match goes through all paths at once and finds the results that have a call on their path, and
// those that have none. A turn is on the paths of all its nodes.
func (l *Log) match(pairs map[tree.Hash]*pair) {
	onPath := map[int]int{} // by maker: how many of its nodes are on the present path
	isOnPath := func(maker int) bool { return onPath[maker] > 0 }
	l.t.Forest().Visit(l.t.WithCopies(), func(n tree.Node) {
		onPath[l.maker(n)]++
		for _, id := range l.t.Results(n) {
			if p := pairs[id]; p == nil {
				continue
			} else if len(p.makers) == mostMakers || slices.ContainsFunc(p.makers, isOnPath) {
				p.matched = true
			} else if e := l.t.Original(n); p.lone[result] == tree.None || l.t.Pos(e).Offset < l.t.Pos(p.lone[result]).Offset {
				p.lone[result] = e
			}
		}
	}, func(n tree.Node) { onPath[l.maker(n)]-- })
}

// blocksOf returns the blocks of the lone calls or results that have a counterpart.
func (l *Log) blocksOf(pairs map[tree.Hash]*pair, side int) (found []*block) {
	nodes := map[tree.Node]bool{}
	for _, p := range pairs {
		if n := p.lone[side]; n != tree.None && p.first[1-side] != tree.None {
			nodes[n] = true
		}
	}
	for _, n := range slices.Sorted(maps.Keys(nodes)) {
		e, ids := l.t.Entry(n), slices.Concat(l.t.Calls(n), l.t.Results(n)) // one of the two is empty
		index := 0
		for t := range shape.ToolBlocks(e) {
			if index == len(ids) {
				break // the log has changed
			}
			id := ids[index]
			if p := pairs[id]; p != nil && p.lone[side] == n && p.first[1-side] != tree.None {
				b := l.calls.block(e, l.dialect, index, tool{t, id})
				b.with = l.t.Original(p.first[1-side])
				found = append(found, b)
				p.lone[side] = tree.None // the entry may have it twice
			}
			index++
		}
	}
	return found
}
