package main

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"

	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/shape"
	"jl/internal/tree"
)

// calls matches tool calls and their results by the id of the call. A matched id takes
// only eight bytes.
type calls struct {
	dialect entry.Dialect
	seed    maphash.Seed
	matched map[uint64]bool
	open    map[bool]map[string]entry.Pos // of calls, and under true of results: the first entry with the id
	again   map[uint64]bool               // the open ones that another entry has too
	torn    map[int64]bool                // the damaged lines with entries
	tied    map[uint64]bool               // the ids that entries name as logical parents
}

func newCalls() *calls {
	return &calls{
		seed:    maphash.MakeSeed(),
		matched: map[uint64]bool{},
		open:    map[bool]map[string]entry.Pos{false: {}, true: {}},
		again:   map[uint64]bool{},
		torn:    map[int64]bool{},
		tied:    map[uint64]bool{},
	}
}

// add adds the calls and results of an entry. A call may be made, and answered, more
// than once: that happens when entries are written again.
func (c *calls) add(e *entry.Entry, torn bool) {
	if torn {
		c.torn[e.Pos.Line] = true
	}
	if id := e.Get(entry.LogicalParentUUID); !id.IsEmpty() {
		c.tied[maphash.Bytes(c.seed, id.Text())] = true
	}
	for b := range shape.ToolBlocks(e) {
		call := b.ID.Key()
		hash := maphash.String(c.seed, call)
		if c.matched[hash] {
			continue
		}
		own, other := c.open[b.Result], c.open[!b.Result]
		if _, ok := other[call]; ok {
			delete(other, call)
			c.matched[hash] = true
		} else if first, ok := own[call]; !ok {
			own[call] = e.Pos
		} else if first != e.Pos {
			c.again[hash] = true
		}
	}
}

// unmatched reports the calls without a result and the results without a call, with what
// a user needs to remove them from the log by hand.
func (k *checker) unmatched() {
	for _, result := range []bool{false, true} {
		places := slices.SortedFunc(maps.Values(k.calls.open[result]), func(a, b entry.Pos) int {
			return cmp.Compare(a.Offset, b.Offset)
		})
		places = slices.Compact(places)
		nodes := make([]tree.Node, len(places))
		for i, at := range places {
			nodes[i] = k.t.NodeAt(at)
		}
		children := k.t.Children(nodes)
		for i, at := range places {
			k.unmatchedAt(at, result, nodes[i], children[nodes[i]])
		}
	}
}

// unmatchedAt reports the unmatched calls, or results, of the entry at a position. The
// entry is that of node n unless n is None.
func (k *checker) unmatchedAt(at entry.Pos, result bool, n tree.Node, children []tree.Node) {
	finding := "tool_use without tool_result"
	if result {
		finding = "tool_result without tool_use"
	}
	lines := []int64{}
	for _, c := range children[:min(len(children), listed)] {
		lines = append(lines, k.t.Pos(c).Line)
	}
	var id, parent record.Raw
	if n != tree.None {
		id, parent = record.Raw(k.t.RawID(n)), record.Raw(k.t.RawParent(n))
	}
	e := k.t.EntryAt(at)
	if n == tree.None {
		id, parent = k.idOf(e), k.parentOf(e)
	}
	open := k.calls.open[result]
	for b := range shape.ToolBlocks(e) {
		call := b.ID.Key()
		if open[call] != at || b.Result != result {
			continue
		}
		delete(open, call)
		k.print(record.Unmatched{
			Finding: k.finding(record.Warning, finding, at), ID: id, Parent: parent,
			Call: record.Scalar(b.ID), Tool: record.Scalar(b.Tool), Children: lines,
			Removable: b.Alone && len(children) == 0 && n != tree.None && !k.t.Duplicated(n) && k.calls.removable(e, call),
		})
	}
}

// removable reports whether nothing else in the log needs the entry e, which has an open
// call or result.
func (c *calls) removable(e *entry.Entry, call string) bool {
	again := c.again[maphash.String(c.seed, call)]
	tied := c.tied[maphash.Bytes(c.seed, c.dialect.IDOf(e).Text())]
	return !again && !tied && !c.torn[e.Pos.Line]
}
