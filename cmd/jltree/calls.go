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
// call takes only eight bytes. A log may hold very many that are open, so nothing here has a
// pointer that a collection would follow.
type calls struct {
	dialect entry.Dialect
	seed    maphash.Seed
	matched map[uint64]bool
	open    [2]map[uint64]openBlock // of calls, and then of results: the first block with the id
	texts   []byte                  // of the open blocks, and of some that are matched by now
	used    int                     // how many bytes of texts are of open blocks
	torn    map[int64]bool          // the damaged lines with entries
	tied    map[uint64]bool         // the hashes of the ids that entries name as logical parents
}

// An openBlock is a call without a result so far, or a result without a call.
type openBlock struct {
	at     entry.Pos // of its entry
	index  int       // in its entry
	alone  bool      // it is all that its entry says
	again  bool      // another entry has the same call or result
	idHash uint64
	text   int    // where its values begin in texts
	ends   [4]int // where they end, counted from there: id, parent, call and tool
}

// value returns value i of b, nil if there is none.
func (c *calls) value(b *openBlock, i int) record.Raw {
	start := 0
	if i > 0 {
		start = b.ends[i-1]
	}
	if start == b.ends[i] {
		return nil
	}
	return record.Raw(c.texts[b.text+start : b.text+b.ends[i]])
}

// size returns the length of the values of b.
func (b *openBlock) size() int { return b.ends[len(b.ends)-1] }

func newCalls() *calls {
	return &calls{
		seed:    maphash.MakeSeed(),
		matched: map[uint64]bool{},
		open:    [2]map[uint64]openBlock{{}, {}},
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
			c.match(other, t.hash)
		} else if first, ok := own[t.hash]; !ok {
			own[t.hash] = c.openBlock(e, i, t)
		} else if first.at != e.Pos && !first.again {
			first.again = true
			own[t.hash] = first
		}
	}
}

func (c *calls) openBlock(e *entry.Entry, index int, t tool) openBlock {
	b := openBlock{
		at: e.Pos, index: index, idHash: c.textHash(c.dialect.IDOf(e)), alone: t.Alone, text: len(c.texts),
	}
	for i, v := range [...]entry.Value{c.dialect.IDOf(e), c.dialect.ParentOf(e), t.ID, t.Tool} {
		c.texts = record.AppendScalar(c.texts, v)
		b.ends[i] = len(c.texts) - b.text
	}
	c.used += b.size()
	return b
}

// match notes that the block with the hash is not open any more.
func (c *calls) match(open map[uint64]openBlock, hash uint64) {
	b := open[hash]
	delete(open, hash)
	c.matched[hash] = true
	const least = 64 << 10
	if c.used -= b.size(); len(c.texts) > max(2*c.used, least) {
		c.pack()
	}
}

// pack removes from texts what is not of open blocks.
func (c *calls) pack() {
	texts := make([]byte, 0, 2*c.used)
	for _, open := range c.open {
		for hash, b := range open {
			text := c.texts[b.text:][:b.size()]
			b.text = len(texts)
			texts = append(texts, text...)
			open[hash] = b
		}
	}
	c.texts = texts
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
		slices.SortFunc(open, func(a, b openBlock) int {
			return cmp.Or(cmp.Compare(a.at.Offset, b.at.Offset), cmp.Compare(a.index, b.index))
		})
		nodes := make([]tree.Node, len(open))
		for i := range open {
			nodes[i] = k.t.NodeAt(open[i].at)
		}
		children := k.t.Children(nodes)
		for i := range open {
			k.unmatchedBlock(finding, &open[i], nodes[i], children[nodes[i]])
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
	id, parent := k.calls.value(b, 0), k.calls.value(b, 1)
	if n != tree.None && k.t.Straight() {
		id, parent = record.Raw(k.t.RawID(n)), record.Raw(k.t.RawParent(n))
	}
	k.print(record.Unmatched{
		Finding: k.finding(record.Warning, finding, b.at), ID: id, Parent: parent,
		Call: k.calls.value(b, 2), Tool: k.calls.value(b, 3), Children: lines,
		Removable: b.alone && len(children) == 0 && n != tree.None && !k.t.Duplicated(n) && k.calls.removable(b),
	})
}

// removable reports whether nothing else in the log needs the entry of an open block.
func (c *calls) removable(b *openBlock) bool {
	return !b.again && !c.tied[b.idHash] && !c.torn[b.at.Line]
}
