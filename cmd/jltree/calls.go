package main

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"

	"jl/internal/entry"
	"jl/internal/tree"
)

// Sides of a tool call.
const (
	use = iota
	result
)

// calls matches tool calls and their results by the id of the call. What has found
// its other side takes eight bytes, so memory follows what has not.
type calls struct {
	seed    maphash.Seed
	matched map[uint64]struct{}
	open    [2]map[string]tree.Extent // by side and call: the entry that has it first
	again   map[uint64]struct{}       // open ones that another entry has, too
	torn    map[int64]struct{}        // the damaged lines with entries
	tied    map[uint64]struct{}       // the ids that entries name as logical parents
}

func newCalls() *calls {
	return &calls{
		seed:    maphash.MakeSeed(),
		matched: map[uint64]struct{}{},
		open:    [2]map[string]tree.Extent{{}, {}},
		again:   map[uint64]struct{}{},
		torn:    map[int64]struct{}{},
		tied:    map[uint64]struct{}{},
	}
}

// take takes in the calls and results of an entry. A call may be made, and answered,
// more than once: that happens when entries are written again.
func (c *calls) take(e *entry.Entry, d entry.Dialect, at tree.Extent, torn bool) {
	if torn {
		c.torn[at.Line] = struct{}{}
	}
	if id := e.Get(entry.LogicalParentUUID); !id.IsEmpty() {
		c.tied[maphash.Bytes(c.seed, id.Text())] = struct{}{}
	}
	for b := range blocks(e, d) {
		call := b.id.Same()
		hash := maphash.String(c.seed, call)
		if _, ok := c.matched[hash]; ok {
			continue
		}
		other := c.open[1-b.side]
		if _, ok := other[call]; ok {
			delete(other, call)
			c.matched[hash] = struct{}{}
		} else if first, ok := c.open[b.side][call]; !ok {
			c.open[b.side][call] = at
		} else if first != at {
			c.again[hash] = struct{}{}
		}
	}
}

// A block is a tool call or a result in the content of a message.
type block struct {
	side     int
	id, tool entry.Value // of the call, the tool's name
	alone    bool        // the message has nothing else
}

// blocks yields the tool calls and results of an entry: of Claude's tool_use and
// tool_result, of pi's toolCall blocks and toolResult messages.
func blocks(e *entry.Entry, d entry.Dialect) iter.Seq[block] {
	return func(yield func(block) bool) {
		var role, content, answers, tool entry.Value
		for name, v := range e.Get(entry.Message).Members() {
			switch {
			case name.Is("role"):
				role = v
			case name.Is("content"):
				content = v
			case name.Is("toolCallId"):
				answers = v
			case name.Is("toolName"):
				tool = v
			}
		}
		side, typ, id := use, "tool_use", "id"
		switch t := e.Get(entry.Type); {
		case d == entry.Pi && t.Is("message") && role.Is("assistant"):
			typ = "toolCall"
		case d == entry.Pi && t.Is("message") && role.Is("toolResult"):
			yield(block{side: result, id: answers, tool: tool, alone: true})
			return
		case d == entry.Claude && t.Is("user"):
			side, typ, id = result, "tool_result", "tool_use_id"
		case d == entry.Claude && t.Is("assistant"):
		default:
			return
		}
		n := 0
		for range content.Elements() {
			n++
		}
		for b := range content.Elements() {
			if b.Member("type").Is(typ) && !yield(block{side, b.Member(id), b.Member("name"), n == 1}) {
				return
			}
		}
	}
}

// unmatched reports the calls without a result and the results without a call, with
// what must be known to take them out of the log by hand.
func (k *checker) unmatched() {
	for side, finding := range []string{use: "tool_use without tool_result", result: "tool_result without tool_use"} {
		open := k.calls.open[side]
		var places []tree.Extent
		for _, at := range open {
			places = append(places, at)
		}
		slices.SortFunc(places, func(a, b tree.Extent) int { return cmp.Compare(a.Offset, b.Offset) })
		places = slices.Compact(places)
		nodes := make([]tree.Node, len(places))
		for i, at := range places {
			nodes[i] = k.t.NodeOf(at)
		}
		children := k.t.Children(nodes)
		for i, at := range places {
			k.unmatchedAt(finding, side, at, nodes[i], children[nodes[i]])
		}
	}
}

// unmatchedAt reports the unmatched calls or results of the entry at a place, which
// is that of node n, if of any.
func (k *checker) unmatchedAt(finding string, side int, at tree.Extent, n tree.Node, children []tree.Node) {
	text := k.t.Read(at)
	var dec entry.Decoder
	if count, _ := dec.Decode(text, at.Line == 1); count != 1 {
		if k.t.Err() == nil { // which is said later
			k.trouble(errors.New("the file changed while it was read"))
		}
		return
	}
	e := dec.Entry(0)
	open := k.calls.open[side]
	for b := range blocks(e, k.dialect) {
		call := b.id.Same()
		if open[call] != at || b.side != side {
			continue
		}
		delete(open, call)
		id, parent := k.dialect.IDOf(e), k.dialect.ParentOf(e)
		if k.t.Numbered() && n != tree.None {
			id, parent = k.names(n)
		}
		r := k.row(finding, at).value("id", id).value("parent", parent).
			value("call", b.id).value("tool", b.tool)
		lines := make([]entry.Value, 0, listed)
		for _, c := range children[:min(len(children), listed)] {
			lines = append(lines, fmt.Append(nil, k.t.Extent(c).Line))
		}
		_, again := k.calls.again[maphash.String(k.calls.seed, call)]
		_, torn := k.calls.torn[at.Line]
		_, tied := k.calls.tied[maphash.Bytes(k.calls.seed, k.dialect.IDOf(e).Text())]
		k.report(r.values("children", lines).bool("removable", b.alone && len(children) == 0 && n != tree.None &&
			!k.t.Repeated(n) && !again && !torn && !tied))
	}
}
