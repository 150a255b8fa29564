package entry

import (
	"bytes"
	"cmp"

	"jl/internal/line"
)

// A Reader reads the entries of a log from its lines. It recovers the whole entries of
// damaged lines, and reports each such line to a function. If no line of the first megabyte is an
// entry, what it reads is not a log: see [ErrNotLog].
type Reader struct {
	// Recognizer finds out whose log it is, nil if that does not matter. It is set before the first
	// call of Next.
	Recognizer Recognizer

	feed
	dec     Decoder
	damaged func(*Damage)

	only  []byte // what each line that counts holds
	isLog bool   // whatever the lines hold
	begun bool   // it is known what the lines are

	next, count int // the next entry of the current line, and how many the line holds
	damage      *Damage
	below       int64 // the number of the line below one that ends inside a string, 0 if there was none
	entry       *Entry
	err         error // wraps ErrNotLog, what ended the lines that were read ahead, or nil
}

// A Recognizer finds out whose log it is that is read, which decides how it is decoded.
type Recognizer interface {
	// Ask looks at the next entry of the log, and reports whether it needs to see no more.
	Ask(*Entry) bool

	// Settle may change the rules of the decoder. It is called once, before the first entry
	// is yielded.
	Settle(*Decoder)
}

// NewReader returns a Reader of lines. It decodes by the rules of dec. If damaged is not nil,
// Next calls it for each line that is not one whole entry, before it steps to the entries
// recovered from that line, but not before it knows that it reads a log.
func NewReader(lines *line.Forward, dec Decoder, damaged func(*Damage)) *Reader {
	return &Reader{feed: feed{lines: lines, rest: part{number: 1}}, dec: dec, damaged: damaged}
}

// TakeAsLog makes r take the lines for those of a log, whatever they hold: ErrNotLog does not
// apply. It is called before Next.
func (r *Reader) TakeAsLog() { r.isLog = true }

// Only makes r skip the lines that do not hold word, and take the rest for a log. It is called
// before Next.
func (r *Reader) Only(word []byte) { r.only, r.isLog = word, true }

// Next steps to the next entry. It reports false at the end of the log, or after an error.
func (r *Reader) Next() bool {
	if !r.begun {
		r.begin()
	}
	for !r.step() {
		if r.err != nil || !r.more() {
			return false
		}
	}
	return true
}

// step steps to the next entry of the lines that were read. It reports false if there is none.
func (r *Reader) step() bool {
	for r.next == r.count {
		if r.err != nil || !r.nextLine() {
			return false
		}
	}
	r.entry = r.dec.Entry(r.next)
	r.next++
	return true
}

// nextLine steps to the next of the lines that were read, and finds its entries. It reports false
// if there is none.
func (r *Reader) nextLine() bool {
	r.next, r.count = 0, 0
	r.rest.skipEmpty()
	if r.only != nil {
		r.rest.skipTo(r.only)
	}
	lines := r.rest.bytes
	if len(lines) == 0 {
		return false
	}
	count, damage := r.dec.decodeFirst(&r.rest)
	if bytes.Contains(lines[:len(lines)-len(r.rest.bytes)], r.only) {
		r.found(count, damage)
	}
	return true
}

// found sets how many entries the current line holds and its damage, which it reports unless it
// is nil.
func (r *Reader) found(count int, damage *Damage) {
	r.next, r.count, r.damage = 0, count, damage
	if damage == nil {
		return
	}
	damage.joinable = damage.rest && damage.Pos.Line == r.below
	if damage.open {
		r.below = damage.Pos.Line + 1
	}
	if r.damaged != nil {
		r.damaged(damage)
	}
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
func (r *Reader) Read() (lines, bytes int64) { return r.rest.number - 1, r.rest.offset }

// Err returns the error that ended the lines, or one that wraps [ErrNotLog]; nil at the end of the
// log. It is meaningful once Next has reported false.
func (r *Reader) Err() error { return cmp.Or(r.err, r.lines.Err()) }
