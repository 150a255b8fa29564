package reader

import (
	"cmp"
	"iter"
	"slices"

	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/shape"
)

// A claude21 is a log as `claude --resume` of Claude Code 2.1 reads it.
type claude21 struct {
	*view
	children func(log.Node) iter.Seq[log.Node]
	beside   *gatherer
	speaker  func(log.Node) log.Node // the nearest user or assistant entry at or above a node
	kept     map[log.Node]bool       // what the last boundary preserves, nil if that is nothing

	tips   []log.Node          // see findTips
	ranked map[bool][]log.Node // the nodes with a date, newest first; by whether they are on a sidechain
	skips  forest.Skips        // of the present walk in ranked
	on     forest.Set          // the nodes of the present walk
	out    forest.Set          // the nodes of the path so far
	next   []log.Node          // by node of the path so far: the one after it, or none
}

func (r *Reader) asClaude21() *claude21 {
	if r.claude21 == nil {
		c := &claude21{view: newView(r.t, Claude21), ranked: map[bool][]log.Node{}}
		c.bridge()
		c.compact()
		c.speaker = c.Nearest(c.isMessage)
		c.tips = c.findTips()
		c.beside = newGatherer(c.view, true)
		c.children = c.beside.children
		c.next = make([]log.Node, len(c.in))
		r.claude21 = c
	}
	return r.claude21
}

// answer returns what `claude --resume` loads.
func (c *claude21) answer(leaf log.Node, parents bool) log.Path {
	if leaf == none {
		leaf = c.chosen()
	}
	if !c.holds(leaf) {
		return log.Path{Leaf: none}
	}
	end := leaf
	if up := c.speaker(leaf); up != none {
		end = up
	}
	walk := c.walk(end)
	if n := forest.Last(walk, c.isMessage); n != none && c.Tree.Is(n, log.Sidechain) {
		return log.Path{Leaf: none} // no conversation
	}
	return c.pathOf(leaf, c.sendable(c.path(end, walk)), walk, parents)
}

// compact heeds the last boundary. If it has a preserved list, that is relinked; the children of
// nodes before the boundary that the list does not name become children of the last that it names.
// If it has none, but another boundary has, nothing before it is read.
func (c *claude21) compact() {
	boundary := forest.Last(c.nodes, func(n log.Node) bool { return c.Tree.Is(n, log.Boundary) })
	if boundary == none {
		return
	}
	before := func(n log.Node) bool { return n < boundary }
	preserves := func(n log.Node) bool { return c.Tree.Is(n, log.Boundary) && shape.HasPreserved(c.Entry(n)) }
	if !preserves(boundary) {
		if slices.ContainsFunc(c.nodes, preserves) {
			c.drop(before)
			c.link()
		}
		return
	}
	p, ok := c.preserved(boundary, true)
	if !ok {
		return
	}
	c.kept = forest.SetOf(p.ids)
	was := slices.Clone(c.in)
	c.drop(func(n log.Node) bool { return before(n) && !c.kept[n] })
	for k, n := range p.ids {
		if k == 0 {
			c.parent[n] = p.anchor
		} else if p.listed {
			c.parent[n] = p.ids[k-1]
		}
	}
	for _, n := range c.nodes {
		up := c.parent[n]
		if up != none && !c.kept[n] && (up == p.anchor || was[up] && !c.in[up]) {
			c.parent[n] = p.ids[len(p.ids)-1]
		}
	}
	c.link()
}

// findTips returns the user and assistant entries, not on sidechains, that no other is below, with
// nothing but context between.
func (c *claude21) findTips() []log.Node {
	goesOn := make([]bool, len(c.in))
	for _, n := range c.nodes {
		if up := c.Up[n]; up != none && c.isMessage(n) {
			if s := c.speaker(up); s != none {
				goesOn[s] = true
			}
		}
	}
	var tips []log.Node
	for _, n := range c.nodes {
		if c.isMessage(n) && !goesOn[n] && !c.Tree.Is(n, log.Sidechain) {
			tips = append(tips, n)
		}
	}
	return tips
}

// chosen returns the leaf that the program chooses, or none: what last-prompt names, if it heeds
// that; else the last end if a user or assistant entry is at or above it, else the newest tip. A log
// without such entries ends with its last end.
func (c *claude21) chosen() log.Node {
	end := c.lastEnd()
	talks := slices.ContainsFunc(c.nodes, c.isMessage)
	if talks && c.kept != nil && len(c.tips) == 0 {
		return none
	}
	if pin := c.Pinned; pin != none && c.heeds(pin, end) && !slices.Contains(c.Walk(end, nil), pin) {
		return pin
	}
	if !talks || c.speaker(end) != none {
		return end
	}
	if len(c.tips) == 0 {
		return none
	}
	newest := slices.MaxFunc(c.tips, c.byDate)
	if c.date(newest) == undated {
		newest = c.tips[len(c.tips)-1]
	}
	return newest
}

// lastEnd returns the last end in the file, or none. What follows a compaction goes before what it
// preserved.
func (c *claude21) lastEnd() log.Node {
	ends := c.mainEnds()
	end := forest.Last(ends, func(n log.Node) bool { return !c.kept[c.speaker(n)] })
	if end == none && len(ends) > 0 {
		end = ends[len(ends)-1]
	}
	return end
}

// mainEnds returns the ends of the main line in file order, and the newest node of each cycle.
func (c *claude21) mainEnds() []log.Node {
	line, at := c.mainLine()
	isEnd, reached := make([]bool, len(c.in)), make([]bool, len(c.in))
	reach := func(n log.Node) {
		isEnd[n] = true
		for ; n != none && !reached[n]; n = c.Up[n] {
			reached[n] = true
		}
	}
	for _, n := range c.ends(line, all) {
		reach(n)
	}
	for _, n := range line {
		if !reached[n] { // nor is any node that leads to it: these are cycles
			reach(slices.MaxFunc(c.Walk(n, nil), func(a, b log.Node) int {
				return cmp.Or(c.byDate(a, b), cmp.Compare(at(b), at(a)))
			}))
		}
	}
	return slices.DeleteFunc(line, func(n log.Node) bool { return !isEnd[n] })
}

// mainLine returns the nodes that have an entry that is not on a sidechain, in the file order of
// the last such entry, whose offset at returns; -1 if there is none.
func (c *claude21) mainLine() (line []log.Node, at func(log.Node) int64) {
	earlier := map[log.Node]int64{}
	for _, d := range c.Duplicates {
		if d.Main {
			earlier[d.Node] = d.Earlier.Offset
		}
	}
	at = func(n log.Node) int64 {
		if !c.Tree.Is(n, log.Sidechain) {
			return c.Pos(n).Offset
		}
		if main, ok := earlier[n]; ok && main >= c.from {
			return main
		}
		return -1
	}
	for _, n := range c.nodes {
		if at(n) >= 0 {
			line = append(line, n)
		}
	}
	slices.SortFunc(line, func(a, b log.Node) int { return cmp.Compare(at(a), at(b)) })
	return line, at
}

// heeds reports whether the program ends the path at pin, which a last-prompt entry names, or
// would, if the path to end did not pass it.
func (c *claude21) heeds(pin, end log.Node) bool {
	if !c.holds(pin) || c.speaker(pin) == none {
		return false
	}
	if c.kept != nil {
		return slices.Contains(c.tips, pin)
	}
	return !c.parallel(c.speaker(pin), c.Walk(end, nil))
}

// parallel reports whether n is the result of a call of a message from which a path goes on with
// another entry, or with the result of another call: then n belongs to the path.
func (c *claude21) parallel(n log.Node, path []log.Node) bool {
	e := c.Up[n]
	if e == none || slices.Contains(path, n) {
		return false
	}
	m, entries := c.messageOf(e), slices.Collect(c.beside.entriesOf(e))
	if m == 0 {
		entries = []log.Node{e}
	}
	calls := map[log.Hash]bool{}
	for _, e := range entries {
		for _, id := range c.Tree.Calls(e) {
			calls[id] = true
		}
	}
	open := len(calls)
	for _, id := range c.Tree.Results(n) {
		delete(calls, id)
	}
	walk := c.Walk(e, func(n log.Node) bool { return c.messageOf(n) != m || slices.Contains(path, n) })
	fork := slices.Index(path, walk[0])
	if len(calls) == open || fork < 0 || c.messageOf(path[fork]) != m {
		return false
	}
	after := path[fork+1:]
	if len(after) > 0 && slices.ContainsFunc(c.Tree.Results(after[0]), func(id log.Hash) bool { return calls[id] }) {
		return true
	}
	i := slices.IndexFunc(after, func(n log.Node) bool { return !c.Kinds[n].Context() })
	return i >= 0 && m != 0 && c.messageOf(after[i]) == m
}
