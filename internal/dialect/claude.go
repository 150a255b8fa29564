package dialect

import "jl/internal/entry"

var claude = row{
	name: "Claude Code", facts: likeClaude, names: uuids,
	fits: func(e *entry.Entry, _ bool) bool {
		isEdge := e.Get(entry.ID).IsString() && e.Get(entry.ParentID) != nil // with the names of pi
		return e.HasAny(entry.UUID, entry.ParentUUID, entry.LeafUUID) || e.Get(entry.IsSidechain) != nil && !isEdge ||
			e.Get(entry.ID) == nil && (hasType(e, claudeMeta) || hasType(e, []string{"summary", "mode", "tag"}) && e.Get(entry.SessionID) != nil)
	},
	messages: claudeMessages, others: claudeOthers, sidechain: claudeSidechain, boundary: isClaudeBoundary, afresh: isQwenCompression,
	title: claudeTitle,
}

var claudeNoIDs = row{
	name: "Claude Code", facts: likeClaude | list | noIDs, names: uuids,
	note: "no conversation entry has an id: read as one path, in file order",
	fits: func(e *entry.Entry, _ bool) bool {
		return hasType(e, []string{"user", "assistant", "system"}) && e.Get(entry.Message).IsObject()
	},
	aside:    func(e *entry.Entry) bool { return !hasType(e, claudeMessages) && !hasType(e, claudeOthers) },
	messages: claudeMessages, others: claudeOthers, sidechain: claudeSidechain, boundary: isClaudeBoundary,
	title: claudeTitle,
}

var (
	claudeMessages = []string{"user", "assistant", "tool_result"} // the last is Qwen Code's
	claudeOthers   = []string{"attachment", "system"}

	// claudeMeta are types of entries that are not nodes. Claude Code writes them without an id, and
	// CodeBuddy, whose messages are others, with one.
	claudeMeta = []string{
		"custom-title", "ai-title", "last-prompt", "file-history-snapshot", "file-history-delta", "queue-operation",
		"permission-mode", "agent-name", "agent-setting", "agent-color", "pr-link", "bridge-session", "atis-latch",
		"cost-state", "worktree-state", "content-replacement", "attribution-snapshot",
	}
)

// claudeSidechain returns the sidechain that e is on. An entry of a stream-json capture, which names no
// parent, names the call that started its sub-agent.
func claudeSidechain(e *entry.Entry) entry.Value {
	if v := e.Get(entry.IsSidechain); v.Truthy() {
		return v
	}
	if e.Get(entry.ParentUUID) == nil {
		return e.Member("parent_tool_use_id").NonEmpty()
	}
	return nil
}

// isClaudeBoundary reports whether e is a boundary of Claude Code or of Qwen Code. A rewind of Qwen's
// to before the first prompt is one: it has no parent.
func isClaudeBoundary(e *entry.Entry) bool {
	if !e.Get(entry.Type).Is("system") {
		return false
	}
	subtype := e.Get(entry.Subtype)
	return subtype.Is("compact_boundary") || isQwenCompression(e) || subtype.Is("rewind") && e.Get(entry.ParentUUID).IsEmpty()
}

// isQwenCompression reports whether e is the entry that a compaction of Qwen Code wrote. It has the
// whole new history, and names the entry before it as its parent.
func isQwenCompression(e *entry.Entry) bool {
	return e.Get(entry.Type).Is("system") && e.Get(entry.Subtype).Is("chat_compression")
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
		return entry.First(payload.Member("customTitle"), payload.Member("title")), ByUser
	}
	return nil, NoTitle
}
