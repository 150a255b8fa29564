package says

import (
	"bytes"
	"strings"

	"jl/internal/entry"
)

// isKimi reports whether e is an entry of Kimi Code's log of an agent, wire.jsonl, by its type. Its older releases
// wrote others.
func isKimi(e *entry.Entry, typ entry.Value) bool {
	group, _, _ := bytes.Cut(typ.Text(), []byte{'.'})
	switch string(group) {
	case "context", "turn", "prompt", "token_counting", "file_history", "llm", "plugin", "profile", "runtime", "agent", "usage", "permission":
		return e.Member("time").IsNumber() && e.Member("role") == nil
	}
	return false
}

// kimiSilent are the types of Kimi Code's entries that say nothing, or what others say, too: what the model gets,
// context.*, is also told as the input of a turn, as messages (agent.message.appended) and as the tokens of a step.
var kimiSilent = []string{
	"agent.*", "context.clear*", "file_history.*", "llm.*", "permission.*", "plugin.*", "profile.*", "prompt.*", "runtime.*", "token_counting.*", "turn.prompt", "turn.started",
	"turn.steer", "turn.cancel*",
}

// kimiSays tells what an entry of Kimi Code says.
func kimiSays(e *entry.Entry, t *Telling) {
	switch typ := e.Get(entry.Type); string(typ.Text()) {
	case "context.append_message":
		m := e.Get(entry.Message)
		kind := m.Member("origin").Member("kind")
		switch {
		case !m.Member("role").Is("user"):
			plainSays(e, t)
		case kind == nil, kind.Is("user"):
			t.prompt(m.Member("content"), Thing{})
		default:
			t.text(Context, m.Member("content"))
		}
	case "context.append_loop_event":
		kimiEvent(entry.FieldsOf(e.Member("event")), t)
	case "context.apply_compaction", "context.compacted":
		t.compaction(nil, entry.First(e.Get(entry.Summary), e.Member("result").Member("summary")))
	case "context.undo":
		t.say(Thing{Is: Undone})
	case "usage.record":
		t.Model = e.Member("model").NonEmpty()
		t.usage(e.Member("usage"), false, Thing{Model: t.Model})
	case "turn.ended":
		if reason := e.Member("reason"); isAny(reason, "cancelled", "aborted", "interrupted") {
			t.aborted(reason)
		} else if cause := entry.First(e.Member("error").Member("message"), e.Member("error")); cause != nil {
			t.text(Failure, cause)
		}
	default:
		if !matches(typ, kimiSilent) {
			t.unreadEntry(typ)
		}
	}
	for i := range t.Things {
		t.Things[i].Time = entry.First(t.Things[i].Time, e.Member("time"))
	}
}

// kimiEvent tells what happened in a step of the model.
func kimiEvent(m entry.Fields, t *Telling) {
	switch typ := m.Get("type"); string(typ.Text()) {
	case "content.part":
		t.blocks(m.Get("part"), nil, m.Get("stepUuid"))
	case "tool.call":
		t.Cwd = m.Get("display").Member("cwd").NonEmpty()
		t.say(Thing{Is: Call, Call: m.Get("toolCallId"), Name: m.Get("name"), Input: m.Get("args"), Message: m.Get("stepUuid")})
	case "tool.result":
		result := m.Get("result")
		text := entry.First(result.Member("output"), result.Member("message"), quoted(""))
		t.say(Thing{Is: Result, Call: m.Get("toolCallId"), Text: text, Failed: result.Member("isError").Truthy()})
	case "step.begin", "step.end":
	case "step.retrying", "step.failed", "step.interrupted":
		t.words(Failure, entry.First(m.Get("error").Member("message"), m.Get("error"), m.Get("reason")))
	default:
		if !strings.HasPrefix(string(typ.Text()), "step.") && !strings.HasSuffix(string(typ.Text()), ".delta") {
			t.unread("event", string(typ.Text()))
		}
	}
}
