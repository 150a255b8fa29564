package main

import (
	"slices"
	"strconv"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
)

// replacement returns the nodes of a live path that replace what was compacted: the
// boundary and the summary, or pi's last compaction.
func replacement(t *log.Log, live log.Path) []log.Node {
	path := live.Nodes
	if !t.Dialect.IsClaude() {
		for i, n := range slices.Backward(path) {
			if t.Dialect.IsBoundary(t.Entry(n)) {
				return path[i : i+1]
			}
		}
		return nil
	}
	top := slices.Index(path, live.Top)
	if top < 0 || !t.Tree.Is(live.Top, log.Boundary) {
		return nil
	}
	end := top + 1
	for end < len(path) && t.Entry(path[end]).Get(entry.IsCompactSummary).Truthy() {
		end++
	}
	return path[top:end]
}

// withSummary returns the newest count messages of a path, and the nodes that replace what was compacted.
func withSummary(t *log.Log, live log.Path, top []log.Node, count int) []log.Node {
	replaces := forest.SetOf(top)
	rest := slices.DeleteFunc(slices.Clone(live.Nodes), func(n log.Node) bool { return replaces[n] })
	has := forest.SetOf(slices.Concat(top, newest(t, rest, count)))
	return slices.DeleteFunc(slices.Clone(live.Nodes), func(n log.Node) bool { return !has[n] })
}

// newest returns the end of path that has the last count messages; a summary is not one. It begins further up
// if a turn would be cut in two, or a result would be without its call.
func newest(t *log.Log, path []log.Node, count int) []log.Node {
	var messages []int
	begin := make([]int, len(path)) // where what each node belongs to begins
	turns, calls := map[log.Node]int{}, map[log.Hash]int{}
	for i, n := range path {
		e := t.Entry(n)
		if begin[i] = i; t.Dialect.IsMessage(e) && !e.Get(entry.IsCompactSummary).Truthy() {
			messages = append(messages, i)
		}
		turn := t.Tree.Turn[n]
		if _, ok := turns[turn]; !ok {
			turns[turn] = i
		}
		begin[i] = turns[turn]
		for _, id := range t.Tree.Calls(n) {
			calls[id] = i
		}
		for _, id := range t.Tree.Results(n) {
			if at, ok := calls[id]; ok {
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

// firstKept returns the member of a pi compaction that names the first entry that it kept, and the value of that
// for the nodes that are left of a path; nil if the value need not change.
func firstKept(t *log.Log, path, nodes []log.Node, compaction log.Node) (name string, value entry.Value) {
	e := t.Entry(compaction)
	if !t.Dialect.KeepsByCount() {
		name = "firstKeptEntryId"
		first := t.LookUp(e.Member(name))
		if nodes[0] == compaction || slices.Contains(nodes, first) || !slices.Contains(path, first) {
			return name, nil
		}
		return name, t.RawID(nodes[0])
	}
	name = "firstKeptEntryIndex"
	index, err := strconv.Atoi(string(e.Member(name))) // the header has 0
	if err != nil || index < 1 || index > len(path) {
		return name, nil
	}
	left := max(0, slices.Index(nodes, path[index-1]))
	return name, strconv.AppendInt(nil, int64(left+1), 10)
}
