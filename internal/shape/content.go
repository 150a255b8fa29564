package shape

import (
	"iter"

	"jl/internal/entry"
)

// A Block is one object in the content of a message. Absent members are nil.
type Block struct {
	Raw    entry.Value // the whole block
	Type   entry.Value
	ID     entry.Value // of a tool call
	Answer entry.Value // tool_use_id: the call that a tool result answers
	Name   entry.Value // of the tool that a call names
	Text   entry.Value
	Alone  bool // the content has no other element
}

// IsCall reports whether b is a call of a tool. Tools that run on the server
// (server_tool_use) have their results in the same message and are not calls.
func (b *Block) IsCall() bool { return b.Type.Is("tool_use") }

// IsResult reports whether b is the result of a call.
func (b *Block) IsResult() bool { return b.Type.Is("tool_result") }

// IsThinking reports whether b is thinking, readable or not.
func (b *Block) IsThinking() bool { return b.Type.Is("thinking") || b.Type.Is("redacted_thinking") }

// A Message is what the message of an entry holds. Absent members are nil.
type Message struct {
	ID      entry.Value
	Content entry.Value // unless it is an array
	Blocks  []Block     // of the content, if it is an array
}

// Read reads the message v, in one pass. It reuses the memory of m.
func (m *Message) Read(v entry.Value) {
	m.Walk(v.Cursor())
}

// Walk reads the message at c. If it is an object, Walk returns the cursor after it.
func (m *Message) Walk(c entry.Cursor) entry.Cursor {
	*m = Message{Blocks: m.Blocks[:0]}
	if !c.Object() {
		return c
	}
	for name := c.Name(); name != nil; name = c.Name() {
		switch string(name) {
		case "id":
			m.ID = c.Value()
		case "content":
			m.Content, m.Blocks = nil, m.Blocks[:0]
			start := c
			if c.Array() {
				for b := range blocks(&c) {
					m.Blocks = append(m.Blocks, b)
				}
				if !c.Lost() {
					break
				}
				c = start
			}
			if v := c.Value(); !v.IsArray() {
				m.Content = v
			}
		default:
			c.Value()
		}
	}
	return c
}

// Content returns the content of the message of e: a string, an array of blocks, or
// nil.
func Content(e *entry.Entry) entry.Value { return e.Get(entry.Message).Member("content") }

// Blocks yields the blocks of a content that is an array.
func Blocks(content entry.Value) iter.Seq[Block] {
	return func(yield func(Block) bool) {
		c := content.Cursor()
		if c.Array() {
			blocks(&c)(yield)
		}
	}
}

// blocks yields the objects in the array that c has stepped into.
func blocks(c *entry.Cursor) iter.Seq[Block] {
	return func(yield func(Block) bool) {
		for first := true; c.Element(); first = false {
			start := *c
			if !c.Object() {
				c.Value()
				continue
			}
			b := block(c)
			if c.Lost() { // maybe only inside of the block
				*c = start
				c.Value()
			}
			if c.Lost() {
				return
			}
			b.Raw = c.Since(start)
			rest := *c
			b.Alone = first && !rest.Element() && !rest.Lost()
			if !yield(b) {
				return
			}
		}
	}
}

// block returns the block that c has stepped into.
func block(c *entry.Cursor) Block {
	var b Block
	for name := c.Name(); name != nil; name = c.Name() {
		v := c.Value()
		switch string(name) {
		case "type":
			b.Type = v
		case "id":
			b.ID = v
		case "tool_use_id":
			b.Answer = v
		case "name":
			b.Name = v
		case "text":
			b.Text = v
		}
	}
	return b
}

// Texts yields the texts of a content: the content itself if it is a string, or the texts
// of its text blocks.
func Texts(content entry.Value) iter.Seq[entry.Value] {
	return func(yield func(entry.Value) bool) {
		if content.IsString() {
			yield(content)
			return
		}
		for b := range Blocks(content) {
			if b.Type.Is("text") && b.Text.IsString() && !yield(b.Text) {
				return
			}
		}
	}
}

// HasResult reports whether the message of e holds the result of a call.
func HasResult(e *entry.Entry) bool {
	for b := range Blocks(Content(e)) {
		if b.IsResult() {
			return true
		}
	}
	return false
}

// A ToolBlock is the call of a tool or its result, in Claude's form or pi's.
type ToolBlock struct {
	Result bool
	ID     entry.Value // of the call; any kind of value
	Tool   entry.Value // the name of the tool, nil in a result of Claude's
	Alone  bool        // the message holds nothing else
}

// ToolBlocks yields the calls and results of the entry e: Claude's tool_use blocks in
// assistant entries and tool_result blocks in user entries, pi's toolCall blocks and
// toolResult messages.
func ToolBlocks(e *entry.Entry) iter.Seq[ToolBlock] {
	return func(yield func(ToolBlock) bool) {
		var m Message
		m.Read(e.Get(entry.Message))
		m.Tools(e)(yield)
	}
}

// Tools is [ToolBlocks] of an entry whose message is m.
func (m *Message) Tools(e *entry.Entry) iter.Seq[ToolBlock] {
	return func(yield func(ToolBlock) bool) {
		v, t := e.Get(entry.Message), e.Get(entry.Type)
		result, blockType := false, "tool_use"
		switch {
		case t.Is("message") && v.Member("role").Is("assistant"):
			blockType = "toolCall"
		case t.Is("message") && v.Member("role").Is("toolResult"):
			yield(ToolBlock{Result: true, ID: v.Member("toolCallId"), Tool: v.Member("toolName"), Alone: true})
			return
		case t.Is("user"):
			result, blockType = true, "tool_result"
		case t.Is("assistant"):
		default:
			return
		}
		for _, b := range m.Blocks {
			if !b.Type.Is(blockType) {
				continue
			}
			tool := ToolBlock{Result: result, ID: b.ID, Tool: b.Name, Alone: b.Alone}
			if result {
				tool.ID = b.Answer
			}
			if !yield(tool) {
				return
			}
		}
	}
}
