package tree

import (
	"bytes"
	"errors"
	"io"

	"jl/internal/entry"
)

func (n *node) pos() entry.Pos { return entry.Pos{Line: n.line, Offset: n.offset, Length: n.length} }

// entry.Pos returns where n stands.
func (t *Tree) Pos(n Node) entry.Pos {
	return t.at(n).pos()
}

// Entry returns the entry of n, valid until the next call of any method.
func (t *Tree) Entry(n Node) *entry.Entry { return t.entry(n) }

// Bytes returns what is printed for n: its line, or, if it was recovered from a
// damaged one, its object. They are valid until the next call of any method, and
// empty if the entry is no longer there: see [Tree.Err].
func (t *Tree) Bytes(n Node) []byte {
	if t.entry(n); t.err != nil {
		return nil
	}
	return t.buf[:t.at(n).length]
}

// Read returns the bytes of x, which are an entry's, valid until the next call of
// any method; nil if they are no longer there: see [Tree.Err].
func (t *Tree) Read(x entry.Pos) []byte {
	b := t.read(x.Offset, x.Length)
	if b != nil && !t.e.Scan(trim(b)) {
		t.fail(errChanged)
	}
	if t.err != nil {
		return nil
	}
	return b
}

// EntryAt reads the entry at a position. It is valid until the next call of any
// method. After an error, which is kept for Err, it is empty.
func (t *Tree) EntryAt(p entry.Pos) *entry.Entry {
	t.e.Pos = p
	if b := t.read(p.Offset, p.Length); b == nil || !t.e.Scan(trim(b)) {
		t.fail(errChanged)
		t.e = entry.Entry{}
	}
	return &t.e
}

var errChanged = errors.New("the file changed while it was read")

// entry reads the entry of n again. It is valid until the next call. After an
// error, which is kept for Err, it is empty.
func (t *Tree) entry(n Node) *entry.Entry {
	at := t.at(n)
	t.e.Pos = at.pos()
	b := t.read(at.offset, at.length)
	if b == nil || !t.e.Scan(trim(b)) {
		t.fail(errChanged)
		t.e = entry.Entry{}
		return &t.e
	}
	if !t.numbered && t.key(t.idValue(&t.e).Text()) != at.id {
		t.fail(errChanged)
		t.e = entry.Entry{}
	}
	return &t.e
}

// idValue is the value that holds the id of e, string or not.
func (t *Tree) idValue(e *entry.Entry) entry.Value {
	if t.dialect == entry.Pi {
		return e.Get(entry.ID)
	}
	return e.Get(entry.UUID)
}

// read returns length bytes at offset, nil after an error. They are valid until
// the next call.
func (t *Tree) read(offset, length int64) []byte {
	if int64(cap(t.buf)) < length {
		t.buf = make([]byte, length+length/4)
	}
	b := t.buf[:length]
	if n, err := t.log.ReadAt(b, offset); int64(n) < length {
		if err == nil || errors.Is(err, io.EOF) {
			err = errChanged
		}
		t.fail(err)
		return nil
	}
	return b
}

func (t *Tree) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// trim returns b without the white space around it.
func trim(b []byte) []byte { return bytes.Trim(b, " \t\r\n") }
