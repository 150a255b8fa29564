package tree

import (
	"errors"
	"hash/maphash"
	"io"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"jl/internal/entry"
	"jl/internal/shape"
)

// A Node is the handle of a node of a Tree. Handles count from 0 and are only valid in
// their own Tree.
type Node int32

// None means no node: the parent of a root, the leaf of an empty log.
const None Node = -1

// A kind is what the type of an entry means for the tree.
type kind uint8

const (
	other kind = iota // a link of a type that the suite does not know
	progress
	user
	assistant
	attachment
	system
	neutral // a conversation node of a dialect that is not Claude's
)

func kindOf(t entry.Value) kind {
	switch {
	case t.Is("user"):
		return user
	case t.Is("assistant"):
		return assistant
	case t.Is("attachment"):
		return attachment
	case t.Is("system"):
		return system
	case t.Is("progress"):
		return progress
	}
	return other
}

// inConversation reports whether nodes of the kind are conversation nodes. In a Claude log
// each is a message or context.
func (k kind) inConversation() bool { return k >= user }
func (k kind) isMessage() bool      { return k == user || k == assistant || k == neutral }
func (k kind) isContext() bool      { return k == attachment || k == system }

// A flag is a fact about a node.
type flag uint8

const (
	present   flag = 1 << iota // the entry is in the file; else another entry names its id
	timed                      // time is the entry's timestamp, read from a string
	numeric                    // time is the entry's timestamp, read from a number
	sidechain                  // isSidechain is truthy
	team                       // teamName is truthy
	meta                       // isMeta is truthy
	boundary                   // a compaction wrote it
)

// A node is what the tree keeps of an entry, in 64 bytes.
type node struct {
	id      key
	offset  int64 // of the entry's bytes
	length  int64
	line    int64
	time    int64  // microseconds since 1970
	parent  Node   // None for a root; not present for an orphan
	message uint32 // a hash of an assistant entry's message id, 0 if it has none
	session int32  // the ordinal of the session id, 0 if there is none
	kind    kind
	flags   flag
}

const _ = uint(64 - unsafe.Sizeof(node{})) // fails to compile if a node is larger

// A duplicate holds the offsets of entries that share an id.
type duplicate struct {
	first int64 // of the first entry
	main  int64 // of the last conversation entry that is not on a sidechain, -1 if none
}

// A Tree holds the nodes of one log. It is not safe for concurrent use, because its
// methods read the log again into buffers of the Tree.
type Tree struct {
	rules   Rules
	dialect entry.Dialect
	log     io.ReaderAt
	size    int64

	chunks          [][]node
	n               Node
	slots           []Node // the index, a hash table with open addressing; None if free
	seeds           [2]maphash.Seed
	duplicates      map[Node]*duplicate
	replaced        []Duplicate // the entries that a later entry with the same id replaced; Later is not set
	sessions        map[key]int32
	annotations     []annotation
	lastAnnotations map[subject]int // 1 + the index in annotations of the last about a subject; built on first use

	entries    int    // the number of entries so far
	hasIDs     bool   // a conversation entry has an id
	withoutIDs []node // the conversation entries, as long as none has an id
	straight   straight

	pinned     bool // a last-prompt entry names a leaf, and no boundary follows it
	pin        key
	boundaryAt int64 // the offset of the last boundary, -1 if there is none
	preserves  bool  // the last boundary has a preserved list
	pi         piState

	order    []Node        // the present nodes in file order
	whole    *view         // the view that all returns
	kept     *preserved    // what linked returns
	relinked *view         // likewise
	beside   *gatherer     // finds what belongs to default paths
	asSDK    *sdk          // what sdk returns
	as21     *claude21     // what claude21 returns
	above    map[Node]Node // see newestAbove
	walked   nodeSet       // the nodes that the present walk has passed

	buf      []byte      // bytes of the log that read has read
	bufAt    int64       // their offset
	e        entry.Entry // what entry returns
	messages map[Node]*message
	prompts  *nearest // of the user, built on first use
	err      error
}

// A Builder makes a Tree from the entries of a log, which it is given in file order.
type Builder struct{ t *Tree }

// NewBuilder returns a Builder of a Tree that finds leaves and paths by rules. A log that is
// not Claude's always follows the rules of its dialect.
func NewBuilder(rules Rules) *Builder {
	t := &Tree{
		rules:      rules,
		seeds:      [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		sessions:   map[key]int32{},
		messages:   map[Node]*message{},
		boundaryAt: -1,
	}
	t.rehash(1 << 10)
	return &Builder{t}
}

// Add adds an entry of a log in the dialect d. It keeps e.Pos and copies what else it needs
// of e.
func (b *Builder) Add(e *entry.Entry, d entry.Dialect) {
	if b.t.entries == 0 {
		b.t.begin(e, d)
	}
	b.t.add(e)
}

// Skip reports a line that is not one whole entry. It is called before the entries that
// were recovered from the line are added. pi counts some of these lines as entries.
func (b *Builder) Skip(d *entry.Damage) { b.t.pi.skip(d) }

// Tree returns the tree of the entries. The Builder must not be used afterwards. The
// entries came from the first size bytes of log, which the Tree reads again whenever it
// needs the text of an entry.
func (b *Builder) Tree(log io.ReaderAt, size int64) *Tree {
	b.t.log, b.t.size = log, size
	b.t.finish()
	return b.t
}

// ErrShrank reports that a log ended before its size.
var ErrShrank = errors.New("the file shrank while it was read")

// Read returns the tree of a log of size bytes, which lines and log both hold. If damaged
// is not nil, Read calls it for each line that is not one whole entry. If lines fail or
// end before size, Read returns the tree of the entries up to there, and the error of
// lines or [ErrShrank].
func Read(lines entry.Lines, log io.ReaderAt, size int64, rules Rules, damaged func(*entry.Damage)) (*Tree, error) {
	b := NewBuilder(rules)
	r := entry.NewReader(lines, rules.Decoder(), func(d *entry.Damage) {
		b.Skip(d)
		if damaged != nil {
			damaged(d)
		}
	})
	for r.Next() {
		b.Add(r.Entry(), r.Dialect())
	}
	err := r.Err()
	if _, n := r.Read(); err == nil && n < size {
		err = ErrShrank
	}
	return b.Tree(log, size), err
}

// FallsBack reports whether the rules choose a leaf themselves if the given one is not in
// the log.
func (t *Tree) FallsBack() bool { return t.rules == Claude20 }

// Dialect returns the dialect of the log.
func (t *Tree) Dialect() entry.Dialect { return t.dialect }

// Nodes returns the nodes in file order. The caller must not change the slice.
func (t *Tree) Nodes() []Node { return t.order }

// Straight reports whether the order of the entries gives them their parents. An entry
// without an id then has the id #LINE.
func (t *Tree) Straight() bool { return t.dialect.Straight() }

// Err returns the first error of reading the log again.
func (t *Tree) Err() error { return t.err }

func (t *Tree) add(e *entry.Entry) {
	t.entries++
	n := t.newNode(e)
	switch {
	case t.dialect.Straight():
		t.addStraight(e, n)
		return
	case !t.dialect.LikeClaude():
		t.addPi(e, n)
		return
	}
	if n.flags&boundary != 0 {
		t.pinned = false
		t.boundaryAt = n.offset
		t.preserves = shape.HasPreserved(e)
	}
	if !n.kind.inConversation() {
		t.annotate(e)
	}
	id := e.Get(entry.UUID)
	if !id.IsString() || len(id) == 2 && t.rules == Default {
		if n.kind.inConversation() && t.rules == Default && !t.hasIDs {
			t.fill(&n, e)
			t.withoutIDs = append(t.withoutIDs, n)
		}
		return
	}
	if !t.rules.knows(n.kind) {
		return
	}
	if n.kind.inConversation() {
		t.hasIDs, t.withoutIDs = true, nil
	}
	t.fill(&n, e)
	if p := t.dialect.ParentOf(e); p != nil {
		n.parent = t.intern(t.key(p.Text()))
	}
	t.insert(t.key(id.Text()), n)
}

// begin notes the dialect of the log and its first entry.
func (t *Tree) begin(first *entry.Entry, d entry.Dialect) {
	t.dialect = d
	if !d.LikeClaude() {
		t.rules = Default
	}
	if d.Straight() {
		t.straight = straight{thread: entry.NewThread(d), last: None}
	}
	t.pi.begin(first, d)
}

// newNode returns a node with the position of e, its kind and whether it is a boundary.
func (t *Tree) newNode(e *entry.Entry) node {
	n := node{offset: e.Pos.Offset, length: e.Pos.Length, line: e.Pos.Line, parent: None, flags: present}
	if t.dialect.LikeClaude() {
		n.kind = kindOf(e.Get(entry.Type))
	} else if t.dialect.IsConversation(e) {
		n.kind = neutral
	}
	if t.dialect.IsBoundary(e) {
		n.flags |= boundary
	}
	return n
}

// maxDate is the largest distance from 1970 that a JavaScript Date can have, in
// milliseconds.
const maxDate = 8.64e15

// fill sets the other fields of n that do not depend on the index.
func (t *Tree) fill(n *node, e *entry.Entry) {
	ts := e.Get(entry.Timestamp)
	if at, ok := t.dialect.Instant(e); ok {
		if t.rules != Default {
			at -= ((at % 1000) + 1000) % 1000 // a Date counts milliseconds
		}
		n.time, n.flags = at, n.flags|timed
	} else if ms, err := strconv.ParseFloat(string(ts), 64); err == nil && math.Abs(ms) <= maxDate && t.rules == Claude20 {
		n.time, n.flags = int64(ms*1000), n.flags|numeric
	}
	if t.dialect.Agent(e) != nil {
		n.flags |= sidechain
	}
	if e.Get(entry.TeamName).Truthy() {
		n.flags |= team
	}
	if e.Get(entry.IsMeta).Truthy() {
		n.flags |= meta
	}
	if s := e.Get(entry.SessionID); s.IsString() {
		n.session = t.session(t.key(s.Text()))
	}
	if n.kind == assistant {
		n.message = t.messageHash(e.Get(entry.Message).Member("id"))
	}
}

// messageHash returns a hash of the id of a message, 0 if the id is empty or absent.
func (t *Tree) messageHash(id entry.Value) uint32 {
	if id.IsEmpty() {
		return 0
	}
	return t.textHash(string(id.Text()))
}

// textHash is messageHash of the unescaped id of a message.
func (t *Tree) textHash(id string) uint32 { return uint32(t.key([]byte(id))[0]) | 1 }

// insert makes n the node of the id k. It replaces an earlier entry with that id.
func (t *Tree) insert(k key, n node) {
	at := t.intern(k)
	old := t.at(at)
	n.id = k
	if old.flags&present != 0 {
		d := t.duplicates[at]
		if d == nil {
			d = &duplicate{first: old.offset, main: mainAt(old, -1)}
			if t.duplicates == nil {
				t.duplicates = map[Node]*duplicate{}
			}
			t.duplicates[at] = d
		}
		d.main = mainAt(&n, d.main)
		t.replaced = append(t.replaced, Duplicate{Node: at, Earlier: old.pos()})
	}
	*old = n
}

// mainAt returns the offset of n if it is a conversation node that is not on a
// sidechain, else def.
func mainAt(n *node, def int64) int64 {
	if n.kind.inConversation() && n.flags&sidechain == 0 {
		return n.offset
	}
	return def
}

// finish completes the tree after the last entry.
func (t *Tree) finish() {
	if len(t.withoutIDs) > 0 {
		t.dialect = entry.ClaudeNoIDs
		t.chunks, t.n, t.duplicates, t.replaced = nil, 0, nil, nil
		t.rehash(1 << 10)
		before := None
		for _, n := range t.withoutIDs {
			n.parent = before
			t.insert(t.lineKey(n.line, n.offset), n)
			before = t.n - 1
		}
	}
	t.withoutIDs = nil
	if t.straight.thread != nil {
		t.pi.last = t.straight.leaf()
	}
	t.order = make([]Node, 0, t.n)
	for n := Node(0); n < t.n; n++ {
		if t.at(n).flags&present != 0 {
			t.order = append(t.order, n)
		}
	}
	slices.SortFunc(t.order, t.byOffset) // linear if the order is right already
}
