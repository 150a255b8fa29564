package line

import (
	"bytes"
	"io"

	"jl/internal/memory"
)

// Blocks are the lines of a file that can be read at any offset, block by block. One goroutine
// at a time can call Next, and one Long; any number can call Lines.
type Blocks struct {
	r    *io.SectionReader
	size int // of a block in bytes, but for the rest of its last line
	rest int // the most bytes of that rest that are read with the block

	bufs memory.Stock // what Next gives out
	long memory.Room  // for long lines
}

// NewBlocks returns the lines of the first size bytes of r.
func NewBlocks(r io.ReaderAt, size int64) *Blocks {
	return &Blocks{r: io.NewSectionReader(r, 0, size), size: blockSize, rest: blockRest}
}

// A block and the rest of its last line stay in the cache of a core until the lines have
// been used. Smaller blocks would share the work better, but each has to find a line's end.
const (
	blockSize = 384 << 10
	blockRest = 256 << 10
)

// Size returns how many bytes the lines are.
func (b *Blocks) Size() int64 { return b.r.Size() }

// step is how many bytes are read at first to find the end of the last line.
const step = 16 << 10

// Next returns the length of the next block, which begins at the offset from: 384 KiB, and the
// rest of its last line. Next returns io.EOF with the last block, or the error of the reader
// that ends it.
//
// Next reads the rest of the last line into buf, unless that line is long. Each block that is
// in use needs a buf of its own, nil at first, of 640 KiB.
func (b *Blocks) Next(from int64, buf *[]byte) (length int64, err error) {
	if *buf == nil {
		*buf = memory.Make[byte](&b.bufs, b.size+b.rest)
	}
	length = min(int64(b.size), b.r.Size()-from)
	rest := (*buf)[b.size:]
	for n, filled := step, 0; ; n *= 2 {
		if from+length == b.r.Size() {
			return length, io.EOF
		}
		if filled == len(rest) {
			filled = 0 // a long line, which is read again
		}
		n, err = b.r.ReadAt(rest[filled:min(filled+n, len(rest))], from+length)
		i := bytes.IndexByte(rest[filled:filled+n], '\n')
		if i >= 0 {
			return length + int64(i) + 1, nil
		}
		filled += n
		length += int64(n)
		if err != nil {
			return length, err
		}
	}
}

// Lines reads the block that Next has found at the offset from into the buf that Next has used,
// and returns the lines that fit. Unless Lines fails, the bytes of the block after these are
// one long line.
//
// If the reader fails, Lines returns its error, and the bytes before the failure are lines, as
// they are at the end of the file.
func (b *Blocks) Lines(from, length int64, buf []byte) ([]byte, error) {
	size := int(min(length, int64(b.size)))
	n, err := b.r.ReadAt(buf[:size], from)
	switch {
	case n < size:
		return buf[:n:n], err // the file has changed
	case length < int64(len(buf)):
		return buf[:length:length], nil
	}
	n = lastLine(buf[:size])
	return buf[:n:n], nil
}

// Long returns the long line at the offset from, but for the dropped bytes that it begins
// with: see [Forward]. The line is valid until the next call, or Close. If the reader fails, Long
// returns its error and the bytes before the failure.
//
// Because the length is known, no memory is needed twice: a line may be as large as memory.
func (b *Blocks) Long(from, length int64) (line []byte, dropped int64, err error) {
	if b.isRun(from) {
		f := NewForward(io.NewSectionReader(b.r, from, length))
		f.Next()
		return f.Bytes(), f.Dropped(), f.Err()
	}
	b.long.Resize(int(length))
	n, err := b.r.ReadAt(b.long, from)
	if int64(n) == length {
		err = nil
	}
	return b.long[:n:n], 0, err
}

// Close gives the memory of the blocks and of the long lines back.
func (b *Blocks) Close() {
	b.bufs.Free()
	b.long.Free()
}

// isRun reports whether there are more than maxRun NULs and blanks at an offset.
func (b *Blocks) isRun(at int64) bool {
	buf := make([]byte, 1<<10)
	for run := 0; run <= maxRun; {
		n, _ := b.r.ReadAt(buf, at+int64(run))
		empty := countEmpty(buf[:n])
		if run += empty; empty < len(buf) {
			return run > maxRun
		}
	}
	return true
}

// lastLine returns the length of the whole lines that b begins with. It searches piece by
// piece because bytes.IndexByte is many times faster than bytes.LastIndexByte.
func lastLine(b []byte) int {
	const piece = 1 << 10
	for end := len(b); end > 0; {
		start := max(0, end-piece)
		if bytes.IndexByte(b[start:end], '\n') >= 0 {
			return start + bytes.LastIndexByte(b[start:end], '\n') + 1
		}
		end = start
	}
	return 0
}
