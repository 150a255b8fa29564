package dialect

import (
	"strconv"

	"jl/internal/entry"
)

var piV1 = row{
	name: "pi", facts: list | noIDs | needsHeader | keptByCount | inOrder, names: ids,
	fits: func(e *entry.Entry, first bool) bool {
		return isPiHeader(e) && piVersion(e) < 2 ||
			first && e.Get(entry.ID) == nil && (hasType(e, piTypes) || e.Get(entry.Type).Is("message") && e.Get(entry.Message).IsObject())
	},
	header: isPiHeader, aside: isPiSession, messages: []string{"message"}, boundary: isPiBoundary,
	title: piTitle,
}

var pi = row{
	name: "pi", facts: needsHeader | inOrder, names: ids,
	fits: func(e *entry.Entry, first bool) bool {
		return isPiHeader(e) || first && e.Get(entry.ID).IsString() && e.Get(entry.ParentID) != nil
	},
	header: isPiHeader, aside: isPiSession, messages: []string{"message"}, boundary: isPiBoundary,
	title: piTitle,
}

// piTypes are types that only pi writes.
var piTypes = []string{
	"compaction", "branch_summary", "custom_message", "custom",
	"model_change", "thinking_level_change", "label", "session_info",
}

func isPiBoundary(e *entry.Entry) bool { return e.Get(entry.Type).Is("compaction") }

// isPiSession reports whether e is about the session. An edge of that type is a node.
func isPiSession(e *entry.Entry) bool {
	return e.Get(entry.Type).Is("session") && e.Get(entry.ParentID) == nil
}

func isPiHeader(e *entry.Entry) bool {
	return isPiSession(e) && e.Get(entry.ID).IsString() && e.Get(entry.UUID) == nil
}

// piVersion returns the version in a header of pi, 1 if it is missing.
func piVersion(e *entry.Entry) float64 {
	v, err := strconv.ParseFloat(string(e.Member("version")), 64)
	if err != nil {
		return 1
	}
	return v
}

func piTitle(e *entry.Entry) (entry.Value, Rank) {
	if e.Get(entry.Type).Is("session_info") {
		return e.Member("name"), ByUser
	}
	return nil, NoTitle
}
