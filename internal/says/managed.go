package says

import (
	"bytes"

	"jl/internal/entry"
)

// isManaged reports whether e is an event of a session of Claude Managed Agents, as its interface lists and streams
// them.
func isManaged(e *entry.Entry, typ entry.Value) bool {
	domain, action, _ := bytes.Cut(typ.Text(), []byte{'.'})
	if len(action) == 0 || e.Member("data") != nil || e.Member("time") != nil { // as other programs have them
		return false
	}
	switch string(domain) {
	case "agent", "user":
		return e.Get(entry.ID).IsString()
	case "session", "span", "system", "workflow_run":
		return e.Member("processed_at") != nil || hasPrefix(e.Get(entry.ID), "sevt_")
	}
	return false
}

// managedSilent are the types of events that say nothing, or what others say, too. The thoughts of the model are not
// told.
var managedSilent = []string{
	"agent.thinking", "session.deleted", "session.status_*", "session.thread_*", "session.updated", "session.usage", "span.model_request_start",
	"span.outcome_evaluation_start", "span.outcome_evaluation_ongoing", "workflow_run.*",
}

// managedSays tells what an event of Claude Managed Agents says. A result is named by the event of its call; what a
// sub-agent does is told again where its permission is asked for.
func managedSays(e *entry.Entry, t *Telling) {
	m := entry.FieldsOf(e.Bytes)
	t.Agent = m.Get("session_thread_id").NonEmpty()
	content, id := m.Get("content"), e.Get(entry.ID)
	switch typ := e.Get(entry.Type); string(typ.Text()) {
	case "user.message":
		t.prompt(content, Thing{})
	case "user.define_outcome":
		t.prompt(m.Get("description"), Thing{})
		t.words(Context, m.Get("rubric").Member("content"))
	case "user.interrupt":
		t.aborted(quoted("interrupted by the user"))
	case "user.tool_confirmation":
		if said := m.Get("deny_message").NonEmpty(); said != nil && m.Get("result").Is("deny") {
			t.say(Thing{Is: Prompt, Text: said, Call: m.Get("tool_use_id"), Human: true})
		}
	case "system.message":
		t.text(Context, content)
	case "agent.message":
		t.blocks(content, nil, id)
	case "agent.tool_use", "agent.custom_tool_use":
		t.say(Thing{Is: Call, Call: id, Name: m.Get("name"), Input: m.Get("input")})
	case "agent.mcp_tool_use":
		t.say(Thing{Is: Call, Call: id, Name: quoted(toolOf(m.Get("mcp_server_name"), m.Get("name"))), Input: m.Get("input")})
	case "agent.tool_result", "agent.mcp_tool_result", "user.custom_tool_result", "user.tool_result":
		call := entry.First(m.Get("tool_use_id"), m.Get("mcp_tool_use_id"), m.Get("custom_tool_use_id"))
		t.say(Thing{Is: Result, Call: call, Text: entry.First(content, quoted("")), Failed: m.Get("is_error").Truthy()})
	case "agent.thread_message_received":
		t.say(Thing{Is: Member, Name: m.Get("from_agent_name").NonEmpty(), Text: content})
	case "agent.thread_message_sent": // the task of a sub-agent
		t.Agent = m.Get("to_session_thread_id").NonEmpty()
		t.prompt(content, Thing{Untyped: true})
	case "agent.thread_context_compacted":
		t.say(Thing{Is: Compaction})
	case "session.error":
		t.text(Failure, entry.First(m.Get("error").Member("message"), m.Get("error").Member("type"), m.Get("error")))
	case "span.model_request_end":
		t.usage(m.Get("model_usage"), false, Thing{Message: id})
	case "span.outcome_evaluation_end":
		t.words(Context, m.Get("explanation"))
		t.usage(m.Get("usage"), false, Thing{Message: id})
	default:
		if !matches(typ, managedSilent) {
			t.unreadEntry(typ)
		}
	}
	for i := range t.Things {
		t.Things[i].Time = entry.First(m.Get("processed_at"))
	}
}
