package check

import (
	"cmp"
	"hash/maphash"
	"iter"
	"maps"
	"slices"

	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/shape"
	"jl/internal/tree"
)

// calls matches tool calls and their results by the hash of the id of the call.
type calls struct {
	seed    maphash.Seed
	matched map[uint64]struct{}
	open    map[bool]map[uint64]*half // results (true) and calls (false) that nothing matches so far
	tied    map[uint64]struct{}       // the hashes of the ids that entries name as logical parents
}

// A half is the first call or the first result with its id.
type half struct {
	at    entry.Pos // of its entry
	index int       // among the calls and results of the entry
	alone bool      // it is all that its line says, and no other entry has it
}

func newCalls() *calls {
	return &calls{
		seed:    maphash.MakeSeed(),
		matched: map[uint64]struct{}{},
		open:    map[bool]map[uint64]*half{false: {}, true: {}},
		tied:    map[uint64]struct{}{},
	}
}

// A tool is a call or a result, with the hash of the id of the call.
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

// add adds the calls and results of e, whose line is torn if it is damaged. A call may be made,
// and answered, more than once: that happens when entries are written again.
func (c *calls) add(e *entry.Entry, torn bool, tools []tool) {
	if id := e.Get(entry.LogicalParentUUID); !id.IsEmpty() {
		c.tied[c.textHash(id)] = struct{}{}
	}
	for i, t := range tools {
		if _, done := c.matched[t.hash]; done {
			continue
		}
		same, others := c.open[t.Result], c.open[!t.Result]
		if others[t.hash] != nil {
			delete(others, t.hash)
			c.matched[t.hash] = struct{}{}
		} else if h := same[t.hash]; h == nil {
			same[t.hash] = &half{e.Pos, i, t.Alone && !torn}
		} else if h.at != e.Pos {
			h.alone = false
		}
	}
}

func (c *calls) textHash(id entry.Value) uint64 { return maphash.Bytes(c.seed, id.Text()) }

// unmatched returns the calls, or the results, that nothing matches, in the order of the log.
func (c *calls) unmatched(results bool) []*half {
	return slices.SortedFunc(maps.Values(c.open[results]), func(a, b *half) int {
		return cmp.Or(cmp.Compare(a.at.Offset, b.at.Offset), cmp.Compare(a.index, b.index))
	})
}

// unmatched reports the calls without a result and the results without a call, with what a user
// needs to remove them from the log by hand.
func (l *Log) unmatched() {
	if len(l.calls.open[false])+len(l.calls.open[true]) == 0 {
		return
	}
	children := l.written.Children(l.t.Nodes())
	duplicated := map[tree.Node]bool{}
	for _, d := range l.t.Duplicates() {
		duplicated[d.Node] = true
	}
	for _, results := range []bool{false, true} {
		name := "tool_use without tool_result"
		if results {
			name = "tool_result without tool_use"
		}
		for _, h := range l.calls.unmatched(results) {
			l.report(record.Warning, name, h.at, func(f record.Finding) any {
				row := l.unmatchedRow(h, children, duplicated)
				row.Finding = f
				return row
			})
		}
	}
}

// unmatchedRow returns the row of a call or result that nothing matches.
func (l *Log) unmatchedRow(h *half, children func(tree.Node) iter.Seq[tree.Node], duplicated map[tree.Node]bool) record.Unmatched {
	e := l.t.EntryAt(h.at)
	row := record.Unmatched{ID: l.idOf(e), Parent: l.parentOf(e), Children: []int64{}}
	if tools := slices.Collect(shape.ToolBlocks(e)); h.index < len(tools) { // else the log has changed
		row.Call, row.Tool = record.Scalar(tools[h.index].ID), record.Scalar(tools[h.index].Tool)
	}
	n := l.t.NodeAt(h.at)
	if n == tree.None {
		return row
	}
	for c := range children(n) {
		if len(row.Children) == listed {
			break
		}
		row.Children = append(row.Children, l.t.Pos(c).Line)
	}
	_, tied := l.calls.tied[l.calls.textHash(entry.Value(row.ID))]
	row.Removable = h.alone && len(row.Children) == 0 && !duplicated[n] && !tied
	if l.t.Straight() {
		row.ID, row.Parent = record.Raw(l.t.RawID(n)), record.Raw(l.t.RawParent(n))
	}
	return row
}
