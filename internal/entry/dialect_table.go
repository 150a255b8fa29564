package entry

import (
	"bytes"
	"slices"
	"strconv"
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

	fits   func(e *Entry, first bool) bool // reports whether e, maybe the first entry, shows the dialect
	header func(e *Entry) bool
	aside  func(e *Entry) bool // reports whether e is not a node: headers and the like

	names      edgeNames
	noIDs      bool               // entries do not have ids, whatever their members
	kind       func(*Entry) Value // returns the type of an entry; nil for its member type
	time       string             // the member that holds the time as a number; "" for a timestamp
	unit       int64              // of that number, in microseconds
	messages   []string           // the types of what the user, the assistant or a tool said; nil for all
	others     []string           // the types of the other conversation nodes; nil for all
	prompt     func(*Entry) Value // see Dialect.Prompt
	calls      func(*Entry) int   // see Dialect.Calls
	side       func(*Entry) Value // see Dialect.Agent; nil for isSidechain
	boundary   func(*Entry) bool
	likeClaude bool
	straight   bool
	keepHeader bool // see Dialect.NeedsHeader

	// step completes what an entry of a straight log does, and returns what a Thread keeps
	// of the entry. A nil step adds each node behind the others.
	step func(*Thread, *Entry, *Step) mark
}

// An edgeNames says which members of an entry, and of its edge, hold its id and its parent.
type edgeNames struct {
	id, parent         Key
	idName, parentName string
}

var (
	uuids = edgeNames{UUID, ParentUUID, "uuid", "parentUuid"}
	ids   = edgeNames{ID, ParentID, "id", "parentId"}
)

// dialects is the table. A new program needs a row, a function if its logs undo, compact or
// update entries, words for its entries in TestThread, and a line in the manual.
var dialects = [...]row{
	Claude: {
		name: "Claude Code", likeClaude: true, names: uuids,
		fits: func(e *Entry, _ bool) bool {
			isEdge := e.Get(ID).IsString() && e.Get(ParentID) != nil // with the names of pi
			return e.hasAny(UUID, ParentUUID, LeafUUID) || e.Get(IsSidechain) != nil && !isEdge
		},
		messages: claudeMessages, others: claudeOthers, boundary: isClaudeBoundary,
	},
	Codex: {
		name: "Codex", straight: true, names: ids, noIDs: true,
		fits:     func(e *Entry, _ bool) bool { return e.Get(Type).IsString() && e.Member("payload").IsObject() },
		header:   func(e *Entry) bool { return e.Get(Type).Is("session_meta") },
		messages: []string{"response_item", "inter_agent_communication"}, others: []string{"compacted"},
		prompt: func(e *Entry) Value {
			if p := e.Member("payload"); e.Get(Type).Is("event_msg") && p.Member("type").Is("user_message") {
				return p.Member("message")
			}
			return nil
		},
		calls: func(e *Entry) int {
			kind := e.Member("payload").Member("type").Text()
			return count(e.Get(Type).Is("response_item") && bytes.HasSuffix(kind, []byte("_call")))
		},
		boundary: isCodexBoundary, step: codexStep,
	},
	Gemini: {
		name: "Gemini CLI", straight: true, names: ids,
		fits: func(e *Entry, _ bool) bool {
			return e.Member("$rewindTo") != nil || e.Member("$set").IsObject() || isGeminiHeader(e) ||
				e.Get(ID).IsString() && e.isOneOf([]string{"user", "gemini", "info", "error", "warning"}) && e.Member("content") != nil
		},
		header: isGeminiHeader,
		aside: func(e *Entry) bool {
			return e.Get(ID).IsEmpty() && !isGeminiBoundary(e) && e.Member("$rewindTo") == nil
		},
		messages: []string{"user", "gemini"}, others: []string{},
		prompt: func(e *Entry) Value { return firstText(e, "user", e.Member("content")) },
		calls: func(e *Entry) (n int) {
			for range e.Member("toolCalls").Elements() {
				n++
			}
			return n
		},
		boundary: isGeminiBoundary, step: geminiStep,
	},
	DeepSeek: {
		name: "DeepSeek", straight: true, names: ids, noIDs: true, time: "time", unit: 1e3,
		fits:     func(e *Entry, _ bool) bool { return isDeepSeekHeader(e) || isDeepSeekPart(e) },
		header:   isDeepSeekHeader,
		messages: []string{"user/message", "assistant/message", "tool/result"}, others: []string{},
		prompt:   func(e *Entry) Value { return firstText(e, "user/message", e.Member("data").Member("content")) },
		calls:    func(e *Entry) int { return count(e.Get(Type).Is("tool/call")) },
		boundary: func(e *Entry) bool { return e.Member("surfaceOp").IsObject() }, step: deepSeekStep,
	},
	Grok: {
		name: "Grok", straight: true, names: ids, noIDs: true, time: "timestamp", unit: 1e6,
		fits:     func(e *Entry, _ bool) bool { return grokKind(e).IsString() },
		kind:     grokKind,
		messages: []string{"user_message_chunk", "agent_message_chunk", "tool_call", "tool_call_update"}, others: []string{},
		prompt: func(e *Entry) Value {
			if grokKind(e).Is("user_message_chunk") {
				return grokUpdate(e).Member("content").Member("text")
			}
			return nil
		},
		calls: func(e *Entry) int { return count(grokKind(e).Is("tool_call")) },
		step:  grokStep,
	},
	Copilot: {
		name: "Copilot", straight: true, names: ids,
		fits: func(e *Entry, _ bool) bool {
			t := e.Get(Type)
			return e.Get(ID).IsString() && (t.Is("abort") || bytes.IndexByte(t.Text(), '.') >= 0) && e.Member("data").IsObject()
		},
		header:   func(e *Entry) bool { return e.Get(Type).Is("session.start") },
		messages: []string{"user.message", "assistant.message", "tool.execution_complete"}, others: []string{"system.message"},
		prompt: func(e *Entry) Value { return firstText(e, "user.message", e.Member("data").Member("content")) },
		calls:  func(e *Entry) int { return count(e.Get(Type).Is("tool.execution_start")) },
		side:   copilotSide, boundary: isCopilotBoundary, step: copilotStep,
	},
	ClaudeNoIDs: {
		name: "Claude Code", likeClaude: true, straight: true, names: uuids,
		note: "no conversation entry has an id: read as one path, in file order",
		fits: func(e *Entry, _ bool) bool {
			return e.isOneOf([]string{"user", "assistant", "system"}) && e.Get(Message).IsObject() ||
				e.isOneOf(claudeMeta) || e.isOneOf([]string{"summary", "mode", "tag"}) && e.Get(SessionID) != nil
		},
		messages: claudeMessages, others: claudeOthers, boundary: isClaudeBoundary,
	},
	PiV1: {
		name: "pi", straight: true, keepHeader: true, names: ids, noIDs: true,
		fits: func(e *Entry, first bool) bool {
			return isPiHeader(e) && piVersion(e) < 2 || first && e.Get(ID) == nil && e.isOneOf(piTypes)
		},
		header: isPiHeader, aside: isPiSession, messages: []string{"message"}, boundary: isPiBoundary,
	},
	Pi: {
		name: "pi", keepHeader: true, names: ids,
		fits: func(e *Entry, first bool) bool {
			return isPiHeader(e) || first && e.Get(ID).IsString() && e.Get(ParentID) != nil
		},
		header: isPiHeader, aside: isPiSession, messages: []string{"message"}, boundary: isPiBoundary,
	},
	Unknown: {
		name: "an unknown program", straight: true, names: ids, noIDs: true,
		note: "not the log of a known program: its entries are taken in file order",
	},
}

var (
	claudeMessages = []string{"user", "assistant"}
	claudeOthers   = []string{"attachment", "system"}

	// claudeMeta are types that only Claude Code writes, of entries that are not nodes.
	claudeMeta = []string{
		"custom-title", "ai-title", "last-prompt", "file-history-snapshot", "file-history-delta", "queue-operation",
		"permission-mode", "agent-name", "agent-setting", "agent-color", "pr-link", "bridge-session", "atis-latch",
		"cost-state", "worktree-state", "content-replacement", "attribution-snapshot",
	}

	// piTypes are types that only pi writes.
	piTypes = []string{
		"message", "compaction", "branch_summary", "custom_message", "custom",
		"model_change", "thinking_level_change", "label", "session_info",
	}
)

// firstText returns a content that is a string, or the text of its first block, if e has the
// type; else nil.
func firstText(e *Entry, typ string, content Value) Value {
	switch {
	case !e.Get(Type).Is(typ):
		return nil
	case content.IsString():
		return content
	}
	for block := range content.Elements() {
		return block.Member("text")
	}
	return nil
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func isClaudeBoundary(e *Entry) bool {
	return e.Get(Type).Is("system") && e.Get(Subtype).Is("compact_boundary")
}

func isPiBoundary(e *Entry) bool { return e.Get(Type).Is("compaction") }
func isPiSession(e *Entry) bool  { return e.Get(Type).Is("session") }

func isPiHeader(e *Entry) bool {
	return isPiSession(e) && e.Get(ID).IsString() && e.Get(UUID) == nil && e.Get(ParentID) == nil
}

// piVersion returns the version in a header of pi, 1 if it is missing.
func piVersion(e *Entry) float64 {
	v, err := strconv.ParseFloat(string(e.Get(Version)), 64)
	if err != nil {
		return 1
	}
	return v
}

func isCodexBoundary(e *Entry) bool {
	return e.Get(Type).Is("compacted") && e.Member("payload").Member("replacement_history").IsArray()
}

// codexStep finds the turns of Codex, which are what a rollback takes back. A turn has a
// prompt, and begins where its task does. If a turn has several prompts, each further one
// counts as a turn that begins at the item above it.
func codexStep(t *Thread, e *Entry, s *Step) mark {
	p := e.Member("payload")
	kind := p.Member("type")
	switch typ := e.Get(Type); {
	case isCodexBoundary(e):
		t.cut(s.At)
	case typ.Is("inter_agent_communication"), typ.Is("response_item") && kind.Is("agent_message"):
		t.turn(s.At)
	case typ.Is("inter_agent_communication_metadata"), typ.Is("response_item") && p.Member("role").Is("user"):
		return above
	case !typ.Is("event_msg"):
	case kind.Is("task_started"), kind.Is("turn_started"):
		t.opened = s.At
	case kind.Is("user_message"):
		if t.top() != prompt { // else it is written twice
			t.turn(s.At)
		}
		return prompt
	case kind.Is("thread_rolled_back"):
		s.Node = false
		if n, _ := p.Member("num_turns").Int(); n > 0 && len(t.turns) > 0 {
			first := max(0, len(t.turns)-int(min(n, int64(len(t.turns)))))
			turn := t.turns[first]
			s.Keep = turn.start
			// What is above the first prompt is context, unless a compaction replaced it.
			if turn.opened >= 0 && (first > 0 || len(t.cuts) > 0) {
				s.Keep = turn.opened
			}
		}
		if s.Keep > 0 {
			t.marks[s.Keep-1] = 0 // the next entry is not directly below it
		}
	}
	return 0
}

func isGeminiHeader(e *Entry) bool {
	return e.Get(Type) == nil && e.Get(ID).IsEmpty() && e.Get(SessionID).IsString() && (e.Member("projectHash") != nil || e.Member("startTime") != nil)
}

func isGeminiBoundary(e *Entry) bool {
	return e.Get(ID).IsEmpty() && e.Member("$rewindTo") == nil && e.Member("$set").Member("messages").IsArray()
}

// geminiStep knows the messages by their ids: an entry with the id of another one is its
// newest text, a rewind names the first message that it takes back, and a snapshot is a new
// list of messages.
func geminiStep(t *Thread, e *Entry, s *Step) mark {
	if to := e.Member("$rewindTo"); to != nil {
		s.Node, s.Keep = false, 0
		if m, ok := t.named[to.Key()]; ok {
			s.Keep = m.at
			if m.inside {
				s.Keep++ // the snapshot stays, though a part of it is taken back
				t.forget(to.Key())
			}
		}
		return 0
	}
	if id := e.Get(ID); !id.IsEmpty() {
		if m, ok := t.named[id.Key()]; ok && !m.snapshot {
			s.At = m.at
		} else {
			t.name(id, message{at: s.At})
		}
		return 0
	}
	s.Keep, s.At = 0, 0
	t.keep(0)
	t.cut(0)
	inside := false
	for m := range e.Member("$set").Member("messages").Elements() {
		t.name(m.Member("id"), message{at: 0, snapshot: true, inside: inside})
		inside = true
	}
	return 0
}

func isDeepSeekHeader(e *Entry) bool {
	return isPiSession(e) && e.Member("createdAt").isNumber()
}

func isDeepSeekPart(e *Entry) bool {
	_, hasSeq := e.Member("seq").Int()
	t := e.Get(Type).Text()
	return hasSeq && bytes.IndexByte(t, '/') >= 0 && e.Member("data") != nil ||
		bytes.HasSuffix(t, []byte("-chunks")) && e.Member("seq0") != nil
}

// deepSeekStep keeps the surface, the events that the model sees. An event joins it or
// replaces a stretch of it. The log is cut above the surface once the stretch began with the
// first event: then nothing before that is on it.
func deepSeekStep(t *Thread, e *Entry, s *Step) mark {
	seq, _ := e.Member("seq").Int()
	node := surfaced{seq, s.At}
	switch op := e.Member("surfaceOp"); {
	case op.Is("append"):
		t.surface = append(t.surface, node)
	case op.Member("op").Is("replace"):
		at := func(name string) int {
			seq, ok := op.Member(name).Int()
			i := len(t.surface) - 1 // the newest are replaced most
			for i >= 0 && !(ok && t.surface[i].seq == seq) {
				i--
			}
			return i
		}
		from, to := max(0, at("start")), 1+at("end")
		t.surface = slices.Replace(t.surface, from, max(from, to), node)
		t.replaced = t.replaced || from == 0
	}
	return 0
}

// grokUpdate returns the update in e, which older logs have at the top.
func grokUpdate(e *Entry) Value {
	if u := e.Member("params").Member("update"); u != nil {
		return u
	}
	return e.Member("update")
}

func grokKind(e *Entry) Value { return grokUpdate(e).Member("sessionUpdate") }

// grokStep counts prompts as Grok does, for the rewinds that name one by its number. A
// prompt is a run of chunks. Once one has an index, those without are not prompts.
func grokStep(t *Thread, e *Entry, s *Step) mark {
	u := grokUpdate(e)
	if kind := u.Member("sessionUpdate"); kind.Is("rewind_marker") {
		s.Node = false
		t.index = "none" // the next chunk begins another prompt
		if k, ok := u.Member("target_prompt_index").Int(); ok && k >= 0 && k < int64(len(t.turns)) {
			s.Keep = t.turns[k].start
		}
		return 0
	} else if !kind.Is("user_message_chunk") || u.Member("_meta").Member("hostTurn").Truthy() {
		return 0
	}
	index := string(u.Member("_meta").Member("promptIndex"))
	t.indexed = t.indexed || index != ""
	if t.indexed && index == "" {
		return 0
	}
	if t.top() != prompt || t.index != index {
		t.turn(s.At)
	}
	t.index = index
	return prompt
}

// copilotSide returns the sub-agent that wrote e, or that e is not to be kept.
func copilotSide(e *Entry) Value {
	if agent := nonEmpty(e.Member("agentId")); agent != nil {
		return agent
	}
	if ephemeral := e.Member("ephemeral"); ephemeral.Truthy() {
		return ephemeral
	}
	return nil
}

func isCopilotBoundary(e *Entry) bool {
	t := e.Get(Type)
	return t.Is("session.context_cleared") || t.Is("session.compaction_complete") && string(e.Member("data").Member("success")) == "true"
}

// copilotStep cuts the log where a compaction that succeeded was started, because what was
// written meanwhile is not in its summary.
func copilotStep(t *Thread, e *Entry, s *Step) mark {
	at := s.At
	switch typ := e.Get(Type); {
	case typ.Is("session.compaction_start"):
		t.opened = s.At
	case typ.Is("session.compaction_complete"):
		if t.opened >= 0 {
			at = t.opened
		}
		t.opened = -1
	}
	if isCopilotBoundary(e) {
		t.cut(at)
	}
	return 0
}
