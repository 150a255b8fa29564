package reader

import (
	"cmp"
	"slices"
	"sort"

	"jl/internal/forest"
	"jl/internal/log"
)

// walk returns the nodes from the root to leaf. It ties a node whose parent is not in the file, or
// closes a cycle, to the newest node of the five seconds before it.
func (c *claude21) walk(leaf log.Node) []log.Node {
	var path []log.Node
	c.on.Clear(c.Cap)
	c.skips = forest.Skips{}
	for n := leaf; n != none; {
		c.on.Add(n)
		path = append(path, n)
		up := c.parent[n]
		if up != none && (!c.holds(up) || c.on.Has(up)) {
			up = c.before(n)
		}
		n = up
	}
	slices.Reverse(path)
	return path
}

// before returns the newest node of the five seconds before an orphan, or none. It is on a
// sidechain only if the orphan is, and not on the present walk. Among equals it is the first in the
// file.
func (c *claude21) before(orphan log.Node) log.Node {
	end := c.date(orphan)
	if end == undated {
		return none
	}
	ranked, ok := c.ranked[c.Tree.Is(orphan, log.Sidechain)]
	if !ok {
		for _, n := range c.nodes {
			if c.date(n) != undated && c.Tree.Is(n, log.Sidechain) == c.Tree.Is(orphan, log.Sidechain) {
				ranked = append(ranked, n)
			}
		}
		slices.SortStableFunc(ranked, func(a, b log.Node) int { return c.byDate(b, a) })
		c.ranked[c.Tree.Is(orphan, log.Sidechain)] = ranked
	}
	i := sort.Search(len(ranked), func(i int) bool { return c.date(ranked[i]) <= end })
	to := c.on.FirstOut(ranked, i, c.skips)
	if to == none || end-c.date(to) > 5000 {
		return none
	}
	return to
}

// path returns the conversation that ends at leaf, given the walk to it.
func (c *claude21) path(leaf log.Node, walk []log.Node) []log.Node {
	path := c.arranged(walk)
	c.out.Clear(c.Cap)
	c.out.AddAll(path)
	c.out.AddAll(walk)
	below := []log.Node{leaf}
	for len(below) > 0 {
		n := below[len(below)-1]
		below = below[:len(below)-1]
		if !c.out.Has(n) && c.loads(n) {
			path = append(path, n)
		}
		c.out.Add(n)
		start := len(below)
		for k := range c.children(n) {
			if !c.out.Has(k) && c.Kinds[k].Context() {
				below = append(below, k)
			}
		}
		slices.SortStableFunc(below[start:], func(a, b log.Node) int {
			return cmp.Compare(uint64(c.date(a)), uint64(c.date(b))) // undated ones last
		})
		slices.Reverse(below[start:])
	}
	return path
}

// loads reports whether the program loads n. It passes over attachments that do not have the
// content that it needs.
func (c *claude21) loads(n log.Node) bool {
	return c.Kinds[n] != log.Attachment || isComplete(c.Entry(n))
}

// sendable returns the part of a path that the program would send. It leaves out assistant entries
// whose calls all have no result on the path, unless their turn was interrupted, and messages that
// hold only thinking and white space.
func (c *claude21) sendable(path []log.Node) []log.Node {
	done := map[log.Hash]bool{}
	for _, n := range path {
		for _, id := range c.Tree.Results(n) {
			done[id] = true
		}
	}
	unanswered := func(n log.Node) bool {
		calls := c.Tree.Calls(n)
		return len(calls) > 0 && !slices.ContainsFunc(calls, func(id log.Hash) bool { return done[id] })
	}
	kept := forest.SetOf(c.interrupted(path, unanswered))
	spared := map[log.Hash]bool{}
	for n := range kept {
		for _, id := range c.Tree.Calls(n) {
			spared[id] = true
		}
	}
	path = slices.DeleteFunc(path, func(n log.Node) bool {
		return !kept[n] && unanswered(n) && !slices.ContainsFunc(c.Tree.Calls(n), func(id log.Hash) bool { return spared[id] })
	})
	speaks := map[log.Hash]bool{}
	for _, n := range path {
		if c.Marks[n]&log.HasWords != 0 {
			speaks[c.messageOf(n)] = true
		}
	}
	speaks[0] = false // entries without a message are messages of their own
	return slices.DeleteFunc(path, func(n log.Node) bool {
		return c.Kinds[n] == log.Assistant && c.Marks[n]&log.HasWords == 0 && !speaks[c.messageOf(n)]
	})
}

// interrupted returns the entries of the turn at the end of the path if that turn was interrupted.
// If the path ends with a message, one of its calls must be unanswered, and its entries belong to
// the turn. If a tool result comes before these and other entries with unanswered calls, everything
// from the last user entry that is not a tool result belongs to the turn, too.
func (c *claude21) interrupted(path []log.Node, unanswered func(log.Node) bool) []log.Node {
	k := len(path) - 1
	for k >= 0 && c.Kinds[path[k]].Context() {
		k--
	}
	end := k + 1
	if k >= 0 && c.Kinds[path[k]] == log.Assistant {
		m := c.messageOf(path[k])
		for k >= 0 && (c.Kinds[path[k]].Context() || c.Kinds[path[k]] == log.Assistant && c.messageOf(path[k]) == m) {
			k--
		}
		if !slices.ContainsFunc(path[k+1:end], unanswered) {
			return nil
		}
	}
	start := k + 1
	for k >= 0 && (c.Kinds[path[k]].Context() || unanswered(path[k])) {
		k--
	}
	if k >= 0 && len(c.Tree.Results(path[k])) > 0 {
		for k >= 0 && !(c.Kinds[path[k]] == log.User && len(c.Tree.Results(path[k])) == 0) {
			k--
		}
		start = k + 1
	}
	return path[start:end]
}
