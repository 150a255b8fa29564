package dialect

import (
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

	names     edgeNames
	kind      func(*entry.Entry) entry.Value // returns the type of an entry; nil for its member type
	time      string                         // the member that holds the time as a number; "" for a timestamp
	unit      int64                          // of that number, in microseconds
	messages  []string                       // the types of what the user, the assistant or a tool said; nil for all
	others    []string                       // the types of the other conversation nodes; nil for all
	sidechain func(*entry.Entry) entry.Value // see Dialect.Sidechain; nil for isSidechain
	boundary  func(*entry.Entry) bool
	afresh    func(*entry.Entry) bool // reports whether a path begins with e although e names a parent
	facts     facts
	title     func(*entry.Entry) (entry.Value, Rank) // see Dialect.Title

	// step completes what an entry of a list does, and returns what a Thread keeps
	// of the entry. A nil step adds each node after the others.
	step func(*Thread, *entry.Entry, *Step) mark

	// begin returns how many of the living entries of a list remain at a header. Nil is for all.
	begin func(*Thread, *entry.Entry) int
}

// The facts about a dialect. Most have a method of Dialect.
type facts uint16

const (
	list        facts = 1 << iota // the order of the entries gives them their parents
	noIDs                         // entries do not have ids, whatever their members
	needsHeader                   // see NeedsHeader
	likeClaude                    // see IsClaude
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

// dialects is the table: the row of each program is in a file of its own, with what decides it.
var dialects = [...]row{
	Claude:      claude,
	Codex:       codex,
	Gemini:      gemini,
	DeepSeek:    deepSeek,
	Grok:        grok,
	Copilot:     copilot,
	ClaudeNoIDs: claudeNoIDs,
	PiV1:        piV1,
	Pi:          pi,
	Unknown:     unknown,
}
