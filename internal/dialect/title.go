package dialect

import "jl/internal/entry"

// A Rank says who named a session. Of two titles the one of the higher rank counts, and of one rank the
// later one.
type Rank int

// The ranks of titles.
const (
	NoTitle   Rank = iota
	BySummary      // made of the summary of a conversation, which may be in another log
	ByClient
	ByUser
)

// Title returns the title that e gives its session, and its rank, which is NoTitle if e gives none. An
// empty title takes back the one before it.
func (d Dialect) Title(e *entry.Entry) (entry.Value, Rank) {
	if title := dialects[d].title; title != nil {
		return title(e)
	}
	return nil, NoTitle
}

// claudeTitle is Title of Claude Code and of Qwen Code, whose title has a place in the tree.
func claudeTitle(e *entry.Entry) (entry.Value, Rank) {
	switch t := e.Get(entry.Type); {
	case t.Is("custom-title"):
		return e.Member("customTitle"), ByUser
	case t.Is("ai-title"):
		return e.Member("aiTitle"), ByClient
	case t.Is("summary"):
		return e.Get(entry.Summary), BySummary
	case t.Is("system") && e.Get(entry.Subtype).Is("custom_title"):
		payload := e.Member("systemPayload")
		return First(payload.Member("customTitle"), payload.Member("title")), ByUser
	}
	return nil, NoTitle
}

func geminiTitle(e *entry.Entry) (entry.Value, Rank) {
	if title := e.Member("$set").Member("summary").NonEmpty(); title != nil {
		return title, ByClient
	}
	return nil, NoTitle
}

func copilotTitle(e *entry.Entry) (entry.Value, Rank) {
	if e.Get(entry.Type).Is("session.title_changed") {
		return e.Member("data").Member("title"), ByClient
	}
	return nil, NoTitle
}

func deepSeekTitle(e *entry.Entry) (entry.Value, Rank) {
	if e.Get(entry.Type).Is("session/title") {
		return e.Member("data").Member("title"), ByClient
	}
	return nil, NoTitle
}

func piTitle(e *entry.Entry) (entry.Value, Rank) {
	if e.Get(entry.Type).Is("session_info") {
		return e.Member("name"), ByUser
	}
	return nil, NoTitle
}

// anyTitle is Title of programs that have no row of their own: Droid, whose title is the first prompt unless somebody gave it another.
func anyTitle(e *entry.Entry) (entry.Value, Rank) {
	if typ := e.Get(entry.Type); typ.Is("session_start") && isDroid(e, typ) && e.Member("isSessionTitleManuallySet").Truthy() {
		return e.Member("title"), ByUser
	}
	return nil, NoTitle
}
