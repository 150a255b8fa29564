package says

import (
	"bytes"
	"fmt"
	"slices"

	"jl/internal/entry"
	"jl/internal/shape"
)

var claude = agent{
	tells: []string{`"sessionId"`, `"session_id"`, `"cwd"`, `Cwd"`, `itle"`},
	about: claudeAbout,
	says:  claudeSays,
	refuses: []refusal{
		{"The user doesn't want to ", "", "the user said:\n"},
		{"[Operation Cancelled] Reason: User did not allow", "", ""}, // Qwen Code
	},
}

func claudeAbout(e *entry.Entry) Session {
	s := Session{
		ID: SessionOf(e), Cwd: e.Member("cwd").NonEmpty(), Branch: e.Member("gitBranch").NonEmpty(),
		Model: e.Member("model").NonEmpty(), Parent: e.Member("parentSessionId").NonEmpty(),
	}
	switch {
	case e.Get(entry.Type).Is("relocated"):
		s.Cwd = e.Member("relocatedCwd").NonEmpty()
	case e.Get(entry.Type).Is("worktree-state"):
		at := e.Member("worktreeSession")
		s.Cwd, s.Origin = at.Member("worktreePath").NonEmpty(), at.Member("originalCwd").NonEmpty()
	}
	return s
}

// claudeSays tells what an entry of Claude Code or Qwen Code says, or one of a capture of theirs.
func claudeSays(e *entry.Entry, t *Telling) {
	t.Session = SessionOf(e)
	typ := e.Get(entry.Type)
	switch kind := string(typ.Text()); kind {
	case "user", "assistant", "system", "attachment":
		claudeConversation(kind, e, t)
	case "tool_result":
		qwenSays(e, t)
	case "progress":
		if data := e.Member("data"); data.Member("type").Is("hook_progress") {
			t.say(Thing{Is: Fired, Call: e.Member("toolUseID"), Name: data.Member("hookName"), Text: data.Member("command")})
		} else if message := data.Member("message"); data.Member("type").Is("agent_progress") {
			t.Agent, t.Report, t.Caller = data.Member("agentId").NonEmpty(), message, e.Member("parentToolUseID").NonEmpty()
		}
	case "queue-operation":
		switch content := e.Member("content"); string(e.Member("operation").Text()) {
		case "enqueue":
			t.say(Thing{Is: Queued, Text: content})
		case "remove":
			t.say(Thing{Is: Unqueued, Text: content})
		case "dequeue": // said again
			t.say(Thing{Is: Unqueued, Again: true})
		case "popAll": // taken back to be changed
			t.say(Thing{Is: Unqueued, Again: true, All: true})
		default:
			t.unread("queue-operation", string(e.Member("operation").Text()))
		}
	case "cost-state":
		t.bill(e.Bytes)
	case "result":
		captureEnds(e, t)
	case "fork-context-ref": // a copy of the call that forked the sub-agent comes next
	default:
		if !e.HasAny(entry.UUID, entry.SessionID, entry.LeafUUID, entry.MessageID) || !isSilent(typ) {
			anySays(e, t)
		}
	}
}

// MayQueue reports whether an entry may tell of the queue of prompts, which only Claude Code logs, or say a text that
// waited in it. What the model says, and reports of progress, do neither.
func MayQueue(e *entry.Entry) bool {
	typ := e.Get(entry.Type)
	return !typ.Is("assistant") && !typ.Is("progress")
}

// claudeSilent are the types of entries that say nothing, or only a title; those that end in * are the beginnings of
// types.
var claudeSilent = []string{
	"active_goal*", "ai-title", "agent-color", "agent-name", "agent-setting", "agent_metadata", "api-request*", "artifact-*", "atis-latch", "attribution-snapshot",
	"auth_status", "bridge-session", "content-replacement", "continued-in", "control_request", "control_response", "control_cancel_request",
	"conversation_reset*", "custom", "custom-title", "ended-by-model", "file-history-delta", "file-history-snapshot", "frame-link",
	"keep_alive", "last-prompt", "marble-origami-*", "mode", "permission-mode", "pr-link", "prompt_suggestion", "rate_limit_event", "relocated",
	"speculation-accept", "stream_event", "summary", "tag", "task-summary", "tool_progress", "tool_use_summary", "tools-used", "worktree-state",
}

func isSilent(typ entry.Value) bool { return matches(typ, claudeSilent) }

// claudeConversation tells what an entry of the conversation says.
func claudeConversation(kind string, e *entry.Entry, t *Telling) {
	var told, attachment, rendered, content, cause, model, mode entry.Value
	isError, onlyShown := false, false
	for name, v := range e.Named() {
		switch string(name) {
		case "cwd":
			t.Cwd = v
		case "gitBranch":
			t.Branch = v.NonEmpty()
		case "agentId":
			t.Agent = v.NonEmpty()
		case "attributionAgent", "subagent_type":
			t.AgentType = v.NonEmpty()
		case "attributionSkill":
			t.Skill = v.NonEmpty()
		case "attributionMcpServer":
			t.Server = v.NonEmpty()
		case "toolUseResult", "tool_use_result":
			told = v
		case "attachment":
			attachment = v
		case "rendered":
			rendered = v
		case "content":
			content = v
		case "isApiErrorMessage":
			isError = v.Truthy()
		case "isVisibleInTranscriptOnly":
			onlyShown = v.Truthy()
		case "parent_tool_use_id":
			t.Caller = v.NonEmpty()
		case "permissionMode":
			mode = v.NonEmpty()
		case "error":
			cause = v
		case "model":
			model = v
		case "systemPayload":
			qwenSays(e, t)
			return
		}
	}
	t.Sidechain = t.Agent == nil && (e.Get(entry.IsSidechain).Truthy() || t.Caller != nil)
	switch kind {
	case "user":
		t.user(e, onlyShown, told)
		for i := range t.Things {
			t.Things[i].Mode = mode
		}
	case "assistant":
		t.answer(e, isError, content, cause)
	case "attachment":
		t.attachment(attachment, rendered)
	default:
		t.system(e, content, cause, model)
	}
}

// user tells what an entry in the name of the user says.
func (t *Telling) user(e *entry.Entry, onlyShown bool, told entry.Value) {
	content := e.Get(entry.Message).Member("content")
	if content == nil {
		qwenSays(e, t)
		return
	}
	if e.Get(entry.IsCompactSummary).Truthy() {
		t.text(Summary, content)
		return
	}
	if onlyShown {
		return
	}
	t.promptBy(shape.MarksOf(e), content)
	results := 0
	for i := range t.Things {
		if x := &t.Things[i]; x.Is == Result {
			x.Extra, x.Agent = told, told.Member("agentId").NonEmpty()
			results++
		}
	}
	for i := range t.Things {
		t.Things[i].Shared = results > 1 && t.Things[i].Is == Result
	}
}

// promptBy tells a prompt, or what somebody else than a person put in its place.
func (t *Telling) promptBy(m shape.Marks, content entry.Value) {
	author, origin := m.Author(), m.Origin
	t.prompt(content, Thing{Human: author == shape.Person, Untyped: m.Plan, Plan: m.Plan})
	if author != shape.Client || m.Plan {
		return
	}
	for i := range t.Things {
		x := &t.Things[i]
		if x.Is != Prompt {
			continue
		}
		if origin.Member("kind").Is("peer") && !bytes.Contains(content, []byte("-message>")) { // else its words tell who
			*x = Thing{Is: Member, Name: entry.First(origin.Member("name").NonEmpty(), origin.Member("from")), Text: entry.First(origin.Member("body").NonEmpty(), content)}
		} else {
			x.Is = Context
		}
	}
}

// answer tells what a message of the model says, and its tokens.
func (t *Telling) answer(e *entry.Entry, isError bool, outside, cause entry.Value) {
	var id, model, usage, content, stop entry.Value
	for name, v := range e.Get(entry.Message).Named() {
		switch string(name) {
		case "id":
			id = v
		case "model":
			model = v
		case "usage":
			usage = v
		case "content":
			content = v
		case "stop_reason":
			stop = v
		case "parts":
			qwenSays(e, t)
			return
		}
	}
	if id.Is("") { // it names nothing
		id = nil
	}
	byClient := model.Is("<synthetic>")
	if byClient {
		model, usage = nil, nil
	}
	if isError {
		t.text(Failure, entry.First(content, outside, cause))
	} else if t.blocks(content, model, id); stop.Is("refusal") && len(t.Things) == 0 {
		t.text(Failure, quoted("the model refused"))
	}
	for i := range t.Things {
		if byClient && t.Things[i].Is == Answer {
			t.Things[i].Is = Context
		}
	}
	t.usage(usage, false, Thing{Message: entry.First(id, e.Get(entry.UUID)), Model: model})
	n := 0
	for v := range usage.Member("iterations").Elements() { // the usage has neither what another model did nor compactions
		typ, other := v.Member("type"), v.Member("model").NonEmpty()
		if other != nil && !bytes.Equal(other, model) || isAny(typ, "compaction", "advisor_message") {
			name := fmt.Appendf(nil, "%s %s", id.Text(), typ.Text())
			if n++; n > 1 {
				name = fmt.Appendf(name, " %d", n)
			}
			t.usage(v, false, Thing{Message: quoted(string(name)), Model: entry.First(other, model)})
		}
	}
}

// silentAttachments are the types of attachments that say nothing to a reader: they describe the session to the model.
var silentAttachments = []string{
	"agent_listing_delta", "agent_mention", "auto_mode*", "command_permissions", "compact_file_reference", "companion_intro",
	"context_efficiency", "critical_system_reminder", "current_session_memory", "date*", "deferred_tools_*", "diagnostics", "edited_*", "effort*",
	"environment", "fast_mode*", "git_status", "image", "invoked_skills", "max_turns_reached", "mcp_instructions_delta", "mcp_resource", "mcp_server_status",
	"memory", "model", "new_directory", "new_file", "opened_file_in_ide", "output_style", "output_token_usage", "permission*",
	"plan_file_reference", "plan_mode*", "prompt_snapshot", "relevant_memories", "remote_session_change", "selected_lines_in_ide", "session_context",
	"silent_turn_reminder", "skill_discovery", "skill_listing", "structured_output", "task_reminder", "task_status", "team_context", "todo", "todo_reminder",
	"token_usage", "ultra*", "unknown_command_fallback", "verify_plan_reminder", "budget_usd", "async_hook_response", "dynamic_skill", "bagel_console",
}

// attachment tells what an attachment says: a prompt from the queue, what a hook did, a file that a prompt names, or
// instructions. Newer releases tell how it was sent to the model.
func (t *Telling) attachment(a, rendered entry.Value) {
	typ := a.Member("type")
	switch kind := typ.Text(); {
	case isAny(typ, "file", "directory", "already_read_file", "pdf_reference"):
		if name := entry.First(a.Member("filename").NonEmpty(), a.Member("path").NonEmpty()); name != nil {
			t.say(Thing{Is: File, Name: name})
		}
		content := a.Member("content")
		t.sent(rendered, content.Member("file").Member("content"), content)
	case typ.Is("instructions"):
		var texts []entry.Value
		for v := range a.Member("files").Elements() {
			texts = append(texts, v.Member("content"))
		}
		t.sent(rendered, texts...)
	case typ.Is("nested_memory"):
		t.sent(rendered, a.Member("content").Member("content"))
	case typ.Is("output_style_instructions"):
		t.sent(rendered, a.Member("style").Member("prompt"))
	case typ.Is("queued_command"):
		t.promptBy(shape.MarksIn(a), a.Member("prompt"))
	case bytes.HasPrefix(kind, []byte("hook_")):
		failed := typ.Is("hook_blocking_error") || typ.Is("hook_non_blocking_error") || typ.Is("hook_stopped_continuation") || typ.Is("hook_error_during_execution")
		said := entry.First(a.Member("blockingError").Member("blockingError").NonEmpty(), saying(a, "blockingError", "message", "content", "stderr", "stdout", "reason", "output", "systemMessage"))
		x := Thing{Is: Hook, Call: a.Member("toolUseID"), Name: entry.First(a.Member("hookName"), a.Member("hookEvent")), Text: said, Failed: failed}
		if said == nil && !failed {
			x.Is, x.Text = Fired, a.Member("command")
		} else if said == nil {
			x.Text = a.Member("command")
		}
		t.say(x)
		if typ.Is("hook_additional_context") {
			t.sent(rendered, a.Member("content"))
		}
	case matches(typ, silentAttachments):
	default:
		t.unread("attachment", string(kind))
	}
}

// sent adds what the client put before the model: as it was sent, if that is told, else some texts.
func (t *Telling) sent(rendered entry.Value, texts ...entry.Value) {
	if rendered.IsArray() {
		texts = nil
		for v := range rendered.Elements() {
			texts = append(texts, v.Member("content"))
		}
	}
	var words []entry.Value
	for _, text := range texts {
		for v := range each(text) {
			if v.IsString() || v.IsObject() && text.IsArray() {
				words = append(words, v)
			}
		}
	}
	switch len(words) {
	case 0:
	case 1:
		t.say(Thing{Is: Context, Text: words[0], Whole: true})
	default:
		t.say(Thing{Is: Context, Text: arrayOf(words), Whole: true})
	}
}

// silentSubtypes are those of system entries that say nothing, or what other entries say, too.
var silentSubtypes = []string{
	"turn_duration", "local_command*", "microcompact_boundary", "bridge_status", "scheduled_task_fire", "agents_killed", "status", "api_retry",
	"background_tasks_changed", "thinking_tokens", "task_started", "task_progress", "task_updated", "hook_started", "hook_progress",
	"worker_shutting_down", "control_request_progress", "plugin_install", "files_persisted", "elicitation_complete", "session_state_changed", "memory_saved", "memory_recall",
	"post_turn_summary", "permission_denied", "permission_retry", "notification", "stop_task", "file_snapshot", "init_done", "mirror_error", "commands_changed",
}

// system tells what an entry of the client itself says.
func (t *Telling) system(e *entry.Entry, content, cause, model entry.Value) {
	subtype := e.Get(entry.Subtype)
	switch kind := string(subtype.Text()); kind {
	case "compact_boundary":
		t.say(Thing{Is: Compaction, Extra: e.Member("compactMetadata")})
	case "api_error":
		text := entry.First(cause.Member("message"), cause.Member("error").Member("message"), cause.Member("error"), cause.Member("formatted"))
		if text == nil && cause.IsObject() { // what it says is not in the log
			text = quoted(fmt.Sprintf("the request failed, attempt %s of %s", e.Member("retryAttempt"), e.Member("maxRetries")))
		}
		t.text(Failure, entry.First(text, cause))
	case "away_summary":
		t.text(Recap, content)
	case "init":
		if e.Get(entry.UUID) == nil { // of Cursor, whose messages name no model
			t.Model = model.NonEmpty()
		}
		t.say(Thing{Is: Setting, Model: model})
	case "task_notification":
		if id := e.Member("tool_use_id"); id != nil {
			t.say(Thing{Is: Task, Call: id, Text: e.Member("summary"), Failed: e.Member("status").Is("failed")})
		}
	case "stop_hook_summary":
		for v := range e.Member("hookInfos").Elements() {
			t.say(Thing{Is: Fired, Call: e.Member("toolUseID"), What: "Stop", Text: v.Member("command")})
		}
		for v := range e.Member("hookErrors").Elements() {
			t.say(Thing{Is: Hook, What: "Stop", Text: entry.First(v.Member("message"), v.Member("error"), v), Failed: true, Again: true})
		}
	case "hook_response":
		t.hookResponse(e)
	case "session_writes_lost":
		t.text(Failure, quoted("lines of the log are lost: "+string(e.Member("error_code").Text())))
	case "informational":
		t.informational(content)
	case "model_refusal_fallback", "model_refusal_no_fallback":
		t.text(Failure, entry.First(content, e.Member("message"), quoted("the model refused")))
	default:
		if kind != "" && !matches(subtype, silentSubtypes) { // those of 2025 have no subtype
			if content.IsString() {
				t.text(Context, content)
			}
			t.unread("system", kind)
		}
	}
}

// hookResponse tells what a hook did, in a capture.
func (t *Telling) hookResponse(e *entry.Entry) {
	x := Thing{Is: Hook, Name: entry.First(e.Member("hook_name"), e.Member("hook_event")), Failed: e.Member("outcome").Is("error") || failed(e.Member("exit_code"))}
	if x.Failed {
		x.Text = saying(e.Bytes, "stderr", "output", "stdout")
	} else {
		x.Text = saying(e.Bytes, "output", "stdout", "stderr")
	}
	if x.Text == nil && !x.Failed {
		x.Is = Fired
	}
	t.say(x)
}

// What the client says where a hook stopped something, and where a prompt is that it did not let pass.
var (
	byHook         = []byte("by hook")
	originalPrompt = []byte("Original prompt: ")
)

// informational tells what the client says in words. Where a hook blocks a prompt, this is the only place of the words
// that the user typed.
func (t *Telling) informational(content entry.Value) {
	text := content.Text()
	said, prompt, blocked := bytes.Cut(text, originalPrompt)
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	switch {
	case !bytes.Contains(line, byHook):
	case blocked:
		t.say(Thing{Is: Hook, What: "UserPromptSubmit", Text: quoted(string(bytes.TrimSpace(said))), Failed: true})
		t.text(Prompt, quoted(string(prompt)))
	default:
		t.say(Thing{Is: Hook, What: hookIn(line), Text: content, Failed: true})
	}
}

// hookIn returns the event that a line about a hook begins with, "" if it is another word.
func hookIn(line []byte) string {
	name, _, _ := bytes.Cut(line, []byte{' '})
	if bytes.HasSuffix(name, []byte("Submit")) || bytes.HasSuffix(name, []byte("Use")) || bytes.HasSuffix(name, []byte("Start")) {
		return string(name)
	}
	return "hook"
}

// AddReport adds what Report says; the tokens only if the log of Agent is there, which says the rest.
func (t *Telling) AddReport(hasLog bool) {
	var e entry.Entry
	byUser := t.Report.Member("type").Is("user")
	if byUser && hasLog || !e.Scan(t.Report) {
		return
	}
	agent := t.Agent
	if byUser {
		t.user(&e, false, e.Member("toolUseResult"))
	} else if e.Get(entry.Type).Is("assistant") {
		t.answer(&e, e.Member("isApiErrorMessage").Truthy(), nil, nil)
	}
	if hasLog {
		t.Things = slices.DeleteFunc(t.Things, func(x Thing) bool { return x.Is != Usage })
	}
	t.Agent = agent
	for i := range t.Things {
		t.Things[i].Of, t.Things[i].Time = e.Get(entry.UUID), e.Get(entry.Timestamp)
	}
}
