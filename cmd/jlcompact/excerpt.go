package main

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/shape"
	"jl/internal/tree"
)

// replacement returns the nodes of a live path that replace what was compacted: the
// boundary and the summary, or pi's last compaction.
func replacement(t *tree.Tree, path []tree.Node) []tree.Node {
	if !t.Dialect().BoundaryIsRoot() {
		for i, n := range slices.Backward(path) {
			if t.Dialect().IsBoundary(t.Entry(n)) {
				return path[i : i+1]
			}
		}
		return nil
	}
	for i, n := range path {
		e := t.Entry(n)
		if i == 0 && !t.Dialect().IsBoundary(e) || i > 0 && !e.Get(entry.IsCompactSummary).Truthy() {
			return path[:i]
		}
	}
	return path
}

// newest returns the end of path, nodes of a path with the given chain, that begins with the last
// count messages. It begins further up if a message would be cut in two, or the result of a call
// would be without its call; or, if no node makes the call, without the parent beside which it hangs.
func newest(t *tree.Tree, path, chain []tree.Node, count int) []tree.Node {
	said := make([]bool, len(path))
	needs := make([][]int, len(path)) // the nodes above that a node must not be without
	messages, calls, places := map[string]int{}, map[string]int{}, map[tree.Node]int{}
	chained := tree.SetOf(chain)
	for i, n := range path {
		places[n] = i
		e := t.Entry(n)
		said[i] = t.Dialect().IsMessage(e)
		if id := e.Get(entry.Message).Member("id"); !id.IsEmpty() && e.Get(entry.Type).Is("assistant") {
			m := string(id.Text())
			if at, ok := messages[m]; ok {
				needs[i] = append(needs[i], at)
			} else {
				messages[m] = i
			}
		}
		for b := range shape.ToolBlocks(e) {
			if !b.Result {
				calls[b.ID.Key()] = i
			} else if at, ok := calls[b.ID.Key()]; ok {
				needs[i] = append(needs[i], at)
			}
		}
		if at, ok := places[t.Parent(n)]; ok && !chained[n] && len(needs[i]) == 0 {
			needs[i] = append(needs[i], at)
		}
	}
	start := len(path)
	for start > 0 && count > 0 {
		start--
		if said[start] {
			count--
		}
	}
	for i := len(path) - 1; i >= start; i-- {
		for _, at := range needs[i] {
			start = min(start, at)
		}
	}
	return path[start:]
}

// An excerpt is what is printed of a path.
type excerpt struct {
	*tree.Tree
	path  tree.Path
	top   []tree.Node // those of nodes that replace what was compacted
	nodes []tree.Node
	has   map[tree.Node]bool
	calls map[string]int // by call: the index of the first of nodes that makes it; nil until it is needed

	parents map[tree.Node]entry.Value // the parents to write
	kept    entry.Value               // what pi's compaction is to keep first, nil if nothing changes
}

// connect chooses the parents to write: a client loads what parents lead to. The nodes of
// the chain become one. Of the others, those whose parent is left out become children of
// the call that they answer or of the last of top.
func (e *excerpt) connect() {
	if e.Straight() {
		return
	}
	e.parents = map[tree.Node]entry.Value{}
	last := tree.None
	chained := tree.SetOf(e.path.Chain)
	for _, n := range e.path.Chain {
		if e.has[n] {
			e.put(n, last)
			last = n
		}
	}
	above := tree.None
	if len(e.top) > 0 {
		above = e.top[len(e.top)-1]
	}
	for _, n := range e.nodes {
		if !chained[n] && !e.has[e.Parent(n)] {
			if parent := e.callOf(n); parent != tree.None {
				e.put(n, parent)
			} else {
				e.put(n, above)
			}
		}
	}
	if !e.Dialect().BoundaryIsRoot() && len(e.top) > 0 && e.nodes[0] != e.top[0] {
		e.keep(e.top[0])
	}
}

// callOf returns the first of the nodes that makes a call that n answers, None if none does.
func (e *excerpt) callOf(n tree.Node) tree.Node {
	if e.calls == nil {
		e.findCalls() // not below, where it would end the entry of n
	}
	first := len(e.nodes)
	for b := range shape.ToolBlocks(e.Entry(n)) {
		if !b.Result {
			continue
		}
		if at, ok := e.calls[b.ID.Key()]; ok {
			first = min(first, at)
		}
	}
	if first == len(e.nodes) {
		return tree.None
	}
	return e.nodes[first]
}

// findCalls sets calls.
func (e *excerpt) findCalls() {
	e.calls = map[string]int{}
	for i, n := range slices.Backward(e.nodes) {
		for b := range shape.ToolBlocks(e.Entry(n)) {
			if !b.Result {
				e.calls[b.ID.Key()] = i
			}
		}
	}
}

// put sets the parent to write for n, unless it is the one that n names.
func (e *excerpt) put(n, parent tree.Node) {
	switch {
	case parent == tree.None && e.RawParent(n) != nil:
		e.parents[n] = entry.Value("null")
	case parent != tree.None && e.Parent(n) != parent:
		e.parents[n] = e.RawID(parent)
	}
}

// keep makes pi's compaction keep what is left of the entries that it kept.
func (e *excerpt) keep(compaction tree.Node) {
	first := string(e.Entry(compaction).Get(entry.FirstKeptEntryID).Text())
	at := slices.IndexFunc(e.path.Nodes, func(n tree.Node) bool { return e.ID(n) == first })
	if at >= 0 && !e.has[e.path.Nodes[at]] {
		e.kept = e.RawID(e.nodes[0])
	}
}

// edit returns the bytes of n as they are printed.
func (e *excerpt) edit(n tree.Node, b []byte) []byte {
	if e.kept != nil && n == e.top[0] {
		b = entry.Value(b).Set(nil, "firstKeptEntryId", e.kept, nil)
	}
	if parent := e.parents[n]; parent != nil {
		b = entry.Value(b).Set(nil, e.Dialect().ParentName(), parent, nil)
	}
	return b
}
