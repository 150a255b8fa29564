package tree

import (
	"hash/maphash"
	"io"
	"slices"
	"unsafe"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/list"
	"jl/internal/memory"
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
	hasText                    // the message of an assistant entry holds more than thinking and white space
)

// A node is what the tree keeps of an entry, in 48 bytes.
type node struct {
	id      hash
	pos     packedPos
	time    int64 // microseconds since 1970
	parent  Node  // None for a root; not present for an orphan
	message int32 // the ordinal of its message, 0 if it has none
	session int32 // the ordinal of the session id, 0 if there is none
	kind    kind
	flags   flag
}

const _ = uint(48 - unsafe.Sizeof(node{})) // fails to compile if a node is larger

// A packedPos is the position of an entry: 48 bits of its offset, 40 of its length and 40 of the
// number of its line. So a log may have 256 TiB, and an entry 1 TiB, which is more than memory. A
// log that is read backwards may have 1 TiB, because an offset stands for the number of its line.
type packedPos [2]uint64

func pack(p entry.Pos) packedPos {
	return packedPos{uint64(p.Offset)<<16 | uint64(p.Length)>>24, uint64(p.Length)<<40 | uint64(p.Line)}
}

func (p packedPos) unpack() entry.Pos {
	return entry.Pos{Line: p.line(), Offset: p.offset(), Length: int64(p[0]&0xffff<<24 | p[1]>>40)}
}

func (p packedPos) offset() int64 { return int64(p[0] >> 16) }
func (p packedPos) line() int64   { return int64(p[1] & (1<<40 - 1)) }

// A duplicate holds the offsets of entries that share an id.
type duplicate struct {
	first int64 // of the first entry
	main  int64 // of the last conversation entry that is not on a sidechain, -1 if none
}

// A pendingNode is a node that is in the tree only if the log has a certain shape.
type pendingNode struct {
	id   key
	node node
}

// A Tree holds the nodes of one log. It is not safe for concurrent use, because its
// methods read the log again into buffers of the Tree.
type Tree struct {
	rules   Rules
	dialect dialect.Dialect
	log     io.ReaderAt
	size    int64

	stock           memory.Stock // of the lists, and of what lasting returns
	nodes           list.List[node]
	n               Node         // how many
	slots           []slot       // the index
	slotStock       memory.Stock // of the slots
	seeds           [2]maphash.Seed
	messages        list.List[message]
	tools           list.List[hash] // the calls of assistant entries, and the results of user entries
	duplicates      map[Node]*duplicate
	replaced        []Duplicate // the entries that a later entry with the same id replaced; Later is not set
	sessions        map[hash]int32
	annotations     list.List[annotation]
	lastAnnotations map[subject]packedPos // of the last with a text about a subject; built on first use

	entries int                                  // the number of entries so far
	reached int64                                // where the last of them ends, 0 if they are added from the last to the first
	pending [dialect.ListShape + 1][]pendingNode // by shape, as long as the shape of the log is not known
	thread  *dialect.Thread
	updated map[Node]entry.Value // the ids of nodes that are made of the places of older texts

	pinned     bool // a last-prompt entry names a leaf, and no boundary follows it
	pin        key
	boundaryAt int64 // the offset of the last boundary, -1 if there is none
	preserves  bool  // the last boundary has a preserved list
	pi         piState

	order    []Node        // the present nodes in file order
	ends     []Node        // what Ends returns
	lastEnd  Node          // what LastEnd returns, once ends is set
	depths   []int32       // what Depths returns
	whole    *view         // the view that all returns
	kept     *preserved    // what linked returns
	relinked *view         // likewise
	beside   *gatherer     // finds what belongs to default paths
	asSDK    *sdk          // what sdk returns
	as21     *claude21     // what claude21 returns
	above    map[Node]Node // see newestAbove
	walked   nodeSet       // the nodes that the present walk has passed

	buf     []byte      // bytes of the log that read has read
	bufAt   int64       // their offset
	e       entry.Entry // what EntryAt returns
	prompts *nearest    // of the user, built on first use
	err     error
}

// A Builder makes a Tree from the entries of a log, which it is given in file order.
type Builder struct{ t *Tree }

// NewBuilder returns a Builder of a Tree of the first size bytes of log, which the Tree reads again
// whenever it needs the text of an entry. It finds leaves and paths by rules. A log that is not
// Claude's always follows the rules of its dialect.
func NewBuilder(rules Rules, log io.ReaderAt, size int64) *Builder {
	t := &Tree{
		rules:      rules,
		log:        log,
		size:       size,
		seeds:      [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		sessions:   map[hash]int32{},
		boundaryAt: -1,
	}
	t.messages.Stock, t.tools.Stock, t.annotations.Stock = &t.stock, &t.stock, &t.stock
	t.clear(firstSlots)
	return &Builder{t}
}

// Add adds an entry of a log in the dialect d, of which Prepare has found the facts. It
// keeps e.Pos and copies what else it needs of e.
func (b *Builder) Add(e *entry.Entry, d dialect.Dialect, f *Facts) {
	if b.t.entries == 0 {
		b.t.begin(e, d)
	}
	b.t.add(e, f)
}

// Skip reports a line that is not one whole entry. It is called before the entries that
// were recovered from the line are added. pi counts some of these lines as entries.
func (b *Builder) Skip(d *entry.Damage) { b.t.pi.skip(d) }

// Tree returns the tree of the entries, which the caller closes. The Builder must not be used
// afterwards.
func (b *Builder) Tree() *Tree {
	b.t.finish()
	return b.t
}

// Read returns the tree of the first size bytes of a log, which the caller closes. If damaged is
// not nil, Read calls it for each line that is not one whole entry. If reading fails, Read returns
// the tree of the entries up to there, and the error.
func Read(log io.ReaderAt, size int64, rules Rules, damaged func(*entry.Damage)) (*Tree, error) {
	b := NewBuilder(rules, log, size)
	r := dialect.NewReader(line.NewForward(io.NewSectionReader(log, 0, size)), rules.decoder(), func(d *entry.Damage) {
		b.Skip(d)
		if damaged != nil {
			damaged(d)
		}
	})
	prepare := func(e *entry.Entry, f *Facts) { b.Prepare(e, r.Dialect(), f) }
	for f := range entry.Ahead(r.Reader, line.NewBlocks(log, size), prepare) {
		b.Add(r.Entry(), r.Dialect(), f)
	}
	return b.Tree(), r.Err()
}

// Close gives the memory of the tree back. No method may be called afterwards.
func (t *Tree) Close() {
	t.slotStock.Free()
	t.stock.Free()
	*t = Tree{}
}

// FallsBack reports whether the rules choose a leaf themselves if the given one is not in
// the log.
func (t *Tree) FallsBack() bool { return t.rules == Claude20 }

// Dialect returns the dialect of the log.
func (t *Tree) Dialect() dialect.Dialect { return t.dialect }

// Nodes returns the nodes in file order. The caller must not change the slice.
func (t *Tree) Nodes() []Node { return t.order }

// Straight reports whether the order of the entries gives them their parents. An entry
// without an id then has the id #LINE.
func (t *Tree) Straight() bool { return t.dialect.IsList() }

// Err returns the first error of reading the log again.
func (t *Tree) Err() error { return t.err }

func (t *Tree) add(e *entry.Entry, f *Facts) {
	t.entries++
	t.reached = e.Pos.Offset + e.Pos.Length
	switch {
	case t.dialect.IsList():
		t.addInOrder(e, f, t.thread.Next(e))
		return
	case !t.dialect.LikeClaude():
		t.addPi(e, f)
		return
	}
	kind := f.node.kind
	if f.node.flags&boundary != 0 {
		t.pinned = false
		t.boundaryAt = e.Pos.Offset
		t.preserves = shape.HasPreserved(e)
	}
	if !kind.inConversation() {
		t.annotate(e)
	}
	var step dialect.Step
	if t.rules == Default {
		if step = t.thread.Next(e); !step.Node {
			return
		}
	} else if !e.Get(entry.UUID).IsString() || !t.rules.knows(kind) {
		return
	}
	id, parent := f.id, f.parent
	if step.If == dialect.ListShape {
		id, parent = t.keyOf(step.ID), t.keyOf(step.Parent)
	}
	n := t.nodeOf(e, f)
	if parent != (key{}) {
		n.parent = t.intern(parent)
	}
	if step.If != dialect.AnyShape {
		t.pending[step.If] = append(t.pending[step.If], pendingNode{id, n})
		return
	}
	t.settle()
	t.insert(id, n)
}

// settle inserts the pending nodes that have the shape of the log.
func (t *Tree) settle() {
	for _, p := range t.pending[t.thread.Shape()] {
		t.insert(p.id, p.node)
	}
	clear(t.pending[:])
}

// begin notes the dialect of the log and its first entry.
func (t *Tree) begin(first *entry.Entry, d dialect.Dialect) {
	t.dialect = d
	if !d.LikeClaude() {
		t.rules = Default
	}
	t.thread = dialect.NewThread(d)
	t.pi.begin(first, d)
}

// insert makes n the node of the id k. It replaces an earlier entry with that id.
func (t *Tree) insert(k key, n node) {
	at := t.intern(k)
	old := t.at(at)
	n.id = k.id
	if old.flags&present != 0 {
		d := t.duplicates[at]
		if d == nil {
			d = &duplicate{first: old.pos.offset(), main: mainAt(old, -1)}
			if t.duplicates == nil {
				t.duplicates = map[Node]*duplicate{}
			}
			t.duplicates[at] = d
		}
		d.main = mainAt(&n, d.main)
		t.replaced = append(t.replaced, Duplicate{Node: at, Earlier: old.pos.unpack()})
	}
	*old = n
}

// lasting returns n zero elements of a type without pointers, for what is kept as long as t.
func lasting[T any](t *Tree, n int) []T { return memory.Make[T](&t.stock, n) }

// mainAt returns the offset of n if it is a conversation node that is not on a
// sidechain, else def.
func mainAt(n *node, def int64) int64 {
	if n.kind.inConversation() && n.flags&sidechain == 0 {
		return n.pos.offset()
	}
	return def
}

// finish completes the tree after the last entry.
func (t *Tree) finish() {
	if t.dialect.IsList() {
		t.pi.last = t.nodeOfID(t.thread.Leaf())
	}
	if t.thread != nil && t.rules == Default {
		t.thread.Decide(dialect.AnyShape)
		t.dialect = t.thread.Dialect()
		t.settle()
	}
	t.thread = nil
	t.order = lasting[Node](t, int(t.n))[:0]
	for n := Node(0); n < t.n; n++ {
		if t.at(n).flags&present != 0 {
			t.order = append(t.order, n)
		}
	}
	slices.SortFunc(t.order, t.byOffset) // linear if the order is right already
}
