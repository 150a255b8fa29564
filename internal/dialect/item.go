package dialect

import (
	"bytes"

	"jl/internal/entry"
)

// IsOldCodex reports whether e is the header of a log of Codex before September 2025, when entries were bare.
func IsOldCodex(e *entry.Entry) bool {
	return e.Get(entry.Type) == nil && e.Get(entry.ID).IsString() && e.Get(entry.Timestamp).IsString() &&
		e.Get(entry.ParentID) == nil && (e.Member("instructions") != nil || e.Member("git") != nil)
}

// oldCodexCwd returns the working directory in the context that a bare entry has, nil if it has none.
func oldCodexCwd(e *entry.Entry) entry.Value {
	for block := range each(e.Member("content")) {
		text := BlockOf(block).Text
		_, rest, _ := bytes.Cut(text.Text(), []byte("<environment_context>"))
		_, rest, _ = bytes.Cut(rest, []byte("<cwd>"))
		if cwd, _, found := bytes.Cut(rest, []byte("</cwd>")); found {
			return entry.AppendString(nil, bytes.TrimSpace(cwd))
		}
	}
	return nil
}
