package log

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"jl/internal/entry"
	"jl/internal/rule"
)

// A Node is the handle of a node of a Log: an entry with an id. Handles count from 0, in file order, and are
// valid only in their own Log. Those that are not below Log.Count stand for ids that entries name as
// parents, but no entry has.
type Node = rule.Node

// None means no node: the parent of a root, the leaf of an empty log.
const None = rule.None

// NoTime is the time of a node without a timestamp that is a readable string.
const NoTime int64 = math.MinInt64

// A Kind is what the type of an entry means for a log.
type Kind uint8

const (
	link     Kind = iota // of a type that the suite does not know
	Progress             // a link too
	User
	Assistant
	Attachment
	System
	spoken // a conversation node of a dialect that is not Claude's
)

func kindOf(t entry.Value) Kind {
	switch {
	case t.Is("user"), t.Is("tool_result"): // in a log of Qwen Code
		return User
	case t.Is("assistant"):
		return Assistant
	case t.Is("attachment"):
		return Attachment
	case t.Is("system"):
		return System
	case t.Is("progress"):
		return Progress
	}
	return link
}

// Conversation reports whether nodes of the kind are conversation nodes: messages or context.
func (k Kind) Conversation() bool { return k >= User }

// Message reports whether somebody said what nodes of the kind hold.
func (k Kind) Message() bool { return k == User || k == Assistant || k == spoken }

// Context reports whether nodes of the kind come along with messages.
func (k Kind) Context() bool { return k == Attachment || k == System }

// Facts about a node that [rule.Table.Is] takes.
const (
	Talks     = rule.Talks     // a conversation node
	Boundary  = rule.Boundary  // a compaction wrote it
	Sidechain = rule.Sidechain // on a sidechain
	Prompt    = rule.Prompt    // what a person typed
	Answer    = rule.Answer    // what a model said
)

// A Mark is a fact about a node that the rule of a path does not need.
type Mark uint8

const (
	Team     Mark = 1 << iota // it names a team of agents
	Meta                      // the client, and not the user, wrote it
	HasWords                  // the message of an assistant entry holds more than thinking and white space
	gone                      // another entry has the id, and counts
)

// A row is what an entry becomes.
type row struct {
	time    int64 // microseconds since 1970, or NoTime
	message int32 // 1 + the index of its message, 0 if it has none
	strand  int32 // see [rule.Table]
	kind    Kind
	facts   rule.Flags
	marks   Mark
}

// addRow adds the row of the entry at p, with its id, and its parent, None for a root.
func (t *Log) addRow(id Hash, parent Node, p entry.Pos, x row) {
	if len(t.ids) == t.room {
		t.makeRoom(p.Offset)
	}
	t.ids, t.pos = append(t.ids, id), append(t.pos, pack(p))
	t.Written, t.Kinds, t.Marks = append(t.Written, parent), append(t.Kinds, x.kind), append(t.Marks, x.marks)
	t.Tree.Flags, t.Tree.Strand = append(t.Tree.Flags, x.facts|flagsOf(x.kind)), append(t.Tree.Strand, x.strand)
	t.Tree.Time, t.Tree.Message = append(t.Tree.Time, x.time), append(t.Tree.Message, x.message)
}

// makeRoom makes room for as many more rows as the rest of the log has if it is like what is above an offset, but at
// most for 32 times as many as there are. Room that stays empty takes no memory: the system gives it when it is used.
func (t *Log) makeRoom(offset int64) {
	left := float64(t.Size-offset) / float64(max(offset, 1)) * float64(t.room)
	more := max(1<<10, t.room/4, int(min(32*float64(t.room), 1.02*left)))
	entries := max(1, len(t.ids))
	t.Tree.Messages = slices.Grow(t.Tree.Messages, more*len(t.Tree.Messages)/entries)
	t.Tree.Tools = slices.Grow(t.Tree.Tools, min(more*len(t.Tree.Tools)/entries, more+len(t.Tree.Tools))) // one entry may have very many
	t.room += more
	for _, c := range t.columns() {
		c.grow(more)
	}
}

// columns returns the columns that each entry adds to; those of package rule that follow from them are not among these.
func (t *Log) columns() []column {
	return []column{
		(*of[Hash])(&t.ids), (*of[packedPos])(&t.pos), (*of[Node])(&t.Written), (*of[Kind])(&t.Kinds), (*of[Mark])(&t.Marks),
		(*of[rule.Flags])(&t.Tree.Flags), (*of[int32])(&t.Tree.Strand), (*of[int64])(&t.Tree.Time), (*of[int32])(&t.Tree.Message),
	}
}

// A column has a value for each node.
type column interface {
	grow(more int)     // makes room for more values
	keep(nodes []Node) // keeps the values of some nodes, in memory of their own
}

type of[T any] []T

func (c *of[T]) grow(more int) { *c = slices.Grow(*c, more) }

func (c *of[T]) keep(nodes []Node) {
	kept := make([]T, len(nodes))
	for i, n := range nodes {
		kept[i] = (*c)[n]
	}
	*c = kept
}

// flagsOf returns the facts that follow from a kind.
func flagsOf(k Kind) (f rule.Flags) {
	if k.Conversation() {
		f |= rule.Talks
	}
	if k.Message() {
		f |= rule.Speaks
	}
	if k == User {
		f |= rule.User
	}
	return f
}

// Has reports whether n is a node whose entry is in the log. It reports false for None.
func (t *Log) Has(n Node) bool { return n >= 0 && n < t.Count }

// LookUp returns the node of the id v. It returns None if v is not a string, or no entry has the
// id or names it as its parent. The node may be one that is not in the log: see Has.
func (t *Log) LookUp(v entry.Value) Node {
	return t.find(t.hashOf(v))
}

// NodeAt returns the node whose entry is at x, or None if the entry there is not a node.
func (t *Log) NodeAt(x entry.Pos) Node {
	n, ok := sort.Find(int(t.Count), func(n int) int { return cmp.Compare(x.Offset, t.pos[n].offset()) })
	if !ok {
		return None
	}
	return Node(n)
}
