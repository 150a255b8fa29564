package says

import (
	"bytes"
	"strings"

	"jl/internal/dialect"
	"jl/internal/entry"
)

var others = agent{
	tells:   []string{`"session_start"`, `"config.update"`, `"usage.record"`},
	about:   anyAbout,
	says:    anySays,
	refuses: []refusal{{"The user rejected permission to use this", "", "with the following feedback: "}}, // OpenCode
}

func anyAbout(e *entry.Entry) Session {
	switch typ := e.Get(entry.Type); {
	case typ.Is("session_start") && isDroid(e, typ):
		return Session{ID: e.Get(entry.ID).NonEmpty(), Cwd: e.Member("cwd").NonEmpty()}
	case typ.Is("config.update"):
		return Session{Cwd: e.Member("cwd").NonEmpty()}
	case typ.Is("usage.record"):
		return Session{Model: e.Member("model").NonEmpty()}
	}
	return Session{}
}

// anySays tells what an entry says of a log of an unknown program, or of one that is alone: a line of a capture, of a
// history, or whatever has a role and a content.
func anySays(e *entry.Entry, t *Telling) {
	typ := e.Get(entry.Type)
	has := func(name string) bool { return e.Member(name) != nil }
	switch word := typ.Text(); {
	case typ.Is("result") && (has("status") || has("session_id") || has("stats") || e.Get(entry.Subtype) != nil):
		captureEnds(e, t)
	case isAny(typ, "thread.started", "turn.started", "turn.completed", "turn.failed"), bytes.HasPrefix(word, []byte("item.")):
		codexExecSays(e, t)
	case isManaged(e, typ):
		managedSays(e, t)
	case isKimi(e, typ):
		kimiSays(e, t)
	case isDroid(e, typ):
		droidSays(e, t)
	case has("sessionID") && (has("part") || has("error")):
		openCodeSays(e, t)
	case typ.Is("error") && e.Get(entry.Message) != nil && e.Get(entry.ID) == nil && !has("role"):
		t.text(Failure, entry.First(e.Get(entry.Message).Member("message"), e.Get(entry.Message)))
	case isStream(e, typ):
		streamSays(e, t)
	case has("pastedContents") && e.Member("display").IsString(): // a line of history.jsonl
		t.Session, t.Cwd = e.Get(entry.SessionID), e.Member("project").NonEmpty()
		t.prompt(e.Member("display"), Thing{})
	case typ == nil && has("ts") && has("text") && e.Member("session_id").IsString() && !has("role"): // of Codex
		t.Session = e.Member("session_id")
		t.prompt(e.Member("text"), Thing{Time: e.Member("ts")})
	case isAny(typ, "message_start", "message_update", "message_end", "session_start", "agent_start", "agent_end", "turn_start", "turn_end", "session") && !has("role"):
		piSays(e, t)
	case typ == nil && has("instructions") && e.Get(entry.Timestamp) != nil: // the first line of a log of Codex of 2025
		t.Session = e.Get(entry.ID).NonEmpty()
		t.say(Thing{Is: Setting})
	case typ.Is("turn_ended"):
		t.words(Failure, e.Member("error"))
	case has("record_type"):
	case matches(typ, claudeSilent) && e.Get(entry.SessionID) != nil, matches(typ, piSilent) && e.Get(entry.ID) != nil && !has("role"):
	default:
		plainSays(e, t)
	}
}

// A role is what an entry of any program says: who, and what.
type role uint8

const (
	unknownRole role = iota
	userRole
	modelRole
	resultRole
	callRole
	thoughtRole
	usageRole
	failureRole
	silentRole
)

// roles are the names that programs have for who says something, in small letters and nothing else.
var roles = map[string]role{
	"user": userRole, "human": userRole, "prompt": userRole, "usermessage": userRole, "userinput": userRole, "userprompt": userRole, "userexplicit": userRole,
	"usermsg": userRole, "turnbegin": userRole,
	"assistant": modelRole, "model": modelRole, "ai": modelRole, "agent": modelRole, "bot": modelRole, "llm": modelRole, "assistantmessage": modelRole,
	"agentmessage": modelRole, "assistantmsg": modelRole, "assistanttext": modelRole, "contentpart": modelRole, "plannerresponse": modelRole,
	"tool": resultRole, "function": resultRole, "toolresult": resultRole, "toolresults": resultRole, "toolresponse": resultRole, "toolmessage": resultRole,
	"toolcallresult": resultRole, "functioncallresult": resultRole, "functionresult": resultRole, "toolcalloutput": resultRole,
	"functioncalloutput": resultRole, "customtoolcalloutput": resultRole, "localshellcalloutput": resultRole,
	"toolcall": callRole, "functioncall": callRole, "customtoolcall": callRole, "localshellcall": callRole, "tooluse": callRole,
	"think": thoughtRole, "thinking": thoughtRole, "reasoning": thoughtRole, "usagerecord": usageRole, "error": failureRole,
	"turnprompt": silentRole, "meta": silentRole, "metadata": silentRole, "configupdate": silentRole, "toolssetactivetools": silentRole,
	"permissionsetmode": silentRole, "stepbegin": silentRole, "stepend": silentRole, "system": silentRole, "systemmessage": silentRole,
	"systemprompt": silentRole, "conversationhistory": silentRole, "developer": silentRole, "checkpoint": silentRole, "usage": silentRole,
}

func roleOf(name entry.Value) role {
	return roles[strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			return -1
		}
		return r
	}, strings.ToLower(string(name.Text())))]
}

// wrappers are the members in which programs wrap what they log.
var wrappers = []string{"message", "payload", "data", "item", "event", "msg", "record", "params", "part"}

// contents are the members that hold what somebody says.
var contents = []string{
	"content", "text", "think", "parts", "output", "user_input", "tool_calls", "result", "return_value", "arguments", "args", "input", "action", "function", "summary",
	"thinking", "function_call", "message_id", "message", "error",
}

// plainSays tells what an entry says that has a role and a content, as the interfaces of models have them, also in
// other objects.
func plainSays(e *entry.Entry, t *Telling) {
	objects := []entry.Value{e.Bytes}
	for depth, from := 0, 0; depth < 2; depth++ { // an object in an object
		for _, o := range objects[from:] {
			from++
			for _, name := range wrappers {
				if v := o.Member(name); v.IsObject() {
					objects = append(objects, v)
				}
			}
		}
	}
	var m entry.Fields // of what has the content
	who, model := unknownRole, entry.Value(nil)
	if step := e.Member("step_index"); step != nil && e.Member("source").Is("MODEL") && !e.Get(entry.Type).Is("PLANNER_RESPONSE") {
		who = resultRole
	}
	var usage, at entry.Value
	var results []entry.Value // of a step of a trajectory, which has them beside its calls
	for _, o := range objects {
		in := entry.FieldsOf(o)
		for _, name := range []string{"role", "type", "kind", "sender", "author", "source"} {
			p := roleOf(in.Get(name))
			isMore := (who == userRole || who == modelRole) && m == nil && (name == "type" || name == "kind") // than the role says
			if who == unknownRole || isMore && (p == callRole || p == resultRole || p == thoughtRole || p == failureRole) {
				who = p
			}
		}
		for _, name := range contents {
			if m == nil && entry.First(in.Get(name)) != nil && !(name == "input" && in.Get(name).IsNumber()) && !(name == "message" && in.Get(name).IsObject()) {
				m = in
			}
		}
		for _, name := range []string{"usage", "metrics"} { // the latter of a trajectory
			if usage == nil && in.Get(name).IsObject() {
				usage = in.Get(name)
			}
		}
		for v := range in.Get("observation").Member("results").Elements() {
			results = append(results, v)
		}
		if at == nil {
			at = entry.First(dialect.TimeIn(in), in.Get("meta").Member("sentAt")) // the latter of Amp
		}
		model = entry.First(model, in.Get("model").NonEmpty(), in.Get("model_id").NonEmpty(), in.Get("model_name").NonEmpty(), in.Get("usage").Member("model").NonEmpty())
		if in.Get("cwd").IsString() {
			t.Cwd = entry.First(t.Cwd, in.Get("cwd"))
		}
		t.Session = entry.First(t.Session, in.Get("session_id"), in.Get("sessionId"), in.Get("sessionID"), in.Get("conversation_id"), in.Get("conversationId"))
	}
	t.Session = t.Session.NonEmpty()
	if who != silentRole {
		if m != nil {
			plainPart(who, m, model, e, t)
		}
		isTold := e.Member("is_copied_context").Truthy() || e.Member("recordType") != nil && e.Member("runId") != nil // a run of pi has a log of its own
		if (who == modelRole || who == usageRole) && !isTold {
			if usage == nil {
				t.unreadCounts(objects)
			}
			t.usage(usage, usage.Member("prompt_tokens") != nil, Thing{Message: entry.First(m.Get("id"), m.Get("message_id"), e.Get(entry.ID)), Model: model})
		}
	}
	for _, v := range results {
		b := BlockOf(v)
		t.result(&b)
	}
	if len(t.Things) == 0 && who != silentRole && !isEmptyArray(m.Get("content")) {
		t.unreadEntry(entry.First(e.Get(entry.Type), e.Member("kind"), e.Member("role")))
	}
	for i := range t.Things {
		if e.Get(entry.Timestamp) == nil {
			t.Things[i].Time = at
		}
	}
}

func plainPart(who role, m entry.Fields, model entry.Value, e *entry.Entry, t *Telling) {
	id := entry.First(m.Get("call_id"), m.Get("tool_call_id"), m.Get("callId"), m.Get("toolCallId"), m.Get("tool_use_id"), m.Get("toolUseId"), m.Get("id"))
	content := entry.First(m.Get("content"), m.Get("text"), m.Get("parts"), m.Get("user_input"), m.Get("output"), m.Get("result"), m.Get("summary"))
	if content == nil && !m.Get("message").IsObject() {
		content = m.Get("message")
	}
	message := entry.First(m.Get("id"), m.Get("message_id"))
	switch who {
	case userRole:
		if string(m.Get("isMeta")) == "true" || string(e.Get(entry.IsMeta)) == "true" {
			t.text(Context, content)
			return
		}
		t.prompt(clineWords(content), Thing{})
	case modelRole:
		for _, thought := range []entry.Value{m.Get("reasoning_content"), m.Get("reasoning"), m.Get("thinking"), m.Get("think")} {
			if !thought.IsEmpty() {
				t.say(Thing{Is: Thinking, Text: thought, Model: model, Message: message})
			}
		}
		t.blocks(content, model, message)
		for _, calls := range []entry.Value{m.Get("tool_calls"), m.Get("function_call")} {
			for v := range each(calls) {
				b := BlockOf(v)
				t.say(Thing{Is: Call, Call: b.Call, Name: b.Name, Input: b.Input, Model: model, Message: message})
			}
		}
	case failureRole:
		if text := entry.First(content, m.Get("error").Member("message"), m.Get("error")); text != nil {
			t.text(Failure, text)
		}
	case thoughtRole:
		t.say(Thing{Is: Thinking, Text: entry.First(m.Get("thinking"), m.Get("think"), content), Model: model, Message: message})
	case callRole:
		in := entry.FieldsOf(m.Get("function"))
		name := entry.First(in.Get("name"), m.Get("name"), m.Get("toolName"), m.Get("tool"))
		if name == nil {
			name = quoted(strings.TrimSuffix(string(e.Get(entry.Type).Text()), "_call"))
		}
		t.say(Thing{Is: Call, Call: id, Name: name, Input: entry.First(in.Get("arguments"), in.Get("input"), m.Get("arguments"), m.Get("input"), m.Get("parameters"), m.Get("args"), m.Get("action")), Model: model, Message: message})
	case resultRole:
		found := false
		for _, b := range Blocks(content) {
			if b.Is == Result {
				found = true
				t.result(&b)
			}
		}
		if found {
			return
		}
		if out := m.Get("return_value"); out.IsObject() {
			b := BlockOf(out)
			t.say(Thing{Is: Result, Call: id, Text: entry.First(b.Body, out.Member("message"), out), Failed: b.Failed})
			return
		}
		text, isFailure := codexOutput(entry.First(content, m.Get("error"), m.Get("message")))
		if text == nil {
			t.unreadEntry(entry.First(m.Get("type"), m.Get("role"), e.Get(entry.Type)))
		}
		t.say(Thing{Is: Result, Call: id, Text: text, Failed: isFailure || string(m.Get("is_error")) == "true" || string(m.Get("isError")) == "true" || m.Get("status").Is("error") || m.Get("status").Is("failed")})
	}
}

// unreadCounts counts the members of objects that count something, as tokens, under names that nobody knows: they hold
// nothing but numbers.
func (t *Telling) unreadCounts(objects []entry.Value) {
	for _, o := range objects {
		for name, v := range o.Named() {
			numbers, others := 0, 0
			for _, m := range v.Named() {
				if m.IsNumber() {
					numbers++
				} else {
					others++
				}
			}
			if numbers > 1 && others == 0 {
				t.unread("member", string(name))
			}
		}
	}
}
