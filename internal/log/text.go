package log

import (
	"errors"
	"io"
	"iter"

	"jl/internal/entry"
	"jl/internal/line"
)

// Pos returns the position of the entry of n.
func (t *Log) Pos(n Node) entry.Pos { return t.pos[n].unpack() }

// Entry returns the entry of n. It is valid until the next call of a method of t. After
// an error, which [Log.Err] returns, it is empty.
func (t *Log) Entry(n Node) *entry.Entry {
	e := t.EntryAt(t.Pos(n))
	if !t.names(n, e) {
		t.fail(ErrChanged)
		t.again = entry.Entry{}
	}
	return e
}

// names reports whether e, which was read again, may be the entry of n.
func (t *Log) names(n Node, e *entry.Entry) bool {
	return t.Dialect.IsList() || t.hash(t.Dialect.RawID(e).Text()) == t.ids[n]
}

// EntryAt returns the entry at p. It is valid until the next call of a method of t. After
// an error, which [Log.Err] returns, it is empty.
func (t *Log) EntryAt(p entry.Pos) *entry.Entry {
	if t.again.Pos == p {
		return &t.again // it was read last
	}
	var b []byte
	if t.err == nil {
		var err error
		b, err = t.window.read(t.log, t.Size, p)
		t.fail(err)
	}
	line, ok := scan(b, t.again.Scan)
	if t.again.Pos, t.again.Line = p, line; !ok {
		t.fail(ErrChanged)
		t.again = entry.Entry{}
	}
	return &t.again
}

// A Text is an entry as it is in the log.
type Text struct {
	Node  Node // None if the entry is not a node
	Pos   entry.Pos
	Bytes []byte // its line, or, if it was recovered from a damaged line, its object
	Whole bool   // it is valid JSON throughout
}

// Texts reads the entries of nodes, each after those of others that are above it in the file. A
// Text is valid until the next one. Texts ends at the first error, which [Log.Err] returns.
func (t *Log) Texts(nodes []Node, others []entry.Pos) iter.Seq[Text] {
	return func(yield func(Text) bool) {
		w := t.window // a line may take nearly all memory: there is one buffer for it
		t.window, t.again = window{}, entry.Entry{}
		defer func() { t.window = w }() // many short paths read little each
		var e entry.Entry
		for len(nodes)+len(others) > 0 {
			x := Text{Node: None}
			if len(nodes) > 0 && (len(others) == 0 || t.Pos(nodes[0]).Offset <= others[0].Offset) {
				x.Node, x.Pos, nodes = nodes[0], t.Pos(nodes[0]), nodes[1:]
			} else {
				x.Pos, others = others[0], others[1:]
			}
			b, err := w.read(t.log, t.Size, x.Pos)
			if err == nil {
				isEntry := func(body []byte) bool {
					x.Whole = e.ScanWhole(body)
					return x.Whole || e.Scan(body)
				}
				var ok bool
				if x.Bytes, ok = scan(b, isEntry); !ok || x.Node != None && !t.names(x.Node, &e) {
					err = ErrChanged
				}
			}
			if t.fail(err); t.err != nil || !yield(x) { // the caller may have failed to read something else
				return
			}
		}
	}
}

// scan returns the line of the entry in b, and whether it is one by a function that scans it.
func scan(b []byte, isEntry func([]byte) bool) ([]byte, bool) {
	body := b
	for len(body) > 0 && isSpace(body[0]) {
		body = body[1:]
	}
	for len(body) > 0 && isSpace(body[len(body)-1]) {
		body = body[:len(body)-1]
	}
	return b, isEntry(body)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// ErrChanged is the error if what is read again is not what was read before.
var ErrChanged = errors.New("the file changed while it was read")

// Most entries that are read again are near each other, in file order. Such reads ask for
// readAhead bytes at once; nearby is the largest gap between two of them.
const (
	readAhead = 256 << 10
	nearby    = 32 << 10
)

// A window is the part of a log that was read last.
type window struct {
	buf []byte
	at  int64 // its offset
}

// read returns the bytes of the entry at p of a log of some size. They are valid until the next
// call.
func (w *window) read(log io.ReaderAt, size int64, p entry.Pos) ([]byte, error) {
	at := p.Offset - w.at
	if at < 0 || at+p.Length > int64(len(w.buf)) {
		n := p.Length
		if at >= 0 && at <= int64(len(w.buf))+nearby {
			n = max(n, min(readAhead, size-p.Offset))
		}
		line.Resize(&w.buf, int(n))
		w.at, at = p.Offset, 0
		k, err := log.ReadAt(w.buf, p.Offset)
		if w.buf = w.buf[:k]; int64(k) < p.Length {
			if errors.Is(err, io.EOF) {
				err = ErrChanged
			}
			return nil, err
		}
	}
	return w.buf[at : at+p.Length : at+p.Length], nil
}

// fail keeps the first error for Err.
func (t *Log) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}
