package dialect

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"jl/internal/entry"
)

// A Kind is a kind of thing that is said or done in a log.
type Kind uint8

// The kinds, in the order in which a manual lists them.
const (
	Prompt     Kind = iota // what a person typed, or the task of a sub-agent
	Answer                 // words of the model
	Thinking               // its thoughts, where the log has them
	Call                   // of a tool
	Result                 // of a call
	File                   // a file that a call reads or changes; no entry tells it alone
	Todo                   // a change of a list of what there is to do; no entry tells it alone
	Usage                  // the tokens of a message
	Bill                   // what the client itself counted
	Failure                // an error: of a request, of a turn, of the session
	Hook                   // what a hook said, or that it failed
	Shell                  // a command of the user's own
	Task                   // how a task in the background ended
	Member                 // what another agent of a team said
	Context                // what the client said to the model in the name of the user
	Compaction             // here a compaction was
	Summary                // what a compaction wrote
	Recap                  // what the client says about the session so far
	Title                  // of the session
	Setting                // a session begins, or its model or folder changes
	Picture                // in a prompt or a result
	Fired                  // a hook that did nothing else
	Unread                 // what no rule reads
	Kinds                  // the number of kinds

	// Things that say something about others, and no more.

	Queued   // Text waits in the queue
	Unqueued // Text, or the first if it is nil, was taken from the queue
	Changes  // Told is what Call changed, file by file
)

var kindNames = [Kinds]string{
	Prompt: "prompt", Answer: "answer", Thinking: "thinking", Call: "call", Result: "result", File: "file", Todo: "todo",
	Usage: "usage", Bill: "bill", Failure: "error", Hook: "hook", Shell: "shell", Task: "task", Member: "member",
	Context: "context", Compaction: "compaction", Summary: "summary", Recap: "recap", Title: "title", Setting: "session",
	Picture: "picture", Fired: "fired", Unread: "unread",
}

// String returns the name that rows have for the kind.
func (k Kind) String() string { return kindNames[k] }

// A Thing is one thing that an entry says. Values that the entry does not tell are nil; the others are parts of the
// entry, or made of them.
type Thing struct {
	Is Kind

	// Of is the id of the message that the thing is of, and Time its time, where an entry holds several messages.
	Of, Time entry.Value

	Text    entry.Value // what was said: a string, or blocks whose texts are one text, each on lines of its own
	Media   entry.Value // more pictures than those in Text: an array
	Call    entry.Value // the id of the call that the thing is, answers or is about
	Name    entry.Value // of a tool, a hook or a member
	Input   entry.Value // of a call, as JSON or as a string that holds it; of a shell, the command
	Told    entry.Value // of a result, what the client tells of it beside Text; of changes and bills, all
	Diff    entry.Value // of a result, what it changed in one file, as a diff
	Agent   entry.Value // of a result, the id of the sub-agent that the call started
	Model   entry.Value
	Message entry.Value // the id of the message of the model; of a usage, what counts once
	What    string      // of what is not read, its name; of a hook whose entry tells no name, that

	Rank    Rank   // of a title
	Tokens  Tokens // of a usage
	Speed   entry.Value
	Counter int64 // of a usage, the tokens of all messages so far, which identify it; 0 if it has an id
	Scope   Scope // of a usage

	Failed bool // of a result, a hook, a shell or a task
	Piece  bool // Text goes on with the piece before, of the same kind
	Again  bool // an answer or a hook that may say the last one again; a result that its call may have; an unqueued text that is said again, or taken back
	Unsure bool // a prompt that another entry tells in a better form, if the log has such entries: see Telling.Sure; an answer that may be the summary of a compaction; thoughts that the next entry may tell again
	All    bool // all of the queue

	Untyped bool // a prompt that nobody typed: the client tells the model to carry out its own plan
}

// A Scope says what the tokens of a usage are those of.
type Scope uint8

const (
	OfMessage Scope = iota // of one message, of which other entries may tell more
	OfLog                  // of all messages of its session and model so far
	OfRun                  // of those since the last of its kind
	OfRequest              // of one request, which a message may tell, too, with the same figures
)

// Tokens are numbers of tokens. Input is what no cache had, and Write has all that was written to a cache.
type Tokens struct{ Input, Output, Write, Write5m, Write1h, Read int64 }

// A Telling is what one entry says, and what it tells about its session. What it does not tell is nil.
type Telling struct {
	Session, Cwd, Branch, Model entry.Value
	Agent                       entry.Value // the sub-agent that wrote the entry
	AgentOfLog                  entry.Value // the sub-agent whose log this is
	AgentType, Skill            entry.Value
	Side                        bool // on a sidechain without an agent
	Sure                        bool // the log has entries that tell prompts better than those that are Unsure

	Copied    bool // the entries from here on are a copy of another log
	CopyEnded bool // the copy ends here

	// The client may tell the conversation again from here on, with other ids.
	Anew bool

	Things []Thing

	e *entry.Entry
}

// Tell makes t what e says in a log of d. It reuses the memory of t.Things.
func (d Dialect) Tell(e *entry.Entry, t *Telling) {
	*t = Telling{Things: t.Things[:0], e: e}
	if e.HasAny(entry.Offset) && e.HasAny(entry.Length) {
		t.unread("an edge of", "jltree")
		return
	}
	if title, rank := d.Title(e); rank != NoTitle {
		t.say(Thing{Is: Title, Text: title, Rank: rank})
	}
	dialects[d].says(e, t)
}

// say adds a thing.
func (t *Telling) say(x Thing) { t.Things = append(t.Things, x) }

// text adds a thing that is no more than a text.
func (t *Telling) text(is Kind, text entry.Value) { t.say(Thing{Is: is, Text: text}) }

// compaction adds a compaction and what it wrote, if that is told.
func (t *Telling) compaction(told, summary entry.Value) {
	t.say(Thing{Is: Compaction, Told: told})
	t.words(Summary, summary)
}

// words adds a thing that is no more than a text, unless that is null or empty.
func (t *Telling) words(is Kind, text entry.Value) {
	if text = First(text); len(text) > len(`""`) {
		t.text(is, text)
	}
}

// aborted says why a turn ended before its answer.
func (t *Telling) aborted(reason entry.Value) {
	t.text(Failure, quoted("turn aborted: "+string(reason.Text())))
}

// unread says that no rule reads something: what kind of thing it is, and its name.
func (t *Telling) unread(what string, name string) {
	t.say(Thing{Is: Unread, What: what + " " + cmp.Or(name, "without a type")})
}

// unreadEntry says that no rule reads an entry of that type.
func (t *Telling) unreadEntry(kind entry.Value) { t.unread("entry", string(kind.Text())) }

// --- Blocks ---

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
}

// What returns the name of b for where it is not read.
func (b *Block) What() string { return "block " + cmp.Or(string(b.Type.Text()), "without a type") }

// BlockOf reads a block, in one pass over its members.
func BlockOf(v entry.Value) Block {
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
	if nested.IsObject() { // the call itself, under the block that has its id
		in := BlockOf(First(nested.Member("value"), nested))
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
		in := BlockOf(data)
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

// unreadBlock names a block of a new type. If it has a text, that is said, too.
func (t *Telling) unreadBlock(b *Block, words Thing) {
	if b.Text.IsString() {
		t.say(words)
	}
	t.say(Thing{Is: Unread, What: b.What()})
}

// result adds the result that a block is.
func (t *Telling) result(b *Block) {
	t.say(Thing{Is: Result, Call: b.Call, Text: b.Body, Failed: b.Failed})
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

// each yields the elements of an array, or the value itself.
func each(v entry.Value) func(yield func(entry.Value) bool) {
	if v.IsArray() {
		return v.Elements()
	}
	return func(yield func(entry.Value) bool) {
		if v != nil && string(v) != "null" {
			yield(v)
		}
	}
}

// First returns the first value that is there and is not null.
func First(values ...entry.Value) entry.Value {
	for _, v := range values {
		if v != nil && string(v) != "null" {
			return v
		}
	}
	return nil
}

// Object returns v, or the object that the string v holds as JSON, maybe on several lines: its line breaks become spaces.
func Object(v entry.Value) entry.Value {
	if !v.IsString() {
		return v
	}
	text := bytes.TrimSpace(v.Text())
	if len(text) == 0 || text[0] != '{' {
		return v
	}
	for _, b := range []byte("\r\n") {
		if bytes.IndexByte(text, b) >= 0 {
			text = bytes.ReplaceAll(text, []byte{b}, []byte{' '})
		}
	}
	if entry.Valid(text) {
		return text
	}
	return v
}

// quoted returns a text as a string of JSON.
func quoted(text string) entry.Value { return entry.AppendString(nil, []byte(text)) }

// members returns the members of an object by their names, of repeated names the last, in one pass.
func members(v entry.Value) map[string]entry.Value {
	m := map[string]entry.Value{}
	for name, v := range v.Named() {
		m[string(name)] = v
	}
	return m
}

// --- Tokens ---

// A figure is what a member of a usage counts.
type figure uint8

const (
	silent figure = iota // nothing that the others have not
	input
	output
	thoughts // part of the output, which is not in it unless total says so
	total    // of input, output and what is not in these
	read
	write
	write5m
	write1h
	nested // more members are in it
)

// figures are the names that agents have for what they count.
var figures = map[string]figure{
	"input_tokens": input, "inputTokens": input, "input_token_count": input, "promptTokenCount": input, "prompt_tokens": input, "prompt": input,
	"input": input, "inputOther": input,
	"output_tokens": output, "outputTokens": output, "output_token_count": output, "completion_tokens": output, "candidates": output,
	"candidatesTokenCount": output, "output": output,
	"thoughts": thoughts, "thoughts_token_count": thoughts, "thoughtsTokenCount": thoughts, "reasoning": thoughts,
	"cache_read_input_tokens": read, "cacheReadInputTokens": read, "cached_input_tokens": read, "cacheReadTokens": read,
	"cached_content_token_count": read, "cachedContentTokenCount": read, "cached": read, "cacheRead": read, "inputCacheRead": read, "cachedInput": read, "cached_tokens": read,
	"cache_creation_input_tokens": write, "cacheCreationInputTokens": write, "cache_write_input_tokens": write, "cacheWriteTokens": write,
	"cacheWrite": write, "inputCacheCreation": write,
	"ephemeral_5m_input_tokens": write5m, "cacheCreationEphemeral5mInputTokens": write5m,
	"ephemeral_1h_input_tokens": write1h, "cacheCreationEphemeral1hInputTokens": write1h, "cacheWrite1h": write1h,
	"read": read, "write": write, // OpenCode's, in its cache
	"cache": nested, "cache_creation": nested, "prompt_tokens_details": nested, "input_tokens_details": nested,

	"service_tier": silent, "inference_geo": silent, "server_tool_use": silent, "fallback_credit": silent, "output_tokens_details": silent,
	"total_tokens": total, "totalTokens": total, "totalTokenCount": total, "total_token_count": total, "total": total,
	"reasoning_output_tokens": silent, "tool": silent, "tool_token_count": silent, "toolUsePromptTokenCount": silent, "tool_tokens": silent,
	"webSearchRequests": silent, "costUSD": silent, "cost": silent, "cost_usd": silent, "tool_calls": silent, "logprobs": silent,
	"prompt_token_ids": silent, "completion_token_ids": silent, "extra": silent, "contextWindow": silent, "maxOutputTokens": silent, "thinkingTokens": silent,
	"completion_tokens_details": silent, "reasoningTokens": silent, "iterations": silent, "speed": silent, "type": silent, "model": silent,
	"trafficType": silent, "promptTokensDetails": silent, "candidatesTokensDetails": silent, "cacheTokensDetails": silent,
	"canonicalModel": silent, "costBasis": silent, "provider": silent, "apiCallId": silent, "duration": silent, "duration_ms": silent, "durationMs": silent, "requests": silent,
}

// tokens adds up what a usage tells. Within says that the input has what was read from a cache or written to one. A
// member that no rule reads is named.
func (t *Telling) tokens(v entry.Value, within bool) Tokens {
	var n counts
	t.count(v, &n)
	return n.tokens(within)
}

// counts are what a usage tells, by figure.
type counts [nested]int64

// tokens adds up n, in which the thoughts may be part of the output.
func (n *counts) tokens(within bool) Tokens {
	within = within || n[read]+n[write] > 0 && n[input]+n[output] == n[total]
	if all := n[input] + n[output] + n[thoughts]; n[total] > 0 && (within && all > n[total] || all+n[read]+n[write] > n[total] && !within) {
		n[thoughts] = 0
	}
	x := Tokens{Input: n[input], Output: n[output] + n[thoughts], Write: n[write], Write5m: n[write5m], Write1h: n[write1h], Read: n[read]}
	x.Write = max(x.Write, x.Write5m+x.Write1h)
	if within {
		x.Input = max(x.Input-x.Read-x.Write, 0)
	}
	if x.Write5m+x.Write1h == 0 || x.Write5m == 0 {
		x.Write5m = max(x.Write-x.Write1h, 0)
	}
	return x
}

func (t *Telling) count(v entry.Value, n *counts) {
	for name, v := range v.Named() {
		switch is, known := figures[string(name)]; {
		case !known:
			t.unread("member of a usage", string(name))
		case is == nested:
			t.count(v, n)
		case is != silent:
			if k, ok := v.Int(); ok {
				n[is] = max(n[is], k) // some tell one figure twice, once without a part of it
			}
		}
	}
}

// record adds the tokens of a request that are among other things a client notes of it: the input has what was read from a cache.
func (t *Telling) record(v entry.Value, more Thing) {
	var n counts
	for name, v := range v.Named() {
		if is, known := figures[string(name)]; known && is != silent && is != nested {
			n[is], _ = v.Int()
		}
	}
	more.Is, more.Tokens, more.Speed = Usage, n.tokens(true), v.Member("speed").NonEmpty()
	t.say(more)
}

// usage adds the tokens of a message, unless there is no usage.
func (t *Telling) usage(v entry.Value, within bool, more Thing) {
	if !v.IsObject() {
		return
	}
	more.Is, more.Tokens, more.Speed = Usage, t.tokens(v, within), v.Member("speed").NonEmpty()
	t.say(more)
}

// totals adds what a client tells of each model: an object of usages by model.
func (t *Telling) totals(v entry.Value, scope Scope, within bool, usage func(entry.Value) entry.Value) {
	for model, v := range v.Members() {
		t.usage(usage(v), within, Thing{Model: model, Scope: scope})
	}
}

func itself(v entry.Value) entry.Value { return v }

// sum returns the sum of the numbers among the members of v, or its total.
func sum(v entry.Value) (n int64) {
	if total, ok := v.Member("total_tokens").Int(); ok {
		return total
	}
	for _, v := range v.Members() {
		k, _ := v.Int()
		n += k
	}
	return n
}

// failed reports whether an exit code is there and is not zero.
func failed(code entry.Value) bool {
	if code = First(code); code == nil {
		return false
	}
	n, err := strconv.Atoi(string(code))
	return err != nil || n != 0
}

// hasPrefix reports whether a string of the log begins with some words.
func hasPrefix(v entry.Value, words string) bool { return bytes.HasPrefix(v.Text(), []byte(words)) }

// isAny reports whether v is one of some strings.
func isAny(v entry.Value, names ...string) bool { return slices.ContainsFunc(names, v.Is) }
