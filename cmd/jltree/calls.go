package main

import (
	"hash/maphash"
	"iter"
	"unsafe"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/list"
	"jl/internal/record"
	"jl/internal/shape"
	"jl/internal/tree"
)

// calls matches tool calls and their results by the hash of the id of the call. A matched
// call takes only eight bytes. A log may hold very many that are open, so nothing here has a
// pointer that a collection would follow.
type calls struct {
	dialect   dialect.Dialect
	seed      maphash.Seed
	matched   map[uint64]bool
	open      map[bool]map[uint64]int // of results (true) and of calls: the index in blocks of the first, by the hash of the id
	blockList                         // the open ones, and some that are matched by now
	spare     blockList               // what it was before it was packed, for its memory
	needed    int                     // how many bytes of blockList are of open blocks
	scratch   []byte
	torn      map[int64]bool  // the damaged lines with entries
	tied      map[uint64]bool // the hashes of the ids that entries name as logical parents
}

// A blockList is blocks in the order of the log.
type blockList struct {
	blocks list.List[block]
	count  int             // how many they are
	texts  list.List[byte] // of the blocks
	size   int             // how many bytes the blocks and their texts take
}

func (l *blockList) clear() {
	l.blocks.Clear()
	l.texts.Clear()
	l.count, l.size = 0, 0
}

// A block is a call or a result.
type block struct {
	at     entry.Pos // of its entry
	hash   uint64    // of the id of the call
	idHash uint64    // of the id of its entry
	text   int       // the place of its values in texts
	ends   [4]int    // where they end, counted from there: id, parent, call and tool
	result bool
	open   bool // nothing matches it so far
	alone  bool // it is all that its entry says
	again  bool // another entry has the same call or result
}

// value returns value i of b, nil if there is none.
func (c *calls) value(b *block, i int) record.Raw {
	start := 0
	if i > 0 {
		start = b.ends[i-1]
	}
	if start == b.ends[i] {
		return nil
	}
	return record.Raw(c.texts.From(b.text)[start:b.ends[i]])
}

// textSize returns the length of the values of b.
func (b *block) textSize() int { return b.ends[len(b.ends)-1] }

// size returns how many bytes b and its values take.
func (b *block) size() int { return int(unsafe.Sizeof(*b)) + b.textSize() }

func newCalls() *calls {
	return &calls{
		seed:    maphash.MakeSeed(),
		matched: map[uint64]bool{},
		open:    map[bool]map[uint64]int{false: {}, true: {}},
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
	for _, t := range tools {
		if c.matched[t.hash] {
			continue
		}
		if other, ok := c.open[!t.Result][t.hash]; ok {
			c.match(c.blocks.At(other))
		} else if first, ok := c.open[t.Result][t.hash]; !ok {
			c.keep(c.block(e, t))
		} else if b := c.blocks.At(first); b.at != e.Pos {
			b.again = true
		}
	}
}

// block returns an open block for t, which e holds, and its values.
func (c *calls) block(e *entry.Entry, t tool) (block, []byte) {
	b := block{
		at: e.Pos, hash: t.hash, idHash: c.textHash(c.dialect.IDOf(e)),
		result: t.Result, open: true, alone: t.Alone,
	}
	c.scratch = c.scratch[:0]
	for i, v := range [...]entry.Value{c.dialect.IDOf(e), c.dialect.ParentOf(e), t.ID, t.Tool} {
		c.scratch = record.AppendScalar(c.scratch, v)
		b.ends[i] = len(c.scratch)
	}
	c.needed += b.size()
	return b, c.scratch
}

// keep adds the open block b and its values.
func (c *calls) keep(b block, values []byte) {
	b.text = c.texts.Add(max(1, len(values)))
	copy(c.texts.From(b.text), values)
	*c.blocks.At(c.blocks.Add(1)) = b
	c.open[b.result][b.hash] = c.count
	c.count++
	c.size += b.size()
}

// packed is the least size in bytes for which blocks are packed: lists take some memory at once.
const packed = 1 << 20

// match notes that b is not open any more.
func (c *calls) match(b *block) {
	delete(c.open[b.result], b.hash)
	c.matched[b.hash] = true
	b.open = false
	if c.needed -= b.size(); c.size > max(2*c.needed, packed) {
		c.pack()
	}
}

// pack removes the blocks that are not open.
func (c *calls) pack() {
	c.blockList, c.spare = c.spare, c.blockList
	c.clear()
	for i := range c.spare.count {
		if b := c.spare.blocks.At(i); b.open {
			c.keep(*b, c.spare.texts.From(b.text)[:b.textSize()])
		}
	}
}

func (c *calls) textHash(id entry.Value) uint64 { return maphash.Bytes(c.seed, id.Text()) }

// unmatched reports the calls without a result and the results without a call, with what
// a user needs to remove them from the log by hand.
func (k *checker) unmatched() {
	children := k.t.Children()
	for _, result := range []bool{false, true} {
		finding := "tool_use without tool_result"
		if result {
			finding = "tool_result without tool_use"
		}
		for i := range k.calls.count {
			if b := k.calls.blocks.At(i); b.open && b.result == result {
				k.finding(record.Warning, finding, b.at, func(f record.Finding) any {
					return k.unmatchedBlock(f, b, children)
				})
			}
		}
	}
}

// unmatchedBlock returns the row about an open call or result.
func (k *checker) unmatchedBlock(f record.Finding, b *block, children func(tree.Node) iter.Seq[tree.Node]) record.Unmatched {
	n := k.t.NodeAt(b.at)
	lines := []int64{}
	for c := range children(n) {
		if len(lines) == listed {
			break
		}
		lines = append(lines, k.t.Pos(c).Line)
	}
	id, parent := k.calls.value(b, 0), k.calls.value(b, 1)
	if n != tree.None && k.t.Straight() {
		id, parent = record.Raw(k.t.RawID(n)), record.Raw(k.t.RawParent(n))
	}
	return record.Unmatched{
		Finding: f, ID: id, Parent: parent,
		Call: k.calls.value(b, 2), Tool: k.calls.value(b, 3), Children: lines,
		Removable: b.alone && len(lines) == 0 && n != tree.None && !k.t.Duplicated(n) && k.calls.removable(b),
	}
}

// removable reports whether nothing else in the log needs the entry of an open block.
func (c *calls) removable(b *block) bool {
	return !b.again && !c.tied[b.idHash] && !c.torn[b.at.Line]
}
