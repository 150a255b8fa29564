package dialect

import (
	"bytes"
	"cmp"

	"jl/internal/entry"
)

// firstMegabyte is how many bytes a Reader looks at to find out whether it reads a log.
const firstMegabyte = 1 << 20

// beginMost is how many bytes a Reader of a log looks at most until it knows the dialect.
const beginMost = 8 << 20

// headMost is how many bytes are kept to tell what the input is if it is not a log.
const headMost = 4 << 10

// A beginning is what the first lines show about all of them: whether they are a log, and whose.
type beginning struct {
	dec   entry.Decoder
	log   *recognizer
	isLog bool // some line is an entry

	kind    string // of the objects that are not entries
	plain   int    // how many objects without a type or an id there are
	lines   int    // how many lines are not blank
	lost    int    // how many of them have no entry, but for one that may be growing
	head    []byte // the beginning of what may be no log
	inArray bool   // the lines are elements of a JSON array
}

// begin looks at lines until they show what they are, and keeps them in r.first.
func (r *Reader) begin() {
	r.begun = true
	b := beginning{log: &r.log, isLog: r.isLog}
	buf := &r.own.buf
	for known := false; !known && r.err == nil; {
		lines, offset, ok := r.lines.Fill(buf)
		if !ok { // these are all
			if !b.isLog && r.lines.Err() == nil && (b.kind != "" || b.lost > 0 || NotText(b.head) != nil) {
				r.err = b.refuse()
			}
			break
		}
		r.first = append(r.first, text{lines, offset})
		if buf == &r.own.buf {
			buf = &r.second // a small log ends here
		} else {
			buf = new([]byte)
		}
		for l := range bytes.Lines(lines) {
			b.look(l, offset)
			offset += int64(len(l))
			if known = b.isLog && (r.log.final || offset >= beginMost); known {
				break
			}
			if !b.isLog && b.lines > 1 && offset >= firstMegabyte {
				r.err = b.refuse()
				break
			}
		}
	}
	if !r.log.dialect.is(likeClaude) {
		r.dec.Strict, r.dec.SDK = false, false
	}
}

// look looks at the next line.
func (b *beginning) look(line []byte, offset int64) {
	count, damage := b.dec.Decode(line, 1, offset)
	for i := range count {
		e := b.dec.Entry(i)
		b.isLog = b.isLog || b.counts(line, e, damage == nil)
		b.log.ask(e)
	}
	if !b.isLog {
		b.inArray = b.inArray || len(b.head) == 0 && opensArray(line)
		b.head = append(b.head, line[:min(len(line), headMost-len(b.head))]...)
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

// counts reports whether e shows that the lines so far are a log; sound says that its line is. An indented
// line of another JSON text may hold an object too, but hardly one with a key of an entry.
func (b *beginning) counts(line []byte, e *entry.Entry, sound bool) bool {
	kind := other(e)
	b.kind = cmp.Or(kind, b.kind)
	switch {
	case kind != "" && (kind != document || b.plain == 0):
		if kind == document {
			b.plain++
		}
		return false
	case b.inArray:
		return false
	case e.HasAny(entry.ParentUUID, entry.ParentID, entry.SessionID, entry.LeafUUID, entry.MessageID, entry.Timestamp):
		return true
	case line[0] != '{':
		return false
	case e.HasAny(entry.Type, entry.UUID, entry.ID) || Of(e) != Unknown:
		return true
	}
	if sound {
		b.plain++
	}
	return b.plain >= max(b.lost, 1)
}
