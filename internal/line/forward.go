package line

import (
	"bytes"
	"io"
)

// maxEmptyReads is how often in a row a reader may return neither bytes nor an error
// before Next gives up with io.ErrNoProgress.
const maxEmptyReads = 100

// A Forward yields the lines of a reader, first to last, several at a time.
//
// It yields a line as soon as it has read the line's '\n', and does not wait for more. Its
// buffer is two blocks, or less than four times the longest line so far if that is more.
type Forward struct {
	r     io.Reader
	file  *io.SectionReader // r if it is one, else nil
	block int               // bytes asked for in one read
	most  int               // what block may become
	err   error             // what ended the reading; io.EOF at the end

	buf     []byte
	lo, hi  int // buf[lo:hi] is read and not yet yielded
	again   int // how many bytes from lo were yielded already
	longest int // what is yielded again

	lines  []byte
	offset int64
}

// NewForward returns a Forward that reads from r.
func NewForward(r io.Reader) *Forward {
	file, _ := r.(*io.SectionReader)
	return &Forward{r: r, file: file, block: firstBlock, most: forwardBlock}
}

// Next steps to the next lines: to those that it has read already, or else as far as it must
// read to find the end of a line. It reports false at the end of the input, or after a read
// has failed; the bytes before the failure are yielded first, the last of them as a line
// even without a '\n'.
func (f *Forward) Next() bool {
	f.offset += int64(len(f.lines))
	searched, again := f.again, f.again // bytes of buf[lo:hi] after whose last line, if any, is no '\n'
	f.lines, f.again = nil, 0
	for {
		if n := lastLine(f.buf[f.lo+searched : f.hi]); n > 0 {
			f.take(searched + n)
			return true
		}
		searched = f.hi - f.lo
		if f.err != nil {
			break
		}
		if again > 0 && searched > f.longest {
			f.take(again)
			return true
		}
		f.fill()
	}
	if searched == 0 {
		return false
	}
	f.take(searched)
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

// take makes the next n bytes the current lines.
func (f *Forward) take(n int) {
	f.lines = f.buf[f.lo : f.lo+n]
	f.lo += n
}

// fill adds the bytes of one read to the buffer, or sets err.
func (f *Forward) fill() {
	// Moving the unfinished line down costs no more than yielding the bytes before it
	// did, and keeps the buffer small.
	if rest := f.hi - f.lo; rest <= f.lo {
		copy(f.buf, f.buf[f.lo:f.hi])
		f.lo, f.hi = 0, rest
	}
	if f.hi == len(f.buf) || len(f.buf) < 2*f.block {
		f.grow()
	}
	end := min(f.hi+f.block, len(f.buf))
	for range maxEmptyReads {
		n, err := f.r.Read(f.buf[f.hi:end])
		f.hi += n
		f.err = err
		if n == f.block && n < f.most {
			f.block *= 2 // there may be much more
		}
		if n > 0 || err != nil {
			return
		}
	}
	f.err = io.ErrNoProgress
}

// grow moves what is not yet yielded to a buffer with room for one block more.
func (f *Forward) grow() {
	rest := f.buf[f.lo:f.hi]
	size := 2 * f.block
	for size < len(rest)+f.block {
		size *= 2
	}
	buf := make([]byte, size)
	f.hi = copy(buf, rest)
	f.lo, f.buf = 0, buf
}

// Again makes Next yield the current lines from an offset on again, with more lines, unless none
// follows, or they are longer than so many bytes.
func (f *Forward) Again(offset int64, longest int) {
	f.again, f.longest = int(f.offset-offset)+len(f.lines), longest
	f.lo -= f.again
	f.lines = f.lines[:len(f.lines)-f.again]
}

// SeekLine makes Next go on at the line that begins at an offset and has a length. The buffer becomes
// as long as the line. The reader must be an [io.SectionReader].
func (f *Forward) SeekLine(offset, length int64) {
	_, f.err = f.file.Seek(offset, io.SeekStart)
	f.lo, f.hi, f.again, f.lines, f.offset = 0, 0, 0, nil, offset
	if length > int64(len(f.buf)) {
		Resize(&f.buf, int(length))
	}
}

// Bytes returns the current lines, each with its '\n'; only the last line of the input may lack
// it. The slice is valid until the next call of Next.
func (f *Forward) Bytes() []byte { return f.lines[:len(f.lines):len(f.lines)] }

// Offset returns where Bytes begins, in bytes from the start of the reader.
// Once Next has reported false, it is the number of bytes read.
func (f *Forward) Offset() int64 { return f.offset }

// Err returns the error of the reader that ended the lines, nil at the end of the input.
// It is meaningful once Next has reported false.
func (f *Forward) Err() error {
	if f.err == io.EOF {
		return nil
	}
	return f.err
}
