package check

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"iter"
	"maps"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/shape"
	"jl/internal/tree"
)

// calls matches tool calls and their results by the hash of the id of the call.
type calls struct {
	seed    maphash.Seed
	matched map[uint64]struct{}
	open    map[bool]map[uint64]*block // results (true) and calls (false) that nothing matches so far
	opened  int                        // how many blocks there were
	scratch []byte
	tied    map[uint64]struct{} // the hashes of the ids that entries name as logical parents
}

// A block is the first call or result with its id.
type block struct {
	number int       // of the block, in the order of the log
	at     entry.Pos // of its entry
	values []byte    // the id and parent of its entry, the id of the call and the name of the tool, each with a '\n' after it
	alone  bool      // it is all that its line says, and no other entry has it
}

func newCalls() *calls {
	return &calls{
		seed:    maphash.MakeSeed(),
		matched: map[uint64]struct{}{},
		open:    map[bool]map[uint64]*block{false: {}, true: {}},
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

// add adds the calls and results of e, an entry in the dialect d, whose line is torn if it is
// damaged. A call may be made, and answered, more than once: that happens when entries are written
// again.
func (c *calls) add(e *entry.Entry, d dialect.Dialect, torn bool, tools []tool) {
	if id := d.LogicalParentOf(e); !id.IsEmpty() {
		c.tied[c.textHash(id)] = struct{}{}
	}
	for _, t := range tools {
		if _, done := c.matched[t.hash]; done {
			continue
		}
		same, others := c.open[t.Result], c.open[!t.Result]
		if others[t.hash] != nil {
			delete(others, t.hash)
			c.matched[t.hash] = struct{}{}
		} else if b := same[t.hash]; b == nil {
			same[t.hash] = c.block(e, d, t, torn)
		} else if b.at != e.Pos {
			b.alone = false
		}
	}
}

func (c *calls) textHash(id entry.Value) uint64 { return maphash.Bytes(c.seed, id.Text()) }

// block returns the block of t, a call or result of e.
func (c *calls) block(e *entry.Entry, d dialect.Dialect, t tool, torn bool) *block {
	c.scratch = c.scratch[:0]
	for _, v := range [...]entry.Value{d.IDOf(e), d.ParentOf(e), t.ID, t.Tool} {
		c.scratch = append(record.AppendScalar(c.scratch, v), '\n')
	}
	c.opened++
	return &block{c.opened, e.Pos, bytes.Clone(c.scratch), t.Alone && !torn}
}

// unmatched returns the calls, or the results, that nothing matches, in the order of the log.
func (c *calls) unmatched(results bool) []*block {
	return slices.SortedFunc(maps.Values(c.open[results]), func(a, b *block) int { return cmp.Compare(a.number, b.number) })
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
		for _, b := range l.calls.unmatched(results) {
			l.report(record.Warning, name, b.at, func(f record.Finding) any {
				row := l.unmatchedRow(b, children, duplicated)
				row.Finding = f
				return row
			})
		}
	}
}

// unmatchedRow returns the row of an open block.
func (l *Log) unmatchedRow(b *block, children func(tree.Node) iter.Seq[tree.Node], duplicated map[tree.Node]bool) record.Unmatched {
	v := bytes.Split(b.values, []byte{'\n'})
	row := record.Unmatched{ID: v[0], Parent: v[1], Call: v[2], Tool: v[3], Children: []int64{}}
	n := l.t.NodeAt(b.at)
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
	row.Removable = b.alone && len(row.Children) == 0 && !duplicated[n] && !tied
	if l.t.IsList() {
		row.ID, row.Parent = record.Raw(l.t.RawID(n)), record.Raw(l.t.RawParent(n))
	}
	return row
}
