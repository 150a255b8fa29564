package line

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// firstBlock is the size of the first block that a Backward reads: it is often
// asked for a few lines only, and those are nearly always in it.
const firstBlock = 64 << 10

// A Backward yields the lines of a file, last to first.
//
// It reads blocks from the end towards the start and holds one of them: the
// lines further up cost nothing until they are asked for. Lines that do not
// fit in a block are found without being held. Bytes added to the file after
// its size was taken are not seen; those before that must stay as they are.
//
// A last line without '\n' is yielded as it stands. A caller that writes lines
// one after another adds the '\n' itself.
type Backward struct {
	r     io.ReaderAt
	next  int   // bytes in the next read
	block int   // bytes in each after it
	err   error // the read error that ended it

	offset, length int64 // the current line
	end            int64 // where the lines not yet yielded end

	buf    []byte  // the block that was read last
	base   int64   // its offset in the file
	starts []int32 // where in it the lines not yet yielded begin

	long []byte // what Bytes and WriteTo read of a line that is not in buf
}

// NewBackward returns a Backward over the first size bytes of r.
func NewBackward(r io.ReaderAt, size int64) *Backward {
	return &Backward{r: r, next: firstBlock, block: block, end: size}
}

// Next steps to the line before the current one, at first to the last line. It
// reports false when there is none, or after a read error.
func (b *Backward) Next() bool {
	b.offset, b.length = b.end, 0
	if b.err != nil || b.end <= 0 {
		return false
	}
	if len(b.starts) == 0 && !b.load() {
		return false
	}
	last := len(b.starts) - 1
	b.offset = b.base + int64(b.starts[last])
	b.starts = b.starts[:last]
	b.length = b.end - b.offset
	b.end = b.offset
	return true
}

// load reads the block that ends where the lines not yet yielded end, so a
// line cut by the start of the last block is whole in this one. If it is longer
// than that, load reads upwards until it has the block in which it begins.
func (b *Backward) load() bool {
	for base := b.end; len(b.starts) == 0; {
		size := min(int64(b.next), base)
		b.next = b.block
		base -= size
		b.buf = slices.Grow(b.buf[:0], int(size))[:size]
		if !b.readAt(b.buf, base) {
			return false
		}
		b.base = base
		b.index()
	}
	return true
}

// index finds the lines that begin in the block. It goes forward because
// bytes.IndexByte is many times faster than bytes.LastIndexByte.
func (b *Backward) index() {
	if b.base == 0 {
		b.starts = append(b.starts, 0)
	}
	limit := b.end - b.base // a '\n' just before it ends a line that begins earlier
	for at := 0; ; {
		i := bytes.IndexByte(b.buf[at:], '\n')
		if i < 0 {
			return
		}
		at += i + 1
		if int64(at) < limit {
			b.starts = append(b.starts, int32(at))
		}
	}
}

// Offset returns where the current line begins, in bytes from the start of the
// file.
func (b *Backward) Offset() int64 { return b.offset }

// Len returns the length of the current line in bytes, with its '\n' if it has
// one.
func (b *Backward) Len() int64 { return b.length }

// Bytes returns the whole current line, with its '\n' if it has one. A line
// longer than a block is read again, and held. The slice is valid until the
// next call to Next, Bytes or WriteTo. An error is one that Err returns too.
func (b *Backward) Bytes() ([]byte, error) { return b.part(0, b.length) }

// WriteTo writes the current line to w as it stands, and returns how many bytes
// it wrote. A line longer than a block is copied block by block. An error that
// Err does not return is one of w.
func (b *Backward) WriteTo(w io.Writer) (int64, error) {
	var written int64
	for written < b.length {
		p, err := b.part(written, min(b.length-written, int64(b.block)))
		if err != nil {
			return written, err
		}
		n, err := w.Write(p)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// part returns n bytes of the current line, from its byte from on.
func (b *Backward) part(from, n int64) ([]byte, error) {
	from += b.offset
	if at := from - b.base; at >= 0 && at+n <= int64(len(b.buf)) {
		return b.buf[at : at+n : at+n], nil
	}
	b.long = slices.Grow(b.long[:0], int(n))[:n]
	if !b.readAt(b.long, from) {
		return nil, b.err
	}
	return b.long, nil
}

// readAt fills p with the bytes at offset, or sets err.
func (b *Backward) readAt(p []byte, offset int64) bool {
	n, err := b.r.ReadAt(p, offset)
	switch {
	case n == len(p):
		return true
	case err == nil, errors.Is(err, io.EOF):
		b.err = fmt.Errorf("file shrank while it was read: %w", io.ErrUnexpectedEOF)
	default:
		b.err = err
	}
	return false
}

// Err returns the read error that ended it, or nil.
func (b *Backward) Err() error { return b.err }
