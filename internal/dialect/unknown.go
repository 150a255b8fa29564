package dialect

import "jl/internal/entry"

var unknown = row{
	name: "an unknown program", facts: list | noIDs, names: ids,
	title: unknownTitle,
	note:  "not the log of a known program: its entries are taken in file order",
}

// unknownTitle is Title of programs that have no row of their own: Droid, whose title is the first prompt unless somebody gave it
// another.
func unknownTitle(e *entry.Entry) (entry.Value, Rank) {
	if e.Get(entry.Type).Is("session_start") && e.Get(entry.ID).IsString() && e.Member("isSessionTitleManuallySet").Truthy() {
		return e.Member("title"), ByUser
	}
	return nil, NoTitle
}
