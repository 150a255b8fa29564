package dialect

import (
	"slices"

	"jl/internal/entry"
)

// codexStep finds the turns of Codex, which are what a rollback takes back. A turn has a
// prompt, and begins where its task does. If a turn has several prompts, each further one
// counts as a turn that begins at the item above it.
func codexStep(t *Thread, e *entry.Entry, s *Step) mark {
	p := e.Member("payload")
	kind := p.Member("type")
	if t.thread != "" {
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

// revert returns how many of the living entries remain at a header of Codex: after a revert or a fork another
// log goes on from the entries of a thread with ordinals below a bound.
func (t *Thread) revert(header *entry.Entry) int {
	s := Codex.Session(header)
	bound, ok := s.Above.Int()
	above := len(t.ends)
	switch {
	case above == 0 && header.Member("ordinal") != nil:
	case ok && t.thread != "" && (s.Base.Is(t.thread) || s.ID.Is(t.thread)):
		above = slices.IndexFunc(t.ordinals[:above], func(ordinal int64) bool { return ordinal >= bound })
		if above < 0 {
			above = len(t.ends)
		}
	default:
		return above
	}
	t.thread = string(s.ID.Text())
	return above
}

// geminiStep knows the messages by their ids: an entry with the id of another one is its
// newest text, a rewind names the first message that it takes back, and a snapshot is a new
// list of messages.
func geminiStep(t *Thread, e *entry.Entry, s *Step) mark {
	if to := e.Member("$rewindTo"); to != nil {
		s.Node, s.Keep = false, 0
		if m, ok := t.placed[to.Key()]; ok {
			s.Keep = m.at
			if m.inside {
				s.Keep++ // the snapshot stays, though a part of it is taken back
				t.forget(to.Key())
			}
		}
		return 0
	}
	if id := e.Get(entry.ID); !id.IsEmpty() {
		if m, ok := t.placed[id.Key()]; ok && !m.snapshot {
			s.At = m.at
		} else {
			t.place(id, message{at: s.At})
		}
		return 0
	}
	s.Resumes = slices.Clone(t.Leaf()) // a snapshot follows a resume, a compaction or a rewind
	s.Keep, s.At = 0, 0
	t.keep(0)
	t.cut(0)
	inside := false
	for m := range e.Member("$set").Member("messages").Elements() {
		t.place(m.Member("id"), message{at: 0, snapshot: true, inside: inside})
		inside = true
	}
	return 0
}

// deepSeekStep keeps the surface, the events that the model sees. An event joins it or
// replaces a stretch of it. The log is cut above the surface once the stretch began with the
// first event: then nothing before that is on it.
func deepSeekStep(t *Thread, e *entry.Entry, s *Step) mark {
	seq, _ := e.Member("seq").Int()
	node := surfaced{seq, s.At}
	switch op := e.Member("surfaceOp"); {
	case op.Is("append"):
		t.surface = append(t.surface, node)
	case op.Member("op").Is("replace"):
		at := func(name string) int {
			seq, ok := op.Member(name).Int()
			i := len(t.surface) - 1 // the newest are replaced most
			for i >= 0 && !(ok && t.surface[i].seq == seq) {
				i--
			}
			return i
		}
		from, to := max(0, at("start")), 1+at("end")
		t.surface = slices.Replace(t.surface, from, max(from, to), node)
		t.replaced = t.replaced || from == 0
	}
	return 0
}

// grokStep counts prompts as Grok does, for the rewinds that name one by its number. A
// prompt is a run of chunks. Once one has an index, those without are not prompts.
func grokStep(t *Thread, e *entry.Entry, s *Step) mark {
	u := grokUpdate(e)
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

// copilotStep cuts the log where a compaction that succeeded was started, because what was
// written meanwhile is not in its summary.
func copilotStep(t *Thread, e *entry.Entry, s *Step) mark {
	at := s.At
	switch typ := e.Get(entry.Type); {
	case typ.Is("session.compaction_start"):
		t.opened = s.At
	case typ.Is("session.compaction_complete"):
		if t.opened >= 0 {
			at = t.opened
		}
		t.opened = -1
	}
	if isCopilotBoundary(e) {
		t.cut(at)
	}
	return 0
}
