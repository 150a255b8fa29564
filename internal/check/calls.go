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

// calls matches tool calls and their results, wherever they are in the log.
type calls struct {
	seed    maphash.Seed
	matched map[tree.Hash]struct{}
	open    [2]map[tree.Hash]*block // calls and results that nothing matches so far
	scratch []byte
	tied    map[uint64]struct{} // the hashes of the ids that entries name as logical parents
}

// A block is the first call or result with its id, or one without a counterpart on its path.
type block struct {
	at     entry.Pos // of its entry
	index  int       // among the calls or results of the entry
	values []byte    // the id and parent of its entry, the id of the call and the name of the tool, each with a '\n' after it
	alone  bool      // it is all that its line says, and no other entry has it
	with   tree.Node // the counterpart on another path, or tree.None
}

func newCalls() *calls {
	return &calls{
		seed:    maphash.MakeSeed(),
		matched: map[tree.Hash]struct{}{},
		open:    [2]map[tree.Hash]*block{{}, {}},
		tied:    map[uint64]struct{}{},
	}
}

// A tool is a call or a result, with the hash of the id of the call.
type tool struct {
	shape.ToolBlock
	hash tree.Hash
}

// add adds the calls and results of e, an entry in the dialect d, whose line is torn if it is
// damaged. A call may be made, and answered, more than once: that happens when entries are written
// again.
func (c *calls) add(e *entry.Entry, d dialect.Dialect, torn bool, tools []tool) {
	if id := d.LogicalParentOf(e); !id.IsEmpty() {
		c.tied[c.textHash(id)] = struct{}{}
	}
	for i, t := range tools {
		if _, done := c.matched[t.hash]; done {
			continue
		}
		same, others := c.open[call], c.open[result]
		if t.Result {
			same, others = others, same
		}
		if others[t.hash] != nil {
			delete(others, t.hash)
			c.matched[t.hash] = struct{}{}
		} else if b := same[t.hash]; b == nil {
			same[t.hash] = c.block(e, d, i, t)
			same[t.hash].alone = t.Alone && !torn
		} else if b.at != e.Pos {
			b.alone = false
		}
	}
}

func (c *calls) textHash(id entry.Value) uint64 { return maphash.Bytes(c.seed, id.Text()) }

// block returns the block of t, which has an index among the calls or results of e.
func (c *calls) block(e *entry.Entry, d dialect.Dialect, index int, t tool) *block {
	c.scratch = c.scratch[:0]
	for _, v := range [...]entry.Value{d.IDOf(e), d.ParentOf(e), t.ID, t.Tool} {
		c.scratch = append(record.AppendScalar(c.scratch, v), '\n')
	}
	return &block{at: e.Pos, index: index, values: bytes.Clone(c.scratch), with: tree.None}
}

// unmatched reports the calls without a result and the results without a call, in the log or on
// their paths, with what a user needs to remove them from the log by hand.
func (l *Log) unmatched() {
	apart := l.apart()
	if len(l.calls.open[call])+len(l.calls.open[result])+len(apart[call])+len(apart[result]) == 0 {
		return
	}
	children := l.written.Children(l.t.Nodes())
	duplicated := map[tree.Node]bool{}
	for _, d := range l.t.Duplicates() {
		duplicated[d.Node] = true
	}
	for side, name := range [2]string{"tool_use without tool_result", "tool_result without tool_use"} {
		blocks := slices.AppendSeq(apart[side], maps.Values(l.calls.open[side]))
		slices.SortFunc(blocks, func(a, b *block) int {
			return cmp.Or(cmp.Compare(a.at.Offset, b.at.Offset), cmp.Compare(a.index, b.index))
		})
		for _, b := range blocks {
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
	if b.with != tree.None {
		with := record.At(l.t.Pos(b.with))
		row.With = &with
	}
	row.Removable = b.alone && len(row.Children) == 0 && !duplicated[n] && !tied
	if l.t.IsList() {
		row.ID, row.Parent = record.Raw(l.t.RawID(n)), record.Raw(l.t.RawParent(n))
	}
	return row
}
