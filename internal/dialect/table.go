package dialect

import (
	"bytes"
	"strconv"

	"jl/internal/entry"
)

// The dialects, in the order in which an entry is compared with them.
const (
	Claude      Dialect = iota // Claude Code and Qwen Code
	Codex                      // Codex CLI
	Gemini                     // Gemini CLI
	DeepSeek                   // DeepSeek Harness
	Grok                       // Grok Build
	Copilot                    // GitHub Copilot CLI
	ClaudeNoIDs                // an old log of Claude Code, in which no conversation entry has an id
	PiV1                       // pi, version 1 of its format
	Pi                         // pi and its descendants; edges, and parts of pi logs
	Unknown                    // any other log
)

// A row says how the logs of a program are recognized and read. A nil function reports false
// or returns nil, unless its comment says more.
type row struct {
	name string
	note string // see Dialect.Note

	fits   func(e *entry.Entry, first bool) bool // reports whether e, maybe the first entry, shows the dialect
	header func(e *entry.Entry) bool
	aside  func(e *entry.Entry) bool // reports whether e is not a node: headers and the like

	names    edgeNames
	kind     func(*entry.Entry) entry.Value // returns the type of an entry; nil for its member type
	time     string                         // the member that holds the time as a number; "" for a timestamp
	unit     int64                          // of that number, in microseconds
	messages []string                       // the types of what the user, the assistant or a tool said; nil for all
	others   []string                       // the types of the other conversation nodes; nil for all
	side     func(*entry.Entry) entry.Value // see Dialect.Sidechain; nil for isSidechain
	boundary func(*entry.Entry) bool
	afresh   func(*entry.Entry) bool // reports whether a path begins with e although e names a parent
	facts    facts
	told     told // see Dialect.Session
	title    func(*entry.Entry) (entry.Value, Rank)
	says     func(*entry.Entry, *Telling) // see Dialect.Tell

	// step completes what an entry of a list does, and returns what a Thread keeps
	// of the entry. A nil step adds each node after the others.
	step func(*Thread, *entry.Entry, *Step) mark
}

// The facts about a dialect. Most have a method of Dialect.
type facts uint16

const (
	list        facts = 1 << iota // the order of the entries gives them their parents
	noIDs                         // entries do not have ids, whatever their members
	needsHeader                   // see NeedsHeader
	claude                        // see HasTurns
	keptByCount                   // see KeepsByCount
	splitLines                    // see SplitsLines
	ordinals                      // see Ordinal
	inOrder                       // see SendsInOrder
)

// An edgeNames says which members of an entry, and of its edge, hold its id and its parent.
type edgeNames struct {
	id, parent         entry.Key
	idName, parentName string
}

var (
	uuids = edgeNames{entry.UUID, entry.ParentUUID, "uuid", "parentUuid"}
	ids   = edgeNames{entry.ID, entry.ParentID, "id", "parentId"}
)

// dialects is the table. A new program needs a row, a function if its logs undo, compact or
// update entries, words for its entries in TestThread, and a line in the manual.
var dialects = [...]row{
	Claude: {
		name: "Claude Code", facts: claude, names: uuids,
		fits: func(e *entry.Entry, _ bool) bool {
			isEdge := e.Get(entry.ID).IsString() && e.Get(entry.ParentID) != nil // with the names of pi
			return e.HasAny(entry.UUID, entry.ParentUUID, entry.LeafUUID) || e.Get(entry.IsSidechain) != nil && !isEdge ||
				e.Get(entry.ID) == nil && (hasType(e, claudeMeta) || hasType(e, []string{"summary", "mode", "tag"}) && e.Get(entry.SessionID) != nil)
		},
		told:     claudeTold,
		title:    claudeTitle,
		says:     claudeSays,
		messages: claudeMessages, others: claudeOthers, side: claudeSide, boundary: isClaudeBoundary, afresh: isQwenCompression,
	},
	Codex: {
		name: "Codex", facts: list | noIDs | ordinals, names: ids,
		fits: func(e *entry.Entry, _ bool) bool {
			return e.Get(entry.Type).IsString() && e.Member("payload").IsObject()
		},
		header:   func(e *entry.Entry) bool { return e.Get(entry.Type).Is("session_meta") },
		told:     codexTold,
		says:     codexSays,
		messages: []string{"response_item", "inter_agent_communication", "message"}, others: []string{"compacted"},
		boundary: isCodexBoundary, step: codexStep,
	},
	Gemini: {
		name: "Gemini CLI", facts: list, names: ids,
		fits: func(e *entry.Entry, _ bool) bool {
			return e.Member("$rewindTo") != nil || e.Member("$set").IsObject() || isGeminiHeader(e) ||
				e.Get(entry.ID).IsString() && hasType(e, []string{"user", "gemini", "info", "error", "warning"}) && e.Member("content") != nil
		},
		header: isGeminiHeader,
		aside: func(e *entry.Entry) bool {
			return e.Get(entry.ID).IsEmpty() && !isGeminiBoundary(e) && e.Member("$rewindTo") == nil
		},
		told:     geminiTold,
		title:    geminiTitle,
		says:     geminiSays,
		messages: []string{"user", "gemini"}, others: []string{},
		boundary: isGeminiBoundary, step: geminiStep,
	},
	DeepSeek: {
		name: "DeepSeek", facts: list | noIDs, names: ids, time: "time", unit: 1e3,
		fits:     func(e *entry.Entry, _ bool) bool { return isDeepSeekHeader(e) || isDeepSeekPart(e) },
		header:   isDeepSeekHeader,
		told:     deepSeekTold,
		title:    deepSeekTitle,
		says:     deepSeekSays,
		messages: []string{"user/message", "assistant/message", "tool/result"}, others: []string{},
		boundary: func(e *entry.Entry) bool { return e.Member("surfaceOp").IsObject() }, step: deepSeekStep,
	},
	Grok: {
		name: "Grok", facts: list | noIDs, names: ids, time: "timestamp", unit: 1e6,
		fits:     func(e *entry.Entry, _ bool) bool { return grokKind(e).IsString() },
		kind:     grokKind,
		told:     grokTold,
		says:     grokSays,
		messages: []string{"user_message_chunk", "agent_message_chunk", "tool_call", "tool_call_update"}, others: []string{},
		step: grokStep,
	},
	Copilot: {
		name: "Copilot", facts: list | splitLines, names: ids,
		fits: func(e *entry.Entry, _ bool) bool {
			t := e.Get(entry.Type)
			return e.Get(entry.ID).IsString() && (t.Is("abort") || bytes.IndexByte(t.Text(), '.') >= 0) && e.Member("data").IsObject()
		},
		header:   func(e *entry.Entry) bool { return e.Get(entry.Type).Is("session.start") },
		told:     copilotTold,
		title:    copilotTitle,
		says:     copilotSays,
		messages: []string{"user.message", "assistant.message", "tool.execution_complete"}, others: []string{"system.message"},
		side: copilotSide, boundary: isCopilotBoundary, step: copilotStep,
	},
	ClaudeNoIDs: {
		name: "Claude Code", facts: claude | list | noIDs, names: uuids,
		note: "no conversation entry has an id: read as one path, in file order",
		fits: func(e *entry.Entry, _ bool) bool {
			return hasType(e, []string{"user", "assistant", "system"}) && e.Get(entry.Message).IsObject()
		},
		aside:    func(e *entry.Entry) bool { return !hasType(e, claudeMessages) && !hasType(e, claudeOthers) },
		told:     claudeTold,
		title:    claudeTitle,
		says:     claudeSays,
		messages: claudeMessages, others: claudeOthers, side: claudeSide, boundary: isClaudeBoundary,
	},
	PiV1: {
		name: "pi", facts: list | noIDs | needsHeader | keptByCount | inOrder, names: ids,
		fits: func(e *entry.Entry, first bool) bool {
			return isPiHeader(e) && piVersion(e) < 2 ||
				first && e.Get(entry.ID) == nil && (hasType(e, piTypes) || e.Get(entry.Type).Is("message") && e.Get(entry.Message).IsObject())
		},
		told:   piTold,
		title:  piTitle,
		says:   piSays,
		header: isPiHeader, aside: isPiSession, messages: []string{"message"}, boundary: isPiBoundary,
	},
	Pi: {
		name: "pi", facts: needsHeader | inOrder, names: ids,
		fits: func(e *entry.Entry, first bool) bool {
			return isPiHeader(e) || first && e.Get(entry.ID).IsString() && e.Get(entry.ParentID) != nil
		},
		told:   piTold,
		title:  piTitle,
		says:   piSays,
		header: isPiHeader, aside: isPiSession, messages: []string{"message"}, boundary: isPiBoundary,
	},
	Unknown: {
		name: "an unknown program", facts: list | noIDs, names: ids, says: anySays, told: anyTold, title: anyTitle,
		note: "not the log of a known program: its entries are taken in file order",
	},
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

	// piTypes are types that only pi writes.
	piTypes = []string{
		"compaction", "branch_summary", "custom_message", "custom",
		"model_change", "thinking_level_change", "label", "session_info",
	}
)

// firstOf returns a content that is a string, or the first text of its blocks, or nil.
func firstOf(content entry.Value) entry.Value {
	if content.IsString() {
		return content
	}
	for block := range content.Elements() {
		if text := block.Member("text"); text != nil {
			return text
		}
	}
	return nil
}

// claudeSide returns the sidechain that e is on. An entry of a stream-json capture, which names no
// parent, names the call that started its sub-agent.
func claudeSide(e *entry.Entry) entry.Value {
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

// codexPrompt returns the content of e, a message of the user or the item that newer releases write
// instead, nil if it is neither.
func codexPrompt(e *entry.Entry) entry.Value {
	if !e.Get(entry.Type).Is("event_msg") {
		return nil
	}
	p := e.Member("payload")
	if p.Member("type").Is("user_message") {
		return p.Member("message")
	}
	if item := p.Member("item"); p.Member("type").Is("item_completed") && item.Member("type").Is("UserMessage") {
		return item.Member("content")
	}
	return nil
}

func isCodexBoundary(e *entry.Entry) bool {
	return e.Get(entry.Type).Is("compacted") && e.Member("payload").Member("replacement_history").IsArray()
}

func isGeminiHeader(e *entry.Entry) bool {
	return e.Get(entry.Type) == nil && e.Get(entry.ID).IsEmpty() && e.Get(entry.SessionID).IsString() && (e.Member("projectHash") != nil || e.Member("startTime") != nil)
}

func isGeminiBoundary(e *entry.Entry) bool {
	return e.Get(entry.ID).IsEmpty() && e.Member("$rewindTo") == nil && e.Member("$set").Member("messages").IsArray()
}

func isDeepSeekHeader(e *entry.Entry) bool {
	return isPiSession(e) && e.Member("createdAt").IsNumber()
}

func isDeepSeekPart(e *entry.Entry) bool {
	_, hasSeq := e.Member("seq").Int()
	t := e.Get(entry.Type).Text()
	return hasSeq && bytes.IndexByte(t, '/') >= 0 && e.Member("data") != nil ||
		bytes.HasSuffix(t, []byte("-chunks")) && e.Member("seq0") != nil
}

// grokUpdate returns the update in e, which older logs have at the top.
func grokUpdate(e *entry.Entry) entry.Value {
	if u := e.Member("params").Member("update"); u != nil {
		return u
	}
	return e.Member("update")
}

func grokKind(e *entry.Entry) entry.Value { return grokUpdate(e).Member("sessionUpdate") }

// copilotSide returns the sub-agent that wrote e, or that e is not to be kept.
func copilotSide(e *entry.Entry) entry.Value {
	if agent := e.Member("agentId").NonEmpty(); agent != nil {
		return agent
	}
	if ephemeral := e.Member("ephemeral"); ephemeral.Truthy() {
		return ephemeral
	}
	return nil
}

func isCopilotBoundary(e *entry.Entry) bool {
	t := e.Get(entry.Type)
	return t.Is("session.context_cleared") || t.Is("session.compaction_complete") && string(e.Member("data").Member("success")) == "true"
}
