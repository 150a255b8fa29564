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
// damaged lines, and reports each such line to a function. If no line of the first megabyte
// is an entry, what it reads is not a log: see [ErrNotLog].
type Reader struct {
	dec     Decoder
	lines   Lines
	damaged func(*Damage)

	settled     bool // dec is final
	next, count int  // the next entry of the current line, and how many the line holds
	damage      *Damage
	entry       *Entry

	isLog bool       // some line is an entry
	held  []heldLine // the damaged lines so far, unless isLog; then those that are still to be read
	err   error      // ErrNotLog, or nil
}

// ErrNotLog reports that no line of an input is an entry: none of its first megabyte, and
// not one of two lines, if these are longer. Objects in indented lines that may be parts of
// another JSON text do not count. An empty input, or one with nothing but an unfinished
// line, is a log.
var ErrNotLog = errors.New("not a session log: no line of its first megabyte is an entry")

// firstMegabyte is how many bytes a Reader looks at to find out whether it reads a log.
const firstMegabyte = 1 << 20

// A heldLine is a line that a Reader holds back until it knows whether it reads a log.
type heldLine struct {
	damage         *Damage // nil if it is sound
	bytes          []byte  // nil if it has no entries
	number, offset int64
}

// NewReader returns a Reader of lines. It decodes by the rules of dec, but those of Claude's
// readers, Strict and RejectBOM, do not apply to a pi log. If damaged is not nil, Next
// calls it for each line that is not one whole entry, before it steps to the entries
// recovered from that line, but not before it knows that it reads a log.
func NewReader(lines Lines, dec Decoder, damaged func(*Damage)) *Reader {
	return &Reader{dec: dec, lines: lines, damaged: damaged, settled: !dec.Strict}
}

// NewPartReader is NewReader for lines that are only a part of a log, so that ErrNotLog does
// not apply.
func NewPartReader(lines Lines, dec Decoder, damaged func(*Damage)) *Reader {
	r := NewReader(lines, dec, damaged)
	r.isLog = true
	return r
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
	if r.isLog && len(r.held) > 0 {
		r.decodeHeld()
		return true
	}
	if r.err != nil || !r.lines.Next() {
		if r.isLog || r.err != nil {
			return false
		}
		r.end()
		return r.isLog && len(r.held) > 0
	}
	if !r.settled {
		r.settle()
	}
	r.count, r.damage = r.dec.Decode(r.lines.Bytes(), r.lines.Number(), r.lines.Offset())
	if r.damage != nil {
		r.damage.Pos.Offset -= r.lines.Dropped()
		r.damage.Pos.Length += r.lines.Dropped()
	}
	if !r.isLog {
		r.judge()
	} else if r.damage != nil {
		r.report(r.damage)
	}
	return true
}

// decodeHeld finds the entries of the first line that was held back.
func (r *Reader) decodeHeld() {
	l := r.held[0]
	r.held = r.held[1:]
	r.damage = l.damage
	if l.damage != nil {
		r.report(l.damage)
	}
	if l.bytes != nil {
		r.count, _ = r.dec.Decode(l.bytes, l.number, l.offset)
	}
}

// judge looks whether the current line shows that the lines are a log or not, and holds the
// line back if it is damaged.
func (r *Reader) judge() {
	r.isLog = r.isEntry()
	if r.isLog && len(r.held) == 0 {
		if r.damage != nil {
			r.report(r.damage)
		}
		return
	}
	if r.count > 0 || r.damage != nil {
		l := heldLine{damage: r.damage, number: r.lines.Number(), offset: r.lines.Offset()}
		if r.count > 0 {
			l.bytes = bytes.Clone(r.lines.Bytes())
		}
		r.held, r.count = append(r.held, l), 0
	}
	if !r.isLog && len(r.held) > 1 && r.lines.Offset()+int64(len(r.lines.Bytes())) >= firstMegabyte {
		r.err, r.held = ErrNotLog, nil
	}
}

// isEntry reports whether the current line is an entry, or a damaged line with one. An
// indented line of another JSON text may hold an object too, but hardly one with a key of
// an entry.
func (r *Reader) isEntry() bool {
	dec, count := &r.dec, r.count
	if dec.Strict {
		dec = &Decoder{}
		count, _ = dec.Decode(r.lines.Bytes(), r.lines.Number(), r.lines.Offset())
	}
	for i := range count {
		if r.lines.Bytes()[0] == '{' || dec.Entry(i).hasAny(ParentUUID, ParentID, SessionID, LeafUUID, MessageID, Timestamp) {
			return true
		}
	}
	return false
}

// end decides about lines that end before they show whether they are a log.
func (r *Reader) end() {
	lost := func(l heldLine) bool { return l.damage != nil && l.damage.Lost() }
	if r.lines.Err() == nil && slices.ContainsFunc(r.held, lost) {
		r.err, r.held = ErrNotLog, nil
		return
	}
	r.isLog = true
}

func (r *Reader) report(d *Damage) {
	if r.damaged != nil {
		r.damaged(d)
	}
}

// settle looks for the first entry of the log in the current line, and ends strict reading
// if it is pi's.
func (r *Reader) settle() {
	var probe Decoder
	if n, _ := probe.Decode(r.lines.Bytes(), r.lines.Number(), r.lines.Offset()); n > 0 {
		r.settled = true
		if DialectOf(probe.Entry(0)) == Pi {
			r.dec = Decoder{}
		}
	}
}

// Entry returns the current entry. It is part of the current line, and valid until the
// next call of Next.
func (r *Reader) Entry() *Entry { return r.entry }

// Damage returns the damage of the line of the current entry, nil if the line is sound.
func (r *Reader) Damage() *Damage { return r.damage }

// Read returns how many lines and bytes were read. It is meaningful once Next has
// reported false.
func (r *Reader) Read() (lines, bytes int64) { return r.lines.Number(), r.lines.Offset() }

// Err returns the error that ended the lines, or [ErrNotLog]; nil at the end of the log. It
// is meaningful once Next has reported false.
func (r *Reader) Err() error { return cmp.Or(r.err, r.lines.Err()) }
