// Package cut finds where a log is cut by its last compaction: what is above the cut is cold, and
// what is below it is live, that is, all that the program needs to go on.
//
// The cost of finding the cut follows the live part: [Find] reads the first entry, and a part at the
// end of the log that it enlarges until the conversation goes back to a root or a compaction in it.
// It reads all of a list log, because an undo can be at its end, and all of a log that lacks an entry
// to which the conversation goes back.
package cut

import (
	"bytes"
	"io"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/line"
	"jl/internal/log"
	"jl/internal/shape"
)

// A Cut is the place at which a log is cut. The live part begins with the header, if there is one,
// and goes on from Offset to the end of the log.
type Cut struct {
	Dialect    dialect.Dialect // of the log
	Head       int64           // the offset of the first line after the header; 0 without a header
	Offset     int64           // of a line; Head if all of the log is live
	Compaction entry.Value     // the id of the pi compaction that the log is cut at, else nil

	tail *tail     // of the log, as far as it was read
	at   entry.Pos // where that compaction is
}

// Find finds the cut of the first size bytes of a log.
//
// A Claude log is cut if the conversation that ends at [log.Log.End] goes back to a boundary: at
// the boundary, or above it at the first of the entries that it kept for this conversation. If the
// conversation goes back to an orphan below the last boundary, the log is cut at that boundary. A
// pi log is cut at the first entry that the last compaction above the last entry kept. The cut
// then moves up over what belongs to the entry there: see extend. A pi log of version 1 is never
// cut, because its compactions count entries. A list log is cut where its [dialect.Thread] says.
func Find(log io.ReaderAt, size int64) (Cut, error) {
	first := dialect.NewReader(line.NewForward(io.NewSectionReader(log, 0, size)), entry.Decoder{}, nil)
	if !first.Next() {
		return Cut{}, first.Err()
	}
	c := Cut{Dialect: first.Dialect()}
	headed := c.Dialect.IsHeader(first.Entry())
	if headed {
		_, c.Head = first.Bounds()
	}
	c.Offset = c.Head
	if c.Dialect.IsList() {
		return c.ofList(first)
	}
	c.tail = &tail{log: log, size: size, dialect: c.Dialect, headed: headed, from: size}
	for c.tail.grow() {
		if nodes, ok := c.nodes(); ok {
			if len(nodes) > 0 {
				c.Offset = c.tail.extend(nodes)
			}
			break
		}
	}
	return c, c.tail.failed()
}

// Table returns the table of the end of the log, as far as it was read, nil of a list.
func (c *Cut) Table() *log.Log {
	if c.tail == nil {
		return nil
	}
	return c.tail.Log
}

// ofList finds the cut of a list log.
func (c Cut) ofList(r *dialect.Reader) (Cut, error) {
	thread := dialect.NewThread(c.Dialect)
	var starts []int64 // of the lines of the living entries
	for ok := true; ok; ok = r.Next() {
		step := thread.Next(r.Entry())
		starts = starts[:step.Keep]
		if start, _ := r.Bounds(); step.Node && step.Sidechain == nil && step.At == len(starts) {
			starts = append(starts, start)
		}
	}
	if cut := thread.Cut(); cut >= 0 {
		c.Offset = max(c.Head, starts[cut])
	}
	return c, r.Err()
}

// nodes returns the nodes of the live conversation if that goes back to a compaction, else none. It
// reports false if it must see more of the log.
func (c *Cut) nodes() ([]log.Node, bool) {
	if !c.Dialect.IsClaude() {
		return c.piNodes()
	}
	p := c.tail
	end := p.End
	isMain := func(n log.Node) bool { return p.Tree.Is(n, log.Talks) && !p.Tree.Is(n, log.Sidechain) }
	last := p.last(isMain) // end, unless the tail has no message above it
	if p.more() && (end == log.None || p.Tree.Is(end, log.Sidechain) || last != end && p.lost(p.Path(last, log.Options{}).Top) || p.keepsMore()) {
		return nil, false
	}
	if end == log.None {
		return nil, true
	}
	path := p.Path(end, log.Options{})
	spoken, lost := false, p.lost(path.Top)
	for i, turn := range path.Turns {
		for n := turn; n != log.None; n = p.Tree.Next[n] {
			if p.Tree.Is(n, log.Boundary) && spoken {
				return p.Tree.Part(path.Turns[:i+1]), true
			}
			spoken = spoken || p.Kinds[n].Message()
		}
	}
	if p.more() && (lost || !spoken) {
		return nil, false
	}
	if p.Tree.Is(path.Top, log.Boundary) {
		return path.Nodes, true
	}
	if lost {
		above := func(n log.Node) bool {
			return p.Tree.Is(n, log.Boundary) && !p.Tree.Is(n, log.Sidechain) && n < path.Top
		}
		if b := p.last(above); b != log.None {
			return append(path.Nodes, b), true
		}
	}
	return nil, true
}

// firstTail is how many bytes at the end of a log are read at first.
var firstTail int64 = 256 << 10

// A tail is the table of the last lines of a log.
type tail struct {
	*log.Log
	log     io.ReaderAt
	size    int64
	dialect dialect.Dialect
	headed  bool  // the log begins with a header
	from    int64 // what was read begins here
	err     error // of reading
}

// grow reads four times as much, or all of the log if that is less than four times as long again. It
// reports false if all was read, or after an error.
func (p *tail) grow() bool {
	if p.from == 0 || p.err != nil {
		return false
	}
	next := max(firstTail, 4*(p.size-p.from))
	p.from = 0
	if 4*next <= p.size {
		above := line.NewBackward(p.log, p.size-next)
		above.Next() // to the line that is there, at least in part
		p.from, p.err = above.Offset(), above.Err()
	}
	if p.err != nil {
		return false
	}
	p.Log, p.err = log.ReadTail(p.log, p.from, p.size, p.dialect, p.headed)
	return p.err == nil
}

// failed returns the first error of reading.
func (p *tail) failed() error {
	if p.err != nil {
		return p.err
	}
	return p.Log.Err()
}

// more reports whether what was not found may be above the tail.
func (p *tail) more() bool { return p.from > 0 }

// lost reports whether the parent of n, at which a path begins, is an entry that the tail does not have.
func (p *tail) lost(n log.Node) bool {
	up := p.Written[n]
	return up != log.None && !p.Has(up)
}

// keepsMore reports whether a boundary keeps entries that the tail does not have.
func (p *tail) keepsMore() bool {
	for n := range p.Count {
		if !p.Tree.Is(n, log.Boundary) {
			continue
		}
		for _, id := range shape.KeptIDs(p.Entry(n)) {
			if id.IsString() && !p.Has(p.LookUp(id)) {
				return true
			}
		}
	}
	return false
}

// last returns the last node for which is reports true, or None.
func (p *tail) last(is func(log.Node) bool) log.Node {
	for n := p.Count - 1; n >= 0; n-- {
		if is(n) {
			return n
		}
	}
	return log.None
}

// extend returns the offset at which the log is cut to keep nodes, and what is directly above them:
// their file snapshots, even above links, and lines without an id.
func (p *tail) extend(nodes []log.Node) int64 {
	aside := p.Tree.Is(nodes[len(nodes)-1], log.Sidechain)
	kept := forest.NewSet(p.Cap)
	cut := p.size
	for _, n := range nodes {
		kept.Add(n)
		cut = min(cut, p.Pos(n).Offset)
	}
	lines := line.NewBackward(p.log, cut)
	var dec entry.Decoder
	for adjacent := true; lines.Next(); {
		b, err := lines.Bytes()
		if err != nil {
			break
		}
		if !bytes.HasSuffix(b, []byte{'\n'}) { // the line with the first of nodes
			cut = lines.Offset()
			continue
		}
		belongs := false
		count, _ := dec.Decode(b, 0, lines.Offset())
		for i := range count {
			switch e := dec.Entry(i); {
			case shape.NamesBackups(e) && kept.Has(p.LookUp(e.Get(entry.MessageID))):
				belongs = true
			case p.dialect.IDOf(e) == nil && !p.dialect.IsHeader(e):
			case p.dialect.IsConversation(e) && (aside || p.dialect.Sidechain(e) == nil):
				// Nothing above a node or a header belongs to what is below it.
				return cut
			default:
				adjacent = false
			}
		}
		if adjacent = adjacent || belongs; adjacent {
			cut = lines.Offset()
		}
	}
	p.err = lines.Err()
	return cut
}
