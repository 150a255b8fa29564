package reader

import (
	"slices"

	"jl/internal/forest"
	"jl/internal/log"
)

// arranged returns a walk as a path: with the siblings of its messages inserted, and the context of
// their turns. Each turn, from the first entry of a message to the results and context after its
// last, is in file order, but context below context of the walk comes right after that. If context
// would then be between the entries of the message, or an added result before its call, the entries of
// the message come first, unless something else is between them on the walk.
func (c *claude21) arranged(walk []log.Node) []log.Node {
	turns := c.beside.turns(walk)
	lost := map[log.Node]bool{} // attachments of the walk that are not loaded
	path := slices.DeleteFunc(slices.Clone(walk), func(n log.Node) bool {
		lost[n] = !c.loads(n)
		return lost[n]
	})
	if len(turns) == 0 {
		return path
	}
	c.out.Clear(c.Cap)
	c.out.AddAll(walk)
	for i, n := range path {
		c.next[n] = none
		if i > 0 {
			c.next[path[i-1]] = n
		}
	}
	after := map[log.Node][]log.Node{} // what comes after context of the walk, below it
	for i := range turns {
		t := &turns[i]
		var extra []log.Node
		add := func(n, top log.Node) {
			switch up := c.Up[top]; {
			case c.out.Has(n) || !c.loads(n):
			case !c.isContext(top), !c.on.Has(up), !c.isContext(up), lost[up]:
				extra = append(extra, n)
			default:
				after[up] = append(after[up], n)
			}
			c.out.Add(n)
		}
		for _, n := range slices.Concat(t.calls, t.results) {
			add(n, n)
		}
		c.context(t, add)
		if len(extra) > 0 || t.first != t.last {
			c.splice(t, extra)
		}
	}
	out := path[:0]
	for n := path[0]; n != none; n = c.next[n] {
		slices.Sort(after[n])
		out = append(append(out, n), after[n]...)
	}
	return out
}

// context calls add with the attachments and system entries that descend from the entries and results
// of a message that makes calls, unless other conversation continues below them. With each it passes the
// uppermost entry above it that is not on the walk. Entries on or below a sidechain do not count.
func (c *claude21) context(t *turn, add func(n, top log.Node)) {
	known := forest.SetOf(slices.Concat(t.calls, t.results))
	calling := false
	var tops []log.Node
	roots := slices.Concat(t.results, t.answers)
	passed := map[log.Node]bool{}
	for n := range c.beside.entriesOf(t.first) {
		if !c.out.Has(n) && !known[n] {
			continue
		}
		calling = calling || len(c.Tree.Calls(n)) > 0
		roots = append(roots, n)
		for k := range c.children(n) {
			if c.on.Has(k) && len(c.Tree.Results(k)) > 0 {
				roots = append(roots, k)
			}
		}
	}
	if !calling {
		return
	}
	for i := 0; i < len(roots); i++ {
		n := roots[i]
		if passed[n] || c.Tree.Is(n, log.Sidechain) {
			continue
		}
		passed[n] = true
		for k := range c.children(n) {
			switch {
			case !c.isContext(k):
			case c.on.Has(k):
				roots = append(roots, k)
			default:
				tops = append(tops, k)
			}
		}
	}
	c.contextBelow(tops, known, add)
}

// isContext reports whether n can come along with a message.
func (c *claude21) isContext(n log.Node) bool {
	return c.Kinds[n].Context() && !c.Tree.Is(n, log.Sidechain)
}

// contextBelow calls add with the attachments and system entries at and below those of tops whose
// descendants are all context or known.
func (c *claude21) contextBelow(tops []log.Node, known map[log.Node]bool, add func(n, top log.Node)) {
	taken := map[log.Node]bool{} // false: other conversation continues below

	// From the last on, because the lowest are mostly the last: what they know serves those above.
	for _, top := range slices.Backward(tops) {
		if _, done := taken[top]; done {
			continue
		}
		below := []log.Node{top}
		for i := 0; i < len(below); i++ {
			n := below[i]
			ok, done := taken[n]
			if done && !ok || !c.isContext(n) && !known[n] {
				for ; n != top; n = c.Up[n] {
					taken[n] = false
				}
				taken[top], below = false, nil
			} else if !done {
				for k := range c.children(n) {
					if k != top { // else the parents make a cycle
						below = append(below, k)
					}
				}
			}
		}
		for _, n := range below {
			if !taken[n] && c.isContext(n) {
				add(n, top)
			}
			taken[n] = true
		}
	}
}

// splice inserts extra into the turn t and puts it in order. It takes time linear in the length of
// the turn, so turns that overlap make the whole path cost more than linear time.
func (c *claude21) splice(t *turn, extra []log.Node) {
	var rest []log.Node // the turn without its first entry
	alone := true       // nothing of another turn is between its entries
	message, end := c.messageOf(t.first), c.next[t.first]
	for past := t.first == t.last; end != none && (!past || c.trails(end)); end = c.next[end] {
		rest = append(rest, end)
		alone = alone && (c.trails(end) || c.messageOf(end) == message)
		past = past || end == t.last
		if !alone && len(extra) == 0 {
			return // it is in order
		}
	}
	slices.Sort(extra)
	block := []log.Node{t.first}
	for _, n := range extra {
		for len(rest) > 0 && rest[0] < n {
			block, rest = append(block, rest[0]), rest[1:]
		}
		block = append(block, n)
	}
	block = append(block, rest...)
	ours := func(n log.Node) bool { return c.messageOf(n) == message }
	if alone && c.disordered(block, ours, forest.SetOf(extra)) {
		others := slices.DeleteFunc(slices.Clone(block), ours)
		block = append(slices.DeleteFunc(block, func(n log.Node) bool { return !ours(n) }), others...)
	}
	for i, n := range block[1:] {
		c.next[block[i]] = n
	}
	c.next[block[len(block)-1]] = end
}

// trails reports whether n belongs to the turn before it.
func (c *claude21) trails(n log.Node) bool { return c.Kinds[n].Context() || len(c.Tree.Results(n)) > 0 }

// disordered reports whether a turn has context before the last entry of the message, or an added
// result before its call.
func (c *claude21) disordered(block []log.Node, ours func(log.Node) bool, added map[log.Node]bool) bool {
	context := false
	answered := map[log.Hash]bool{} // the calls that added results so far answer
	for _, n := range block {
		if ours(n) {
			if context || slices.ContainsFunc(c.Tree.Calls(n), func(id log.Hash) bool { return answered[id] }) {
				return true
			}
			continue
		}
		context = context || c.Kinds[n].Context()
		if added[n] {
			for _, id := range c.Tree.Results(n) {
				answered[id] = true
			}
		}
	}
	return false
}
