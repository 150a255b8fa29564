package tree

import (
	"cmp"
	"maps"
	"slices"

	"jl/internal/memory"
)

// A claude21 is a log as `claude --resume` of Claude Code 2.1 reads it.
type claude21 struct {
	*view
	kids   family // until an orphan is tied
	beside *gatherer

	tied       []tie   // the parents that the present walks have replaced
	rankedTied bool    // the ranking of view depends on tied
	walked, in nodeSet // the nodes of the walk to the leaf, and those of the path so far
	next       []Node  // by node of the path so far: the one after it, or None
}

// A tie is a child whose parent was replaced.
type tie struct{ child, written Node }

// claude21Path returns what `claude --resume` loads.
func (t *Tree) claude21Path(leaf Node, o Options) Path {
	c := t.claude21()
	defer c.untie()
	var walked []Node
	if leaf == None {
		leaf, walked = c.chosen()
	} else if c.holds(leaf) {
		walked = c.walk(leaf)
	}
	if leaf == None || walked == nil || !c.loads(leaf) {
		return Path{Leaf: None}
	}
	p := Path{Leaf: leaf, Nodes: c.path(leaf, walked)}
	if o.Parents {
		p.takeParents(c.view)
	}
	return p
}

func (t *Tree) claude21() *claude21 {
	if t.as21 == nil {
		c := &claude21{view: t.recent()}
		written := slices.Clone(c.parent)
		c.bridgeProgress()
		c.keepPreserved()
		c.kids = c.family(c.parent, &c.stock)
		c.beside = c.gatherer(written, true)
		c.beside.whole = true
		c.next = make([]Node, c.n)
		t.as21 = c
	}
	return t.as21
}

// untie gives the nodes that walk has tied the parents that they had.
func (c *claude21) untie() {
	for _, t := range slices.Backward(c.tied) {
		c.parent[t.child] = t.written
	}
	c.tied = c.tied[:0]
	if c.rankedTied {
		c.ranked, c.rankedTied = nil, false
	}
}

// keepPreserved relinks the preserved list of the last boundary, if it can be resolved,
// and drops every other entry before the boundary. The children of dropped nodes become
// children of the last node of the list.
func (c *claude21) keepPreserved() {
	b := c.lastBoundary()
	if b == None {
		return
	}
	p, ok := c.preserved(b)
	if !ok || !c.resolve(&p) {
		return
	}
	end := c.at(b).pos.offset()
	was := slices.Clone(c.view.in)
	c.drop(func(n Node) bool { return c.at(n).pos.offset() < end && !p.kept[n] })
	c.relink(&p, func(n Node) bool {
		up := c.parent[n]
		return up >= 0 && was[up] && !c.holds(up)
	})
}

// chosen returns the leaf that the program chooses, or None, and the walk to it.
func (c *claude21) chosen() (Node, []Node) {
	leaf := c.leaf()
	if leaf == None {
		return None, nil
	}
	path := c.walk(leaf)
	if c.pinned {
		pin := c.find(c.pin)
		if c.holds(pin) && !slices.Contains(path, pin) && c.lastMessage(pin) != None {
			leaf = pin
			path = c.walk(leaf)
		}
	}
	return leaf, path
}

// lastMessage returns the nearest user or assistant entry at or above n, or None.
func (c *claude21) lastMessage(n Node) Node {
	if top := c.walkUp(n, c.isMessage)[0]; c.isMessage(top) {
		return top
	}
	return None
}

// loads reports whether the program loads a conversation that ends at leaf: its last
// message must not be on a sidechain. Releases up to 2.1.329 also refused one without a
// readable time.
func (c *claude21) loads(leaf Node) bool {
	s := c.lastMessage(leaf)
	return s == None || c.at(s).flags&sidechain == 0
}

// leaf returns the last end in the file, or None. An end is a node of the main line that
// no other of its nodes names as its parent, or the newest node of a cycle. Ends with a
// user or assistant entry at or above them come first.
func (c *claude21) leaf() Node {
	line := c.mainLine()
	named := make([]bool, c.n)
	for _, n := range line {
		if p := c.parent[n]; p >= 0 {
			named[p] = true
		}
	}
	end := make([]bool, c.n)
	reached := make([]bool, c.n)
	reach := func(n Node) {
		for ok := true; ok && !reached[n]; n, ok = c.up(n) {
			reached[n] = true
		}
	}
	for _, n := range line {
		if !named[n] {
			end[n] = true
			reach(n)
		}
	}
	for _, n := range line {
		if reached[n] {
			continue
		}
		// Each node that is not reached is named by another such node: they form cycles.
		newest := n
		for m, ok := n, true; ok && !reached[m]; m, ok = c.up(m) {
			reached[m] = true
			if c.newer(m, newest) {
				newest = m
			}
		}
		end[newest] = true
	}
	messages := c.nearest(c.isMessage)
	last := None
	for _, n := range slices.Backward(line) {
		if !end[n] {
			continue
		}
		if last == None {
			last = n
		}
		if messages.of(n) != None {
			return n
		}
	}
	return last
}

// newer reports whether a is newer than b. Among equal times the first in the main line is
// the newest. A node without a readable time is the oldest.
func (c *claude21) newer(a, b Node) bool {
	x, y := c.at(a), c.at(b)
	switch {
	case x.flags&timed != y.flags&timed:
		return x.flags&timed != 0
	case x.timeOrZero() == y.timeOrZero():
		return c.mainOffset(a) < c.mainOffset(b)
	}
	return x.time > y.time
}

// mainLine returns the nodes that have a conversation entry that is not on a sidechain,
// in the file order of the last such entry.
func (c *claude21) mainLine() []Node {
	var line []Node
	for _, n := range c.order {
		if c.mainOffset(n) >= 0 {
			line = append(line, n)
		}
	}
	if len(c.duplicates) > 0 {
		slices.SortFunc(line, func(a, b Node) int { return cmp.Compare(c.mainOffset(a), c.mainOffset(b)) })
	}
	return line
}

// mainOffset returns the offset of the last conversation entry of n that is not on a
// sidechain, -1 if there is none.
func (c *claude21) mainOffset(n Node) int64 {
	at := mainAt(c.at(n), -1)
	if d := c.duplicates[n]; d != nil {
		at = d.main
	}
	if at < c.from {
		return -1
	}
	return at
}

// fiveSeconds is how much older than an orphan, in microseconds, a node must be to be too
// old for its predecessor. The program rounds times to whole milliseconds.
const fiveSeconds = 5_000_500

// walk is like chain, but replaces a parent that is not in the file, or that closes a
// cycle, by the newest node of the five seconds before its child.
func (c *claude21) walk(leaf Node) []Node {
	var path []Node
	var orphans *reattacher
	seen := &c.Tree.walked
	seen.clear(c.n)
	for n := leaf; n != None && !seen.has(n); {
		seen.add(n)
		path = append(path, n)
		up := c.parent[n]
		if up != None && (!c.holds(up) || seen.has(up)) {
			if orphans == nil {
				if len(c.tied) > 0 { // by the walk to another leaf
					c.ranked, c.rankedTied = nil, true
				}
				orphans = c.newReattacher(firstInFile, func(m Node) (class, bool) {
					return class{}, c.at(m).flags&(sidechain|timed) == timed
				})
			}
			c.tied = append(c.tied, tie{n, up})
			up = orphans.newest(class{}, n)
			if up != None && c.at(n).time-c.at(up).time >= fiveSeconds {
				up = None
			}
			c.parent[n] = up
		}
		n = up
	}
	slices.Reverse(path)
	return path
}

// path returns the conversation that `claude --resume` loads, given the leaf and the walk
// to it.
func (c *claude21) path(leaf Node, walked []Node) []Node {
	kids := c.kids
	if len(c.tied) > 0 {
		var scratch memory.Stock
		defer scratch.Free()
		kids = c.family(c.parent, &scratch)
	}
	path := c.arranged(walked, kids)
	c.in.clear(c.n)
	c.in.addAll(path)
	below := []Node{leaf}
	for i := 0; i < len(below); i++ {
		for k := range kids.of(below[i]) {
			if !c.in.has(k) && c.at(k).kind.isContext() {
				c.in.add(k)
				below = append(below, k)
			}
		}
	}
	return c.sendable(append(path, below[1:]...))
}

// sendable returns the part of a path that the program would send. It leaves out assistant
// entries whose calls all have no result on the path, unless their turn was interrupted,
// and messages that hold only thinking and white space.
func (c *claude21) sendable(path []Node) []Node {
	done := callSet(slices.Values(path), c.resultsOf)
	unanswered := func(n Node) bool {
		calls := c.callsOf(n)
		return len(calls) > 0 && !slices.ContainsFunc(calls, func(id hash) bool { return done[id] })
	}
	kept := c.interrupted(path, unanswered)
	spared := callSet(maps.Keys(kept), c.callsOf)
	path = slices.DeleteFunc(path, func(n Node) bool {
		return !kept[n] && unanswered(n) && !slices.ContainsFunc(c.callsOf(n), func(id hash) bool { return spared[id] })
	})
	// Entries without a message are messages of their own.
	says, alone := map[hash]bool{}, map[Node]bool{}
	for _, n := range path {
		if c.at(n).flags&hasText != 0 {
			if m := c.messageOf(n); m != 0 {
				says[m] = true
			} else {
				alone[n] = true
			}
		}
	}
	return slices.DeleteFunc(path, func(n Node) bool {
		return c.at(n).kind == assistant && !says[c.messageOf(n)] && !alone[n]
	})
}

// interrupted returns the entries of the turn at the end of the path if that turn was
// interrupted. If the path ends with a message, one of its calls must be unanswered, and
// its entries belong to the turn. If the path ends, before these, with a tool result, so
// does everything down to it from the last user entry that is not a tool result.
func (c *claude21) interrupted(path []Node, unanswered func(Node) bool) map[Node]bool {
	kept := map[Node]bool{}
	k := len(path) - 1
	for k >= 0 && c.at(path[k]).kind.isContext() {
		k--
	}
	if k >= 0 && c.at(path[k]).kind == assistant {
		m, end := c.messageOf(path[k]), k
		for k >= 0 && (c.at(path[k]).kind.isContext() || c.at(path[k]).kind == assistant && c.messageOf(path[k]) == m) {
			k--
		}
		if !slices.ContainsFunc(path[k+1:end+1], unanswered) {
			return kept
		}
		for _, n := range path[k+1 : end+1] {
			kept[n] = true
		}
	}
	if k < 0 || len(c.resultsOf(path[k])) == 0 {
		return kept
	}
	for ; k >= 0 && !(c.at(path[k]).kind == user && len(c.resultsOf(path[k])) == 0); k-- {
		kept[path[k]] = true
	}
	return kept
}
