package record

// A Leaf is what jlleaf adds to the edge of a leaf.
type Leaf struct {
	Newest  bool `json:"newest,omitempty"`  // the newest leaf by its timestamp
	Last    bool `json:"last,omitempty"`    // the last leaf in the file
	Pinned  bool `json:"pinned,omitempty"`  // the last last-prompt entry names it
	Depth   int  `json:"depth"`             // edges from the root
	Fork    Raw  `json:"fork,omitempty"`    // with -a: the last entry that its path shares with the path of a newer end
	Own     *int `json:"own,omitempty"`     // with -a: how many conversation entries of its path are after the fork, or, without a fork, on the path
	Summary Raw  `json:"summary,omitempty"` // the text of the last summary entry that names the leaf
	Title   Raw  `json:"title,omitempty"`   // the title of its session
	Prompt  Raw  `json:"prompt,omitempty"`  // with -a: the first words of the last prompt at or above it; of an approved plan, its first heading
}

// A Place is the position of an entry in its file, an entry.Pos.
type Place struct {
	Line   int64 `json:"line"`   // of the entry, counted from 1
	Offset int64 `json:"offset"` // of its first byte, in the decompressed file
	Length int64 `json:"length"` // in bytes, of its line, or of the object if it was recovered from a damaged line
}

// A Finding is what all rows of jltree --check but the totals have. The place is the entry, or the
// line if nothing of the entry is left.
type Finding struct {
	Finding  string   `json:"finding"`  // its name
	Severity Severity `json:"severity"` // damage, warning or note
	File     Raw      `json:"file"`     // the FILE that was given
	Place
}

// A Severity says what a finding means.
type Severity string

// The severities.
const (
	Damage  Severity = "damage"  // something is lost, or readers of the log disagree
	Warning Severity = "warning" // some readers may stumble over it, or something was interrupted
	Note    Severity = "note"    // worth knowing, but sound logs have it too
)

// Malformed is a line that is lost, or an entry that is not JSON by the full grammar.
type Malformed struct {
	Finding
	ID     Raw    `json:"id,omitempty"` // of the entry
	Reason string `json:"reason"`       // what is wrong with it
	At     int64  `json:"at,omitempty"` // the offset at which an entry stops being JSON
}

// Recovered is a whole entry of a damaged line.
type Recovered struct {
	Finding
	ID     Raw    `json:"id,omitempty"` // of the entry
	Reason string `json:"reason"`       // what is wrong with the line
}

// BadText is the first place in an entry that others cannot read: invalid UTF-8, a lone surrogate,
// an escaped NUL, a raw U+2028 or U+2029, empty thinking with a signature.
type BadText struct {
	Finding
	ID    Raw   `json:"id,omitempty"` // of the entry
	At    int64 `json:"at"`           // its offset
	Where Raw   `json:"where"`        // its path in jq, at most 32 steps
}

// Orphan is an entry whose parent is not in the file, or that hangs beside the path.
type Orphan struct {
	Finding
	ID     Raw `json:"id"`     // of the entry
	Parent Raw `json:"parent"` // the id of its parent
}

// LostIDs is a boundary that names entries which are not in the file, as those that the compaction
// kept or as its logical parent.
type LostIDs struct {
	Finding
	ID    Raw   `json:"id"`    // of the entry
	IDs   []Raw `json:"ids"`   // the first 16 of these
	Count int   `json:"count"` // how many they are
}

// Beside is the leaf of a log in which most of the conversation is beside the path to it, on no
// branch that a prompt began.
type Beside struct {
	Finding
	ID     Raw `json:"id"`     // of the leaf
	Beside int `json:"beside"` // how many conversation entries are beside the path
	All    int `json:"all"`    // how many there are
}

// Root is an entry without a parent with which a conversation begins, though another one began in its session before,
// and nothing tells what it came after.
type Root struct {
	Finding
	ID    Raw `json:"id"`    // of the entry
	Below int `json:"below"` // how many conversation entries are at it or below it, across compactions and gaps
	All   int `json:"all"`   // how many there are
}

// WithoutID is the first message without an id in a log whose entries have ids.
type WithoutID struct {
	Finding
	Count int `json:"count"` // how many they are
}

// Ordinal is an entry whose ordinal does not follow those before.
type Ordinal struct {
	Finding
	Ordinal  int64 `json:"ordinal"`  // the one that it has
	Expected int64 `json:"expected"` // 1 + the largest before
}

// SelfParent is an entry that is its own parent.
type SelfParent struct {
	Finding
	ID Raw `json:"id"` // of the entry
}

// Cycle is the entry that closes a cycle of parents.
type Cycle struct {
	Finding
	ID    Raw   `json:"id"`    // of the entry
	IDs   []Raw `json:"ids"`   // of the first 16 nodes, from the one that closes the cycle upwards
	Nodes int   `json:"nodes"` // how many nodes the cycle has
}

// Duplicate is an entry whose id an earlier entry has.
type Duplicate struct {
	Finding
	ID   Raw   `json:"id"`   // of the entry
	With Place `json:"with"` // the earlier entry
	Same bool  `json:"same"` // the two have the same bytes
}

// SnapshotID is a file-history entry whose messageId is the id of a node.
type SnapshotID struct {
	Finding
	ID   Raw   `json:"id"`   // of the entry
	With Place `json:"with"` // the node
}

// Between is a message between a call and its result.
type Between struct {
	Finding
	ID   Raw   `json:"id"`   // of the message
	With Place `json:"with"` // the result
}

// ClockSkew is an entry that is older than its parent.
type ClockSkew struct {
	Finding
	ID      Raw     `json:"id"`      // of the entry
	Parent  Raw     `json:"parent"`  // the id of its parent
	With    Place   `json:"with"`    // the parent
	Seconds float64 `json:"seconds"` // by which it is older
}

// Unmatched is a tool call without a result, or a result without a call, in the file or on a path.
type Unmatched struct {
	Finding
	ID        Raw     `json:"id,omitempty"`     // of the entry
	Parent    Raw     `json:"parent,omitempty"` // the id of its parent
	Call      Raw     `json:"call,omitempty"`   // the id of the call
	Tool      Raw     `json:"tool,omitempty"`   // the name of the tool
	Children  []int64 `json:"children"`         // the lines of the first 16 entries below it
	With      *Place  `json:"with,omitempty"`   // the result or the call, if it is elsewhere in the file
	Removable bool    `json:"removable"`        // the line holds nothing else and no entry is below it, so that sed Nd leaves a sound log
}

// AnotherSession is the first entry of a session that is not the first of its file.
type AnotherSession struct {
	Finding
	ID        Raw   `json:"id"`        // of the entry
	SessionID Raw   `json:"sessionId"` // the session
	With      Place `json:"with"`      // the first entry of the first session
}

// Totals is the last row of jltree --check about a log.
type Totals struct {
	Totals     bool     `json:"totals"`               // true
	File       Raw      `json:"file"`                 // the FILE that was given
	Bytes      int64    `json:"bytes"`                // the size of the decompressed log
	Lines      int64    `json:"lines"`                // how many there are
	Entries    int64    `json:"entries"`              // how many there are
	Nodes      int      `json:"nodes"`                // entries with an id
	Roots      int      `json:"roots"`                // nodes without a parent
	Leaves     int      `json:"leaves"`               // nodes at which a conversation ends
	OnPath     int      `json:"onPath"`               // nodes on the way from the leaf that jlleaf chooses to where its parents end
	Reachable  int      `json:"reachable"`            // nodes whose parents lead to a root; if those of the leaf do not, the nodes connected with the leaf
	Share      *float64 `json:"share,omitempty"`      // reachable / nodes, rounded down to four digits; left out if there are no nodes
	Damage     int64    `json:"damage"`               // findings of that severity
	Warnings   int64    `json:"warnings"`             // findings of that severity
	Notes      int64    `json:"notes"`                // findings of that severity
	Unfinished bool     `json:"unfinished,omitempty"` // the last line may still be growing
	Healthy    bool     `json:"healthy"`              // the status is 0: there is no damage, with --strict no warning either, and the log was read to its end
}

// A Left is what a path has not and the log has: a row of jlpath --said.
type Left struct {
	Is      string `json:"is"`             // left
	Session Raw    `json:"session"`        // of the leaf, or of the log; null if nothing tells it
	What    string `json:"what"`           // above, which --through adds, or branches
	Count   int    `json:"count"`          // of conversation entries
	File    Raw    `json:"file,omitempty"` // the FILE, if there are several
}

// A Page is a part of a log that begins at a boundary, or at the beginning of the log.
type Page struct {
	Page         int   `json:"page"`                   // counted from 1
	Entries      int64 `json:"entries"`                // in it
	Bytes        int64 `json:"bytes"`                  // the size of the page
	Offset       int64 `json:"offset"`                 // where the page begins, in the decompressed log
	Trigger      Raw   `json:"trigger,omitempty"`      // of the compaction that began the page
	TokensBefore Raw   `json:"tokensBefore,omitempty"` // how many tokens there were before that compaction
	File         Raw   `json:"file,omitempty"`         // the FILE, if there are several or with -H
}

// A TrackedFile is the state of one tracked path at a moment of a session: a row of
// jlsnap --files.
type TrackedFile struct {
	Path       Raw    `json:"path"`                 // of the file
	Backup     Raw    `json:"backup"`               // the name of its backup, null if it is absent or untouched
	Version    Raw    `json:"version"`              // of the backup
	BackupTime Raw    `json:"backupTime"`           // when the backup was made
	State      string `json:"state"`                // ok; pruned: the backup is gone; overwritten: a later backup has its name; absent: the file did not exist; edited: with a time, calls changed it since that backup, and --restore writes what they made of it, unless there is a reason; untouched: there is no backup for that moment, so a rewind leaves the file as it is; unreadable: the backup cannot be opened, is not a regular file, or has a name without 16 hexadecimal digits, "@v" and a version
	BackupPath Raw    `json:"backupPath,omitempty"` // where the backup is
	Reason     Raw    `json:"reason,omitempty"`     // why the backup is unreadable, or why the text of the edits is not known
	File       Raw    `json:"file,omitempty"`       // the log, if there are several
}
