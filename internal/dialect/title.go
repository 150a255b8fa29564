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
