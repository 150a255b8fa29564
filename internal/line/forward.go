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
//
// A crash can leave a file with NULs of any length. A run of more than a megabyte of NULs
// and blanks at the beginning of a line is not held: the line begins with the last byte of the
// run, or with a NUL in its place if there was one in the run.
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

	dropped int64 // the bytes before lo that belong to the line that begins there
	empty   int   // how many bytes from lo are known to be NULs and blanks

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
	if f.lines, f.empty, f.again = nil, 0, 0; again == 0 {
		f.dropped = 0
	}
	for {
		if n := lastLine(f.buf[f.lo+searched : f.hi]); n > 0 {
			f.take(searched + n)
			return true
		}
		searched = f.hi - f.lo
		if f.err != nil {
			break
		}
		if again > 0 && (searched > f.longest || countEmpty(f.buf[f.lo+again:f.hi]) > maxRun) {
			f.take(again)
			return true
		}
		if again == 0 {
			searched = f.trim(searched)
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

// maxRun is the length of the longest run of NULs and blanks at the beginning of a line that is
// held. What is left of a longer one is its last byte, wherever reads end.
const maxRun = 1 << 20

// trim drops the run of NULs and blanks that the next n bytes begin with, but for its last byte, if
// it is too long with what was dropped before. It returns how many of the bytes are left. Only the
// first of their lines can begin with such a run, because no read is as long.
func (f *Forward) trim(n int) int {
	if f.dropped+int64(n) <= maxRun {
		return n
	}
	f.empty += countEmpty(f.buf[f.lo+f.empty : f.lo+n])
	if f.dropped+int64(f.empty) <= maxRun {
		return n
	}
	run := f.buf[f.lo : f.lo+f.empty]
	size := len(run) - 1
	if bytes.IndexByte(run, 0) >= 0 {
		run[size] = 0
	}
	f.lo += size
	f.dropped += int64(size)
	f.offset += int64(size)
	f.empty = 1
	return n - size
}

// countEmpty returns how many NULs and blanks b begins with.
func countEmpty(b []byte) int {
	n := 0
	for n < len(b) && isEmpty(b[n]) {
		n++
	}
	return n
}

func isEmpty(c byte) bool { return c == 0 || c == ' ' || c == '\t' || c == '\r' }

// take makes the next n bytes, and what was dropped before them, the current lines.
func (f *Forward) take(n int) {
	n = f.trim(n)
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
// follows, they are longer than so many bytes, or a run of more than a megabyte of NULs and blanks follows.
func (f *Forward) Again(offset int64, longest int) {
	if offset > f.offset {
		f.dropped = 0
	}
	f.again, f.longest = int(f.offset-offset)+len(f.lines), longest
	f.lo -= f.again
	f.lines = f.lines[:len(f.lines)-f.again]
}

// SeekLine makes Next go on at the line that begins at an offset and has a length. The buffer becomes
// as long as the line, unless that begins with NULs and blanks, which may be dropped. The reader
// must be an [io.SectionReader].
func (f *Forward) SeekLine(offset, length int64) {
	_, f.err = f.file.Seek(offset, io.SeekStart)
	f.lo, f.hi, f.again, f.lines, f.offset = 0, 0, 0, nil, offset
	var begin [1 << 10]byte
	n, _ := f.file.ReadAt(begin[:], offset)
	if length <= int64(len(f.buf)) || countEmpty(begin[:n]) == n {
		return
	}
	Resize(&f.buf, int(length))
}

// Bytes returns the current lines, each with its '\n'; only the last line of the input may lack
// it. The slice is valid until the next call of Next.
func (f *Forward) Bytes() []byte { return f.lines[:len(f.lines):len(f.lines)] }

// Dropped returns how many bytes of the first of the current lines, before Offset, were dropped.
func (f *Forward) Dropped() int64 { return f.dropped }

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
