package dialect

import (
	"bytes"
	"fmt"
	"slices"

	"jl/internal/entry"
)

// copilotSilent are the types of Copilot's events that say nothing to a reader, or what others say, too. Groups that also have
// events with words are named event by event.
var copilotSilent = []string{
	"assistant.fusion_*", "assistant.idle", "assistant.intent", "assistant.message_*", "assistant.reasoning_delta", "assistant.server_tool_progress",
	"assistant.streaming_delta", "assistant.tool_call_delta", "assistant.turn_*", "assistant.usage",
	"factory.*", "hook.progress", "hook.start", "session.auto*", "session.background_tasks_changed", "session.binary_asset", "session.canvas*",
	"session.compaction_start", "session.completion_receipt", "session.context_*", "session.custom_*", "session.extensions*", "session.fusion_*", "session.idle",
	"session.info", "session.limits_changed", "session.managed_settings_*", "session.mcp_*", "session.mode_*", "session.model_deselected", "session.permission*",
	"session.plan_changed", "session.reasoning_*", "session.remote_steerable_changed", "session.schedule_*", "session.session_limits_changed", "session.skills_loaded",
	"session.snapshot_rewind", "session.task_complete", "session.title_changed", "session.todos_changed", "session.tools_updated", "session.truncation",
	"session.usage_*", "session.verbosity_changed", "session.workspace_file_changed", "session_limits_exhausted*", "subagent.completed", "subagent.configured",
	"subagent.deselected", "subagent.selected", "subagent.started", "system.message", "tool.execution_partial_result", "tool.execution_progress", "tool.execution_start",
	"tool_search*", "auto_mode*", "capabilities*", "command.*", "commands.*", "elicitation*", "exit_plan_mode*", "external_tool*", "human_response.*", "mcp*", "model.*",
	"pending*", "permission.*", "sampling*", "skill.*", "ui.*", "user_input.*", "user_input_*",
}

// copilotSays tells what an event of Copilot CLI says. Older releases log the output of each message, and the tokens of a run at
// its end; newer ones the tokens of each request, and at the end those of all runs.
func copilotSays(e *entry.Entry, t *Telling) {
	d := entry.FieldsOf(e.Member("data"))
	t.Agent = e.Member("agentId").NonEmpty()
	switch typ := e.Get(entry.Type); string(typ.Text()) {
	case "user.message":
		copilotPrompt(d, t)
	case "assistant.message":
		copilotMessage(d, e, t)
	case "assistant.reasoning":
		t.say(Thing{Is: Thinking, Text: d.Get("content"), Unsure: true})
	case "tool.user_requested":
		t.say(Thing{Is: Shell, Input: d.Get("arguments").Member("command"), Text: quoted("")})
	case "tool.execution_complete":
		copilotResult(d, t)
	case "hook.end":
		copilotHook(d, t)
	case "system.notification":
		t.text(Context, d.Get("content"))
	case "subagent.failed":
		t.text(Failure, d.Get("error"))
	case "abort":
		t.aborted(d.Get("reason"))
	case "result": // the end of what copilot --output-format json prints
		t.Session = e.Get(entry.SessionID)
	default:
		if !copilotSession(d, e, t) && !matches(typ, copilotSilent) {
			t.unreadEntry(typ)
		}
	}
}

// copilotSession tells what an event about the session says. It reports false if it does not know the event.
func copilotSession(d entry.Fields, e *entry.Entry, t *Telling) bool {
	switch string(e.Get(entry.Type).Text()) {
	case "session.start", "session.resume":
		s := copilotTold.session(e)
		t.Session, t.Cwd, t.Branch, t.Model = s.ID, s.Cwd, s.Branch, s.Model
		t.say(Thing{Is: Setting, Model: s.Model})
	case "session.model_change":
		t.Model = d.Get("newModel").NonEmpty()
		t.say(Thing{Is: Setting, Model: t.Model})
	case "session.compaction_complete":
		if string(d.Get("success")) == "true" {
			t.compaction(nil, d.Get("summaryContent"))
		} else {
			t.words(Failure, d.Get("error"))
			t.words(Summary, d.Get("summaryContent"))
		}
		if u := d.Get("compactionTokensUsed"); u.IsObject() {
			t.record(u, Thing{Message: e.Get(entry.ID), Model: u.Member("model").NonEmpty()})
		}
	case "session.handoff":
		t.say(Thing{Is: Summary, Text: lines(d.Get("summary"), d.Get("context")), Alone: true})
	case "session.error", "session.warning":
		t.text(Failure, d.Get("message"))
	case "session.usage_record":
		u := d.Get("usage")
		t.record(u, Thing{Message: First(u.Member("apiCallId"), e.Get(entry.ID)), Model: u.Member("model")})
	case "session.shutdown":
		t.words(Failure, d.Get("errorReason"))
		if d.Get("accountingSnapshot") == nil {
			t.totals(d.Get("modelMetrics"), OfRun, true, func(v entry.Value) entry.Value { return v.Member("usage") })
		}
		t.copilotBill(d)
	default:
		return false
	}
	return true
}

// copilotPrompt tells a message in the name of the user, whose source says who wrote it.
func copilotPrompt(d entry.Fields, t *Telling) {
	switch source := d.Get("source"); {
	case hasPrefix(source, "agent-"):
		t.prompt(d.Get("content"), Thing{Untyped: true})
	case !source.IsEmpty() && !source.Is("user"), d.Get("isAutopilotContinuation").Truthy(): // of a skill, a schedule, the system or the like
		t.text(Context, d.Get("content"))
	default:
		t.prompt(d.Get("content"), Thing{Media: pictures(d.Get("attachments"))})
	}
}

// copilotResult tells the result of a call, or of a command that the user asked for. A result that has neither a text nor the contents that
// a tool returned has words in a form that no rule reads.
func copilotResult(d entry.Fields, t *Telling) {
	result := d.Get("result")
	isFailure := string(d.Get("success")) == "false" || failed(d.Get("shellExecution").Member("exitCode"))
	if string(d.Get("isUserRequested")) == "true" {
		t.say(Thing{Is: Shell, Text: First(d.Get("error").Member("message"), result.Member("content"), quoted("")), Failed: isFailure})
		return
	}
	detailed := result.Member("detailedContent")
	if !bytes.Contains(detailed, []byte("@@ -")) {
		detailed = nil
	}
	text := First(d.Get("error").Member("message"), d.Get("error"), result.Member("content"), result.Member("contents"))
	t.say(Thing{Is: Result, Call: d.Get("toolCallId"), Text: text, Diff: detailed, Split: true, Failed: isFailure})
	if b := BlockOf(result); text == nil && b.rest {
		t.unread("result of", "tool.execution_complete")
	}
}

// copilotHook tells what a hook said, or that it failed or did nothing else.
func copilotHook(d entry.Fields, t *Telling) {
	x := Thing{Is: Fired, Name: d.Get("hookType"), Text: First(d.Get("error").Member("message"), d.Get("output")), Failed: string(d.Get("success")) == "false"}
	if x.Text != nil || x.Failed {
		x.Is = Hook
	}
	t.say(x)
}

// copilotBill adds what Copilot counted in a run. It counts in units of its own, and not in dollars.
func (t *Telling) copilotBill(d entry.Fields) {
	changes := d.Get("codeChanges")
	bill := Thing{Is: Bill, Bill: &Counted{Added: changes.Member("linesAdded"), Removed: changes.Member("linesRemoved"), Millis: d.Get("totalApiDurationMs")}}
	for _, v := range d.Get("modelMetrics").Members() {
		var n counts
		t.count(v.Member("usage"), &n, 0)
		bill.Tokens = bill.Tokens.Plus(n.tokens(true))
	}
	if bill.Tokens != (Tokens{}) || changes.IsObject() {
		t.say(bill)
	}
}

// copilotMessage tells what a message of the model says.
func copilotMessage(d entry.Fields, e *entry.Entry, t *Telling) {
	id, model := First(d.Get("apiCallId"), d.Get("messageId"), e.Get(entry.ID)), d.Get("model").NonEmpty()
	if thought := d.Get("reasoningText").NonEmpty(); thought != nil {
		t.say(Thing{Is: Thinking, Text: thought, Model: model, Message: id})
	}
	t.blocks(d.Get("content"), model, id)
	for v := range d.Get("toolRequests").Elements() {
		t.say(Thing{Is: Call, Call: v.Member("toolCallId"), Name: v.Member("name"), Input: v.Member("arguments"), Model: model, Message: id})
	}
	if n, ok := d.Get("outputTokens").Int(); ok {
		t.say(Thing{Is: Usage, Message: id, Model: model, Tokens: Tokens{Output: n}})
	}
}

// pictures returns the pictures among attachments as an array, nil if there is none.
func pictures(attachments entry.Value) entry.Value {
	var out entry.Value
	for v := range attachments.Elements() {
		if hasPrefix(First(v.Member("mimeType"), v.Member("mediaType")), "image/") || v.Member("type").Is("image") {
			out = append(append(out, ','), v...)
		}
	}
	if out == nil {
		return nil
	}
	out[0] = '['
	return append(out, ']')
}

// piSilent are the types of pi's entries, and of the events that pi --mode json prints, that say nothing, or what others say.
var piSilent = []string{
	"active_tools_change", "agent_end", "agent_start", "agent_settled", "auto_retry_*", "compaction_start", "context_edit", "custom", "label", "leaf",
	"message_start", "message_update", "queue_update", "session_info", "session_info_changed", "thinking_level_change*", "tool_execution_*", "turn_end", "turn_start", "turn_ended",
}

// piSays tells what an entry of pi says, or an event that pi --mode json prints, in which message_end has all of a message.
func piSays(e *entry.Entry, t *Telling) {
	switch typ := e.Get(entry.Type); string(typ.Text()) {
	case "session", "session_start":
		t.Session, t.Cwd = First(e.Get(entry.ID), e.Get(entry.SessionID)), e.Member("cwd").NonEmpty()
		t.say(Thing{Is: Setting})
	case "model_change":
		t.Model = e.Member("modelId").NonEmpty()
		t.say(Thing{Is: Setting, Model: t.Model})
	case "compaction":
		t.compaction(e.Bytes, e.Get(entry.Summary))
		t.usage(e.Member("usage"), false, Thing{Message: e.Get(entry.ID), Model: e.Member("model").NonEmpty()})
	case "branch_summary":
		t.say(Thing{Is: Summary, Text: e.Get(entry.Summary), Alone: true})
		t.usage(e.Member("usage"), false, Thing{Message: e.Get(entry.ID), Model: e.Member("model").NonEmpty()})
	case "compaction_end": // of an event
		if result := e.Member("result"); result.IsObject() {
			t.compaction(result, result.Member("summary"))
		} else {
			t.words(Failure, e.Member("errorMessage"))
		}
	case "extension_error":
		t.text(Failure, e.Member("error"))
	case "custom_message":
		t.custom(entry.FieldsOf(e.Bytes))
	case "message", "message_end":
		m := entry.FieldsOf(e.Get(entry.Message))
		piMessage(m, e, t)
		for i := range t.Things {
			if e.Get(entry.Timestamp) == nil { // of an event
				t.Things[i].Time = m.Get("timestamp")
			}
		}
	case "usage": // of a request that no message comes from
		t.usage(e.Member("usage"), false, Thing{Message: e.Get(entry.ID), Model: e.Member("model").NonEmpty()})
	default:
		if !matches(typ, piSilent) {
			t.unreadEntry(typ)
		}
	}
}

func piMessage(m entry.Fields, e *entry.Entry, t *Telling) {
	switch role := m.Get("role"); string(role.Text()) {
	case "user":
		t.prompt(m.Get("content"), Thing{})
	case "assistant":
		model := m.Get("model").NonEmpty()
		id := e.Get(entry.ID)
		if at := First(e.Get(entry.Timestamp), m.Get("timestamp")); id != nil { // a fork keeps both
			id = quoted(string(id.Text()) + " " + string(bytes.Trim(at, `"`)))
		}
		t.blocks(m.Get("content"), model, id)
		t.usage(m.Get("usage"), false, Thing{Message: id, Model: model})
		if stop, cause := m.Get("stopReason"), m.Get("errorMessage").NonEmpty(); cause != nil || isAny(stop, "error", "aborted") {
			t.text(Failure, First(cause, stop))
		}
	case "toolResult":
		t.say(Thing{Is: Result, Call: m.Get("toolCallId"), Text: m.Get("content"), Failed: string(m.Get("isError")) == "true", Diff: m.Get("details").Member("patch")})
	case "bashExecution":
		t.say(Thing{Is: Shell, Input: m.Get("command"), Text: m.Get("output"), Failed: m.Get("cancelled").Truthy() || failed(m.Get("exitCode"))})
	case "hookMessage": // of version 2
		t.text(Context, m.Get("content"))
	case "custom":
		t.custom(m)
	case "system", "branchSummary", "compactionSummary":
	default:
		t.unread("message of", string(role.Text()))
	}
}

// custom tells what an extension of pi says, to the user or to the model alone.
func (t *Telling) custom(m entry.Fields) {
	if string(m.Get("display")) == "true" {
		t.say(Thing{Is: Member, Name: m.Get("customType"), Text: m.Get("content")})
	} else {
		t.text(Context, m.Get("content"))
	}
}

// deepSeekSilent are the types of DeepSeek's events that say nothing, or what others say; those of packed rows end in -chunks.
var deepSeekSilent = []string{"agent/*", "approval/*", "request/*", "session/*", "step/*", "subagent/*", "tool/*", "turn/*", "assistant/*", "user/*", "env/*", "config/*"}

// deepSeekSays tells what an event of DeepSeek Harness says.
func deepSeekSays(e *entry.Entry, t *Telling) {
	d := e.Member("data")
	switch typ := e.Get(entry.Type); string(typ.Text()) {
	case "session":
		s := deepSeekTold.session(e)
		t.Session, t.Cwd = s.ID, s.Cwd
		if s.IsAgent {
			t.Session, t.AgentOfLog = s.Parent, s.ID
		}
		t.Copied = s.Parent != nil && e.Member("seedLength").Truthy()
		t.say(Thing{Is: Setting, Call: s.ID})
	case "session/end-seed":
		t.CopyEnded = true
	case "user/message":
		switch source := d.Member("source"); {
		case source.Member("plugin").Is("compact"):
			t.compaction(nil, d.Member("content"))
		case source != nil && !source.Member("kind").Is("user"):
			t.text(Context, d.Member("content"))
		default:
			t.prompt(d.Member("content"), Thing{})
		}
	case "assistant/message":
		message := entry.FieldsOf(d.Member("message"))
		id, model := First(message.Get("id"), quoted(string(e.Member("time")))), message.Get("source").Member("model").NonEmpty()
		t.blocks(message.Get("content"), model, id)
		t.usage(d.Member("usage"), true, Thing{Message: id, Model: model})
	case "tool/result":
		t.blocks(d.Member("message").Member("content"), nil, nil)
	default:
		if !matches(typ, deepSeekSilent) && !bytes.HasSuffix(typ.Text(), []byte("-chunks")) {
			t.unreadEntry(typ)
		}
	}
}

// grokSilent are the updates of Grok Build that say nothing to a reader.
var grokSilent = []string{"", "plan", "available_commands_update", "current_mode_update", "usage_update", "session_info_update", "background_tasks"}

// grokSays tells what an update of Grok Build says. A text comes in pieces.
func grokSays(e *entry.Entry, t *Telling) {
	u := entry.FieldsOf(grokUpdate(e))
	t.Session = e.Member("params").Member("sessionId").NonEmpty()
	switch kind := u.Get("sessionUpdate"); string(kind.Text()) {
	case "user_message_chunk":
		meta := u.Get("_meta")
		if meta.Member("hostTurn").Truthy() {
			t.text(Context, u.Get("content"))
		} else {
			t.say(Thing{Is: Prompt, Text: u.Get("content"), Piece: true, Message: meta.Member("promptIndex")})
		}
	case "agent_message_chunk":
		t.say(Thing{Is: Answer, Text: u.Get("content"), Piece: true})
	case "agent_thought_chunk":
		t.say(Thing{Is: Thinking, Text: u.Get("content"), Piece: true})
	case "tool_call":
		t.say(Thing{Is: Call, Call: u.Get("toolCallId"), Name: First(u.Get("title"), u.Get("kind")), Input: u.Get("rawInput")})
	case "tool_call_update":
		t.Cwd = u.Get("rawOutput").Member("current_dir").NonEmpty() // of a shell
		if status := u.Get("status"); status.Is("completed") || status.Is("failed") {
			grokResult(u, status.Is("failed"), t)
		}
	case "compaction_checkpoint":
		t.say(Thing{Is: Compaction})
	case "rewind_marker":
		t.say(Thing{Is: Undone})
	case "turn_completed":
		grokUsage(u, t)
	default:
		if !matches(kind, grokSilent[1:]) && len(kind.Text()) > 0 {
			t.unread("update", string(kind.Text()))
		}
	}
}

// grokResult tells the result of a call, and what it changed: the content has a part of the file, before and after, and the
// output what the model was told.
func grokResult(u entry.Fields, isFailure bool, t *Telling) {
	out := u.Get("rawOutput")
	text, changes := First(u.Get("content"), out), entry.Value(nil)
	isFailure = isFailure || failed(out.Member("exit_code"))
	for v := range u.Get("content").Elements() {
		if v.Member("type").Is("diff") {
			changes, text = grokChanges(changes, v), grokReply(out)
		}
	}
	if changes != nil {
		t.ended(u.Get("toolCallId"), isFailure, append(changes, ']'))
	}
	t.say(Thing{Is: Result, Call: u.Get("toolCallId"), Text: First(text, quoted("")), Failed: isFailure})
}

// grokReply returns what Grok tells the model of an edit, nil if it has no words.
func grokReply(out entry.Value) entry.Value {
	for _, v := range out.Members() {
		if told := First(v.Member("tool_output_for_prompt"), v.Member("message")); told != nil {
			return told
		}
	}
	return First(out.Member("output_for_prompt"))
}

// grokChanges adds the edits of a file to an array of changes that is not closed. The text of an edit may end inside of a line, and what
// follows on that line is not told; at the end of a file it cannot be seen whether anything does.
func grokChanges(changes, diff entry.Value) entry.Value {
	add := func(line, to int64, before, after entry.Value) {
		if changes == nil {
			changes = entry.Value{'['}
		} else {
			changes = append(changes, ',')
		}
		changes = fmt.Appendf(changes, `{"path":%s,"kind":"update"`, diff.Member("path"))
		if before != nil {
			changes = fmt.Appendf(changes, `,"line":%d,"to":%d,"before":%s,"after":%s`, line, to, before, after)
		}
		changes = append(changes, '}')
	}
	for v := range diff.Member("_meta").Member("details").Elements() {
		m := entry.FieldsOf(v)
		above, prefix, below := m.Get("context_before").Text(), m.Get("line_prefix").Text(), m.Get("context_after").Text()
		old, now := m.Get("old_string").Text(), m.Get("new_string").Text()
		isWhole := len(old) == 0 && len(above)+len(below) == 0 || bytes.HasSuffix(old, []byte("\n")) && (len(now) == 0 || bytes.HasSuffix(now, []byte("\n")))
		line, ok := m.Get("old_line").Int()
		to, hasTo := m.Get("new_line").Int()
		if !ok || !hasTo || !isWhole {
			add(0, 0, nil, nil)
			continue
		}
		lines := int64(bytes.Count(above, []byte("\n")))
		text := func(edited []byte) entry.Value { return quoted(string(slices.Concat(above, prefix, edited, below))) }
		add(line-lines, to-lines, text(old), text(now))
	}
	return changes
}

// grokUsage tells the tokens of a turn, by model.
func grokUsage(u entry.Fields, t *Telling) {
	usage, turn := u.Get("usage"), string(u.Get("prompt_id").Text())
	n := 0
	for model, v := range usage.Member("modelUsage").Members() {
		id := turn
		if n++; n > 1 {
			id = fmt.Sprintf("%s %d", turn, n)
		}
		t.usage(v, true, Thing{Message: quoted(id), Model: model})
	}
	if n == 0 {
		t.usage(usage, true, Thing{Message: quoted(turn)})
	}
}

// openCodeSays tells what a line says that opencode run --format json prints.
func openCodeSays(e *entry.Entry, t *Telling) {
	t.Session = e.Member("sessionID").NonEmpty()
	p := entry.FieldsOf(e.Member("part"))
	switch typ := e.Get(entry.Type); {
	case typ.Is("text"):
		t.text(Answer, p.Get("text"))
	case typ.Is("reasoning"):
		t.text(Thinking, p.Get("text"))
	case typ.Is("tool_use"):
		state := p.Get("state")
		name, isInvalid := p.Get("tool"), p.Get("tool").Is("invalid") // a call that OpenCode could not make, under a name of its own
		if isInvalid {
			name = First(state.Member("input").Member("tool").NonEmpty(), name)
		}
		t.say(Thing{Is: Call, Time: state.Member("time").Member("start"), Call: p.Get("callID"), Name: name, Input: state.Member("input")})
		if status := state.Member("status"); status.Is("completed") || status.Is("error") {
			meta := state.Member("metadata")
			t.say(Thing{
				Is: Result, Call: p.Get("callID"), Text: First(state.Member("error"), state.Member("output")), Diff: First(meta.Member("filediff").Member("patch"), meta.Member("diff")),
				Failed: isInvalid || status.Is("error") || failed(meta.Member("exit")),
			})
		}
	case typ.Is("step_finish"):
		t.usage(p.Get("tokens"), false, Thing{Message: p.Get("id")})
		if n := len(t.Things); n > 0 {
			t.costs(p.Get("cost"), t.Things[n-1].Tokens)
		}
	case typ.Is("error"):
		cause := e.Member("error")
		t.text(Failure, First(cause.Member("data").Member("message"), cause.Member("message"), cause.Member("name"), cause))
	case typ.Is("step_start"):
	default:
		t.unreadEntry(typ)
	}
}
