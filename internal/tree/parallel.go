package tree

import (
	"cmp"
	"math/bits"
	"slices"

	"jl/internal/memory"
)

// A gatherer finds what belongs to the messages of paths but is not on them. It keeps what
// it learns about the log, so that many paths take as long as they are.
type gatherer struct {
	*view
	sidechains bool             // nodes on sidechains count
	kids       family           // by the written parents
	rooted     func(Node) bool  // whether a node names no parent
	whole      bool             // siblings returns the turns without siblings too
	messages   []int32          // by node: the ordinal of its message, counted from 1; 0 if it has none
	entries    []Node           // those of messages, the ones of each together, in file order
	starts     []int32          // by message: where its entries begin in entries; they end where those of the next begin
	groups     []group          // by message
	results    []Node           // what is below the entries of the groups, the ones of each together
	open       map[int32][]hash // see openOf
	spanOf     []int32          // by message: its span on the last path that had it; it may be out of date
	calls      map[hash]*openCall
	allCalls   bool // calls holds all calls of the log
	taken      nodeSet
	scratch    []hash
}

// A group is what is known of a message: which children of its entries are results, and whether
// it has open calls.
type group struct {
	known      bool
	isOpen     bool  // the message has open calls
	start, end int32 // where the results are in results
}

// A span is the part of a path from the first to the last entry of a message.
type span struct {
	message     int32
	first, last Node
}

// A turn is a message of a path, with the entries and results of it that are not on the
// path because parallel calls make branches.
type turn struct {
	message hash
	entries []Node // all, in file order
	first   Node   // the first of them on the path
	last    Node   // the last of them on the path
	calls   []Node // the entries that are not on the path
	results []Node // the results that are not on the path
}

// gatherer returns a gatherer. written has the written parent of each node. Nodes on
// sidechains count only if sidechains is set.
func (v *view) gatherer(written []Node, sidechains bool) *gatherer {
	g := &gatherer{
		view: v, sidechains: sidechains, kids: v.family(written, &v.stock),
		rooted: func(n Node) bool { return written[n] == None },
		open:   map[int32][]hash{},
		calls:  map[hash]*openCall{},
	}
	g.sortEntries()
	return g
}

// sortEntries sets messages, entries and starts.
func (g *gatherer) sortEntries() {
	count := 0
	for _, n := range g.order {
		if g.messageOf(n) != 0 {
			count++
		}
	}
	// A hash table with open addressing has the first entry of each message. A map would take
	// several times the memory.
	var scratch memory.Stock
	defer scratch.Free()
	firsts := memory.Make[Node](&scratch, count*3/2+1) // 1 + the entry, 0 if the place is free
	g.messages, g.starts = lasting[int32](g.Tree, int(g.n)), lasting[int32](g.Tree, 2+count)[:2]
	for _, n := range g.order {
		m := g.messageOf(n)
		if m == 0 {
			continue
		}
		at, _ := bits.Mul64(uint64(m), uint64(len(firsts)))
		i := int(at)
		for firsts[i] != 0 && g.messageOf(firsts[i]-1) != m {
			i = (i + 1) % len(firsts)
		}
		if firsts[i] == 0 {
			firsts[i] = n + 1
			g.messages[n] = int32(len(g.starts) - 1)
			g.starts = append(g.starts, 0)
		}
		g.messages[n] = g.messages[firsts[i]-1]
		g.starts[g.messages[n]+1]++ // how many entries it has
	}
	for i := range g.starts[1:] {
		g.starts[i+1] += g.starts[i]
	}
	g.entries = lasting[Node](g.Tree, count)
	next := memory.Make[int32](&scratch, len(g.starts))
	copy(next, g.starts)
	for _, n := range g.order {
		if m := g.messages[n]; m != 0 {
			g.entries[next[m]] = n
			next[m]++
		}
	}
	g.groups, g.spanOf = lasting[group](g.Tree, len(g.starts)), lasting[int32](g.Tree, len(g.starts))
}

// shown reports whether n counts.
func (g *gatherer) shown(n Node) bool { return g.sidechains || g.at(n).flags&sidechain == 0 }

// siblings returns the turns of a path that have siblings, or all turns if g.whole is set. The
// siblings of a turn are the entries of its message, and the results of its calls, that are not
// on the path. A result is a child of an entry of the message. A call that neither the path nor
// such a child answers is open; the first result in the file that names an open call counts too,
// if no other message makes the same call.
func (g *gatherer) siblings(path []Node) []turn {
	spans := g.spans(path)
	answered := g.openCalls(path, spans)
	g.taken.clear(g.n)
	g.taken.addAll(path)
	take := func(list *[]Node, n Node) bool {
		if g.taken.has(n) || !g.shown(n) {
			return false
		}
		g.taken.add(n)
		*list = append(*list, n)
		return true
	}
	var turns []turn
	for _, s := range spans {
		t := turn{entries: g.entriesOf(s.message), first: s.first, last: s.last}
		for _, n := range t.entries {
			take(&t.calls, n)
		}
		for _, r := range g.resultsBelow(s.message) {
			take(&t.results, r)
		}
		for _, call := range g.openOf(s.message) {
			c := g.calls[call]
			if answered[call] || c == nil || c.shared || !g.shown(c.caller) {
				continue
			}
			for _, r := range c.results {
				if take(&t.results, r) {
					break
				}
			}
		}
		if g.whole || len(t.calls)+len(t.results) > 0 {
			t.message = g.messageOf(t.first)
			turns = append(turns, t)
		}
	}
	return turns
}

// spans returns the messages of a path in path order.
func (g *gatherer) spans(path []Node) []span {
	var spans []span
	for _, n := range path {
		m := g.messages[n]
		if m == 0 {
			continue
		}
		i := int(g.spanOf[m])
		if i >= len(spans) || spans[i].message != m {
			i = len(spans)
			g.spanOf[m] = int32(i)
			spans = append(spans, span{message: m, first: n})
		}
		spans[i].last = n
	}
	return spans
}

// entriesOf returns the entries of a message in file order.
func (g *gatherer) entriesOf(message int32) []Node {
	end := g.starts[message+1]
	return g.entries[g.starts[message]:end:end]
}

// resultsBelow returns the children of the entries of a message that are results.
func (g *gatherer) resultsBelow(message int32) []Node {
	group := g.group(message)
	return g.results[group.start:group.end]
}

// openOf returns the calls of a message that none of its results answers, in file order.
func (g *gatherer) openOf(message int32) []hash {
	if !g.group(message).isOpen {
		return nil
	}
	return g.open[message]
}

// group returns the group of a message.
func (g *gatherer) group(message int32) *group {
	group := &g.groups[message]
	if group.known {
		return group
	}
	group.known, group.start = true, int32(len(g.results))
	entries, answered := g.entriesOf(message), g.scratch[:0]
	for _, n := range entries {
		for r := range g.kids.of(n) {
			if calls := g.resultsOf(r); len(calls) > 0 {
				g.results = append(g.results, r)
				answered = append(answered, calls...)
			}
		}
	}
	slices.Sort(answered)
	var open []hash
	for _, n := range entries {
		for _, c := range g.callsOf(n) {
			if _, done := slices.BinarySearch(answered, c); !done {
				open = append(open, c)
			}
		}
	}
	if group.isOpen = len(open) > 0; group.isOpen {
		g.open[message] = unique(open)
	}
	group.end, g.scratch = int32(len(g.results)), answered
	return group
}

// unique returns ids without repetitions, in the order in which they come first. It changes ids.
func unique(ids []hash) []hash {
	if len(ids) < 2 {
		return ids
	}
	seen := map[hash]bool{}
	return slices.DeleteFunc(ids, func(id hash) bool {
		again := seen[id]
		seen[id] = true
		return again
	})
}

// openCalls returns the open calls of the messages of a path, and for each whether the path
// answers it. It learns about those that it does not. It returns nil if there are none.
func (g *gatherer) openCalls(path []Node, spans []span) (answered map[hash]bool) {
	for _, s := range spans {
		for _, c := range g.openOf(s.message) {
			if answered == nil {
				answered = map[hash]bool{}
			}
			answered[c] = false
		}
	}
	if answered == nil {
		return nil
	}
	for _, n := range path {
		for _, c := range g.resultsOf(n) {
			if _, open := answered[c]; open {
				answered[c] = true
			}
		}
	}
	var calls []hash
	for c, done := range answered {
		if !done {
			calls = append(calls, c)
		}
	}
	g.learn(calls)
	return answered
}

// An openCall is what the whole log holds about a call.
type openCall struct {
	message hash   // the message that makes it
	shared  bool   // another message makes it too
	caller  Node   // the last entry in the file that makes it
	results []Node // the results that name it, count and are not roots
}

// learn searches the whole log for calls. The first search looks for the given calls only,
// because often there is just one path; a second search learns about all calls.
func (g *gatherer) learn(calls []hash) {
	isNew := func(c hash) bool { return g.calls[c] == nil }
	if g.allCalls || !slices.ContainsFunc(calls, isNew) {
		return
	}
	g.allCalls = len(g.calls) > 0
	clear(g.calls)
	for _, c := range calls {
		g.calls[c] = &openCall{caller: None}
	}
	for _, n := range g.order {
		if m := g.messageOf(n); m != 0 {
			for _, call := range g.callsOf(n) {
				if c := g.call(call); c != nil {
					c.shared = c.shared || c.message != 0 && c.message != m
					c.message, c.caller = m, n
				}
			}
		}
		if g.rooted(n) || !g.shown(n) {
			continue
		}
		for _, call := range g.resultsOf(n) {
			if c := g.call(call); c != nil && (len(c.results) == 0 || c.results[len(c.results)-1] != n) {
				c.results = append(c.results, n)
			}
		}
	}
}

// call returns what is known of a call, nil if nothing has to be.
func (g *gatherer) call(id hash) *openCall {
	c := g.calls[id]
	if c == nil && g.allCalls {
		c = &openCall{caller: None}
		g.calls[id] = c
	}
	return c
}

// withSiblings returns a path with the siblings inserted after the last entry of each
// message: first its other entries, then the results, both by time. Those without a time
// come first.
func (v *view) withSiblings(path []Node, turns []turn) []Node {
	extra, length := map[Node][]Node{}, len(path)
	for i := range turns {
		t := &turns[i]
		slices.SortStableFunc(t.calls, v.byTime)
		slices.SortStableFunc(t.results, v.byTime)
		extra[t.last] = slices.Concat(t.calls, t.results)
		length += len(extra[t.last])
	}
	if len(extra) == 0 {
		return path
	}
	out := make([]Node, 0, length)
	for _, n := range path {
		out = append(append(out, n), extra[n]...)
	}
	return out
}

// withParallel is withSiblings for a default path. If only the results of its calls follow
// a message, all of them are the end of the conversation: their order does not depend on
// which of them is the leaf, and the links between them are kept, so that the path of a
// printed path is the same path.
func (v *view) withParallel(path []Node, turns []turn) []Node {
	end, last := v.openEnd(path, turns)
	out := v.withSiblings(path[:end], turns)
	if last != nil {
		out = append(slices.Clip(out), v.ending(path, end, last)...)
	}
	return out
}

func (v *view) byTime(a, b Node) int { return cmp.Compare(v.at(a).timeOrZero(), v.at(b).timeOrZero()) }

// openEnd returns the turn that the path ends with, and where it begins on the path, if
// nothing follows its message but results of its calls; else nil and the length of the
// path.
func (v *view) openEnd(path []Node, turns []turn) (int, *turn) {
	if len(turns) == 0 {
		return len(path), nil
	}
	t := &turns[len(turns)-1]
	calls := callSet(slices.Values(t.entries), v.callsOf)
	start := slices.Index(path, t.first)
	for _, n := range path[start:] {
		switch {
		case !v.Conversation(n), v.messageOf(n) == t.message:
		case v.at(n).kind == user && slices.ContainsFunc(v.resultsOf(n), func(r hash) bool { return calls[r] }):
		default:
			return len(path), nil
		}
	}
	return start, t
}

// ending returns the nodes of the turn that the path ends with, from start on: the
// entries of the message in file order, then the results by time, each after the links
// that lead to it.
func (v *view) ending(path []Node, start int, t *turn) []Node {
	done := &v.walked
	done.clear(v.n)
	done.addAll(path[:start])
	path = path[start:]
	var entries, results []Node
	for _, n := range slices.Concat(path, t.calls, t.results) {
		switch {
		case !v.Conversation(n):
		case v.at(n).kind == assistant:
			entries = append(entries, n)
		default:
			results = append(results, n)
		}
	}
	slices.SortFunc(entries, v.byOffset)
	slices.SortFunc(results, func(a, b Node) int { return cmp.Or(v.byTime(a, b), v.byOffset(a, b)) })
	var out []Node
	for _, n := range slices.Concat(entries, results) {
		var links []Node
		for up, ok := n, true; ok && !done.has(up) && (up == n || !v.Conversation(up)); up, ok = v.up(up) {
			done.add(up)
			links = append(links, up)
		}
		slices.Reverse(links)
		out = append(out, links...)
	}
	for _, n := range path { // a link may be the leaf
		if !done.has(n) {
			out = append(out, n)
		}
	}
	return out
}

func (n *node) timeOrZero() int64 {
	if n.flags&timed == 0 {
		return 0
	}
	return n.time
}
