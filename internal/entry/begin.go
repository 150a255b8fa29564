package entry

import (
	"cmp"
	"math"
)

// firstMegabyte is how many bytes a Reader looks at to find out whether it reads a log.
const firstMegabyte = 1 << 20

// beginMost is how many bytes a Reader of a log looks at most until its Recognizer knows enough.
const beginMost = 8 << 20

// headMost is how many bytes are kept to tell what the input is if it is not a log.
const headMost = 4 << 10

// A beginning is what the first lines show about all of them: whether they are a log, and whose.
type beginning struct {
	dec        Decoder
	recognizer Recognizer // nil if it knows enough
	isLog      bool       // some line is an entry

	kind    string // of the objects that are not entries
	plain   int    // how many objects without a type or an id there are
	lines   int    // how many lines are not blank
	lost    int    // how many of them have no entry, but for one that may be growing
	head    []byte // the beginning of what may be no log
	inArray bool   // the lines are elements of a JSON array
}

// begin looks at lines until they show what they are, and makes r read them from the first on.
func (r *Reader) begin() {
	r.begun = true
	b := beginning{dec: Decoder{Shows: r.dec.Shows}, recognizer: r.Recognizer, isLog: r.isLog}
	known := b.isLog && b.recognizer == nil
	rest := part{number: 1} // the lines that were not looked at
	for !known && r.more() {
		last := rest
		rest = r.rest
		if n := int(last.offset - rest.offset); n > 0 {
			rest.skip(n, last.number-1)
		}
		for rest.skipEmpty(); !known && len(rest.bytes) > 0; rest.skipEmpty() {
			b.look(rest.cut())
			known = b.isLog && (b.recognizer == nil || rest.offset >= beginMost)
			if !b.isLog && b.lines > 1 && rest.offset >= firstMegabyte {
				r.err = b.refuse()
				return
			}
		}
		switch {
		case known:
		case !r.rest.more: // these are all
			if !b.isLog && r.lines.Err() == nil && (b.kind != "" || b.lost > 0 || NotText(b.head) != nil) {
				r.err = b.refuse()
				return
			}
			known = true
		case b.isLog:
			r.wait(beginMost)
		default:
			r.wait(math.MaxInt) // the next line may decide
		}
	}
	if r.Recognizer != nil {
		r.Recognizer.Settle(&r.dec)
	}
}

// look looks at the next line.
func (b *beginning) look(l part) {
	count, damage := b.dec.Decode(l.bytes, l.number, l.offset)
	for i := range count {
		e := b.dec.Entry(i)
		b.isLog = b.isLog || b.counts(l.bytes, e)
		if b.recognizer != nil && b.recognizer.Ask(e) {
			b.recognizer = nil
		}
	}
	if !b.isLog {
		b.inArray = b.inArray || len(b.head) == 0 && opensArray(l.bytes)
		b.head = append(b.head, l.bytes[:min(len(l.bytes), headMost-len(b.head))]...)
	}
	if count > 0 || damage != nil {
		b.lines++
	}
	if count == 0 && damage != nil && damage.Lost() {
		b.lost++
	}
}

// refuse returns the error about lines that are not a log.
func (b *beginning) refuse() error {
	kind := b.kind
	if b.lost > 0 {
		kind = textKind(b.head)
	}
	return cmp.Or(NotText(b.head), notLog(kind))
}

// counts reports whether e, of a line, makes the lines so far a log. An indented line of another
// JSON text may hold an object too, but hardly one with a key of an entry.
func (b *beginning) counts(line []byte, e *Entry) bool {
	kind := e.other()
	b.kind = cmp.Or(kind, b.kind)
	switch {
	case kind != "" && (kind != document || b.plain == 0):
		if kind == document {
			b.plain++
		}
		return false
	case b.inArray:
		return false
	case e.HasAny(ParentUUID, ParentID, SessionID, LeafUUID, MessageID, Timestamp):
		return true
	case line[0] != '{':
		return false
	case e.HasAny(Type, UUID, ID) || b.dec.Shows != nil && b.dec.Shows(e):
		return true
	}
	b.plain++
	return b.plain >= b.lost
}
