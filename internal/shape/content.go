package shape

import (
	"bytes"
	"iter"
	"slices"
	"unicode/utf8"

	"jl/internal/entry"
)

// A Block is one object in the content of a message: a block of Claude's or pi's, or a part of
// Qwen's. Absent members are nil.
type Block struct {
	Raw   entry.Value // the whole block, nil of pi's result
	Type  entry.Value // of a part that is a call or a result, the name of its member
	ID    entry.Value // of a tool call; of a result, that of the call that it answers
	Name  entry.Value // of the tool, nil in a result of Claude's
	Text  entry.Value
	Alone bool // the content has no other element
}

var (
	partCall    = entry.Value(`"functionCall"`)
	partResult  = entry.Value(`"functionResponse"`)
	partThought = entry.Value(`"thought"`)
	partText    = entry.Value(`"text"`)
)

// IsCall reports whether b is a call of a tool, Claude's or Qwen's. Tools that run on the server
// (server_tool_use) have their results in the same message and are not calls.
func (b *Block) IsCall() bool { return b.Type.Is("tool_use") || b.Type.Is("functionCall") }

func (b *Block) isPiCall() bool { return b.Type.Is("toolCall") }

// IsResult reports whether b is the result of a call, Claude's or Qwen's.
func (b *Block) IsResult() bool { return b.Type.Is("tool_result") || b.Type.Is("functionResponse") }

// IsThinking reports whether b is thinking, readable or not.
func (b *Block) IsThinking() bool {
	return b.Type.Is("thinking") || b.Type.Is("redacted_thinking") || b.Type.Is("thought")
}

// A Message is what the message of an entry holds. Absent members are nil.
type Message struct {
	ID      entry.Value
	Content entry.Value // unless it is an array
	Blocks  []Block     // of the content or of Qwen's parts, if they are an array
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
		case "content", "parts":
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

// Content returns the content of the message of e: a string, an array of blocks or parts, or
// nil.
func Content(e *entry.Entry) entry.Value {
	m := e.Get(entry.Message)
	if content := m.Member("content"); content != nil {
		return content
	}
	return m.Member("parts")
}

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
	var answer entry.Value
	thought := false
	for name := c.Name(); name != nil; name = c.Name() {
		v := c.Value()
		switch string(name) {
		case "type":
			b.Type = v
		case "id":
			b.ID = v
		case "tool_use_id":
			answer = v
		case "name":
			b.Name = v
		case "text":
			b.Text = v
		case "functionCall":
			b.Type, b.ID, b.Name = partCall, v.Member("id"), v.Member("name")
		case "functionResponse":
			b.Type, answer, b.Name = partResult, v.Member("id"), v.Member("name")
		case "thought":
			thought = v.Truthy()
		}
	}
	if b.IsResult() {
		b.ID = answer
	} else if b.Type == nil && b.Text != nil {
		if b.Type = partText; thought {
			b.Type = partThought
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

// ToolBlocks yields the calls and results of the entry e: the calls in assistant entries, the
// results in user and tool_result entries, pi's toolCall blocks and toolResult messages.
func ToolBlocks(e *entry.Entry) iter.Seq[*Block] {
	var m Message
	m.Read(e.Get(entry.Message))
	return m.Tools(e)
}

// Tools is [ToolBlocks] of an entry whose message is m.
func (m *Message) Tools(e *entry.Entry) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		v, t := e.Get(entry.Message), e.Get(entry.Type)
		is := (*Block).IsCall
		switch {
		case t.Is("message") && v.Member("role").Is("assistant"):
			is = (*Block).isPiCall
		case t.Is("message") && v.Member("role").Is("toolResult"):
			yield(&Block{Type: partResult, ID: v.Member("toolCallId"), Name: v.Member("toolName"), Alone: true})
			return
		case t.Is("user"), t.Is("tool_result"):
			is = (*Block).IsResult
		case t.Is("assistant"):
		default:
			return
		}
		for i := range m.Blocks {
			if b := &m.Blocks[i]; is(b) && !yield(b) {
				return
			}
		}
	}
}

// notTyped are the beginnings of texts that a client put into a user entry.
var notTyped = []string{"[Request interrupted", "<command-name>", "<local-command-", "<bash-"}

// Typed reports whether a person typed the user entry e, whose message is m, as far as its beginning tells:
// it is text, also a command for the model, or a picture, and neither a result, nor a summary, nor what a client
// put in, as the entry itself or its first words tell. [Typed] looks at all of it.
func (m *Message) Typed(e *entry.Entry) bool {
	text, shown := m.Content, false
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.IsResult() {
			return false
		}
		if text == nil && b.Type.Is("text") {
			text = b.Text
		}
		shown = shown || b.Type.Is("image") || b.Type.Is("document")
	}
	if !text.IsString() && (text != nil || !shown) || e.Get(entry.IsCompactSummary).Truthy() {
		return false
	}
	if text.IsString() && (text[1] == '[' || text[1] == '<' || text[1] == '\\') && beginsWith(text, notTyped...) {
		return false
	}
	return AuthorOf(e) != Client
}

// beginsWith reports whether a text, as a log has it, begins with one of some words.
func beginsWith(text entry.Value, words ...string) bool {
	begin := text[:min(len(text), 256)].Text() // far longer than any of these, also if all of it is escaped
	return slices.ContainsFunc(words, func(word string) bool { return bytes.HasPrefix(begin, []byte(word)) })
}

// Speaks reports whether m holds more than thinking and white space.
func (m *Message) Speaks() bool {
	if m.Content.IsString() && !IsSpace(m.Content) {
		return true
	}
	for i := range m.Blocks {
		if b := &m.Blocks[i]; !b.IsThinking() && (!b.Text.IsString() || !IsSpace(b.Text)) {
			return true
		}
	}
	return false
}

// IsSpace reports whether the string v is white space to JavaScript. It reads no more of v than it must.
func IsSpace(v entry.Value) bool {
	for i := 1; i < len(v)-1; {
		if c := v[i]; c > ' ' && c < utf8.RuneSelf && c != '\\' { // as in nearly all texts
			return false
		}
		_, n := utf8.DecodeRune(v[i:])
		char := []byte(v[i : i+n])
		if v[i] == '\\' {
			n = 2
			if v[i+1] == 'u' {
				n = 6
			}
			char = entry.Value(`"` + string(v[i:min(i+n, len(v)-1)]) + `"`).Text()
		}
		if len(bytes.Trim(char, entry.SpaceJS)) > 0 {
			return false
		}
		i += n
	}
	return true
}

// ambient are the members of an entry of Claude Code that tell where it was written, and not what it says.
var ambient = []string{"gitBranch", "slug", "cwd", "version", "forkedFrom"}

// SaysTheSame reports whether two entries differ in no more than what is ambient: a client that goes on with a session
// or takes a fork back into it, or a converter, may write an entry again with another branch, folder or version.
func SaysTheSame(a, b *entry.Entry) bool {
	without := func(e *entry.Entry) []byte {
		return entry.Value(e.Bytes).Rewrite(nil, func(name, value entry.Value) entry.Value {
			if slices.ContainsFunc(ambient, name.Is) {
				return nil
			}
			return value
		})
	}
	return bytes.Equal(without(a), without(b))
}

// Object returns v, or the object that the string v holds as JSON, maybe on several lines: its line breaks become
// spaces.
func Object(v entry.Value) entry.Value {
	text := bytes.TrimSpace(v.Text())
	if len(text) == 0 || text[0] != '{' {
		return v
	}
	if bytes.ContainsAny(text, "\r\n") {
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte{'\r'}, []byte{' '}), []byte{'\n'}, []byte{' '})
	}
	if entry.Valid(text) {
		return text
	}
	return v
}
