package log

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
	Spare   *dialect.Spare // has the memory to read with, nil for none

	// Knows reports whether another program takes entries of a kind for nodes of a Claude log. Those
	// with an id, even an empty one, then are nodes. If Knows is nil, entries of all kinds are.
	Knows func(Kind) bool

	// AsNamed keeps the parents that entries name even if they form no chain, as in a part of a log:
	// see Log.Unchained.
	AsNamed bool

	// Each, if it is not nil, is called for each entry, in file order, with the damage of its line, nil if
	// that is sound, the dialect of the log and the message of the entry. Once it returns false, the
	// rest of the log is not read.
	Each func(*entry.Entry, *entry.Damage, dialect.Dialect, *shape.Message) bool
}

// A Log is one log as a table. It is not safe for concurrent use, because its
// methods read the log again into buffers of the Log.
//
// [Read] fills the exported fields. They do not change any more, and the caller must not change them.
type Log struct {
	Tree rule.Table // the columns of the nodes, of which some follow from others by the rule of a path

	// By node.
	Count   Node // how many nodes there are
	Kinds   []Kind
	Marks   []Mark
	Written []Node // the one whose id it names as its parent, or None; the parent of an orphan is not in the log, see Has
	Cap     int    // larger than all nodes, also those that are only named

	// Of the log.
	Dialect      dialect.Dialect
	Size         int64       // in bytes
	Lines, Bytes int64       // that were read
	Unchained    bool        // no entry names a parent that is in the log, as in a capture of stream-json: it is one path in file order
	Duplicates   []Duplicate // in the file order of the later entries
	Leaves       []Node      // newest first: see [rule.Table]; of a list, the last living entry, and the last of each stretch that was undone
	End          Node        // where the live conversation ends, or None: see [rule.Table]; in a log that is not like Claude's, the last living entry
	Leaf         Node        // at which the conversation ends, or None: the first of Leaves; in a log that is not like Claude's, End
	NoLeaf       []Odd       // why there is no leaf, if that is odd
	Pinned       Node        // what the last last-prompt entry with a leaf names, or None, also if a compaction follows it
	LastBoundary entry.Pos   // the last entry that a compaction wrote, even without an id; of length 0 if there is none
	TooLong      int         // how many boundaries keep nothing here, because the segments that boundaries name are too long together
	NoID         entry.Pos   // the first message without an id in a log whose entries have ids
	NoIDCount    int         // how many there are; they are not nodes, so they are on no path

	reading Reading
	log     io.ReaderAt
	seeds   [2]maphash.Seed

	ids  []Hash         // by node; behind them those that are only named as parents
	byID *numbers.Table // 1 + the node, by the hash of its id
	pos  []packedPos    // by node

	// Of the log, as it was read.
	sessions    map[Hash]int32     // their ordinals
	sessionIDs  []Hash             // by ordinal; the first is 0
	annotations []annotation       // in file order
	byRef       []annotation       // the same, by what they belong to
	first       map[Hash]packedPos // of a list: the first entries with the ids of which there are several
	pin         Hash               // the node that a last-prompt entry names, unless a boundary follows it, or 0
	ending      ending
	resumed     [][2]Hash // of a list: the ids of entries that hold what was taken back, and of the last of that

	// While the log is read.
	thread *dialect.Thread // nil before the first entry
	room   int             // how many rows the columns have memory for
	named  []Hash          // the ids that name gave other names

	// What is read again.
	again  entry.Entry // what EntryAt returns
	window window
	err    error
}

// An ending tells the leaf of a log that is not like Claude's: the last living entry.
type ending struct {
	foreign  bool // a line is a JSON value, but not an object
	headed   bool // the file begins with the header of a session
	headless bool // a header is elsewhere, so that pi does not open the file
	last     Hash // the id of the last entry, 0 if it has none
	main     bool // some entry is not on a sidechain, as in the edges of other agents
}

// Err returns the first error of reading the log again.
func (t *Log) Err() error { return t.err }
