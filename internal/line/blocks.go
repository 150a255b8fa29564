package line

import (
	"bytes"
	"io"
	"sync"
)

// Blocks are the lines of a file that can be read at any offset, block by block. Several
// goroutines can read blocks at the same time.
type Blocks struct {
	r    *io.SectionReader
	size int // of a block in bytes, but for the rest of its last line
	rest int // how much of that rest is read with the block

	mu    sync.Mutex
	large []byte // a buffer for long lines that is not in use, or nil
}

// NewBlocks returns the lines of the first size bytes of r.
func NewBlocks(r io.ReaderAt, size int64) *Blocks {
	return &Blocks{r: io.NewSectionReader(r, 0, size), size: blockSize, rest: blockRest}
}

// A block and the rest of its last line stay in the cache of a core until the lines have
// been used. More blocks would share the work better, but each has to find a line's end.
const (
	blockSize = 256 << 10
	blockRest = 256 << 10
)

// Size returns how many bytes the lines are.
func (b *Blocks) Size() int64 { return b.r.Size() }

// step is how many bytes are read at first to find the end of the last line.
const step = 16 << 10

// Next returns the length of the next block, which begins at the offset from: a quarter of a
// megabyte, and the rest of its last line. Next returns io.EOF with the last block, or the
// error of the reader that ends it.
//
// Next reads the rest of the last line, if it is not long, into buffers, of which the caller
// needs a pair, zero at first, for each block that is in use. A pair holds 512 KiB, and a
// last line that is longer. The pair belongs to the block from then on, until it is used for
// another one.
func (b *Blocks) Next(from int64, buffers *[2][]byte) (length int64, err error) {
	b.release(&buffers[1])
	if buffers[0] == nil {
		buffers[0] = make([]byte, b.size+b.rest)
	}
	length = min(int64(b.size), b.r.Size()-from)
	buf := buffers[0][b.size:]
	for n, filled := step, 0; ; n *= 2 {
		if from+length == b.r.Size() {
			return length, io.EOF
		}
		if filled == len(buf) {
			filled = 0 // a long line, which is read again
		}
		n, err = b.r.ReadAt(buf[filled:min(filled+n, len(buf))], from+length)
		i := bytes.IndexByte(buf[filled:filled+n], '\n')
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

// Lines calls yield for the lines of the block that Next has found at the offset from: with
// whole lines, their offset, and how many bytes before that belong to them, but were dropped,
// as a Forward does. It calls yield once, twice if the last of the lines is long, or not at
// all. The lines are in the buffers of the block.
//
// Lines returns the error of the reader if it failed. The bytes before the failure are lines,
// as they are at the end of the file.
func (b *Blocks) Lines(from, length int64, buffers *[2][]byte, yield func(lines []byte, offset, dropped int64)) error {
	buf := buffers[0]
	size := min(int(length), b.size)
	n, err := b.r.ReadAt(buf[:size], from)
	if n < size {
		if n > 0 {
			yield(buf[:n:n], from, 0)
		}
		return err // the file has changed
	}
	if length < int64(len(buf)) {
		if length > 0 {
			yield(buf[:length:length], from, 0)
		}
		return nil
	}
	end := lastLine(buf[:size])
	if end > 0 {
		yield(buf[:end:end], from, 0)
	}
	return b.long(from+int64(end), length-int64(end), buf[end:size], &buffers[1], yield)
}

// long calls yield for the line at an offset, of which it knows the length and the beginning.
// It reads the line into the buffer, which need not grow: a line may be as large as memory.
func (b *Blocks) long(at, length int64, begin []byte, buffer *[]byte, yield func(lines []byte, offset, dropped int64)) error {
	b.mu.Lock()
	*buffer, b.large = b.large, nil
	b.mu.Unlock()
	if countEmpty(begin) == len(begin) && b.isRun(at) {
		f := Forward{r: io.NewSectionReader(b.r, at, length), block: forwardBlock, buf: *buffer}
		if f.Next() {
			yield(f.Bytes(), at+f.Offset(), f.Dropped())
		}
		*buffer = f.buf
		return f.Err()
	}
	if int64(len(*buffer)) < length {
		*buffer = nil
		*buffer = NewBuffer(int(length))
	}
	n, err := b.r.ReadAt((*buffer)[:length], at)
	if n > 0 {
		yield((*buffer)[:n:n], at, 0)
	}
	if int64(n) == length {
		err = nil
	}
	return err
}

// isRun reports whether there are more than maxRun NULs and blanks at an offset.
func (b *Blocks) isRun(at int64) bool {
	buf := make([]byte, step)
	for run := 0; run <= maxRun; {
		n, _ := b.r.ReadAt(buf, at+int64(run))
		empty := countEmpty(buf[:n])
		if run += empty; empty < len(buf) {
			return run > maxRun
		}
	}
	return true
}

// release takes back a buffer for long lines. Of two it keeps the larger.
func (b *Blocks) release(buffer *[]byte) {
	b.mu.Lock()
	if len(*buffer) > len(b.large) {
		b.large = *buffer
	}
	b.mu.Unlock()
	*buffer = nil
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
