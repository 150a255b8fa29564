package main

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/forest"
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

// newest returns the end of path that begins with the last count messages. It begins further up if
// a turn would be cut in two, or a result would be without its call.
func newest(t *tree.Tree, path []tree.Node, count int) []tree.Node {
	var messages []int
	begin := make([]int, len(path)) // where what each node belongs to begins
	turns, calls := map[int]int{}, map[string]int{}
	for i, n := range path {
		e := t.Entry(n)
		if begin[i] = i; t.Dialect().IsMessage(e) {
			messages = append(messages, i)
		}
		if turn := t.Turn(n); turn != 0 {
			if _, ok := turns[turn]; !ok {
				turns[turn] = i
			}
			begin[i] = turns[turn]
		}
		for b := range shape.ToolBlocks(e) {
			if at, ok := calls[b.ID.Key()]; !b.Result {
				calls[b.ID.Key()] = i
			} else if ok {
				begin[i] = min(begin[i], begin[at])
			}
		}
	}
	start := 0
	if n := len(messages); n >= count {
		start = messages[n-count]
	}
	for i := len(path) - 1; i >= start; i-- {
		start = min(start, begin[i])
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

	parents map[tree.Node]entry.Value // the parents to write
	kept    entry.Value               // what pi's compaction is to keep first, nil if nothing changes
}

// connect chooses the parents to write: a client loads what parents lead to. The nodes of
// the chain become one. Of the others, those whose parent is left out become children of an entry
// of their message or of the last of top.
func (e *excerpt) connect() {
	if e.IsList() {
		return
	}
	e.parents = map[tree.Node]entry.Value{}
	last := tree.None
	chained := forest.SetOf(e.path.Chain)
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
	for i, n := range e.nodes {
		if !chained[n] && !e.has[e.Parent(n)] {
			e.put(n, e.entryAbove(i, above))
		}
	}
	if !e.Dialect().BoundaryIsRoot() && len(e.top) > 0 && e.nodes[0] != e.top[0] {
		first := e.LookUp(e.Entry(e.top[0]).Get(entry.FirstKeptEntryID))
		if slices.Contains(e.path.Nodes, first) && !e.has[first] {
			e.kept = e.RawID(e.nodes[0])
		}
	}
}

// entryAbove returns the nearest entry above node i of the message that it belongs to, or else.
func (e *excerpt) entryAbove(i int, or tree.Node) tree.Node {
	turn := e.Turn(e.nodes[i])
	for _, n := range slices.Backward(e.nodes[:i]) {
		if turn == 0 || e.Turn(n) != turn {
			break
		}
		if e.Kind(n) == tree.Assistant {
			return n
		}
	}
	return or
}

// put sets the parent to write for n, unless it is the one that n names.
func (e *excerpt) put(n, parent tree.Node) {
	switch {
	case parent == tree.None && e.RawParent(n) != nil:
		e.parents[n] = entry.Value("null")
	case parent != tree.None && e.WrittenParent(n) != e.Original(parent):
		e.parents[n] = e.RawID(parent)
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
