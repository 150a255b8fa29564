package dialect

import (
	"slices"

	"jl/internal/entry"
)

var gemini = row{
	name: "Gemini CLI", facts: list, names: ids,
	fits: func(e *entry.Entry, _ bool) bool {
		return e.Member("$rewindTo") != nil || e.Member("$set").IsObject() || isGeminiHeader(e) ||
			e.Get(entry.ID).IsString() && hasType(e, []string{"user", "gemini", "info", "error", "warning"}) && e.Member("content") != nil
	},
	header: isGeminiHeader,
	aside: func(e *entry.Entry) bool {
		return e.Get(entry.ID).IsEmpty() && !isGeminiBoundary(e) && e.Member("$rewindTo") == nil
	},
	messages: []string{"user", "gemini"}, others: []string{},
	boundary: isGeminiBoundary, step: geminiStep,
	title: geminiTitle,
}

func isGeminiHeader(e *entry.Entry) bool {
	return e.Get(entry.Type) == nil && e.Get(entry.ID).IsEmpty() && e.Get(entry.SessionID).IsString() && (e.Member("projectHash") != nil || e.Member("startTime") != nil)
}

func isGeminiBoundary(e *entry.Entry) bool {
	return e.Get(entry.ID).IsEmpty() && e.Member("$rewindTo") == nil && e.Member("$set").Member("messages").IsArray()
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
	t.truncate(0)
	t.cut(0)
	inside := false
	for m := range e.Member("$set").Member("messages").Elements() {
		t.place(m.Member("id"), message{at: 0, snapshot: true, inside: inside})
		inside = true
	}
	return 0
}

func geminiTitle(e *entry.Entry) (entry.Value, Rank) {
	if title := e.Member("$set").Member("summary").NonEmpty(); title != nil {
		return title, ByClient
	}
	return nil, NoTitle
}
