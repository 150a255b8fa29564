package tree

import (
	"bytes"
	"errors"
	"io"

	"jl/internal/entry"
	"jl/internal/memory"
)

// Pos returns the position of the entry of n.
func (t *Tree) Pos(n Node) entry.Pos { return t.at(n).pos.unpack() }

// Entry returns the entry of n. It is valid until the next call of a method of t. After
// an error, which [Tree.Err] returns, it is empty.
func (t *Tree) Entry(n Node) *entry.Entry {
	e := t.EntryAt(t.at(n).pos.unpack())
	if !t.Straight() && t.hash(t.dialect.RawID(e).Text()) != t.at(n).id {
		t.fail(ErrChanged)
		t.e = entry.Entry{}
	}
	return e
}

// EntryAt returns the entry at p. It is valid until the next call of a method of t. After
// an error, which [Tree.Err] returns, it is empty.
func (t *Tree) EntryAt(p entry.Pos) *entry.Entry {
	if t.e.Bytes != nil && t.e.Pos == p {
		return &t.e // it was read last
	}
	var b []byte
	if t.err == nil {
		b = t.read(p.Offset, p.Length)
	}
	t.e.Pos, t.e.Line = p, b
	if b == nil || !t.e.Scan(bytes.Trim(b, " \t\r\n")) {
		t.fail(ErrChanged)
		t.e = entry.Entry{}
	}
	return &t.e
}

// ErrChanged is the error if what is read again is not what was read before.
var ErrChanged = errors.New("the file changed while it was read")

// Most entries that are read again are near each other, in file order. Such reads ask for
// readAhead bytes at once; nearby is the largest gap between two of them.
const (
	readAhead = 256 << 10
	nearby    = 32 << 10
)

// read returns length bytes at offset. They are valid until the next call, and nil after
// an error.
func (t *Tree) read(offset, length int64) []byte {
	at := offset - t.bufAt
	if at < 0 || at+length > int64(len(t.buf)) {
		size := length
		if at >= 0 && at <= int64(len(t.buf))+nearby {
			size = max(length, min(readAhead, t.size-offset))
		}
		memory.Resize(&t.buf, int(size))
		n, err := readFull(t.log, t.buf, offset)
		t.buf, t.bufAt, at = t.buf[:n], offset, 0
		if int64(n) < length {
			t.fail(err)
			return nil
		}
	}
	return t.buf[at : at+length : at+length]
}

// readFull fills b with the bytes of log at offset. If there are fewer, it returns how many and
// an error.
func readFull(log io.ReaderAt, b []byte, offset int64) (int, error) {
	n, err := log.ReadAt(b, offset)
	switch {
	case n == len(b):
		return n, nil
	case err == nil, errors.Is(err, io.EOF):
		return n, ErrChanged
	}
	return n, err
}

// fail keeps the first error for Err.
func (t *Tree) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}
