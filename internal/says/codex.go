package says

import (
	"bytes"
	"slices"
	"strings"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/shape"
)

var codex = agent{
	tells:   []string{`_meta"`, `_context`},
	about:   codexAbout,
	says:    codexSays,
	refuses: codexRefusals,
}

func codexAbout(e *entry.Entry) Session {
	if dialect.IsOldCodex(e) {
		return Session{ID: e.Get(entry.ID), Branch: e.Member("git").Member("branch").NonEmpty()}
	}
	if e.Get(entry.Type).Is("message") {
		return Session{Cwd: oldCodexCwd(e)}
	}
	isMeta := e.Get(entry.Type).Is("session_meta")
	if !isMeta && !e.Get(entry.Type).Is("turn_context") {
		return Session{}
	}
	p := entry.FieldsOf(e.Member("payload")) // in one pass, because the instructions for the model are long
	s := Session{Cwd: p.Get("cwd").NonEmpty()}
	if !isMeta {
		s.Model = p.Get("model").NonEmpty()
		return s
	}
	s.ID, s.Branch, s.Entrypoint = p.Get("id").NonEmpty(), p.Get("git").Member("branch").NonEmpty(), p.Get("source").NonEmpty()
	base := dialect.BaseOf(p)
	s.Base, s.Before, s.Above = base.Thread, base.Log, base.Above
	sub := p.Get("source").Member("subagent")
	for _, v := range []entry.Value{p.Get("parent_thread_id"), sub.Member("thread_spawn").Member("parent_thread_id"), p.Get("forked_from_id")} {
		if s.Parent == nil {
			s.Parent = v.NonEmpty()
		}
	}
	s.IsAgent = (sub != nil || p.Get("thread_source").Is("subagent")) && s.Parent != nil
	return s
}

// codexSays tells what an entry of a rollout of Codex says. Codex tells prompts and answers twice: prompts count as
// they are in event_msg, and answers as they are in response_item.
func codexSays(e *entry.Entry, t *Telling) {
	p := entry.FieldsOf(e.Member("payload"))
	kind := string(p.Get("type").Text())
	switch typ := string(e.Get(entry.Type).Text()); typ {
	case "session_meta":
		s := codexAbout(e)
		t.Session, t.Cwd, t.Branch = s.ID, s.Cwd, s.Branch
		if s.IsAgent {
			t.Session, t.AgentOfLog = s.Parent, s.ID
		}
		t.say(Thing{Is: Setting, Call: s.ID, Again: s.Parent != nil && s.Base == nil})
	case "turn_context":
		t.Cwd, t.Model = p.Get("cwd").NonEmpty(), p.Get("model").NonEmpty()
		t.say(Thing{Is: Setting, Model: t.Model})
	case "compacted":
		t.compaction(nil, p.Get("message"))
	case "token_usage_record":
		t.usage(p.Get("usage"), true, Thing{Message: p.Get("response_id"), Counter: sum(p.Get("thread_token_usage"))})
	case "event_msg":
		codexEvent(kind, p, t)
	case "response_item":
		codexItem(kind, p, t)
	case "world_state", "inter_agent_communication", "inter_agent_communication_metadata":
	default:
		if e.Member("payload") == nil { // as releases before September 2025 write
			anySays(e, t)
		} else {
			t.unread("entry", typ)
		}
	}
}

// codexQuiet are the kinds of events that say nothing, or what items say, too.
var codexQuiet = []string{
	"agent_message", "agent_reasoning_section_break", "background_event", "context_compacted", "deprecation_notice", "exited_review_mode",
	"model_reroute", "plan_update", "raw_response_item", "session_configured", "skills_update_available", "sub_agent_activity", "thread_*", "turn_diff",
	"undo_completed", "view_image_tool_call", "world_state*", "mcp_startup*",
}

func codexEvent(kind string, p entry.Fields, t *Telling) {
	switch kind {
	case "user_message":
		t.Sure = true
		t.prompt(p.Get("message"), Thing{Media: joined(p.Get("images"), p.Get("local_images"))})
	case "agent_reasoning", "agent_reasoning_raw_content": // its item comes next, unless the turn is aborted
		t.say(Thing{Is: Thinking, Text: p.Get("text"), Unsure: true})
	case "entered_review_mode":
		if asked := p.Get("target").Member("instructions").NonEmpty(); asked != nil {
			t.text(Prompt, asked)
		} else {
			t.words(Context, p.Get("prompt"))
		}
	case "item_completed":
		codexCompleted(p.Get("item"), t)
	case "token_count":
		info := p.Get("info")
		t.usage(info.Member("last_token_usage"), true, Thing{Counter: sum(entry.First(info.Member("total_token_usage"), info))})
	case "error", "stream_error", "warning":
		t.text(Failure, p.Get("message"))
	case "turn_aborted":
		t.aborted(p.Get("reason"))
	case "task_complete", "turn_complete":
		if cause := entry.First(p.Get("error")); cause != nil {
			t.text(Failure, entry.First(cause.Member("message"), cause))
		}
	case "task_started", "turn_started":
		t.Asker = shape.Client
		if turn := p.Get("turn_attribution"); turn.IsObject() && entry.First(turn.Member("parent_turn_id")) == nil {
			t.Asker = shape.Person
		}
	case "patch_apply_end":
		t.ended(p.Get("call_id"), string(p.Get("success")) == "false", p.Get("changes"))
	case "exec_command_end":
		if p.Get("source").Is("user_shell") {
			t.shell(p.Get("command"), entry.First(p.Get("aggregated_output").NonEmpty(), p.Get("stdout")), p.Get("exit_code"))
		} else {
			t.ended(p.Get("call_id"), failed(p.Get("exit_code")) || isAny(p.Get("status"), "failed", "declined"), nil)
		}
	case "mcp_tool_call_end":
		result := p.Get("result")
		t.ended(p.Get("call_id"), result.Member("Err") != nil || isErrorOf(result.Member("Ok")), nil)
	default:
		if !matches(p.Get("type"), codexQuiet) && !isStep(kind) {
			t.unread("event", kind)
		}
	}
}

// isStep reports whether an event only says how far something is.
func isStep(kind string) bool {
	for _, end := range []string{"_begin", "_end", "_delta", "_started", "_complete", "_updated", "_update", "_request", "_response", "_completed", "_mode", "_applied"} {
		if strings.HasSuffix(kind, end) {
			return true
		}
	}
	return false
}

// codexCompleted tells what an item of newer releases says beside the response_items.
func codexCompleted(item entry.Value, t *Telling) {
	switch typ := item.Member("type"); {
	case typ.Is("UserMessage"):
		t.Sure = true
		t.prompt(item.Member("content"), Thing{})
	case typ.Is("CommandExecution") && item.Member("source").Is("user_shell"):
		t.shell(item.Member("command"), item.Member("aggregated_output"), item.Member("exit_code"))
	case isAny(typ, "FileChange", "CommandExecution", "McpToolCall", "DynamicToolCall"):
		isFailure := isAny(item.Member("status"), "failed", "declined") || string(item.Member("success")) == "false" || isErrorOf(item.Member("result"))
		t.ended(item.Member("id"), isFailure || failed(item.Member("exit_code")), item.Member("changes"))
	case matches(typ, codexItems):
	default:
		t.unread("item", string(typ.Text()))
	}
}

// isErrorOf reports whether the result of a tool of an MCP server says that it is an error.
func isErrorOf(result entry.Value) bool {
	return result.Member("isError").Truthy() || result.Member("is_error").Truthy()
}

// codexItems are the types of completed items that response_items tell.
var codexItems = []string{
	"AgentMessage", "Collab*", "ContextCompaction", "EnteredReviewMode", "ExitedReviewMode", "HookPrompt", "Image*", "Plan", "Reasoning", "Sleep", "SubAgent*", "WebSearch",
}

// shell adds a command of the user's own, which may be an array of words.
func (t *Telling) shell(command, output, code entry.Value) {
	t.say(Thing{Is: Shell, Input: commandOf(command), Text: output, Failed: failed(code)})
}

func codexItem(kind string, p entry.Fields, t *Telling) {
	switch kind {
	case "reasoning":
		t.text(Thinking, entry.First(joined(p.Get("summary"), p.Get("content")), p.Get("summary")))
	case "message":
		switch role := p.Get("role"); {
		case role.Is("assistant"):
			t.blocks(p.Get("content"), nil, p.Get("id"))
			for i := range t.Things { // it may be what the next entry calls a summary
				t.Things[i].Unsure = t.Things[i].Is == Answer
			}
		case role.Is("user"):
			if text := firstOf(p.Get("content")); !hasPrefix(text, "# AGENTS.md instructions for ") {
				t.prompt(p.Get("content"), Thing{Unsure: true})
			}
		}
	case "agent_message": // the task of a sub-agent is what the agent above it wrote
		if bytes.HasPrefix(p.Get("recipient").Text(), append(bytes.Clone(p.Get("author").Text()), '/')) {
			t.prompt(p.Get("content"), Thing{Untyped: true})
		} else {
			t.say(Thing{Is: Member, Name: p.Get("author"), Text: p.Get("content")})
		}
	case "web_search_call", "image_generation_call":
		codexServer(kind, p, t)
	case "ghost_snapshot", "compaction", "context_compaction", "compaction_trigger", "compaction_summary":
	default:
		codexCalls(kind, p, t)
	}
}

// codexCalls tells an item that is a call of a tool or the result of one, as the end of its kind says.
func codexCalls(kind string, p entry.Fields, t *Telling) {
	switch {
	case strings.HasSuffix(kind, "_call"):
		name := entry.First(p.Get("name"), p.Get("function").Member("name"))
		if name == nil {
			name = quoted(strings.TrimSuffix(kind, "_call"))
		}
		t.say(Thing{Is: Call, Call: entry.First(p.Get("call_id"), p.Get("id")), Name: name, Input: entry.First(p.Get("arguments"), p.Get("input"), p.Get("action"))})
	case strings.HasSuffix(kind, "_output"), strings.HasSuffix(kind, "_result"):
		text, failed := codexOutput(entry.First(p.Get("output"), p.Get("result"), p.Get("tools")))
		if text == nil {
			t.unread("item", kind)
		}
		t.say(Thing{Is: Result, Call: entry.First(p.Get("call_id"), p.Get("id")), Text: text, Failed: failed})
	default:
		t.unread("item", kind)
	}
}

// codexServer tells a call of a tool that runs on the server, whose result is in the answer.
func codexServer(kind string, p entry.Fields, t *Telling) {
	id := entry.First(p.Get("call_id"), p.Get("id"))
	t.say(Thing{Is: Call, Call: id, Name: quoted(strings.TrimSuffix(kind, "_call")), Input: entry.First(p.Get("action"), p.Get("revised_prompt"))})
	if id != nil {
		t.say(Thing{Is: Result, Call: id, Failed: p.Get("status").Is("failed")})
	}
}

var codexRefusals = []refusal{
	{"exec_command failed", "rejected by user", ""},
	{"exec command rejected by user", "", ""},
	{"patch rejected by user", "", ""},
}

// codexFailures begin what Codex answers for a call that has no exit code, and was not refused: it was interrupted or
// not understood.
var codexFailures = []string{
	"aborted by user", "exec_command failed", "write_stdin failed",
	"apply_patch verification failed", "failed to parse function arguments", "unsupported call: ", "unsupported custom tool call: ",
	"unable to locate image", "tool call error: ",
}

// codexOutput returns the text of an output, which may be JSON in a string or have a preamble, and whether the call
// failed.
func codexOutput(v entry.Value) (text entry.Value, isFailure bool) {
	v = shape.Object(v)
	if v.IsObject() {
		code := entry.First(v.Member("exit_code"), v.Member("metadata").Member("exit_code"))
		return entry.First(v.Member("output"), v.Member("content"), v), string(v.Member("success")) == "false" || failed(code)
	}
	if !v.IsString() {
		return v, false
	}
	raw := v[1:] // a text may be long, and these words have no escapes
	for _, words := range codexFailures {
		if bytes.HasPrefix(raw, []byte(words)) {
			return v, true
		}
	}
	for _, r := range codexRefusals {
		if _, refused := r.in(raw); refused {
			return v, true
		}
	}
	preamble, output, ok := codexPreamble(raw)
	if !ok {
		return v, false // an interrupted call, perhaps; the end of the turn tells that
	}
	code := "0"
	for _, line := range preamble {
		for _, words := range []string{"Exit code: ", "Process exited with code "} {
			if after, ok := bytes.CutPrefix(line, []byte(words)); ok {
				code = string(bytes.TrimSpace(after))
			}
		}
	}
	return append(entry.Value{'"'}, output...), code != "0"
}

// codexPreamble returns the lines that Codex writes above the output of a command, and the output, of a text inside a
// string of JSON. It reports false if the text has no such lines. The command itself, which may be the first of them,
// is left out: it can have lines that look like the others.
func codexPreamble(text []byte) (preamble [][]byte, output []byte, ok bool) {
	const newline = `\n`
	inCommand := bytes.HasPrefix(text, []byte("Command: "))
	for {
		line, rest, more := bytes.Cut(text, []byte(newline))
		isPreamble := slices.ContainsFunc(preambleLines, func(words string) bool { return bytes.HasPrefix(line, []byte(words)) })
		switch {
		case !more:
			return nil, nil, false
		case inCommand && !isPreamble: // its next line
		case string(line) == "Output:":
			return preamble, rest, true
		case !isPreamble && preamble == nil:
			return nil, nil, false
		default:
			inCommand, preamble = false, append(preamble, line)
		}
		text = rest
	}
}

// preambleLines begin the lines above an output: "Command: ", which may come first, is none of them.
var preambleLines = []string{"Chunk ID: ", "Wall time: ", "Exit code: "}

// codexExecSays tells what a line of codex exec --json says. Its usage is the total of the thread so far.
func codexExecSays(e *entry.Entry, t *Telling) {
	item := entry.FieldsOf(e.Member("item"))
	switch typ := e.Get(entry.Type); {
	case typ.Is("thread.started"):
		t.Session = e.Member("thread_id")
		t.say(Thing{Is: Setting})
	case typ.Is("turn.completed"):
		t.usage(e.Member("usage"), true, Thing{Scope: OfLog})
	case typ.Is("turn.failed"), typ.Is("error"):
		t.text(Failure, entry.First(e.Member("error").Member("message"), e.Get(entry.Message)))
	case typ.Is("turn.started"), typ.Is("item.started"), typ.Is("item.updated"):
	case !typ.Is("item.completed"):
		t.unreadEntry(typ)
	default:
		codexExecItem(item, t)
	}
}

func codexExecItem(item entry.Fields, t *Telling) {
	call := func(name string, input entry.Value) {
		t.say(Thing{Is: Call, Call: item.Get("id"), Name: quoted(name), Input: input})
	}
	switch kind := string(item.Get("type").Text()); kind {
	case "agent_message":
		t.text(Answer, item.Get("text"))
		return
	case "reasoning":
		t.text(Thinking, item.Get("text"))
		return
	case "user_message":
		t.prompt(entry.First(item.Get("text"), item.Get("content")), Thing{})
		return
	case "error":
		t.text(Failure, item.Get("message"))
		return
	case "":
		t.unread("item", "without a type")
		return
	case "command_execution":
		call("shell", objectOf("command", item.Get("command")))
	case "file_change":
		call("apply_patch", objectOf("changes", item.Get("changes")))
	case "todo_list":
		call("update_plan", objectOf("items", item.Get("items")))
	default:
		name, input := kind, entry.First(item.Get("arguments"), item.Get("query"), item.Get("prompt"))
		if tool := item.Get("tool").NonEmpty(); tool != nil {
			name = toolOf(item.Get("server"), tool)
		}
		if input == nil || input.IsString() {
			input = objectOf("query", entry.First(item.Get("query"), item.Get("prompt"), item.Get("arguments")))
		}
		call(name, input)
	}
	text := entry.First(item.Get("aggregated_output"), item.Get("error").Member("message"), item.Get("result").Member("content"), item.Get("result"))
	if states := item.Get("agents_states"); text == nil && states.IsObject() {
		var said []string
		for _, v := range states.Members() {
			if words := v.Member("message").Text(); words != nil {
				said = append(said, string(words))
			}
		}
		text = quoted(strings.Join(said, "\n"))
	}
	t.say(Thing{Is: Result, Call: item.Get("id"), Text: text, Failed: item.Get("status").Is("failed") || failed(item.Get("exit_code"))})
}

// oldCodexCwd returns the working directory in the context that a bare entry has, nil if it has none.
func oldCodexCwd(e *entry.Entry) entry.Value {
	for block := range each(e.Member("content")) {
		text := BlockOf(block).Text
		_, rest, _ := bytes.Cut(text.Text(), []byte("<environment_context>"))
		_, rest, _ = bytes.Cut(rest, []byte("<cwd>"))
		if cwd, _, found := bytes.Cut(rest, []byte("</cwd>")); found {
			return entry.AppendString(nil, bytes.TrimSpace(cwd))
		}
	}
	return nil
}
