package dialect

import (
	"bytes"

	"jl/internal/entry"
)

// Item returns the texts of e, if e is a message as Codex sends it to the model, and reports whether it is the
// user's. A log that other programs wrote or cut may have no other entries with the words, and releases before
// September 2025 wrote nothing around the message. The instructions of a project are no words of the user's.
func (d Dialect) Item(e *entry.Entry) (texts []entry.Value, byUser bool) {
	if d != Codex {
		return nil, false
	}
	item := e.Member("payload")
	switch {
	case e.Get(entry.Type).Is("message") && item == nil:
		item = entry.Value(e.Bytes)
	case !e.Get(entry.Type).Is("response_item") || !item.Member("type").Is("message"):
		return nil, false
	}
	byUser = item.Member("role").Is("user")
	if !byUser && !item.Member("role").Is("assistant") {
		return nil, false
	}
	for block := range item.Member("content").Elements() {
		text := block.Member("text")
		if text.IsEmpty() || byUser && bytes.HasPrefix(text.Text(), []byte("# AGENTS.md instructions")) {
			continue
		}
		texts = append(texts, text)
	}
	return texts, byUser
}

// IsOldCodex reports whether e is the header of a log of Codex before September 2025, when entries were bare.
func IsOldCodex(e *entry.Entry) bool {
	return e.Get(entry.Type) == nil && e.Get(entry.ID).IsString() && e.Get(entry.Timestamp).IsString() &&
		e.Get(entry.ParentID) == nil && (e.Member("instructions") != nil || e.Member("git") != nil)
}

// oldCodexCwd returns the working directory in the context that a bare entry has, nil if it has none.
func oldCodexCwd(e *entry.Entry) entry.Value {
	texts, _ := Codex.Item(e)
	for _, text := range texts {
		_, rest, _ := bytes.Cut(text.Text(), []byte("<environment_context>"))
		_, rest, _ = bytes.Cut(rest, []byte("<cwd>"))
		if cwd, _, found := bytes.Cut(rest, []byte("</cwd>")); found {
			return entry.AppendString(nil, bytes.TrimSpace(cwd))
		}
	}
	return nil
}
