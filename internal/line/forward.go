package line

import (
	"bytes"
	"io"
	"math"
)

// maxEmptyReads is how often in a row a reader may return neither bytes nor an error
// before Next gives up with io.ErrNoProgress.
const maxEmptyReads = 100

// A Forward yields the lines of a reader, first to last, several at a time.
//
// It yields lines as soon as a read has brought the '\n' of one, and does not wait for more. A
// buffer is two blocks, or, if that is more, less than four times the longest line so far. One for
// a line of more than a megabyte of an [io.SectionReader] is not larger than it must be.
type Forward struct {
	r     io.Reader
	file  *io.SectionReader // r if it is one, else nil
	block int               // bytes asked for in one read
	err   error             // what ended the reading; io.EOF at the end

	rest   []byte // the beginning of the next line, in the buffer that was filled last
	offset int64  // of rest

	buf   []byte // of Next
	lines []byte
}

// NewForward returns a Forward that reads from r.
func NewForward(r io.Reader) *Forward {
	file, _ := r.(*io.SectionReader)
	return &Forward{r: r, file: file, block: firstBlock}
}

// Next steps to the next lines. It reports false at the end of the input, or after a read
// has failed; the bytes before the failure are yielded first, the last of them as a line
// even without a '\n'.
func (f *Forward) Next() (ok bool) {
	f.lines, _, ok = f.Fill(&f.buf, math.MaxInt)
	return ok
}

// Fill does what Next does with a buffer of the caller, which it may replace. It returns the lines,
// which are part of the buffer, and their offset. The buffer may be used again after one more call
// with any buffer. If the next line is longer than most bytes, Fill returns no line; the next call
// goes on with it.
func (f *Forward) Fill(buf *[]byte, most int) (lines []byte, offset int64, ok bool) {
	n := len(f.rest)
	f.grow(buf, 0, n)
	copy(*buf, f.rest)
	for offset = f.offset; f.err == nil; {
		f.grow(buf, n, n)
		from := n
		n += f.read((*buf)[n:min(n+f.block, len(*buf))])
		if end := lastLine((*buf)[from:n]); end > 0 {
			end += from
			f.rest, f.offset = (*buf)[end:n], offset+int64(end)
			return (*buf)[:end:end], offset, true
		}
		if n > most {
			f.rest = (*buf)[:n]
			return nil, offset, true
		}
	}
	f.rest, f.offset = nil, offset+int64(n)
	return (*buf)[:n:n], offset, n > 0
}

// grow makes room in a buffer for one block after n bytes, of which it keeps the first ones.
func (f *Forward) grow(buf *[]byte, keep, n int) {
	if len(*buf)-n >= f.block {
		return
	}
	size := 2 * f.block
	for size < n+f.block {
		size *= 2
	}
	if f.file != nil && n > longLine {
		size = n + f.untilEnd() + f.block
	}
	kept := (*buf)[:keep]
	*buf = nil
	Resize(buf, size)
	copy(*buf, kept)
}

// untilEnd returns how many bytes are left of the line that is being read.
func (f *Forward) untilEnd() int {
	start, _ := f.file.Seek(0, io.SeekCurrent)
	b := make([]byte, f.block)
	for at := start; ; {
		n, err := f.file.ReadAt(b, at)
		if i := bytes.IndexByte(b[:n], '\n'); i >= 0 {
			return int(at-start) + i + 1
		}
		if at += int64(n); err != nil {
			return int(at - start)
		}
	}
}

// read reads into b once, and returns how many bytes, or sets err.
func (f *Forward) read(b []byte) (n int) {
	for range maxEmptyReads {
		n, f.err = f.r.Read(b)
		if n == f.block && n < block {
			f.block *= 2 // there may be much more
		}
		if n > 0 || f.err != nil {
			return n
		}
	}
	f.err = io.ErrNoProgress
	return 0
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

// Bytes returns the current lines, each with its '\n'; only the last line of the input may lack
// it. The slice is valid until the next call of Next.
func (f *Forward) Bytes() []byte { return f.lines }

// Offset returns where Bytes begins, in bytes from the start of the reader.
// Once Next has reported false, it is the number of bytes read.
func (f *Forward) Offset() int64 { return f.offset - int64(len(f.lines)) }

// IsFile reports whether the reader is an [io.SectionReader], of which at least so many bytes follow
// the lines that were read.
func (f *Forward) IsFile(bytes int64) bool {
	return f.file != nil && f.file.Size()-f.offset >= bytes
}

// Err returns the error of the reader that ended the lines, nil at the end of the input.
// It is meaningful once Next has reported false.
func (f *Forward) Err() error {
	if f.err == io.EOF {
		return nil
	}
	return f.err
}
