package tree

import (
	"cmp"
	"slices"
)

// claude21 is the log as `claude --resume` of 2.1 reads it.
type claude21 struct {
	*view
	written []Node // the parents as written, progress bridged or not
}

// claude21Path returns what `claude --resume` loads.
func (t *Tree) claude21Path(leaf Node) Path {
	c := t.claude21()
	var way []Node
	if leaf == None {
		leaf, way = c.conversation()
	} else if c.holds(leaf) {
		way = c.walk(leaf)
	}
	if leaf == None || way == nil || !c.found(leaf) {
		return Path{Leaf: None}
	}
	return Path{Leaf: leaf, Nodes: c.path(leaf, way)}
}

func (t *Tree) claude21() *claude21 {
	c := &claude21{view: t.recent()}
	c.written = slices.Clone(c.parent)
	c.bridgeProgress()
	c.keepPreserved()
	return c
}

// keepPreserved follows the preserved list of the last boundary, if it is sound,
// and forgets every other entry before the boundary. What hung below one that was
// forgotten hangs below the last of the list.
func (c *claude21) keepPreserved() {
	b := c.lastBoundary()
	if b == None {
		return
	}
	p, ok := c.preserved(b)
	if !ok || !c.sound(&p) {
		return
	}
	kept := map[Node]bool{}
	for _, n := range p.ids {
		kept[n] = true
	}
	end := c.at(b).offset
	forgotten := func(n Node) bool { return c.at(n).offset < end && !kept[n] }
	was := slices.Clone(c.in)
	c.drop(forgotten)
	c.relink(p, func(n Node) bool {
		up := c.parent[n]
		return up >= 0 && was[up] && !c.in[up]
	})
}

// conversation returns the leaf that the program chooses and the path to it, as far
// as parents and times lead; the leaf is None if there is none.
func (c *claude21) conversation() (Node, []Node) {
	leaf := c.leaf()
	if leaf == None {
		return None, nil
	}
	path := c.walk(leaf)
	if c.pinned {
		pin := c.find(c.pin)
		if c.holds(pin) && !slices.Contains(path, pin) && c.speaker(pin) != None {
			leaf = pin
			path = c.walk(leaf)
		}
	}
	return leaf, path
}

// speaker returns the nearest user or assistant entry at or above n.
func (c *claude21) speaker(n Node) Node { return c.above(n, make([]bool, c.n), c.speaks) }

// found reports whether the program finds a conversation that ends at leaf: its last
// speaker is not on a sidechain. Releases up to 2.1.329 also refused one without a
// readable time.
func (c *claude21) found(leaf Node) bool {
	s := c.speaker(leaf)
	return s == None || c.at(s).flags&sidechain == 0
}

// leaf returns the last end in the file: a conversation node that no node on the
// main line names, of a closed ring its newest. One with a user or assistant at or
// above it goes before one without.
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
		// Each on the line that is not reached is named by another such one, so
		// they make rings.
		newest := n
		for m, ok := n, true; ok && !reached[m]; m, ok = c.up(m) {
			reached[m] = true
			if c.newer(m, newest) {
				newest = m
			}
		}
		end[newest] = true
	}
	dead := make([]bool, c.n)
	last := None
	for _, n := range slices.Backward(line) {
		if !end[n] {
			continue
		}
		if last == None {
			last = n
		}
		if c.above(n, dead, c.speaks) != None {
			return n
		}
	}
	return last
}

// newer reports whether a's time is after b's; of equals the first in the main
// line of the file is newest. No readable time is oldest.
func (c *claude21) newer(a, b Node) bool {
	x, y := c.at(a), c.at(b)
	if x.flags&timed == 0 || y.flags&timed == 0 {
		if x.flags&timed == y.flags&timed {
			return c.mainOffset(a) < c.mainOffset(b)
		}
		return x.flags&timed != 0
	}
	if x.time == y.time {
		return c.mainOffset(a) < c.mainOffset(b)
	}
	return x.time > y.time
}

// mainLine returns the nodes that have a conversation entry on no sidechain, by
// the place of their last such entry.
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

// mainOffset returns the place of n's last entry on no sidechain, -1 if it has
// none.
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

// fiveSeconds, in microseconds, is how much older than an orphan an entry must be
// to be too old for what came before it. The program counts whole milliseconds.
const fiveSeconds = 5_000_500

// walk is chain, but a parent that is not in the file, or that closes a ring, is
// taken to be the newest entry of the five seconds before its child. The parents
// so found replace the written ones.
func (c *claude21) walk(leaf Node) []Node {
	var path []Node
	var ties *ties
	seen := make([]bool, c.n)
	for n := leaf; n != None && !seen[n]; {
		seen[n] = true
		path = append(path, n)
		up := c.parent[n]
		if up != None && (!c.holds(up) || seen[up]) {
			if ties == nil {
				ties = c.newTies(firstInFile, func(m Node) (class, bool) {
					return class{}, c.at(m).flags&(sidechain|timed) == timed
				})
			}
			up = ties.newest(class{}, n)
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

// path returns the conversation that `claude --resume` loads for a leaf and the
// way to it.
func (c *claude21) path(leaf Node, way []Node) []Node {
	path := c.arranged(way)
	on := make([]bool, c.n)
	for _, n := range path {
		on[n] = true
	}
	kids := c.family()
	below := []Node{leaf}
	for i := 0; i < len(below); i++ {
		for k := range kids.of(below[i]) {
			if !on[k] && c.at(k).kind.aside() {
				on[k] = true
				below = append(below, k)
			}
		}
	}
	return c.sendable(append(path, below[1:]...))
}

// arranged puts in what hangs beside the path: other entries of its messages and
// results of their calls, with the attachments and system entries that hang there.
// Each turn, from the first entry of a message to the results and attachments
// behind its last, is in the order of the file; if an attachment or system entry
// would then stand between the message's entries, or an added result before its
// call, the message's entries come first.
func (c *claude21) arranged(path []Node) []Node {
	turns := c.beside(path, c.written, true)
	if len(turns) == 0 {
		return path
	}
	onWay := make([]bool, c.n)
	next := make([]Node, c.n) // by node of the path: the one behind it
	for i, n := range path {
		onWay[n] = true
		next[n] = None
		if i > 0 {
			next[path[i-1]] = n
		}
	}
	kids := c.family()
	in := slices.Clone(onWay)
	for _, t := range turns {
		var extra []Node
		for _, n := range slices.Concat(t.calls, t.results, c.hung(t, in, onWay, kids)) {
			if !in[n] {
				in[n] = true
				extra = append(extra, n)
			}
		}
		if len(extra) > 0 {
			c.insert(next, t, extra)
		}
	}
	var out []Node
	for n := path[0]; n != None; n = next[n] {
		out = append(out, n)
	}
	return out
}

// hung returns the attachments and system entries that hang below the entries and
// results of a message that makes calls, where no other conversation goes on below
// them. in says what the path holds by now, onWay what it held at first.
func (c *claude21) hung(t *turn, in, onWay []bool, kids family) []Node {
	known := map[Node]bool{}
	for _, n := range slices.Concat(t.calls, t.results) {
		known[n] = true
	}
	calling := false
	roots := slices.Clone(t.results)
	for _, n := range t.entries {
		calling = calling || (onWay[n] || known[n]) && len(c.callsOf(n)) > 0
		if in[n] || known[n] {
			roots = append(roots, n)
		}
		for k := range kids.of(n) {
			if onWay[k] && len(c.resultsOf(k)) > 0 {
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
			if c.at(k).kind.aside() && !onWay[k] {
				tops = append(tops, k)
			}
		}
	}
	return c.asides(tops, known, kids)
}

// asides returns the attachments and system entries at and below each of tops
// below which nothing else lies but what is known.
func (c *claude21) asides(tops []Node, known map[Node]bool, kids family) []Node {
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
			if c.at(n).kind.aside() {
				out = append(out, n)
			}
			for k := range kids.of(n) {
				below = append(below, k)
			}
		}
	}
	return out
}

// goesOn reports for each of tops, and for what it passes below them, whether
// anything lies below but attachments, system entries and what is known.
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
				case !c.at(k).kind.aside() && !known[k], done:
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

// insert puts extra into the turn of t. It takes time linear in the length of the
// turn; turns that reach over each other make the whole slower than linear.
func (c *claude21) insert(next []Node, t *turn, extra []Node) {
	var rest []Node // the turn but for its first entry
	end := next[t.first]
	for past := t.first == t.last; end != None && (!past || c.trails(end)); end = next[end] {
		rest = append(rest, end)
		past = past || end == t.last
	}
	slices.SortFunc(extra, func(a, b Node) int { return cmp.Compare(c.at(a).offset, c.at(b).offset) })
	added := map[Node]bool{}
	block := []Node{t.first}
	for _, n := range extra {
		added[n] = true
		for len(rest) > 0 && c.at(rest[0]).offset < c.at(n).offset {
			block, rest = append(block, rest[0]), rest[1:]
		}
		block = append(block, n)
	}
	block = append(block, rest...)
	ours := map[Node]bool{}
	for _, n := range t.entries {
		ours[n] = true
	}
	if c.disordered(block, ours, added) {
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

// trails reports whether n belongs to the turn that it stands behind.
func (c *claude21) trails(n Node) bool { return c.at(n).kind.aside() || len(c.resultsOf(n)) > 0 }

// disordered reports whether in a turn an attachment or system entry stands before
// the last entry of the message, or an added result before its call.
func (c *claude21) disordered(block []Node, ours, added map[Node]bool) bool {
	aside := false
	early := map[string]bool{} // the calls that added results so far answer
	for _, n := range block {
		if ours[n] {
			if aside || slices.ContainsFunc(c.callsOf(n), func(id string) bool { return early[id] }) {
				return true
			}
			continue
		}
		aside = aside || c.at(n).kind.aside()
		if added[n] {
			for _, id := range c.resultsOf(n) {
				early[id] = true
			}
		}
	}
	return false
}

// sendable leaves out what the program would not send: assistant entries of whose
// calls none has a result on the path, unless they are of a turn that was cut off;
// and messages of nothing but thinking and white space.
func (c *claude21) sendable(path []Node) []Node {
	done := map[string]bool{}
	for _, n := range path {
		for _, id := range c.resultsOf(n) {
			done[id] = true
		}
	}
	loose := func(n Node) bool {
		calls := c.callsOf(n)
		return len(calls) > 0 && !slices.ContainsFunc(calls, func(id string) bool { return done[id] })
	}
	kept := c.cutOff(path, loose)
	spared := map[string]bool{}
	for n := range kept {
		for _, id := range c.callsOf(n) {
			spared[id] = true
		}
	}
	path = slices.DeleteFunc(path, func(n Node) bool {
		return !kept[n] && loose(n) && !slices.ContainsFunc(c.callsOf(n), func(id string) bool { return spared[id] })
	})
	// Entries without a message are messages of their own.
	said, alone := map[string]bool{}, map[Node]bool{}
	for _, n := range path {
		if c.at(n).kind == assistant && c.talk(n).said {
			if m := c.messageOf(n); m != "" {
				said[m] = true
			} else {
				alone[n] = true
			}
		}
	}
	return slices.DeleteFunc(path, func(n Node) bool {
		return c.at(n).kind == assistant && !said[c.messageOf(n)] && !alone[n]
	})
}

// cutOff returns the entries of the turn at the end of the path that was cut off:
// those of the last message if one of its calls is unanswered, and then, or if the
// path ends there, from a tool result back to the last user entry that is none.
func (c *claude21) cutOff(path []Node, loose func(Node) bool) map[Node]bool {
	kept := map[Node]bool{}
	k := len(path) - 1
	for k >= 0 && c.at(path[k]).kind.aside() {
		k--
	}
	if k >= 0 && c.at(path[k]).kind == assistant {
		m, end := c.messageOf(path[k]), k
		for k >= 0 && (c.at(path[k]).kind.aside() || c.at(path[k]).kind == assistant && c.messageOf(path[k]) == m) {
			k--
		}
		if !slices.ContainsFunc(path[k+1:end+1], loose) {
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
