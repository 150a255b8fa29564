package tree

import (
	"cmp"
	"sort"
	"unsafe"

	"jl/internal/entry"
	"jl/internal/forest"
)

// A Node is the handle of a node of a Tree: an entry with an id, or the copy of one that a
// compaction kept. Handles count from 0 and are valid only in their own Tree.
type Node = forest.Node

// None means no node: the parent of a root, the leaf of an empty log.
const None = forest.None

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

// A flag is a fact about a node.
type flag uint16

const (
	present   flag = 1 << iota // the entry is in the file; else another entry names its id
	timed                      // time is the entry's timestamp, read from a string
	numeric                    // time is the entry's timestamp, read from a number
	sidechain                  // isSidechain is truthy
	team                       // teamName is truthy
	meta                       // isMeta is truthy
	boundary                   // a compaction wrote it
	speaks                     // the message of an assistant entry holds more than thinking and white space
	answers                    // what the message holds are results, not calls
	asks                       // a person typed it
)

// A node is what the tree keeps of an entry, in 48 bytes.
type node struct {
	id      Hash
	pos     packedPos
	time    int64 // microseconds since 1970
	parent  Node  // None for a root; not present for an orphan
	message int32 // 1 + the index of its message, 0 if it has none
	session int32 // the ordinal of the session id, 0 if there is none
	kind    Kind
	flags   flag
}

const _ = uint(48 - unsafe.Sizeof(node{})) // fails to compile if a node is larger

// Forest returns the nodes with the parents that the suite gives them, see [Tree.Parent]. The
// caller must not change it.
func (t *Tree) Forest() *forest.Forest { return &forest.Forest{Up: t.up} }

// Parent returns the parent of n, or None if n is a root or an orphan. What names an entry that a compaction
// above it kept has the summary of the compaction as its parent.
func (t *Tree) Parent(n Node) Node { return t.up[n] }

// WrittenParent returns the node whose id n names as its parent, or None. The parent of an orphan is
// not in the log: see Has.
func (t *Tree) WrittenParent(n Node) Node { return t.at(n).parent }

// Has reports whether n is a node whose entry is in the log. It reports false for None.
func (t *Tree) Has(n Node) bool { return t.has(n) }

// Kind returns what the type of n means.
func (t *Tree) Kind(n Node) Kind { return t.at(n).kind }

// Conversation reports whether n is a conversation node.
func (t *Tree) Conversation(n Node) bool { return t.at(n).kind.Conversation() }

// Boundary reports whether a compaction wrote n.
func (t *Tree) Boundary(n Node) bool { return t.at(n).flags&boundary != 0 }

// Strand returns a number that n shares with the nodes that name the same session and are, as n is,
// on a sidechain or on none: those that may have come before it.
func (t *Tree) Strand(n Node) int {
	strand := 2 * int(t.at(n).session)
	if t.Sidechain(n) {
		strand++
	}
	return strand
}

// LastBoundary returns the position of the last entry of the log that a compaction wrote, even if it
// has no id. It reports false if there is none.
func (t *Tree) LastBoundary() (entry.Pos, bool) {
	return t.boundary.unpack(), t.boundary != packedPos{}
}

// Sidechain reports whether n is on a sidechain.
func (t *Tree) Sidechain(n Node) bool { return t.at(n).flags&sidechain != 0 }

// Team reports whether n names a team of agents.
func (t *Tree) Team(n Node) bool { return t.at(n).flags&team != 0 }

// Meta reports whether the client, and not the user, wrote n.
func (t *Tree) Meta(n Node) bool { return t.at(n).flags&meta != 0 }

// Speaks reports whether the message of n, an assistant entry, holds more than thinking and white
// space.
func (t *Tree) Speaks(n Node) bool { return t.at(n).flags&speaks != 0 }

// Time returns the timestamp of n, in microseconds since 1970 in UTC. It reports false if n has
// none that is a readable string.
func (t *Tree) Time(n Node) (int64, bool) { return t.at(n).time, t.at(n).flags&timed != 0 }

// Number returns the timestamp of n if that is a number, as Time does: some readers take it.
func (t *Tree) Number(n Node) (int64, bool) { return t.at(n).time, t.at(n).flags&numeric != 0 }

// Message returns the message that n is an entry of, 0 if it has none or is not an assistant entry.
func (t *Tree) Message(n Node) Hash {
	if t.at(n).kind != Assistant {
		return 0
	}
	return t.messageOf(n).id
}

// Calls returns the tool calls that n makes. The caller must not change the slice.
func (t *Tree) Calls(n Node) []Hash { return t.toolsOf(n, 0) }

// Results returns the tool calls that n answers. The caller must not change the slice.
func (t *Tree) Results(n Node) []Hash { return t.toolsOf(n, answers) }

// LookUp returns the node of the id v. It returns None if v is not a string, or no entry has the
// id or names it as its parent. The node may be one that is not in the log: see Has.
func (t *Tree) LookUp(v entry.Value) Node {
	return t.find(t.hashOf(v))
}

// NodeAt returns the node whose entry is at x, or None if the entry there is not a node.
func (t *Tree) NodeAt(x entry.Pos) Node {
	n, ok := sort.Find(int(t.count), func(n int) int { return cmp.Compare(x.Offset, t.at(Node(n)).pos.offset()) })
	if !ok {
		return None
	}
	return Node(n)
}
