package says

import (
	"bytes"

	"jl/internal/entry"
)

var copilot = agent{
	tells:   []string{`.start"`, `.resume"`, `Model"`, `.message"`, `title_changed"`},
	about:   copilotAbout,
	says:    copilotSays,
	refuses: []refusal{{"The user rejected this tool call.", "", "User feedback: "}},
}

func copilotAbout(e *entry.Entry) Session {
	data := e.Member("data")
	s := Session{Model: data.Member("newModel").NonEmpty()}
	switch t := e.Get(entry.Type); {
	case t.Is("assistant.message"):
		s.Model = data.Member("model").NonEmpty()
	case t.Is("session.start"), t.Is("session.resume"):
		at := data.Member("context")
		s.ID, s.Cwd, s.Branch = data.Member("sessionId").NonEmpty(), at.Member("cwd").NonEmpty(), at.Member("branch").NonEmpty()
		s.Model = data.Member("selectedModel").NonEmpty()
	}
	return s
}

// copilotSilent are the types of Copilot's events that say nothing to a reader, or what others say, too. Groups that
// also have events with words are named event by event.
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

// copilotSays tells what an event of Copilot CLI says. Older releases log the output of each message, and the tokens of
// a run at its end; newer ones the tokens of each request, and at the end those of all runs.
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
		s := copilotAbout(e)
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
		t.record(u, Thing{Message: entry.First(u.Member("apiCallId"), e.Get(entry.ID)), Model: u.Member("model")})
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

// copilotResult tells the result of a call, or of a command that the user asked for. A result that has neither a text
// nor the contents that a tool returned has words in a form that no rule reads.
func copilotResult(d entry.Fields, t *Telling) {
	result := d.Get("result")
	isFailure := string(d.Get("success")) == "false" || failed(d.Get("shellExecution").Member("exitCode"))
	if string(d.Get("isUserRequested")) == "true" {
		t.say(Thing{Is: Shell, Text: entry.First(d.Get("error").Member("message"), result.Member("content"), quoted("")), Failed: isFailure})
		return
	}
	detailed := result.Member("detailedContent")
	if !bytes.Contains(detailed, []byte("@@ -")) {
		detailed = nil
	}
	text := entry.First(d.Get("error").Member("message"), d.Get("error"), result.Member("content"), result.Member("contents"))
	t.say(Thing{Is: Result, Call: d.Get("toolCallId"), Text: text, Diff: detailed, Split: true, Failed: isFailure})
	if b := BlockOf(result); text == nil && b.rest {
		t.unread("result of", "tool.execution_complete")
	}
}

// copilotHook tells what a hook said, or that it failed or did nothing else.
func copilotHook(d entry.Fields, t *Telling) {
	x := Thing{Is: Fired, Name: d.Get("hookType"), Text: entry.First(d.Get("error").Member("message"), d.Get("output")), Failed: string(d.Get("success")) == "false"}
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
		bill.Tokens = bill.Tokens.Plus(t.tokens(v.Member("usage"), true))
	}
	if bill.Tokens != (Tokens{}) || changes.IsObject() {
		t.say(bill)
	}
}

// copilotMessage tells what a message of the model says.
func copilotMessage(d entry.Fields, e *entry.Entry, t *Telling) {
	id, model := entry.First(d.Get("apiCallId"), d.Get("messageId"), e.Get(entry.ID)), d.Get("model").NonEmpty()
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
		if hasPrefix(entry.First(v.Member("mimeType"), v.Member("mediaType")), "image/") || v.Member("type").Is("image") {
			out = append(append(out, ','), v...)
		}
	}
	if out == nil {
		return nil
	}
	out[0] = '['
	return append(out, ']')
}
