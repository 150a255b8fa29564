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

	only []byte // what each line that counts holds

	next, count int // the next entry of the current line, and how many the line holds
	damage      *Damage
	entry       *Entry

	isLog   bool       // some line is an entry
	kind    string     // what the objects are that are no entries
	plain   int        // how many objects without a type or an id there are
	lost    int        // how many lines without an entry there are, but for one that may be growing
	head    []byte     // the beginning of what may be no log
	inArray bool       // the lines are elements of a JSON array
	asked   bool       // the recognizer knows enough
	known   bool       // the lines are a log, and dec is final
	held    []heldLine // the lines so far, unless known; then those that are still to be read
	size    int        // of held, in bytes
	err     error      // wraps ErrNotLog, what ended the lines that were read ahead, or nil
}

// A Recognizer finds out whose log it is that is read, which decides how it is decoded.
type Recognizer interface {
	// Ask looks at the next entry of the log, and reports whether it needs to see no more.
	Ask(*Entry) bool

	// Settle may change the rules of the decoder. It is called once, before the first entry
	// is yielded.
	Settle(*Decoder)
}

// firstMegabyte is how many bytes a Reader looks at to find out whether it reads a log.
const firstMegabyte = 1 << 20

// A Reader holds back so many lines, or bytes, at most, until its Recognizer knows enough.
const (
	heldMost  = 1 << 16
	heldBytes = 8 << 20
)

// headMost is how much a Reader keeps to find out what it reads if that is no log.
const headMost = 4 << 10

// A heldLine is a line that a Reader holds back until it knows what it reads.
type heldLine struct {
	part
	damage *Damage // of a line without entries, whose bytes are nil because they can be many
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
	for !r.step() {
		if !r.read() {
			return false
		}
	}
	return true
}

// step steps to the next entry of the lines that were read. It reports false if there is none.
func (r *Reader) step() bool {
	for r.next == r.count {
		if !r.nextLine() {
			return false
		}
	}
	r.entry = r.dec.Entry(r.next)
	r.next++
	return true
}

// read reads more lines. It reports false at the end of the log, or after an error.
func (r *Reader) read() bool {
	if r.err == nil && r.more() {
		return true
	}
	if r.known || r.err != nil {
		return false
	}
	r.end()
	return r.known && len(r.held) > 0
}

// nextLine steps to the next of the lines that were read, and finds its entries. It reports false
// if there is none.
func (r *Reader) nextLine() bool {
	r.next, r.count = 0, 0
	if r.known && len(r.held) > 0 {
		l := r.held[0]
		r.held[0] = heldLine{} // its bytes need not stay
		r.held = r.held[1:]
		if l.bytes == nil {
			r.found(0, l.damage)
		} else {
			r.found(r.dec.decode(l.part))
		}
		return true
	}
	r.rest.skipEmpty()
	if r.only != nil {
		r.rest.skipTo(r.only)
	}
	if len(r.rest.bytes) == 0 || r.err != nil {
		return false
	}
	if r.known {
		lines := r.rest.bytes
		if count, damage, ok := r.dec.decodeFirst(&r.rest); ok {
			if bytes.Contains(lines[:len(lines)-len(r.rest.bytes)], r.only) {
				r.found(count, damage)
			}
			return true
		}
	} else if l, ok := r.rest.cut(r.dec.Strict); ok {
		if bytes.Contains(l.bytes, r.only) {
			r.judge(l)
		}
		return true
	}
	r.wait()
	return false
}

// found sets how many entries the current line holds and its damage, which it reports unless it
// is nil.
func (r *Reader) found(count int, damage *Damage) {
	r.next, r.count, r.damage = 0, count, damage
	if damage != nil && r.damaged != nil {
		r.damaged(damage)
	}
}

// judge looks what a line shows about the lines: whether they are a log, and whose. Until both
// are known it holds the lines back.
func (r *Reader) judge(l part) {
	probe := Decoder{Shows: r.dec.Shows}
	count, _ := probe.Decode(l.bytes, l.number, l.offset)
	for i := range count {
		e := probe.Entry(i)
		r.isLog = r.isLog || r.counts(l.bytes, e)
		r.asked = r.asked || r.Recognizer == nil || r.Recognizer.Ask(e)
	}
	if r.isLog && (r.asked || len(r.held) >= heldMost || r.size >= heldBytes) {
		r.settle()
		if len(r.held) == 0 {
			r.found(r.dec.decode(l))
			return
		}
	}
	if !r.isLog {
		r.inArray = r.inArray || len(r.head) == 0 && opensArray(l.bytes)
		r.head = append(r.head, l.bytes[:min(len(l.bytes), headMost-len(r.head))]...)
	}
	size := l.offset + int64(len(l.bytes))
	held := heldLine{part: l}
	if count > 0 {
		held.bytes = bytes.Clone(l.bytes)
		r.size += len(l.bytes)
	} else if _, held.damage = r.dec.decode(l); held.damage == nil {
		return
	} else {
		held.bytes, held.damage.Value = nil, bytes.Clone(held.damage.Value)
		if held.damage.Lost() {
			r.lost++
		}
	}
	r.held = append(r.held, held)
	if !r.isLog && len(r.held) > 1 && size >= firstMegabyte {
		r.refuse()
	}
}

// refuse ends the lines because they are not a log.
func (r *Reader) refuse() {
	kind := r.kind
	if r.lost > 0 {
		kind = textKind(r.head)
	}
	r.err, r.held = cmp.Or(NotText(r.head), notLog(kind)), nil
}

// settle notes that the lines are a log, and that the decoder is final.
func (r *Reader) settle() {
	r.known = true
	if r.Recognizer != nil {
		r.Recognizer.Settle(&r.dec)
	}
}

// counts reports whether e, of a line, makes the lines so far a log. An indented line of another
// JSON text may hold an object too, but hardly one with a key of an entry.
func (r *Reader) counts(line []byte, e *Entry) bool {
	kind := e.other()
	r.kind = cmp.Or(kind, r.kind)
	switch {
	case kind != "" && (kind != document || r.plain == 0):
		if kind == document {
			r.plain++
		}
		return false
	case r.inArray:
		return false
	case e.HasAny(ParentUUID, ParentID, SessionID, LeafUUID, MessageID, Timestamp):
		return true
	case line[0] != '{':
		return false
	case e.HasAny(Type, UUID, ID) || r.dec.Shows != nil && r.dec.Shows(e):
		return true
	}
	r.plain++
	return r.plain >= r.lost
}

// end decides about lines that end before they show what they are.
func (r *Reader) end() {
	if !r.isLog && r.lines.Err() == nil && (r.kind != "" || r.lost > 0 || NotText(r.head) != nil) {
		r.refuse()
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
func (r *Reader) Read() (lines, bytes int64) { return r.rest.number - 1, r.rest.offset }

// Err returns the error that ended the lines, or one that wraps [ErrNotLog]; nil at the end of the
// log. It is meaningful once Next has reported false.
func (r *Reader) Err() error { return cmp.Or(r.err, r.lines.Err()) }
