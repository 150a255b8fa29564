package reader

import (
	"cmp"
	"iter"
	"slices"

	"jl/internal/forest"
	"jl/internal/log"
)

// A gatherer finds what belongs to the messages of paths but is not on them, because parallel
// calls make branches.
type gatherer struct {
	*view
	cli      bool // Claude Code's rules hold, not the SDK's
	children func(log.Node) iter.Seq[log.Node]
	context  []bool                  // by node: whether context is directly below it
	first    []log.Node              // by entry of a message: the first one in the file
	next     []log.Node              // by entry of a message: the next one in the file, or none
	makers   map[log.Hash]log.Node   // by call of a message: the last node that makes it, none if others make it, too; nil until needed
	answers  map[log.Hash][]log.Node // by call: its results
	taken    forest.Set              // the nodes of the path and of the turns so far
}

// A turn is a message of a path.
type turn struct {
	first, last log.Node   // of its entries, those on the path
	answers     []log.Node // the results on the path that answer its calls and have context below
	calls       []log.Node // the entries that are not on the path
	results     []log.Node // the results of its calls that are not on the path
}

func newGatherer(v *view, cli bool) *gatherer {
	all := len(v.in)
	g := &gatherer{view: v, cli: cli, children: v.Forest.Children(v.nodes), context: make([]bool, all)}
	g.first = slices.Repeat([]log.Node{none}, all)
	g.next = slices.Clone(g.first)
	last := map[log.Hash]log.Node{} // by message: its last entry so far
	for _, n := range v.nodes {
		if up := v.Up[n]; up != none && v.Kinds[n].Context() {
			g.context[up] = true
		}
		m := v.messageOf(n)
		if m == 0 {
			continue
		}
		g.first[n] = n
		if before, ok := last[m]; ok {
			g.first[n], g.next[before] = g.first[before], n
		}
		last[m] = n
	}
	return g
}

// entriesOf yields the entries of the message of n in file order, none if n is not an entry of one.
func (g *gatherer) entriesOf(n log.Node) iter.Seq[log.Node] {
	return func(yield func(log.Node) bool) {
		for n := g.first[n]; n != none && yield(n); n = g.next[n] {
		}
	}
}

// turns returns the turns of a path, in the order in which they begin. A result that belongs to a
// turn is a child of an entry of its message, or it is the first in the file to answer an open
// call: one that no other message makes, and that neither the path nor such a child answers.
func (g *gatherer) turns(path []log.Node) []turn {
	turns := g.messages(path)
	if len(turns) == 0 {
		return nil
	}
	onPath := g.results(path)
	g.taken.Clear(g.Cap)
	g.taken.AddAll(path)
	for i := range turns {
		t := &turns[i]
		for n := range g.entriesOf(t.first) {
			if g.cli || !g.Tree.Is(n, log.Sidechain) {
				g.take(&t.calls, n)
			}
		}
		below := g.below(t)
		for _, n := range below {
			if g.cli || !g.Tree.Is(n, log.Sidechain) {
				g.take(&t.results, n)
			}
		}
		g.addElsewhere(t, below, onPath)
	}
	return turns
}

// results returns, by call that a path answers, the results on it that have context below: many turns may
// have calls of one id, and each asks for all of them.
func (g *gatherer) results(path []log.Node) map[log.Hash][]log.Node {
	onPath := map[log.Hash][]log.Node{}
	for _, n := range path {
		for _, c := range g.Tree.Results(n) {
			with := onPath[c]
			if g.context[n] {
				with = append(with, n)
			}
			onPath[c] = with
		}
	}
	return onPath
}

// messages returns the messages of a path as turns.
func (g *gatherer) messages(path []log.Node) []turn {
	var turns []turn
	places := map[log.Node]int{} // by first entry of a message: its turn
	for _, n := range path {
		first := g.first[n]
		if first == none {
			continue
		}
		i, ok := places[first]
		if !ok {
			i, places[first] = len(turns), len(turns)
			turns = append(turns, turn{first: n})
		}
		turns[i].last = n
	}
	return turns
}

// take adds n to a list unless it is on the path or in a turn.
func (g *gatherer) take(list *[]log.Node, n log.Node) bool {
	if g.taken.Has(n) {
		return false
	}
	g.taken.Add(n)
	*list = append(*list, n)
	return true
}

// below returns the results that are children of the entries of a message: for each entry those
// that are below it or answer its calls, in file order.
func (g *gatherer) below(t *turn) []log.Node {
	var results []log.Node
	rank := map[log.Node]log.Node{} // by result: the first entry that it belongs to
	maker := map[log.Hash]log.Node{}
	for n := range g.entriesOf(t.first) {
		for r := range g.children(n) {
			if len(g.Tree.Results(r)) > 0 && (g.cli || g.direct(r)) {
				results = append(results, r)
				rank[r] = n
			}
		}
		for _, c := range g.Tree.Calls(n) {
			if _, ok := maker[c]; !ok {
				maker[c] = n
			}
		}
	}
	for _, r := range results {
		for _, c := range g.Tree.Results(r) {
			if n, ok := maker[c]; ok {
				rank[r] = min(rank[r], n)
			}
		}
	}
	slices.SortFunc(results, func(a, b log.Node) int { return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(a, b)) })
	return results
}

// addElsewhere adds the results of the open calls of a turn, in file order.
func (g *gatherer) addElsewhere(t *turn, below []log.Node, onPath map[log.Hash][]log.Node) {
	answered := map[log.Hash]bool{}
	for _, n := range below {
		for _, c := range g.Tree.Results(n) {
			answered[c] = true
		}
	}
	var found []log.Node
	for n := range g.entriesOf(t.first) {
		for _, c := range g.Tree.Calls(n) {
			t.answers = append(t.answers, onPath[c]...)
			if _, ok := onPath[c]; ok || answered[c] {
				continue
			}
			answered[c] = true
			g.learn()
			if !g.isOpen(t.first, c) {
				continue
			}
			for _, r := range g.answers[c] {
				if g.take(&found, r) {
					break
				}
			}
		}
	}
	slices.Sort(found)
	t.results = append(t.results, found...)
}

// learn searches the log for the calls of messages, and for the results that count wherever they
// are: not those on a sidechain, and to the SDK not roots.
func (g *gatherer) learn() {
	if g.makers != nil {
		return
	}
	g.makers, g.answers = map[log.Hash]log.Node{}, map[log.Hash][]log.Node{}
	for _, n := range g.nodes {
		if m := g.messageOf(n); m != 0 {
			for _, id := range g.Tree.Calls(n) {
				last, made := g.makers[id]
				if made && (last == none || g.messageOf(last) != m) {
					g.makers[id] = none
				} else {
					g.makers[id] = n
				}
			}
		}
		if !g.Tree.Is(n, log.Sidechain) && (g.cli || g.parent[n] != none || !g.direct(n)) {
			for _, id := range g.Tree.Results(n) {
				g.answers[id] = append(g.answers[id], n)
			}
		}
	}
}

// isOpen reports whether only the message of n makes a call, and to the SDK the last to make it is not
// on a sidechain.
func (g *gatherer) isOpen(n log.Node, call log.Hash) bool {
	last, ok := g.makers[call]
	return ok && last != none && g.first[last] == g.first[n] && (g.cli || !g.Tree.Is(last, log.Sidechain))
}

// withSiblings returns a path with the siblings inserted after the last entry of each message:
// first its other entries, then the results, both by date. Those without one come first.
func (g *gatherer) withSiblings(path []log.Node) []log.Node {
	extra := map[log.Node][]log.Node{}
	for _, t := range g.turns(path) {
		slices.SortStableFunc(t.calls, g.byDate)
		slices.SortStableFunc(t.results, g.byDate)
		if more := append(t.calls, t.results...); len(more) > 0 {
			extra[t.last] = more
		}
	}
	var out []log.Node
	for _, n := range path {
		out = append(append(out, n), extra[n]...)
	}
	return out
}
