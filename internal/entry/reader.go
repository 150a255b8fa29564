package entry

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
)

// Lines are the lines of a log, first to last; line.Forward has this interface. Bytes
// returns the current line, Number its number, counted from 1, and Offset where it begins
// in the log, but for the bytes before it that Dropped counts: they are part of no entry.
// Once Next has reported false, Number and Offset are the number of lines and
// of bytes read, and Err is the error that ended the lines, nil at the end of the log.
type Lines interface {
	Next() bool
	Bytes() []byte
	Number() int64
	Offset() int64
	Dropped() int64
	Err() error
}

// A Reader reads the entries of a log from its lines. It recovers the whole entries of
// damaged lines, and reports each such line to a function. If no line of the first megabyte is an
// entry, what it reads is not a log: see [ErrNotLog].
type Reader struct {
	// Recognizer finds out whose log it is, nil if that does not matter. Part says that the lines
	// are only a part of a log, so that ErrNotLog does not apply. Both are set before the first
	// call of Next.
	Recognizer Recognizer
	Part       bool

	dec     Decoder
	lines   Lines
	damaged func(*Damage)

	next, count int // the next entry of the current line, and how many the line holds
	damage      *Damage
	entry       *Entry

	isLog bool       // some line is an entry
	asked bool       // the recognizer knows enough
	known bool       // the lines are a log, and dec is final
	held  []heldLine // the lines so far, unless known; then those that are still to be read
	err   error      // ErrNotLog, what ended the lines that were read ahead, or nil
	ahead *ended     // set once lines were read ahead
}

// A Recognizer finds out whose log it is that is read, which decides how it is decoded.
type Recognizer interface {
	// Ask looks at the next entry of the log, and reports whether it needs to see no more.
	Ask(*Entry) bool

	// Settle may change the rules of the decoder. It is called once, before the first entry
	// is yielded.
	Settle(*Decoder)
}

// An ended is where the lines that were read ahead end: how many lines and bytes are before.
type ended struct{ lines, bytes int64 }

// ErrNotLog reports that no line of an input is an entry: none of its first megabyte, and
// not one of two lines, if these are longer. Objects in indented lines that may be parts of
// another JSON text do not count. An empty input, or one with nothing but an unfinished
// line, is a log.
var ErrNotLog = errors.New("not a session log: no line of its first megabyte is an entry")

// firstMegabyte is how many bytes a Reader looks at to find out whether it reads a log.
const firstMegabyte = 1 << 20

// heldMost is how many lines a Reader holds back, at most, until its Recognizer knows enough.
const heldMost = 1 << 12

// A heldLine is a line with its place, or several lines at once. A Reader holds lines back until
// it knows what it reads.
type heldLine struct {
	damage                  *Damage // of a line without entries
	bytes                   []byte  // nil for a damaged line without entries, which can be large
	number, offset, dropped int64
}

// NewReader returns a Reader of lines. It decodes by the rules of dec. If damaged is not nil,
// Next calls it for each line that is not one whole entry, before it steps to the entries
// recovered from that line, but not before it knows that it reads a log.
func NewReader(lines Lines, dec Decoder, damaged func(*Damage)) *Reader {
	return &Reader{dec: dec, lines: lines, damaged: damaged}
}

// Next steps to the next entry. It reports false at the end of the log, or after an error.
func (r *Reader) Next() bool {
	for r.next == r.count {
		if !r.nextLine() {
			return false
		}
	}
	r.entry = r.dec.Entry(r.next)
	r.next++
	return true
}

// nextLine steps to the next line and finds its entries.
func (r *Reader) nextLine() bool {
	r.next, r.count = 0, 0
	if r.known && len(r.held) > 0 {
		l := r.held[0]
		r.held[0] = heldLine{} // its bytes need not stay
		r.held = r.held[1:]
		r.decode(l)
		return true
	}
	if r.err != nil || !r.lines.Next() {
		if r.known || r.err != nil {
			return false
		}
		r.end()
		return r.known && len(r.held) > 0
	}
	l := heldLine{bytes: r.lines.Bytes(), number: r.lines.Number(), offset: r.lines.Offset(), dropped: r.lines.Dropped()}
	if r.known {
		r.decode(l)
	} else {
		r.judge(l)
	}
	return true
}

// decode makes l the current line.
func (r *Reader) decode(l heldLine) {
	damage := l.damage
	if l.bytes != nil {
		r.count, damage = r.dec.decode(l)
	}
	r.report(damage)
}

// report makes damage that of the current line, and reports it unless it is nil.
func (r *Reader) report(damage *Damage) {
	r.damage = damage
	if damage != nil && r.damaged != nil {
		r.damaged(damage)
	}
}

// decode decodes l. The damage of a line covers the bytes that were dropped.
func (d *Decoder) decode(l heldLine) (int, *Damage) {
	count, damage := d.Decode(l.bytes, l.number, l.offset)
	if damage != nil {
		damage.Pos.Offset -= l.dropped
		damage.Pos.Length += l.dropped
	}
	return count, damage
}

// decodeFirst decodes the first line of l, which holds several, at least one byte. It also returns
// its length. Nearly all lines begin with an entry and hold nothing else: decodeFirst searches for
// the end of the others only.
func (d *Decoder) decodeFirst(l heldLine) (length, count int, damage *Damage) {
	d.begin(l.bytes, l.number, l.offset)
	if length = d.scanLine(l.bytes); length > 0 {
		d.line = l.bytes[:length:length]
		d.setPos(0, 0, length)
		return length, 1, nil
	}
	length = len(l.bytes) // the last line of a log may lack the newline
	if i := bytes.IndexByte(l.bytes, '\n'); i >= 0 {
		length = i + 1
	}
	l.bytes = l.bytes[:length:length]
	count, damage = d.decode(l)
	return length, count, damage
}

// judge looks what a line shows about the lines: whether they are a log, and whose. Until both
// are known it holds the lines back.
func (r *Reader) judge(l heldLine) {
	probe := Decoder{Shows: r.dec.Shows}
	count, _ := probe.Decode(l.bytes, l.number, l.offset)
	r.isLog = r.isLog || r.Part
	for i := range count {
		e := probe.Entry(i)
		r.isLog = r.isLog || isEntry(l.bytes, e)
		r.asked = r.asked || r.Recognizer == nil || r.Recognizer.Ask(e)
	}
	if r.isLog && (r.asked || len(r.held) >= heldMost) {
		r.settle()
		if len(r.held) == 0 {
			r.decode(l)
			return
		}
	}
	size := l.offset + int64(len(l.bytes))
	if count > 0 {
		l.bytes = bytes.Clone(l.bytes)
	} else if _, l.damage = r.dec.decode(l); l.damage == nil {
		return
	} else {
		l.bytes, l.damage.Value = nil, bytes.Clone(l.damage.Value)
	}
	r.held = append(r.held, l)
	if !r.isLog && len(r.held) > 1 && size >= firstMegabyte {
		r.err, r.held = ErrNotLog, nil
	}
}

// settle notes that the lines are a log, and that the decoder is final.
func (r *Reader) settle() {
	r.known = true
	if r.Recognizer != nil {
		r.Recognizer.Settle(&r.dec)
	}
}

// isEntry reports whether e, of a line, is an entry of a log. An indented line of another
// JSON text may hold an object too, but hardly one with a key of an entry.
func isEntry(line []byte, e *Entry) bool {
	return line[0] == '{' || e.HasAny(ParentUUID, ParentID, SessionID, LeafUUID, MessageID, Timestamp)
}

// end decides about lines that end before they show what they are.
func (r *Reader) end() {
	lost := func(l heldLine) bool { return l.damage != nil && l.damage.Lost() }
	if !r.isLog && !r.Part && r.lines.Err() == nil && slices.ContainsFunc(r.held, lost) {
		r.err, r.held = ErrNotLog, nil
		return
	}
	r.settle()
}

// Bounds returns the offsets in the log at which the line of the current entry begins and
// ends. [Ahead] does not keep them.
func (r *Reader) Bounds() (start, end int64) {
	return r.dec.offset, r.dec.offset + int64(len(r.dec.line))
}

// Entry returns the current entry. It is part of the current line, and valid until the
// next call of Next.
func (r *Reader) Entry() *Entry { return r.entry }

// Damage returns the damage of the line of the current entry, nil if the line is sound.
func (r *Reader) Damage() *Damage { return r.damage }

// Read returns how many lines and bytes were read. It is meaningful once Next has
// reported false.
func (r *Reader) Read() (lines, bytes int64) {
	if r.ahead != nil {
		return r.ahead.lines, r.ahead.bytes
	}
	return r.lines.Number(), r.lines.Offset()
}

// Err returns the error that ended the lines, or [ErrNotLog]; nil at the end of the log. It
// is meaningful once Next has reported false.
func (r *Reader) Err() error { return cmp.Or(r.err, r.lines.Err()) }
