package says

import (
	"bytes"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
)

// An agent is what is known of the entries that a program writes.
type agent struct {
	tells []string // the text of an entry that about knows has one of them; a rare first byte makes the search fast
	about func(*entry.Entry) Session
	says  func(*entry.Entry, *Telling)

	refuses []refusal // what the program puts into the result of a call that the user refused
}

// agents is the table. The row of each program is in the file of its name, with its words.
var agents = [...]agent{
	dialect.Claude:      claude,
	dialect.Codex:       codex,
	dialect.Gemini:      gemini,
	dialect.DeepSeek:    deepSeek,
	dialect.Grok:        grok,
	dialect.Copilot:     copilot,
	dialect.ClaudeNoIDs: claude,
	dialect.PiV1:        pi,
	dialect.Pi:          pi,
	dialect.Unknown:     others,
}

// MayTell reports whether text, a line of a log in the dialect d, may tell something about its session. It is much
// faster than to scan the line.
func MayTell(d dialect.Dialect, text []byte) bool {
	return slices.ContainsFunc(agents[d].tells, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// About returns what e, of a log in the dialect d, tells about its session. Of a log that begins with a copy of another
// one, as a fork of Codex does, the first entry that tells an id counts.
func About(d dialect.Dialect, e *entry.Entry) Session {
	s := agents[d].about(e)
	if title, rank := d.Title(e); title.IsString() && rank > dialect.BySummary {
		s.Title, s.Rank = title, rank
	}
	return s
}

// Tell makes t what e says in a log in the dialect d. It reuses the memory of t.Things.
func Tell(d dialect.Dialect, e *entry.Entry, t *Telling) {
	*t = Telling{Things: t.Things[:0], e: e}
	if e.HasAny(entry.Offset) && e.HasAny(entry.Length) {
		t.unread("an edge of", "jltree")
		return
	}
	if title, rank := d.Title(e); rank != dialect.NoTitle {
		t.say(Thing{Is: Title, Text: title, Rank: rank})
	}
	agents[d].says(e, t)
}
