package dialect

import "jl/internal/entry"

var grok = row{
	name: "Grok", facts: list | noIDs, names: ids, time: "timestamp", unit: 1e6,
	fits:     func(e *entry.Entry, _ bool) bool { return grokKind(e).IsString() },
	kind:     grokKind,
	messages: []string{"user_message_chunk", "agent_message_chunk", "tool_call", "tool_call_update"}, others: []string{},
	step: grokStep,
}

// GrokUpdate returns the update in e, which older logs have at the top.
func GrokUpdate(e *entry.Entry) entry.Value {
	if u := e.Member("params").Member("update"); u != nil {
		return u
	}
	return e.Member("update")
}

func grokKind(e *entry.Entry) entry.Value { return GrokUpdate(e).Member("sessionUpdate") }

// grokStep counts prompts as Grok does, for the rewinds that name one by its number. A
// prompt is a run of chunks. Once one has an index, those without are not prompts.
func grokStep(t *Thread, e *entry.Entry, s *Step) mark {
	u := GrokUpdate(e)
	if kind := u.Member("sessionUpdate"); kind.Is("rewind_marker") {
		s.Node = false
		t.index = "none" // the next chunk begins another prompt
		if k, ok := u.Member("target_prompt_index").Int(); ok && k >= 0 && k < int64(len(t.turns)) {
			s.Keep = t.turns[k].start
		}
		return 0
	} else if !kind.Is("user_message_chunk") || u.Member("_meta").Member("hostTurn").Truthy() {
		return 0
	}
	index := string(u.Member("_meta").Member("promptIndex"))
	t.indexed = t.indexed || index != ""
	if t.indexed && index == "" {
		return 0
	}
	if t.mark != prompt || t.index != index {
		t.turn(s.At)
	}
	t.index = index
	return prompt
}
