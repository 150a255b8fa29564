package line

import (
	"bytes"
	"io"
	"sync"
)

// Blocks are the lines of a file that can be read at any offset. Several goroutines can read
// lines at the same time.
type Blocks struct {
	r    *io.SectionReader
	rest int // how many bytes of a last line are read with the lines before it

	mu    sync.Mutex
	large []byte // a buffer for long lines that is not in use, or nil
}

// NewBlocks returns the lines of the first size bytes of r.
func NewBlocks(r io.ReaderAt, size int64) *Blocks {
	return &Blocks{r: io.NewSectionReader(r, 0, size), rest: 256 << 10}
}

// Size returns how many bytes the lines are.
func (b *Blocks) Size() int64 { return b.r.Size() }

// step is how many more bytes are read at first to find the end of a last line.
const step = 16 << 10

// Between calls yield for the lines that begin at the offset from or after it, but before
// to: with one or more whole lines, their offset, and how many bytes before that belong to
// them, but were dropped, as a Forward does. It calls yield once, twice if the last of the
// lines is long, or not at all.
//
// Between reads into buffers, of which the caller needs a pair, zero at first, for lines that
// are in use at the same time: lines are valid until the next call with the same pair.
// A pair holds to-from bytes and 256 KiB, and a last line that is longer.
//
// Between returns nil if there may be more lines, io.EOF if there are none, and the error of
// the reader if it failed. The bytes before the failure are lines, as they are at the end.
func (b *Blocks) Between(from, to int64, buffers *[2][]byte, yield func(lines []byte, offset, dropped int64)) error {
	b.release(&buffers[1])
	start := max(0, from-1) // a line begins after a '\n'
	size := int(to - start)
	if len(buffers[0]) < size+b.rest {
		buffers[0] = make([]byte, size+b.rest)
	}
	buf := buffers[0]
	hi, err := b.r.ReadAt(buf[:size], start)
	lo := 0
	if start < from {
		i := bytes.IndexByte(buf[:hi], '\n')
		if i < 0 {
			return err
		}
		lo = i + 1
	}
	end := lo + lastLine(buf[lo:hi])
	for n := step; end < hi && hi < len(buf) && err == nil; n *= 2 {
		searched := hi
		n, err = b.r.ReadAt(buf[hi:min(hi+n, len(buf))], start+int64(hi))
		hi += n
		if i := bytes.IndexByte(buf[searched:hi], '\n'); i >= 0 {
			end, hi, err = searched+i+1, searched+i+1, nil
		}
	}
	if err != nil {
		end = hi
	}
	if lo < end {
		yield(buf[lo:end:end], start+int64(lo), 0)
	}
	if end < hi {
		err = b.long(start+int64(end), &buffers[1], yield)
	}
	return err
}

// long calls yield for the line at offset at, which it reads into the buffer. It looks for the
// end of the line first, so that the buffer need not grow: a line may be as large as memory.
func (b *Blocks) long(at int64, buffer *[]byte, yield func(lines []byte, offset, dropped int64)) error {
	b.mu.Lock()
	*buffer, b.large = b.large, nil
	b.mu.Unlock()
	if len(*buffer) == 0 {
		*buffer = make([]byte, b.rest+1)
	}
	size, empty, err := b.measure(at, *buffer)
	if empty > maxRun {
		f := Forward{r: io.NewSectionReader(b.r, at, b.Size()-at), block: forwardBlock, buf: *buffer}
		f.Next()
		*buffer = f.buf
		yield(f.Bytes(), at+f.Offset(), f.Dropped())
		return err
	}
	if int64(len(*buffer)) < size {
		*buffer = nil
		*buffer = NewBuffer(int(size))
	}
	n, failed := b.r.ReadAt((*buffer)[:size], at)
	if int64(n) < size {
		err = failed // the file has changed
	}
	if n > 0 {
		yield((*buffer)[:n:n], at, 0)
	}
	return err
}

// measure returns the length of the line at offset at, how many NULs and blanks it begins
// with, and the error that ended it if a '\n' did not. It reads into buf.
func (b *Blocks) measure(at int64, buf []byte) (size, empty int64, err error) {
	buf = buf[:min(len(buf), forwardBlock)]
	for err == nil {
		var n int
		n, err = b.r.ReadAt(buf, at+size)
		i := bytes.IndexByte(buf[:n], '\n') + 1
		if i > 0 {
			n, err = i, nil
		}
		if empty == size {
			empty += int64(countEmpty(buf[:n]))
		}
		size += int64(n)
		if i > 0 {
			break
		}
	}
	return size, empty, err
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
