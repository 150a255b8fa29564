package line

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// A Backward yields the lines of a file, last to first.
//
// It reads blocks from the end towards the start and holds the last two of them, so lines
// further up cost nothing until they are asked for, and a line that a block cuts need not be
// read again. It finds a line that is longer than a block without holding it. The first size
// bytes of the file must not change; it does not read the bytes after them.
//
// It yields a last line without '\n' as it is. A caller that writes the lines one after
// another adds the '\n'.
type Backward struct {
	r     io.ReaderAt
	next  int   // bytes in the next read
	block int   // bytes in each after it
	err   error // the read error that ended it

	offset, length int64 // the current line
	end            int64 // the end of the lines not yet yielded

	buf    []byte  // the block that was read last
	base   int64   // its offset in the file
	after  []byte  // the block after it, which was read before
	starts []int32 // the offsets in buf of the lines not yet yielded; the last may begin with after

	long []byte // what was last read of a line that is not in buf
}

// NewBackward returns a Backward over the first size bytes of r.
func NewBackward(r io.ReaderAt, size int64) *Backward {
	return &Backward{r: r, next: firstBlock, block: block, end: size, base: size}
}

// Next steps to the line before the current one, the first call to the last line. It
// reports false if there is none, or after a read error.
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

// load reads the next block, and more if no line begins in it.
func (b *Backward) load() bool {
	for len(b.starts) == 0 {
		b.buf, b.after = b.after, b.buf
		if !b.read() {
			return false
		}
		b.base -= int64(len(b.buf))
		if n := len(b.starts); n > 0 && b.base+int64(b.starts[n-1]) == b.end {
			b.starts = b.starts[:n-1] // of no line, or of one that was yielded
		}
	}
	return true
}

// read reads the block before base. It reports whether it could.
func (b *Backward) read() bool {
	size := min(int64(b.next), b.base)
	b.next = b.block
	b.buf = slices.Grow(b.buf[:0], int(size))[:size]
	if b.err = readAt(b.r, b.buf, b.base-size); b.err != nil {
		return false
	}
	b.starts = lineStarts(b.starts, b.buf, b.base == size)
	return true
}

// lineStarts appends to starts where lines begin in a block, or after it. It searches
// forward because bytes.IndexByte is many times faster than bytes.LastIndexByte.
func lineStarts(starts []int32, block []byte, first bool) []int32 {
	if first {
		starts = append(starts, 0)
	}
	for at := 0; ; {
		i := bytes.IndexByte(block[at:], '\n')
		if i < 0 {
			return starts
		}
		at += i + 1
		starts = append(starts, int32(at))
	}
}

// Offset returns where the current line begins, in bytes from the start of the file.
func (b *Backward) Offset() int64 { return b.offset }

// Bytes returns the current line, with its '\n' if it has one. A line that is longer than a
// block is read again and held. The slice is valid until the next call of Next, Bytes or WriteTo. Err
// returns the same error.
func (b *Backward) Bytes() ([]byte, error) {
	p := b.held(b.offset)
	if int64(len(p)) < b.length {
		Resize(&b.long, int(b.length))
		if b.err = readAt(b.r, b.long, b.offset); b.err != nil {
			return nil, b.err
		}
		p = b.long
	}
	return p[:b.length:b.length], nil
}

// WriteTo writes the current line to w as it is, and returns how many bytes it wrote. It
// copies a long line block by block. If Err returns nil, the error is from w.
func (b *Backward) WriteTo(w io.Writer) (int64, error) {
	var written int64
	for written < b.length {
		at, rest := b.offset+written, b.length-written
		p := b.held(at)
		if len(p) == 0 {
			size := min(rest, int64(b.block))
			b.long = slices.Grow(b.long[:0], int(size))[:size]
			if b.err = readAt(b.r, b.long, at); b.err != nil {
				return written, b.err
			}
			p = b.long
		}
		n, err := w.Write(p[:min(rest, int64(len(p)))])
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// held returns the bytes of a block that begin at an offset in the file, none if no block
// that is held has them.
func (b *Backward) held(offset int64) []byte {
	at, n := offset-b.base, int64(len(b.buf))
	switch {
	case at < 0 || at >= n+int64(len(b.after)):
		return nil
	case at < n:
		return b.buf[at:]
	}
	return b.after[at-n:]
}

// readAt fills p with the bytes of r at offset.
func readAt(r io.ReaderAt, p []byte, offset int64) error {
	n, err := r.ReadAt(p, offset)
	switch {
	case n == len(p):
		return nil
	case err == nil, errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	return err
}

// Err returns the read error that ended the lines, nil if there was none.
func (b *Backward) Err() error { return b.err }
