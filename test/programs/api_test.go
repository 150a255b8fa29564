package programs

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A block is one part of what the model says: a text, a thought, or a call.
type block struct {
	text, thought string
	tool          string // the name of the tool that is called
	input         any    // of the call: an object; a string for a tool that takes free text
	status        int    // the request fails with this status, and nothing is said
}

// A sent is what the api answered to a request.
type sent struct {
	texts  []string
	calls  []sentCall
	tokens tokens
}

type sentCall struct{ id, name, input string }

type tokens struct{ Input, Output, CacheRead, CacheWrite int }

// A request is what a program asked the api for, and what it got; sent is nil if the request failed.
type request struct {
	path     string
	key      string // of the script that answered, "" if none did
	messages []any
	isSide   bool // it is for a title, a summary or a suggestion: it offers no tools, or asks for no step of a script
	sent     *sent
}

// An api answers by scripts and writes down each request. It speaks the protocols by which programs talk to models: Messages,
// Responses, Chat Completions and generateContent. A prompt has the key of a script in double brackets. Each request in which that
// is the last key gets the next step of the script; after the last step it gets words that say so.
type api struct {
	scripts map[string][][]block

	mu       sync.Mutex
	steps    map[string]int // how many of the steps of a script were sent
	answers  int
	requests []request
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := io.Reader(r.Body)
	switch r.Header.Get("Content-Encoding") {
	case "zstd":
		if z, err := zstd.NewReader(body); err == nil {
			defer z.Close()
			body = z
		}
	case "gzip":
		if z, err := gzip.NewReader(body); err == nil {
			body = z
		}
	}
	var q map[string]any
	if json.NewDecoder(body).Decode(&q) != nil || r.Method != http.MethodPost {
		a.list(w, r)
		return
	}
	path := r.URL.Path
	switch {
	case strings.Contains(path, "count_tokens"), strings.Contains(path, ":countTokens"):
		answer(w, http.StatusOK, map[string]any{"input_tokens": 10, "totalTokens": 10})
	case strings.HasSuffix(path, "/messages"):
		a.answer(w, path, q, "messages", anthropic)
	case strings.HasSuffix(path, "/responses"):
		a.answer(w, path, q, "input", responses)
	case strings.HasSuffix(path, "/chat/completions"):
		a.answer(w, path, q, "messages", completions)
	case strings.HasSuffix(path, "enerateContent"):
		q["stream"] = strings.Contains(path, "stream")
		a.answer(w, path, q, "contents", generateContent)
	default:
		answer(w, http.StatusNotFound, map[string]any{})
	}
}

// list answers a request that is none for words: most ask for the names of models.
func (a *api) list(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/models") {
		answer(w, http.StatusNotFound, map[string]any{})
		return
	}
	answer(w, http.StatusOK, map[string]any{"object": "list", "models": []any{}, "data": []any{
		map[string]any{"id": model, "object": "model", "created": 1, "owned_by": "jl"},
	}})
}

// model is the name of the model that speaks.
const model = "moon-1"

// A protocol returns what the api writes for some blocks, as events or as one document, and what of it counts. N is the number of the
// answer.
type protocol func(n int, q map[string]any, blocks []block) (events []event, whole map[string]any, said sent)

type event struct {
	name string // of the event, "" for none
	data any
}

func (a *api) answer(w http.ResponseWriter, path string, q map[string]any, member string, speak protocol) {
	r := request{path: path}
	r.messages, _ = q[member].([]any)
	tools, _ := q["tools"].([]any)
	r.isSide = len(tools) == 0 || strings.Contains(encode(r.messages), "generate the session_title")
	a.mu.Lock()
	a.answers++
	n, blocks := a.answers, a.next(&r)
	a.mu.Unlock()
	for _, b := range blocks {
		if b.status != 0 {
			a.record(r)
			answer(w, b.status, map[string]any{"type": "error", "error": map[string]any{"type": "invalid_request_error", "message": "the moon is down", "code": "x"}})
			return
		}
	}
	events, whole, said := speak(n, q, blocks)
	r.sent = &said
	a.record(r)
	if stream, has := q["stream"].(bool); has && !stream || !has && member != "input" {
		answer(w, http.StatusOK, whole)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		if e.name != "" {
			fmt.Fprintf(w, "event: %s\n", e.name)
		}
		if text, isText := e.data.(string); isText {
			fmt.Fprintf(w, "data: %s\n\n", text)
		} else {
			fmt.Fprintf(w, "data: %s\n\n", encode(e.data))
		}
	}
}

func (a *api) record(r request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = append(a.requests, r)
}

var keys = regexp.MustCompile(`\[\[(\w+)\]\]`)

// next returns the blocks of the step that answers r, whose key it sets.
func (a *api) next(r *request) []block {
	if r.isSide {
		return []block{{text: "a title"}}
	}
	for i := len(r.messages) - 1; i >= 0 && r.key == ""; i-- {
		if found := keys.FindAllStringSubmatch(encode(r.messages[i]), -1); found != nil {
			r.key = found[len(found)-1][1]
		}
	}
	step := a.steps[r.key]
	a.steps[r.key]++
	if script := a.scripts[r.key]; step < len(script) {
		return script[step]
	}
	r.isSide = true
	return []block{{text: "a suggestion"}}
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, encode(v))
}

// counted returns the tokens of answer n, no two of which are alike.
func counted(n int) tokens {
	return tokens{Input: 100 + n, Output: 20 + n, CacheRead: 1000 + n}
}

// say adds to said what a block is, and returns the id of its call.
func (said *sent) say(n int, b block) string {
	if b.text != "" {
		said.texts = append(said.texts, b.text)
	}
	if b.tool == "" {
		return ""
	}
	id := fmt.Sprintf("call_%d_%d", n, len(said.calls))
	input, isText := b.input.(string)
	if !isText {
		input = encode(b.input)
	}
	said.calls = append(said.calls, sentCall{id, b.tool, input})
	return id
}

type object = map[string]any

func anthropic(n int, q map[string]any, blocks []block) (events []event, whole map[string]any, said sent) {
	said.tokens = counted(n)
	said.tokens.CacheWrite = 10 + n
	usage := object{"input_tokens": said.tokens.Input, "output_tokens": said.tokens.Output, "cache_read_input_tokens": said.tokens.CacheRead, "cache_creation_input_tokens": said.tokens.CacheWrite}
	head := object{"id": fmt.Sprintf("msg_%d", n), "type": "message", "role": "assistant", "model": q["model"], "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage}
	add := func(name string, data object) {
		data["type"] = name
		events = append(events, event{name, data})
	}
	add("message_start", object{"message": head})
	stop, content := "end_turn", []any{}
	for i, b := range blocks {
		var full, start, delta object
		id := said.say(n, b)
		switch {
		case b.tool != "":
			stop = "tool_use"
			full = object{"type": "tool_use", "id": id, "name": b.tool, "input": b.input}
			start, delta = object{"type": "tool_use", "id": id, "name": b.tool, "input": object{}}, object{"type": "input_json_delta", "partial_json": encode(b.input)}
		case b.thought != "":
			full = object{"type": "thinking", "thinking": b.thought, "signature": "c2ln"}
			start, delta = object{"type": "thinking", "thinking": "", "signature": ""}, object{"type": "thinking_delta", "thinking": b.thought}
		default:
			full = object{"type": "text", "text": b.text}
			start, delta = object{"type": "text", "text": ""}, object{"type": "text_delta", "text": b.text}
		}
		content = append(content, full)
		add("content_block_start", object{"index": i, "content_block": start})
		add("content_block_delta", object{"index": i, "delta": delta})
		if b.thought != "" {
			add("content_block_delta", object{"index": i, "delta": object{"type": "signature_delta", "signature": "c2ln"}})
		}
		add("content_block_stop", object{"index": i})
	}
	add("message_delta", object{"delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": said.tokens.Output}})
	add("message_stop", object{})
	whole = object{"id": head["id"], "type": "message", "role": "assistant", "model": q["model"], "content": content, "stop_reason": stop, "stop_sequence": nil, "usage": usage}
	return events, whole, said
}

func responses(n int, q map[string]any, blocks []block) (events []event, whole map[string]any, said sent) {
	said.tokens = counted(n)
	id := fmt.Sprintf("resp_%d", n)
	head := object{"id": id, "object": "response", "created_at": 1, "status": "in_progress", "model": q["model"], "output": []any{}}
	add := func(name string, data object) {
		data["type"], data["sequence_number"] = name, len(events)
		events = append(events, event{name, data})
	}
	add("response.created", object{"response": head})
	var items []any
	for i, b := range blocks {
		var item object
		call := said.say(n, b)
		name := fmt.Sprintf("item_%d_%d", n, i)
		_, isFree := b.input.(string)
		switch {
		case b.tool != "" && isFree:
			item = object{"type": "custom_tool_call", "id": name, "call_id": call, "name": b.tool, "input": b.input, "status": "completed"}
		case b.tool != "":
			item = object{"type": "function_call", "id": name, "call_id": call, "name": b.tool, "arguments": encode(b.input), "status": "completed"}
		case b.thought != "":
			item = object{"type": "reasoning", "id": name, "summary": []any{object{"type": "summary_text", "text": b.thought}}, "encrypted_content": "ZW5j"}
		default:
			item = object{"type": "message", "id": name, "role": "assistant", "status": "completed", "content": []any{object{"type": "output_text", "text": b.text, "annotations": []any{}}}}
		}
		items = append(items, item)
		add("response.output_item.added", object{"output_index": i, "item": item})
		if b.text != "" {
			add("response.output_text.delta", object{"item_id": name, "output_index": i, "content_index": 0, "delta": b.text})
		}
		add("response.output_item.done", object{"output_index": i, "item": item})
	}
	in, out := said.tokens.Input+said.tokens.CacheRead, said.tokens.Output
	whole = object{"id": id, "object": "response", "created_at": 1, "status": "completed", "model": q["model"], "output": items, "usage": object{
		"input_tokens": in, "input_tokens_details": object{"cached_tokens": said.tokens.CacheRead},
		"output_tokens": out, "output_tokens_details": object{"reasoning_tokens": 5}, "total_tokens": in + out,
	}}
	add("response.completed", object{"response": whole})
	return events, whole, said
}

func completions(n int, q map[string]any, blocks []block) (events []event, whole map[string]any, said sent) {
	said.tokens = counted(n)
	head := func(kind string, more object) object {
		more["id"], more["object"], more["created"], more["model"] = fmt.Sprintf("chatcmpl-%d", n), kind, 1793520000+n, q["model"]
		return more
	}
	chunk := func(delta object, stop any) {
		events = append(events, event{data: head("chat.completion.chunk", object{"choices": []any{object{"index": 0, "delta": delta, "finish_reason": stop}}})})
	}
	chunk(object{"role": "assistant", "content": ""}, nil)
	message, stop, calls := object{"role": "assistant", "content": ""}, "stop", []any{}
	for _, b := range blocks {
		id := said.say(n, b)
		switch {
		case b.tool != "":
			stop = "tool_calls"
			call := object{"index": len(calls), "id": id, "type": "function", "function": object{"name": b.tool, "arguments": encode(b.input)}}
			calls = append(calls, call)
			chunk(object{"tool_calls": []any{call}}, nil)
		case b.thought != "":
			chunk(object{"reasoning_content": b.thought}, nil)
		default:
			message["content"] = b.text
			chunk(object{"content": b.text}, nil)
		}
	}
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	chunk(object{}, stop)
	in, out := said.tokens.Input+said.tokens.CacheRead, said.tokens.Output
	usage := object{
		"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out,
		"prompt_tokens_details": object{"cached_tokens": said.tokens.CacheRead}, "completion_tokens_details": object{"reasoning_tokens": 5},
	}
	events = append(events, event{data: head("chat.completion.chunk", object{"choices": []any{}, "usage": usage})}, event{data: "[DONE]"})
	whole = head("chat.completion", object{"choices": []any{object{"index": 0, "message": message, "finish_reason": stop}}, "usage": usage})
	return events, whole, said
}

func generateContent(n int, q map[string]any, blocks []block) (events []event, whole map[string]any, said sent) {
	said.tokens = counted(n)
	said.tokens.Output += 5 // thoughts
	usage := object{
		"promptTokenCount": said.tokens.Input + said.tokens.CacheRead, "candidatesTokenCount": said.tokens.Output - 5, "cachedContentTokenCount": said.tokens.CacheRead,
		"thoughtsTokenCount": 5, "totalTokenCount": said.tokens.Input + said.tokens.CacheRead + said.tokens.Output,
	}
	part := func(parts []any, more object) object {
		more["content"], more["index"] = object{"role": "model", "parts": parts}, 0
		return object{"candidates": []any{more}, "modelVersion": model, "responseId": fmt.Sprintf("g%d", n), "usageMetadata": usage}
	}
	var parts []any
	for _, b := range blocks {
		id := said.say(n, b)
		switch {
		case b.tool != "":
			parts = append(parts, object{"functionCall": object{"id": id, "name": b.tool, "args": b.input}})
		case b.thought != "":
			parts = append(parts, object{"text": "**Look**\n" + b.thought, "thought": true})
		default:
			parts = append(parts, object{"text": b.text})
		}
	}
	if config, _ := q["generationConfig"].(map[string]any); config["responseMimeType"] == "application/json" { // a side request
		said.texts = nil
		parts = []any{object{"text": encode(object{"reasoning": "x", "next_speaker": "user", "model_choice": "flash", "complexity_score": 1, "complexity_reasoning": "x", "summary": "x"})}}
	}
	for i, p := range parts {
		more := object{}
		if i == len(parts)-1 {
			more["finishReason"] = "STOP"
		}
		events = append(events, event{data: part([]any{p}, more)})
	}
	return events, part(parts, object{"finishReason": "STOP"}), said
}
