package tree

import (
	"bytes"
	"errors"
	"io"

	"jl/internal/entry"
)

func (n *node) pos() entry.Pos { return entry.Pos{Line: n.line, Offset: n.offset, Length: n.length} }

// Pos returns the position of the entry of n.
func (t *Tree) Pos(n Node) entry.Pos { return t.at(n).pos() }

// Entry returns the entry of n. It is valid until the next call of a method of t. After
// an error, which [Tree.Err] returns, it is empty.
func (t *Tree) Entry(n Node) *entry.Entry {
	e := t.EntryAt(t.at(n).pos())
	if !t.Straight() && t.key(t.dialect.RawID(e).Text()) != t.at(n).id {
		t.fail(errChanged)
		t.e = entry.Entry{}
	}
	return e
}

// Bytes returns the bytes of the entry of n: its line, or, if it was recovered from a
// damaged line, its object. They are valid until the next call of a method of t, and nil
// after an error, which [Tree.Err] returns.
func (t *Tree) Bytes(n Node) []byte {
	if t.Entry(n); t.err != nil {
		return nil
	}
	return t.buf[:t.at(n).length]
}

// Read returns the bytes of the entry at x. They are valid until the next call of a method
// of t, and nil after an error, which [Tree.Err] returns.
func (t *Tree) Read(x entry.Pos) []byte {
	if t.EntryAt(x); t.err != nil {
		return nil
	}
	return t.buf[:x.Length]
}

// EntryAt returns the entry at p. It is valid until the next call of a method of t. After
// an error, which [Tree.Err] returns, it is empty.
func (t *Tree) EntryAt(p entry.Pos) *entry.Entry {
	t.e.Pos = p
	if b := t.read(p.Offset, p.Length); b == nil || !t.e.Scan(bytes.Trim(b, " \t\r\n")) {
		t.fail(errChanged)
		t.e = entry.Entry{}
	}
	return &t.e
}

var errChanged = errors.New("the file changed while it was read")

// read returns length bytes at offset. They are valid until the next call, and nil after
// an error.
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

// fail keeps the first error for Err.
func (t *Tree) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}
