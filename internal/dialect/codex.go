package dialect

import (
	"slices"

	"jl/internal/entry"
)

var codex = row{
	name: "Codex", facts: list | noIDs | ordinals, names: ids,
	fits: func(e *entry.Entry, _ bool) bool {
		return e.Get(entry.Type).IsString() && e.Member("payload").IsObject()
	},
	header:   func(e *entry.Entry) bool { return e.Get(entry.Type).Is("session_meta") },
	messages: []string{"response_item", "inter_agent_communication", "message"}, others: []string{"compacted"},
	boundary: isCodexBoundary, step: codexStep, begin: codexRevert,
}

// IsOldCodex reports whether e is the header of a log of Codex before September 2025, when entries were bare.
func IsOldCodex(e *entry.Entry) bool {
	return e.Get(entry.Type) == nil && e.Get(entry.ID).IsString() && e.Get(entry.Timestamp).IsString() &&
		e.Get(entry.ParentID) == nil && (e.Member("instructions") != nil || e.Member("git") != nil)
}

// codexPrompt returns the content of e, a message of the user or the item that newer releases write
// instead, nil if it is neither.
func codexPrompt(e *entry.Entry) entry.Value {
	if !e.Get(entry.Type).Is("event_msg") {
		return nil
	}
	p := e.Member("payload")
	if p.Member("type").Is("user_message") {
		return p.Member("message")
	}
	if item := p.Member("item"); p.Member("type").Is("item_completed") && item.Member("type").Is("UserMessage") {
		return item.Member("content")
	}
	return nil
}

func isCodexBoundary(e *entry.Entry) bool {
	return e.Get(entry.Type).Is("compacted") && e.Member("payload").Member("replacement_history").IsArray()
}

// codexStep finds the turns of Codex, which are what a rollback takes back. A turn has a
// prompt, and begins where its task does. If a turn has several prompts, each further one
// counts as a turn that begins at the item above it.
func codexStep(t *Thread, e *entry.Entry, s *Step) mark {
	p := e.Member("payload")
	kind := p.Member("type")
	if t.codexID != "" {
		ordinal, _ := e.Member("ordinal").Int()
		t.ordinals = append(t.ordinals[:s.At], ordinal)
	}
	switch typ := e.Get(entry.Type); {
	case isCodexBoundary(e):
		t.cut(s.At)
	case typ.Is("inter_agent_communication"), typ.Is("response_item") && kind.Is("agent_message"):
		t.turn(s.At)
	case typ.Is("inter_agent_communication_metadata"), typ.Is("response_item") && p.Member("role").Is("user"):
		return above
	case !typ.Is("event_msg"):
	case kind.Is("task_started"), kind.Is("turn_started"):
		t.opened = s.At
	case codexPrompt(e) != nil:
		if t.mark != prompt { // else it is written twice
			t.turn(s.At)
		}
		return prompt
	case kind.Is("thread_rolled_back"):
		s.Node = false
		if n, _ := p.Member("num_turns").Int(); n > 0 && len(t.turns) > 0 {
			first := max(0, len(t.turns)-int(min(n, int64(len(t.turns)))))
			turn := t.turns[first]
			s.Keep = turn.start
			// What is above the first prompt is context, unless a compaction replaced it.
			if turn.opened >= 0 && (first > 0 || len(t.cuts) > 0) {
				s.Keep = turn.opened
			}
		}
	}
	return 0
}

// A Base is where a log of Codex goes on from another one without a copy of that: after a revert or as a fork. What its
// header does not tell is nil.
type Base struct {
	Thread entry.Value // the id of the thread in whose log its beginning is
	Log    entry.Value // the id at the end of the name of that log: of a thread, or of a revert
	Above  entry.Value // the ordinal of the first entry of that log that is not its own
}

// BaseOf returns the base that the payload of a header of Codex names.
func BaseOf(payload entry.Fields) Base {
	in := payload.Get("history_base")
	b := Base{Thread: in.Member("thread_id"), Log: in.Member("thread_id"), Above: in.Member("end_ordinal_exclusive")}
	// It may be the id of a revert, which only the name of a log has.
	forked := payload.Get("forked_from_id").NonEmpty()
	from, isFork := payload.Get("forked_from_ordinal_exclusive").Int()
	if end, ok := b.Above.Int(); ok && isFork && end <= from {
		b.Thread = forked
	} else if ok && (isFork || forked == nil) {
		b.Thread = payload.Get("id").NonEmpty()
	}
	return b
}

// codexRevert returns how many of the living entries remain at a header: after a revert or a fork another log goes on
// from the entries of a thread with ordinals below a bound.
func codexRevert(t *Thread, header *entry.Entry) int {
	payload := entry.FieldsOf(header.Member("payload"))
	id, base := payload.Get("id").NonEmpty(), BaseOf(payload)
	bound, ok := base.Above.Int()
	above := len(t.ends)
	switch {
	case above == 0 && header.Member("ordinal") != nil:
	case ok && t.codexID != "" && (base.Thread.Is(t.codexID) || id.Is(t.codexID)):
		above = slices.IndexFunc(t.ordinals[:above], func(ordinal int64) bool { return ordinal >= bound })
		if above < 0 {
			above = len(t.ends)
		}
	default:
		return above
	}
	t.codexID = string(id.Text())
	return above
}
