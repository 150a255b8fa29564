package main

import (
	"cmp"
	"hash/maphash"
	"slices"

	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/shape"
	"jl/internal/tree"
)

// calls matches tool calls and their results by the id of the call. A matched id takes
// eight bytes, so memory follows what is open.
type calls struct {
	dialect entry.Dialect
	seed    maphash.Seed
	matched map[uint64]struct{}
	open    [2]map[string]entry.Pos // calls, results: by the key of the id the first entry that has it
	again   map[uint64]struct{}     // open ones that another entry has, too
	torn    map[int64]struct{}      // the damaged lines with entries
	tied    map[uint64]struct{}     // the ids that entries name as logical parents
}

func newCalls() *calls {
	return &calls{
		seed:    maphash.MakeSeed(),
		matched: map[uint64]struct{}{},
		open:    [2]map[string]entry.Pos{{}, {}},
		again:   map[uint64]struct{}{},
		torn:    map[int64]struct{}{},
		tied:    map[uint64]struct{}{},
	}
}

// side is the index in open of a call or a result.
func side(result bool) int {
	if result {
		return 1
	}
	return 0
}

// add adds the calls and results of an entry. A call may be made, and answered, more
// than once: that happens when entries are written again.
func (c *calls) add(e *entry.Entry, torn bool) {
	if torn {
		c.torn[e.Pos.Line] = struct{}{}
	}
	if id := e.Get(entry.LogicalParentUUID); !id.IsEmpty() {
		c.tied[maphash.Bytes(c.seed, id.Text())] = struct{}{}
	}
	for b := range shape.ToolBlocks(e, c.dialect) {
		call := b.ID.Key()
		hash := maphash.String(c.seed, call)
		if _, ok := c.matched[hash]; ok {
			continue
		}
		own, other := c.open[side(b.Result)], c.open[side(!b.Result)]
		if _, ok := other[call]; ok {
			delete(other, call)
			c.matched[hash] = struct{}{}
		} else if first, ok := own[call]; !ok {
			own[call] = e.Pos
		} else if first != e.Pos {
			c.again[hash] = struct{}{}
		}
	}
}

// unmatched reports the calls without a result and the results without a call, with
// what a user must know to take them out of the log by hand.
func (k *checker) unmatched() {
	for _, result := range []bool{false, true} {
		var places []entry.Pos
		for _, at := range k.calls.open[side(result)] {
			places = append(places, at)
		}
		slices.SortFunc(places, func(a, b entry.Pos) int { return cmp.Compare(a.Offset, b.Offset) })
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

// unmatchedAt reports the unmatched calls, or results, of the entry at a position, which
// is that of node n, if it is a node.
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
	if k.t.Numbered() && n != tree.None {
		id, parent = record.Raw(k.t.RawID(n)), record.Raw(k.t.RawParent(n))
	}
	e := k.t.EntryAt(at)
	if !k.t.Numbered() || n == tree.None {
		id, parent = k.idOf(e), k.parentOf(e)
	}
	open := k.calls.open[side(result)]
	for b := range shape.ToolBlocks(e, k.calls.dialect) {
		call := b.ID.Key()
		if open[call] != at || b.Result != result {
			continue
		}
		delete(open, call)
		k.print(record.Unmatched{
			Finding: k.finding(finding, at), ID: id, Parent: parent,
			Call: record.Scalar(b.ID), Tool: record.Scalar(b.Tool), Children: lines,
			Removable: b.Alone && len(children) == 0 && n != tree.None && !k.t.Duplicated(n) && k.calls.removable(e, call),
		})
	}
}

// removable reports whether nothing else of the log needs the entry e, which has an
// open call or result.
func (c *calls) removable(e *entry.Entry, call string) bool {
	_, again := c.again[maphash.String(c.seed, call)]
	_, torn := c.torn[e.Pos.Line]
	_, tied := c.tied[maphash.Bytes(c.seed, c.dialect.IDOf(e).Text())]
	return !again && !torn && !tied
}
