package tree

import (
	"slices"
)

// arranged returns a path with the siblings of its messages inserted, and the context of
// their turns. Each turn, from the first entry of a message to the results and context
// after its last, is in file order. If context would then be between the entries of the
// message, or an added result before its call, the entries of the message come first.
func (c *claude21) arranged(path []Node, kids family) []Node {
	turns := c.beside.siblings(path)
	if len(turns) == 0 {
		return path
	}
	c.walked.clear(c.n)
	c.walked.addAll(path)
	c.in.clear(c.n)
	c.in.addAll(path)
	for i, n := range path {
		c.next[n] = None
		if i > 0 {
			c.next[path[i-1]] = n
		}
	}
	for i := range turns {
		t := &turns[i]
		var extra []Node
		for _, n := range slices.Concat(t.calls, t.results, c.context(t, kids)) {
			if !c.in.has(n) {
				c.in.add(n)
				extra = append(extra, n)
			}
		}
		if len(extra) > 0 {
			c.splice(t, extra)
		}
	}
	var out []Node
	for n := path[0]; n != None; n = c.next[n] {
		out = append(out, n)
	}
	return out
}

// context returns the attachments and system entries that descend from the entries and
// results of a message that makes calls, unless other conversation continues below them.
func (c *claude21) context(t *turn, kids family) []Node {
	known := SetOf(slices.Concat(t.calls, t.results))
	calling := false
	roots := slices.Clone(t.results)
	for _, n := range t.entries {
		calling = calling || (c.walked.has(n) || known[n]) && len(c.callsOf(n)) > 0
		if c.in.has(n) || known[n] {
			roots = append(roots, n)
		}
		for k := range kids.of(n) {
			if c.walked.has(k) && len(c.resultsOf(k)) > 0 {
				roots = append(roots, k)
			}
		}
	}
	if !calling {
		return nil
	}
	var tops []Node
	for _, n := range roots {
		for k := range kids.of(n) {
			if c.at(k).kind.isContext() && !c.walked.has(k) {
				tops = append(tops, k)
			}
		}
	}
	return c.contextBelow(tops, known, kids)
}

// contextBelow returns the attachments and system entries at and below those of tops whose
// descendants are all context or known.
func (c *claude21) contextBelow(tops []Node, known map[Node]bool, kids family) []Node {
	goesOn := c.goesOn(tops, known, kids)
	var out []Node
	taken := map[Node]bool{}
	for _, top := range tops {
		if goesOn[top] {
			continue
		}
		for below := []Node{top}; len(below) > 0; {
			n := below[len(below)-1]
			below = below[:len(below)-1]
			if taken[n] {
				continue
			}
			taken[n] = true
			if c.at(n).kind.isContext() {
				out = append(out, n)
			}
			for k := range kids.of(n) {
				below = append(below, k)
			}
		}
	}
	return out
}

// goesOn reports for each of tops, and for the nodes below them that it passes, whether
// they have a descendant that is neither context nor known.
func (c *claude21) goesOn(tops []Node, known map[Node]bool, kids family) map[Node]bool {
	goesOn := map[Node]bool{}
	var below []Node
	for _, top := range tops {
		if _, ok := goesOn[top]; ok {
			continue
		}
		goesOn[top] = false
		below = append(below[:0], top)
		for i := 0; i < len(below); i++ {
			n := below[i]
			for k := range kids.of(n) {
				done, ok := goesOn[k]
				switch {
				case !c.at(k).kind.isContext() && !known[k], done:
					goesOn[n] = true
				case !ok:
					goesOn[k] = false
					below = append(below, k)
				}
			}
		}
		for _, n := range slices.Backward(below[1:]) {
			if goesOn[n] {
				goesOn[c.parent[n]] = true
			}
		}
	}
	return goesOn
}

// splice inserts extra into the turn t. It takes time linear in the length of the turn, so
// turns that overlap make the whole path cost more than linear time.
func (c *claude21) splice(t *turn, extra []Node) {
	next := c.next
	var rest []Node // the turn without its first entry
	end := next[t.first]
	for past := t.first == t.last; end != None && (!past || c.trails(end)); end = next[end] {
		rest = append(rest, end)
		past = past || end == t.last
	}
	slices.SortFunc(extra, c.byOffset)
	block := []Node{t.first}
	for _, n := range extra {
		for len(rest) > 0 && c.at(rest[0]).pos.offset() < c.at(n).pos.offset() {
			block, rest = append(block, rest[0]), rest[1:]
		}
		block = append(block, n)
	}
	block = append(block, rest...)
	ours := SetOf(t.entries)
	if c.disordered(block, ours, SetOf(extra)) {
		var front, back []Node
		for _, n := range block {
			if ours[n] {
				front = append(front, n)
			} else {
				back = append(back, n)
			}
		}
		block = append(front, back...)
	}
	for i, n := range block[1:] {
		next[block[i]] = n
	}
	next[block[len(block)-1]] = end
}

// trails reports whether n belongs to the turn before it.
func (c *claude21) trails(n Node) bool { return c.at(n).kind.isContext() || len(c.resultsOf(n)) > 0 }

// disordered reports whether a turn has context before the last entry of the message, or
// an added result before its call.
func (c *claude21) disordered(block []Node, ours, added map[Node]bool) bool {
	context := false
	answered := map[hash]bool{} // the calls that added results so far answer
	for _, n := range block {
		if ours[n] {
			if context || slices.ContainsFunc(c.callsOf(n), func(id hash) bool { return answered[id] }) {
				return true
			}
			continue
		}
		context = context || c.at(n).kind.isContext()
		if added[n] {
			for _, id := range c.resultsOf(n) {
				answered[id] = true
			}
		}
	}
	return false
}
