package tree

import (
	"cmp"
	"math"
	"sort"
	"unsafe"

	"jl/internal/entry"
	"jl/internal/rule"
)

// A Node is the handle of a node of a Tree: an entry with an id. Handles count from 0, in file order, and are
// valid only in their own Tree. Those that are not below Tree.Count stand for ids that entries name as
// parents, but no entry has.
type Node = rule.Node

// None means no node: the parent of a root, the leaf of an empty log.
const None = rule.None

// NoTime is the time of a node without a timestamp that is a readable string.
const NoTime int64 = math.MinInt64

// A Kind is what the type of an entry means for the tree.
type Kind uint8

const (
	link     Kind = iota // of a type that the suite does not know
	Progress             // a link too
	User
	Assistant
	Attachment
	System
	said // a conversation node of a dialect that is not Claude's
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
func (k Kind) Message() bool { return k == User || k == Assistant || k == said }

// Context reports whether nodes of the kind come along with messages.
func (k Kind) Context() bool { return k == Attachment || k == System }

// A flag is a fact about a node that the rule of a path does not need.
type flag uint8

const (
	team   flag = 1 << iota // teamName is truthy
	meta                    // isMeta is truthy
	speaks                  // the message of an assistant entry holds more than thinking and white space
	gone                    // another entry has the id, and counts
)

// A place is where an entry is, and its id, in 24 bytes.
type place struct {
	id  Hash
	pos packedPos
}

// A row is what else the tree keeps of an entry while it reads the log, in 32 bytes.
type row struct {
	time    int64 // microseconds since 1970, or NoTime
	parent  Node  // None for a root
	message int32 // 1 + the index of its message, 0 if it has none
	strand  int32 // see [Tree.Strand]
	kind    Kind
	facts   rule.Flags // but those that follow from kind
	flags   flag
}

const _ = uint(32 - unsafe.Sizeof(row{})) // fails to compile if a row is larger

// columns makes the columns of the nodes, and lets the rows go.
func (t *Tree) columns() {
	n := int(t.Count)
	t.Written, t.Kinds, t.flags = make([]Node, n), make([]Kind, n), make([]flag, n)
	t.Flags, t.Strand, t.Time, t.Message = make([]rule.Flags, n), make([]int32, n), make([]int64, n), make([]int32, n)
	for i := range n {
		x := t.rows.at(i)
		t.Written[i], t.Kinds[i], t.flags[i] = x.parent, x.kind, x.flags
		t.Flags[i], t.Strand[i], t.Time[i], t.Message[i] = x.facts|flagsOf(x.kind), x.strand, x.time, x.message
	}
	t.rows = pieces[row]{}
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
func (t *Tree) Has(n Node) bool { return n >= 0 && n < t.Count }

// All returns all nodes. The caller owns the slice.
func (t *Tree) All() []Node {
	nodes := make([]Node, t.Count)
	for n := range nodes {
		nodes[n] = Node(n)
	}
	return nodes
}

// Kind returns what the type of n means, 0 if it is not in the log.
func (t *Tree) Kind(n Node) Kind {
	if !t.Has(n) {
		return link
	}
	return t.Kinds[n]
}

// Conversation reports whether n is a conversation node.
func (t *Tree) Conversation(n Node) bool { return t.Is(n, rule.Talks) }

// Boundary reports whether a compaction wrote n.
func (t *Tree) Boundary(n Node) bool { return t.Is(n, rule.Boundary) }

// Sidechain reports whether n is on a sidechain.
func (t *Tree) Sidechain(n Node) bool { return t.Is(n, rule.Sidechain) }

// Team reports whether n names a team of agents.
func (t *Tree) Team(n Node) bool { return t.flags[n]&team != 0 }

// Meta reports whether the client, and not the user, wrote n.
func (t *Tree) Meta(n Node) bool { return t.flags[n]&meta != 0 }

// HasWords reports whether the message of n, an assistant entry, holds more than thinking and white
// space.
func (t *Tree) HasWords(n Node) bool { return t.flags[n]&speaks != 0 }

// MessageOf returns the message that n is an entry of, 0 if it has none or is not an assistant entry.
func (t *Tree) MessageOf(n Node) Hash {
	if m := t.Message[n]; m > 0 && t.Kinds[n] == Assistant {
		return t.Messages[m-1].ID
	}
	return 0
}

// LookUp returns the node of the id v. It returns None if v is not a string, or no entry has the
// id or names it as its parent. The node may be one that is not in the log: see Has.
func (t *Tree) LookUp(v entry.Value) Node {
	return t.find(t.hashOf(v))
}

// NodeAt returns the node whose entry is at x, or None if the entry there is not a node.
func (t *Tree) NodeAt(x entry.Pos) Node {
	n, ok := sort.Find(int(t.Count), func(n int) int { return cmp.Compare(x.Offset, t.places.at(n).pos.offset()) })
	if !ok {
		return None
	}
	return Node(n)
}
