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

// calls matches tool calls and their results by the hash of the id of the call. A matched
// call takes only eight bytes.
type calls struct {
	dialect entry.Dialect
	seed    maphash.Seed
	matched map[uint64]bool
	open    [2]map[uint64]*openBlock // of calls, and then of results: the first block with the id
	torn    map[int64]bool           // the damaged lines with entries
	tied    map[uint64]bool          // the hashes of the ids that entries name as logical parents
}

// An openBlock is a call without a result so far, or a result without a call.
type openBlock struct {
	at         entry.Pos // of its entry
	index      int       // in its entry
	id, parent record.Raw
	call, tool record.Raw
	idHash     uint64
	alone      bool // it is all that its entry says
	again      bool // another entry has the same call or result
}

func newCalls() *calls {
	return &calls{
		seed:    maphash.MakeSeed(),
		matched: map[uint64]bool{},
		open:    [2]map[uint64]*openBlock{{}, {}},
		torn:    map[int64]bool{},
		tied:    map[uint64]bool{},
	}
}

// A tool is a call or a result, and the hash of the id of the call.
type tool struct {
	shape.ToolBlock
	hash uint64
}

// appendTools appends the calls and results of e, whose message is m.
func (c *calls) appendTools(tools []tool, e *entry.Entry, m *shape.Message) []tool {
	for b := range m.Tools(e) {
		tools = append(tools, tool{b, maphash.String(c.seed, b.ID.Key())})
	}
	return tools
}

// add adds the calls and results of an entry. A call may be made, and answered, more
// than once: that happens when entries are written again.
func (c *calls) add(e *entry.Entry, torn bool, tools []tool) {
	if torn {
		c.torn[e.Pos.Line] = true
	}
	if id := e.Get(entry.LogicalParentUUID); !id.IsEmpty() {
		c.tied[c.textHash(id)] = true
	}
	for i, t := range tools {
		if c.matched[t.hash] {
			continue
		}
		own, other := c.open[0], c.open[1]
		if t.Result {
			own, other = other, own
		}
		if _, ok := other[t.hash]; ok {
			delete(other, t.hash)
			c.matched[t.hash] = true
		} else if first, ok := own[t.hash]; !ok {
			own[t.hash] = c.openBlock(e, i, t)
		} else if first.at != e.Pos {
			first.again = true
		}
	}
}

func (c *calls) openBlock(e *entry.Entry, index int, t tool) *openBlock {
	return &openBlock{
		at: e.Pos, index: index,
		id: record.Scalar(c.dialect.IDOf(e)), parent: record.Scalar(c.dialect.ParentOf(e)),
		call: record.Scalar(t.ID), tool: record.Scalar(t.Tool),
		idHash: c.textHash(c.dialect.IDOf(e)), alone: t.Alone,
	}
}

func (c *calls) textHash(id entry.Value) uint64 { return maphash.Bytes(c.seed, id.Text()) }

// unmatched reports the calls without a result and the results without a call, with what
// a user needs to remove them from the log by hand.
func (k *checker) unmatched() {
	for result, blocks := range k.calls.open {
		finding := "tool_use without tool_result"
		if result > 0 {
			finding = "tool_result without tool_use"
		}
		open := slices.Collect(maps.Values(blocks))
		slices.SortFunc(open, func(a, b *openBlock) int {
			return cmp.Or(cmp.Compare(a.at.Offset, b.at.Offset), cmp.Compare(a.index, b.index))
		})
		nodes := make([]tree.Node, len(open))
		for i, b := range open {
			nodes[i] = k.t.NodeAt(b.at)
		}
		children := k.t.Children(nodes)
		for i, b := range open {
			k.unmatchedBlock(finding, b, nodes[i], children[nodes[i]])
		}
	}
}

// unmatchedBlock reports an open call or result. Its entry is that of node n unless n is
// None.
func (k *checker) unmatchedBlock(finding string, b *openBlock, n tree.Node, children []tree.Node) {
	lines := []int64{}
	for _, c := range children[:min(len(children), listed)] {
		lines = append(lines, k.t.Pos(c).Line)
	}
	id, parent := b.id, b.parent
	if n != tree.None && k.t.Straight() {
		id, parent = record.Raw(k.t.RawID(n)), record.Raw(k.t.RawParent(n))
	}
	k.print(record.Unmatched{
		Finding: k.finding(record.Warning, finding, b.at), ID: id, Parent: parent,
		Call: b.call, Tool: b.tool, Children: lines,
		Removable: b.alone && len(children) == 0 && n != tree.None && !k.t.Duplicated(n) && k.calls.removable(b),
	})
}

// removable reports whether nothing else in the log needs the entry of an open block.
func (c *calls) removable(b *openBlock) bool {
	return !b.again && !c.tied[b.idHash] && !c.torn[b.at.Line]
}
