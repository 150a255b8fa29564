package tree

import (
	"hash/maphash"
	"io"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/numbers"
	"jl/internal/shape"
)

// A Reading is how a program reads a log: its decoder, and which entries are nodes. The zero
// Reading is the suite's own.
type Reading struct {
	Decoder entry.Decoder

	// Knows reports whether another program takes entries of a kind for nodes of a Claude log. Those
	// with an id, even an empty one, then are nodes. If Knows is nil, entries of all kinds are.
	Knows func(Kind) bool

	// Written keeps the parents that entries name even if they form no chain, as in a part of a log:
	// see [Tree.IsUnchained].
	Written bool

	// Each, if it is not nil, is called for each entry, in file order, with the damage of its line, nil if
	// that is sound, the dialect of the log and the message of the entry. Once it returns false, the
	// rest of the log is not read.
	Each func(*entry.Entry, *entry.Damage, dialect.Dialect, *shape.Message) bool
}

// A Tree holds the nodes of one log. It is not safe for concurrent use, because its
// methods read the log again into buffers of the Tree.
type Tree struct {
	reading Reading
	dialect dialect.Dialect
	log     io.ReaderAt
	size    int64

	lines, bytes int64 // that were read

	nodes       pieces[node]   // first those of entries in the log, in file order, and then those that are only named; so from finish on
	count       Node           // how many of them are in the log
	up          []Node         // by node: the parent that the suite gives it, or None
	byID        *numbers.Table // 1 + the node, by the hash of its id
	seeds       [2]maphash.Seed
	messages    pieces[message]
	tools       []Hash // the calls of assistant entries, and the results of user entries
	named       []Hash // until finish: the ids that name gave other names
	replaced    []replaced
	sessions    map[Hash]int32 // their ordinals
	sessionIDs  []Hash         // by ordinal; the first is 0
	annotations []annotation

	thread *dialect.Thread    // nil before the first entry
	first  map[Hash]packedPos // of a list: the first entries with the ids of which there are several

	noID      packedPos // the first message without an id in a log whose entries have ids
	noIDCount int

	boundary packedPos // the last boundary, zero if there is none
	pinned   bool      // a last-prompt entry names a leaf, and no boundary follows it
	pin      Hash
	tail     tail
	kept     map[Node]keptList // by boundary
	resumed  [][2]Hash         // of a list: the ids of entries that hold what was taken back, and of the last of that
	unkept   []Node            // boundaries whose segments take too long

	unchained bool // the parents that the entries name are not a chain

	// What follows is made when it is first needed.
	order   []Node
	made    *turns
	leaves  []Node
	prompts func(Node) Node
	byRef   []annotation // see annotated
	walked  forest.Set

	again  entry.Entry // what EntryAt returns
	window window
	err    error
}

// A tail tells the leaf of a log that is not Claude's, in which that is the last entry.
type tail struct {
	foreign  bool // a line is a JSON value, but not an object
	headed   bool // the file begins with the header of a session
	headless bool // a header is elsewhere, so that pi does not open the file
	last     Hash // the id of the last entry, 0 if it has none
	main     bool // some entry is not on a sidechain, as in the edges of other agents
}

// Dialect returns the dialect of the log.
func (t *Tree) Dialect() dialect.Dialect { return t.dialect }

// Size returns the size of the log in bytes.
func (t *Tree) Size() int64 { return t.size }

// Read returns how many lines and bytes of the log were read.
func (t *Tree) Read() (lines, bytes int64) { return t.lines, t.bytes }

// Nodes returns the nodes in file order: those from 0 on. The caller must not change the slice.
func (t *Tree) Nodes() []Node {
	if t.order == nil {
		t.order = make([]Node, t.count)
		for n := range t.order {
			t.order[n] = Node(n)
		}
	}
	return t.order
}

// Cap returns a number that is larger than all nodes, for slices by Node.
func (t *Tree) Cap() int { return t.nodes.count }

// IsList reports whether the order of the entries gives them their parents. An entry
// without an id then has the id #LINE.
func (t *Tree) IsList() bool { return t.dialect.IsList() }

// Err returns the first error of reading the log again.
func (t *Tree) Err() error { return t.err }

// HasTurns reports whether the log has messages of several entries, so that paths are chains of
// turns.
func (t *Tree) HasTurns() bool { return t.dialect.HasTurns() && !t.IsList() && !t.IsUnchained() }

// Pinned returns the node that the last last-prompt entry with a leaf names. It returns
// None if there is no such entry, a compaction follows it, or the node is not in the log.
func (t *Tree) Pinned() Node {
	if !t.pinned {
		return None
	}
	if n := t.find(t.pin); t.has(n) {
		return n
	}
	return None
}
