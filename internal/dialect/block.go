package dialect

import (
	"bytes"
	"cmp"

	"jl/internal/entry"
)

// forms are the names that agents have for the kinds of blocks.
var forms = map[string]Kind{
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
	deep   bool // more objects are in one another than are read
}

// What returns the name of b for where it is not read.
func (b *Block) What() string { return "block " + cmp.Or(string(b.Type.Text()), "without a type") }

// deepest is how many objects may be in one another that make a block: a call is in a block that has its id, in some logs with
// one more around it. Each is read in a pass of its own, so without an end the time would be quadratic in the depth.
const deepest = 4

// BlockOf reads a block, in one pass over its members. One with more objects in one another than any program writes is Unread.
func BlockOf(v entry.Value) Block { return blockIn(v, deepest) }

func blockIn(v entry.Value, left int) Block {
	var b Block
	if v.IsString() {
		return Block{Is: Answer, Text: v}
	}
	var id, thought, data, nested entry.Value
	isThought := false
	for name, v := range v.Named() {
		switch string(name) {
		case "type", "kind":
			b.Type = v
		case "text", "refusal":
			b.Text = v
		case "thinking", "think", "reasoning":
			thought = v
		case "thought":
			isThought = string(v) == "true"
		case "id":
			id = v
		case "tool_use_id", "toolUseId", "toolCallId", "tool_call_id", "call_id", "callId", "callID", "source_call_id":
			b.Call = v
		case "name", "toolName", "tool", "function_name":
			b.Name = v
		case "input", "args", "arguments", "parameters", "rawInput":
			b.Input = v
		case "content", "output", "result", "value", "source", "image_url", "path":
			b.Body = v
		case "error":
			b.Body = First(b.Body, v)
		case "data":
			data = v
		case "mimeType", "media_type":
			b.Media = v
		case "is_error", "isError":
			b.Failed = string(v) == "true"
		case "status":
			b.Failed = b.Failed || v.Is("error") || v.Is("failed")
		case "functionCall":
			b.Type, nested = entry.Value(`"function_call"`), v
		case "functionResponse":
			return responseOf(v)
		case "inlineData", "fileData":
			b.Type = entry.Value(`"image"`)
			b.Media = v.Member("mimeType")
			data = First(v.Member("data"), v.Member("fileUri"))
		case "function", "toolCall", "toolResult":
			nested = v
		}
	}
	if left == 0 && (nested.IsObject() || data.IsObject()) {
		return Block{Is: Unread, Type: b.Type, deep: true}
	}
	if nested.IsObject() { // the call itself, under the block that has its id
		in := blockIn(First(nested.Member("value"), nested), left-1)
		if in.deep {
			return Block{Is: Unread, Type: b.Type, deep: true}
		}
		b.Name, b.Input, b.Body = First(b.Name, in.Name), First(b.Input, in.Input), First(b.Body, in.Body)
		b.Call, b.Failed = First(b.Call, in.Call), b.Failed || in.Failed
		id = First(id, nested.Member("id"))
	}
	b.Call = First(b.Call, id)
	if b.Is = b.kind(nested); isThought {
		b.Is, b.Text = Thinking, First(b.Text, thought)
	}
	switch {
	case b.Type.Is("redacted_thinking"): // encrypted
	case b.Is == Thinking:
		b.Text = First(thought, b.Text, data)
	case b.Is == Picture && DocumentText(b.Body) != nil:
		b.Is = Answer
	case b.Is == Picture:
		b.Body = First(b.Body, data)
	case data.IsObject() && (b.Is == Call || b.Is == Result): // Kiro's
		in := blockIn(data, left-1)
		if in.deep {
			return Block{Is: Unread, Type: b.Type, deep: true}
		}
		in.Is, in.Type = b.Is, b.Type
		return in
	case b.Is == Answer && b.Text == nil && data.IsString():
		b.Text = data
	case b.Is == Result && bytes.HasSuffix(b.Body.Member("type").Text(), []byte("_error")): // of a tool that runs on the server
		b.Failed = true
	}
	return b
}

// kind returns what b is by its type, or without one by what it holds.
func (b *Block) kind(nested entry.Value) Kind {
	is, known := forms[string(b.Type.Text())]
	switch {
	case known:
		return is
	case bytes.HasSuffix(b.Type.Text(), []byte("_tool_result")):
		return Result
	case b.Type == nil && nested.IsObject():
		return Call
	case b.Type == nil && b.Text != nil:
		return Answer
	}
	return Unread
}

// DocumentText returns the text of a document whose source is a string or blocks, nil if it is a file.
func DocumentText(source entry.Value) entry.Value {
	switch typ := source.Member("type"); {
	case typ.Is("text"):
		return source.Member("data")
	case typ.Is("content"):
		return source.Member("content")
	}
	return nil
}

// responseOf reads the result of a call as Gemini's interface has it.
func responseOf(v entry.Value) Block {
	answer := v.Member("response")
	failure := answer.Member("error")
	body := answer
	if in := First(failure, answer.Member("output")); in != nil {
		body = in
	}
	return Block{Is: Result, Type: entry.Value(`"functionResponse"`), Call: v.Member("id"), Name: v.Member("name"), Body: body, Failed: failure != nil}
}

// blocks adds what the blocks of an answer are. Words of the user among them are not the model's: an entry with those
// has a role of its own.
func (t *Telling) blocks(content, model, message entry.Value) {
	for v := range each(content) {
		switch b := BlockOf(v); b.Is {
		case Answer:
			t.say(Thing{Is: Answer, Text: First(b.Text, v), Model: model, Message: message})
		case Thinking:
			t.say(Thing{Is: Thinking, Text: b.Text, Model: model, Message: message})
		case Call:
			t.say(Thing{Is: Call, Call: b.Call, Name: b.Name, Input: b.Input, Model: model, Message: message})
		case Result:
			t.result(&b)
		case Picture:
			t.say(Thing{Is: Picture, Text: v})
		case Summary: // which the server made
			t.compaction(nil, b.Body)
		default:
			t.unreadBlock(&b, Thing{Is: Answer, Text: b.Text, Model: model, Message: message})
		}
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
	t.say(Thing{Is: Result, Call: b.Call, Name: b.Name, Text: b.Body, Failed: b.Failed})
}

// prompt adds a prompt where its first words are, and the results of calls among its blocks, which some agents have there.
func (t *Telling) prompt(content entry.Value, more Thing) {
	more.Is, more.Text = Prompt, content
	said := content.IsString() || more.Media != nil
	if said {
		t.say(more)
	}
	for v := range content.Elements() {
		b := BlockOf(v)
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
