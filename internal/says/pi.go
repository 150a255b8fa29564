package says

import (
	"bytes"

	"jl/internal/dialect"
	"jl/internal/entry"
)

var pi = agent{
	tells: []string{`"session"`, `_info"`, `_change"`, `"model"`},
	about: piAbout,
	says:  piSays,
}

func piAbout(e *entry.Entry) Session {
	switch t := e.Get(entry.Type); {
	case dialect.Pi.IsHeader(e):
		parent := e.Member("parentSession").NonEmpty()
		if parent == nil {
			parent = e.Member("branchedFrom").NonEmpty() // in version 1
		}
		return Session{ID: e.Get(entry.ID).NonEmpty(), Cwd: e.Member("cwd").NonEmpty(), Parent: parent}
	case t.Is("model_change"):
		return Session{Model: e.Member("modelId").NonEmpty()}
	}
	return Session{Model: e.Get(entry.Message).Member("model").NonEmpty()}
}

// piSilent are the types of pi's entries, and of the events that pi --mode json prints, that say nothing, or what
// others say.
var piSilent = []string{
	"active_tools_change", "agent_end", "agent_start", "agent_settled", "auto_retry_*", "compaction_start", "context_edit", "custom", "label", "leaf",
	"message_start", "message_update", "queue_update", "session_info", "session_info_changed", "thinking_level_change*", "tool_execution_*", "turn_end", "turn_start", "turn_ended",
}

// piSays tells what an entry of pi says, or an event that pi --mode json prints, in which message_end has all of a
// message.
func piSays(e *entry.Entry, t *Telling) {
	switch typ := e.Get(entry.Type); string(typ.Text()) {
	case "session", "session_start":
		t.Session, t.Cwd = entry.First(e.Get(entry.ID), e.Get(entry.SessionID)), e.Member("cwd").NonEmpty()
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
		if at := entry.First(e.Get(entry.Timestamp), m.Get("timestamp")); id != nil { // a fork keeps both
			id = quoted(string(id.Text()) + " " + string(bytes.Trim(at, `"`)))
		}
		t.blocks(m.Get("content"), model, id)
		t.usage(m.Get("usage"), false, Thing{Message: id, Model: model})
		if stop, cause := m.Get("stopReason"), m.Get("errorMessage").NonEmpty(); cause != nil || isAny(stop, "error", "aborted") {
			t.text(Failure, entry.First(cause, stop))
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
