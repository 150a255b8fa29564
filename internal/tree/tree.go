package tree

import (
	"hash/maphash"
	"io"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/numbers"
	"jl/internal/rule"
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
	// see Tree.Unchained.
	Written bool

	// Each, if it is not nil, is called for each entry, in file order, with the damage of its line, nil if
	// that is sound, the dialect of the log and the message of the entry. Once it returns false, the
	// rest of the log is not read.
	Each func(*entry.Entry, *entry.Damage, dialect.Dialect, *shape.Message) bool
}

// A Tree holds the nodes of one log. It is not safe for concurrent use, because its
// methods read the log again into buffers of the Tree.
//
// [Read] fills the exported fields. They do not change any more, and the caller must not change them.
type Tree struct {
	rule.Log // the columns of the nodes, of which some follow from others by the rule of a path

	Count      Node        // how many nodes there are
	Kinds      []Kind      // by node
	Written    []Node      // by node: the one whose id it names as its parent, or None; the parent of an orphan is not in the log, see Has
	Unchained  bool        // no entry names a parent that is in the log, as in a capture of stream-json: it is one path in file order
	Duplicates []Duplicate // in the file order of the later entries

	reading Reading
	dialect dialect.Dialect
	log     io.ReaderAt
	size    int64
	seeds   [2]maphash.Seed

	ids   []Hash         // by node; behind them those that are only named as parents
	byID  *numbers.Table // 1 + the node, by the hash of its id
	pos   []packedPos    // by node
	flags []flag         // by node

	// Of the log, as it was read.
	lines, bytes int64          // that were read
	sessions     map[Hash]int32 // their ordinals
	sessionIDs   []Hash         // by ordinal; the first is 0
	annotations  []annotation
	first        map[Hash]packedPos // of a list: the first entries with the ids of which there are several
	noID         packedPos          // the first message without an id in a log whose entries have ids
	noIDCount    int
	boundary     packedPos // the last boundary, zero if there is none
	pin          Hash      // the node that a last-prompt entry names, unless a boundary follows it, or 0
	tail         tail
	resumed      [][2]Hash // of a list: the ids of entries that hold what was taken back, and of the last of that

	// While the log is read.
	thread *dialect.Thread // nil before the first entry
	room   int             // how many rows the columns have memory for
	named  []Hash          // the ids that name gave other names

	// What is read again.
	again   entry.Entry // what EntryAt returns
	window  window
	err     error
	prompts func(Node) Node // see Prompt
	byRef   []annotation    // see annotated
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

// Cap returns a number that is larger than all nodes, also those that are only named, for slices by Node.
func (t *Tree) Cap() int { return len(t.ids) }

// IsList reports whether the order of the entries gives them their parents. An entry
// without an id then has the id #LINE.
func (t *Tree) IsList() bool { return t.dialect.IsList() }

// Err returns the first error of reading the log again.
func (t *Tree) Err() error { return t.err }

// LastBoundary returns the position of the last entry of the log that a compaction wrote, even if it
// has no id. It reports false if there is none.
func (t *Tree) LastBoundary() (entry.Pos, bool) {
	return t.boundary.unpack(), t.boundary != packedPos{}
}

// Pinned returns the node that the last last-prompt entry with a leaf names. It returns
// None if there is no such entry, a compaction follows it, or the node is not in the log.
func (t *Tree) Pinned() Node {
	if n := t.find(t.pin); t.pin != 0 && t.Has(n) {
		return n
	}
	return None
}
