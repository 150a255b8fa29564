package says

import (
	"bytes"
	"cmp"
	"iter"

	"jl/internal/entry"
)

// blockTypes are the names that agents have for the kinds of blocks.
var blockTypes = map[string]Kind{
	"text": Answer, "input_text": Answer, "output_text": Answer, "Text": Answer, "search_result": Answer, "resource_link": Answer,
	"refusal":    Answer,
	"compaction": Summary,
	"thinking":   Thinking, "think": Thinking, "reasoning": Thinking, "redacted_thinking": Thinking, "thought": Thinking,
	"tool_use": Call, "toolUse": Call, "tool-call": Call, "toolCall": Call, "toolRequest": Call, "tool_call": Call, "function_call": Call,
	"server_tool_use": Call, "mcp_tool_use": Call,
	"tool_result": Result, "toolResult": Result, "tool-result": Result, "toolResponse": Result, "tool_response": Result,
	"function_result": Result, "function_call_output": Result,
	"image": Picture, "input_image": Picture, "image_url": Picture, "document": Picture, "localImage": Picture, "local_image": Picture,
}

// A Block is an element of the content of a message, in the words of all agents.
type Block struct {
	Is     Kind        // Answer if it is text; Unread if its type is new
	Type   entry.Value // as the log has it
	Text   entry.Value // of text and thinking
	Call   entry.Value // the id of the call
	Name   entry.Value
	Input  entry.Value
	Body   entry.Value // of a result: its content; of a picture: where it is
	Media  entry.Value // the media type of a picture
	Failed bool

	Refused bool // of a result: the user refused the call
	rest    bool // it has members that no rule reads and that may say something
	deep    bool // more objects are in one another than are read
}

// What returns the name of b for where it is not read.
func (b *Block) What() string { return "block " + cmp.Or(string(b.Type.Text()), "without a type") }

// deepest is how many objects may be in one another that make a block: a call is in a block that has its id, in some
// logs with one more around it. Each is read in a pass of its own, so without an end the time would be quadratic in the
// depth.
const deepest = 4

// BlockOf reads a block, in one pass over its members. One with more objects in one another than any program writes is
// Unread.
func BlockOf(v entry.Value) Block { return blockIn(v, deepest) }

func blockIn(v entry.Value, left int) Block {
	if v.IsString() {
		return Block{Is: Answer, Text: v}
	}
	var m blockMembers
	if c := v.Cursor(); c.Object() {
		m.read(&c)
	}
	return m.block(left)
}

// Blocks yields the elements of the array content, and what each is as a block. It yields nothing for any other value.
// It reads an object in one pass, with no other one to find its end.
func Blocks(content entry.Value) iter.Seq2[entry.Value, Block] {
	return func(yield func(entry.Value, Block) bool) {
		c := content.Cursor()
		if !c.Array() {
			return
		}
		for c.Element() {
			start := c
			if c.Object() {
				var m blockMembers
				if m.read(&c); !c.Lost() {
					if !yield(c.Since(start), m.block(deepest)) {
						return
					}
					continue
				}
			}
			c = start // what is not well formed inside may have an end
			if v := c.Value(); v == nil || !yield(v, BlockOf(v)) {
				return
			}
		}
	}
}

// The blockMembers are the members of a block, those that a Block has and others. One of nothing but silent members
// says nothing.
type blockMembers struct {
	Block
	id, thought, data, nested, run, response entry.Value
	isThought                                bool
}

// read reads the members of the object that c has stepped into, as far as they are well formed.
func (m *blockMembers) read(c *entry.Cursor) {
	for name := c.Name(); name != nil; name = c.Name() {
		v := c.Value()
		switch string(name) {
		case "type", "kind":
			m.Type = v
		case "text", "refusal":
			m.Text = v
		case "thinking", "think", "reasoning":
			m.thought = v
		case "thought":
			m.isThought = string(v) == "true"
		case "id":
			m.id = v
		case "tool_use_id", "toolUseId", "toolUseID", "toolCallId", "tool_call_id", "call_id", "callId", "callID", "source_call_id":
			m.Call = v
		case "name", "toolName", "tool", "function_name":
			m.Name = v
		case "input", "args", "arguments", "parameters", "rawInput":
			m.Input = v
		case "content", "output", "result", "value", "source", "image_url", "path":
			m.Body = v
		case "error":
			m.Body = entry.First(m.Body, v)
		case "data":
			m.data = v
		case "mimeType", "media_type":
			m.Media = v
		case "is_error", "isError":
			m.Failed = string(v) == "true"
		case "status":
			m.Failed = m.Failed || v.Is("error") || v.Is("failed")
		case "run":
			m.run = v
		case "functionCall":
			m.Type, m.nested = entry.Value(`"function_call"`), v
		case "functionResponse":
			m.response = v
		case "inlineData", "fileData":
			m.Type = entry.Value(`"image"`)
			m.Media = v.Member("mimeType")
			m.data = entry.First(v.Member("data"), v.Member("fileUri"))
		case "function", "toolCall", "toolResult":
			m.nested = v
		default:
			m.rest = m.rest || saysMore(name, v)
		}
	}
}

// silentMembers are those of blocks that say nothing, or what others say, too.
var silentMembers = []string{"cache_control", "caller", "citations", "annotations", "signature", "thoughtSignature", "_meta", "meta", "metadata", "provider*", "index"}

// saysMore reports whether a member that no rule reads may say something.
func saysMore(name []byte, v entry.Value) bool {
	return v.Truthy() && !v.IsNumber() && string(v) != "true" && string(v) != "{}" && string(v) != "[]" && !matchesName(name, silentMembers)
}

// block puts together what the members say. Objects that are in one another may be left deep.
func (m *blockMembers) block(left int) Block {
	if m.response != nil {
		return responseOf(m.response)
	}
	if left == 0 && (m.nested.IsObject() || m.data.IsObject()) {
		return Block{Is: Unread, Type: m.Type, deep: true}
	}
	b := &m.Block
	if m.nested.IsObject() { // the call itself, under the block that has its id
		in := blockIn(entry.First(m.nested.Member("value"), m.nested), left-1)
		if in.deep {
			return Block{Is: Unread, Type: b.Type, deep: true}
		}
		b.Name, b.Input, b.Body = entry.First(b.Name, in.Name), entry.First(b.Input, in.Input), entry.First(b.Body, in.Body)
		b.Call, b.Failed = entry.First(b.Call, in.Call), b.Failed || in.Failed
		m.id = entry.First(m.id, m.nested.Member("id"))
	}
	b.Call = entry.First(b.Call, m.id)
	if b.Is = b.kind(m.nested); m.isThought {
		b.Is, b.Text = Thinking, entry.First(b.Text, m.thought)
	}
	switch {
	case b.Type.Is("redacted_thinking"): // encrypted
	case b.Is == Thinking:
		b.Text = entry.First(m.thought, b.Text, m.data)
	case b.Is == Picture && documentText(b.Body) != nil:
		b.Is = Answer
	case b.Is == Picture:
		b.Body = entry.First(b.Body, m.data)
	case m.data.IsObject() && (b.Is == Call || b.Is == Result): // Kiro's
		in := blockIn(m.data, left-1)
		if in.deep {
			return Block{Is: Unread, Type: b.Type, deep: true}
		}
		in.Is, in.Type = b.Is, b.Type
		return in
	case b.Is == Answer && b.Text == nil && m.data.IsString():
		b.Text = m.data
	case b.Is == Result && m.run.IsObject():
		b.ran(m.run)
	case b.Is == Result && bytes.HasSuffix(b.Body.Member("type").Text(), []byte("_error")): // of a tool that runs on the server
		b.Failed = true
	}
	return *b
}

// ran completes a result of Amp, which tells how its call ran.
func (b *Block) ran(run entry.Value) {
	m := entry.FieldsOf(run)
	result, cause := entry.First(m.Get("result")), entry.First(m.Get("error"))
	switch status := m.Get("status"); {
	case isAny(status, "cancelled", "rejected-by-user"):
		b.Failed, b.Refused = true, status.Is("rejected-by-user")
		b.Body = entry.First(m.Get("reason").NonEmpty(), status)
	case status.Is("error"):
		b.Failed, b.Body = true, entry.First(cause.Member("message"), cause, result, status)
	default:
		b.Failed, b.Body = failed(result.Member("exitCode")), entry.First(result.Member("output"), result, quoted(""))
	}
}

// kind returns what b is by its type, or without one by what it holds.
func (b *Block) kind(nested entry.Value) Kind {
	is, known := blockTypes[string(b.Type.Text())]
	if known {
		return is
	}
	if bytes.HasSuffix(b.Type.Text(), []byte("_tool_result")) {
		return Result
	}
	if b.Type == nil && nested.IsObject() {
		return Call
	}
	if b.Type == nil && b.Text != nil {
		return Answer
	}
	return Unread
}

// responseOf reads the result of a call as Gemini's interface has it.
func responseOf(v entry.Value) Block {
	answer := v.Member("response")
	failure := answer.Member("error")
	body := answer
	if in := entry.First(failure, answer.Member("output")); in != nil {
		body = in
	}
	return Block{Is: Result, Type: entry.Value(`"functionResponse"`), Call: v.Member("id"), Name: v.Member("name"), Body: body, Failed: failure != nil}
}

// blocks adds what the blocks of an answer are. Words of the user among them are not the model's: an entry with those
// has a role of its own.
func (t *Telling) blocks(content, model, message entry.Value) {
	if v := entry.First(content); v != nil && !v.IsArray() {
		b := BlockOf(v)
		t.block(v, &b, model, message)
	}
	for v, b := range Blocks(content) {
		t.block(v, &b, model, message)
	}
}

// block adds what v is, which was read as b.
func (t *Telling) block(v entry.Value, b *Block, model, message entry.Value) {
	switch b.Is {
	case Answer:
		t.say(Thing{Is: Answer, Text: entry.First(b.Text, v), Model: model, Message: message})
	case Thinking:
		t.say(Thing{Is: Thinking, Text: b.Text, Model: model, Message: message})
	case Call:
		t.say(Thing{Is: Call, Call: b.Call, Name: b.Name, Input: b.Input, Model: model, Message: message})
	case Result:
		t.result(b)
	case Picture:
		t.say(Thing{Is: Picture, Text: v})
	case Summary: // which the server made
		t.compaction(nil, b.Body)
	default:
		t.unreadBlock(b, Thing{Is: Answer, Text: b.Text, Model: model, Message: message})
	}
}

// unreadBlock counts a block of a new type, and adds its text if it has one.
func (t *Telling) unreadBlock(b *Block, words Thing) {
	if b.Text.IsString() {
		t.say(words)
	}
	t.say(Thing{Is: Unread, What: b.What()})
}

// result adds the result that a block is.
func (t *Telling) result(b *Block) {
	t.say(Thing{Is: Result, Call: b.Call, Name: b.Name, Text: b.Body, Failed: b.Failed, Refused: b.Refused})
	if b.Body == nil && b.rest {
		t.say(Thing{Is: Unread, What: b.What()})
	}
}

// HidesWords reports whether b, a block whose words are read as none, may have some: it is of a new type, or has
// members that no rule reads.
func (b *Block) HidesWords() bool {
	return b.Is == Unread || b.Is != Picture && b.Is != Call && b.rest
}

// prompt adds a prompt where its first words are, and the results of calls among its blocks, which some agents have
// there.
func (t *Telling) prompt(content entry.Value, more Thing) {
	more.Is, more.Text = Prompt, content
	said := content.IsString() || more.Media != nil
	if said {
		t.say(more)
	}
	for _, b := range Blocks(content) {
		if b.Is == Result {
			t.result(&b)
			continue
		}
		if !said {
			t.say(more)
			said = true
		}
		if b.Is == Unread && b.Type != nil {
			t.say(Thing{Is: Unread, What: b.What()})
		}
	}
}
