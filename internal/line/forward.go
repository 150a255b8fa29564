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
// It yields lines as soon as a read has brought the '\n' of one, and does not wait for more. A
// buffer is two blocks, or, if that is more, less than four times the longest line so far. For a
// file, which is an [io.SectionReader], it is not larger than it must be.
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
	f := &Forward{}
	f.Reset(r)
	return f
}

// Reset makes f read from r, with the buffer of Next that it has.
func (f *Forward) Reset(r io.Reader) {
	file, _ := r.(*io.SectionReader)
	*f = Forward{r: r, file: file, block: firstBlock, buf: f.buf}
}

// Next steps to the next lines. It reports false at the end of the input, or after a read
// has failed; the bytes before the failure are yielded first, the last of them as a line
// even without a '\n'.
func (f *Forward) Next() (ok bool) {
	f.lines, _, ok = f.Fill(&f.buf)
	return ok
}

// Fill does what Next does with a buffer of the caller, which it may replace. It returns the lines,
// which are part of the buffer, and their offset. The buffer may be used again after one more call
// with any buffer.
func (f *Forward) Fill(buf *[]byte) (lines []byte, offset int64, ok bool) {
	if f.file == nil {
		return f.fill(buf)
	}
	c, ok := f.Claim(buf)
	if ok {
		lines, f.err = c.Load(buf)
	}
	return lines, c.From, len(lines) > 0
}

// fill is Fill for what is not a file. It keeps the beginning of the line that a read cuts.
func (f *Forward) fill(buf *[]byte) (lines []byte, offset int64, ok bool) {
	n := len(f.rest)
	f.grow(buf, 0, n)
	copy(*buf, f.rest)
	f.rest = nil // it may be in a large buffer
	for offset = f.offset; f.err == nil; {
		f.grow(buf, n, n)
		from := n
		n += f.read((*buf)[n:min(n+f.block, len(*buf))])
		if end := lastLine((*buf)[from:n]); end > 0 {
			end += from
			f.rest, f.offset = (*buf)[end:n], offset+int64(end)
			return (*buf)[:end:end], offset, true
		}
	}
	f.offset = offset + int64(n)
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
	kept := (*buf)[:keep]
	*buf = nil
	Resize(buf, size)
	copy(*buf, kept)
}

// A Claim is where the next lines of a file are. Any number can be loaded at the same time.
type Claim struct {
	From, To int64 // the offsets at which the lines begin and end

	file  *io.SectionReader
	block int  // the bytes before the rest of the last line
	fits  bool // the rest is in the buffer
	err   error
}

// step is how many bytes are read at first to find the end of the last line.
const step = 4 << 10

// Claim finds where the next lines of a file are, and counts them as read. It looks only for the end of
// the last one, in a buffer that Load then fills.
func (f *Forward) Claim(buf *[]byte) (c Claim, ok bool) {
	end := f.file.Size()
	if f.err != nil || f.offset >= end {
		return Claim{From: f.offset}, false
	}
	c = Claim{From: f.offset, To: min(f.offset+int64(f.block), end), file: f.file, block: f.block, fits: true}
	f.block = min(2*f.block, block)
	if len(*buf) < 2*c.block {
		Resize(buf, 2*c.block)
	}
	rest := (*buf)[c.block:]
	for n, filled := step, 0; c.To < end && c.err == nil; n *= 2 {
		if filled == len(rest) {
			filled, c.fits = 0, false
		}
		n, c.err = f.file.ReadAt(rest[filled:min(filled+n, len(rest))], c.To)
		if i := bytes.IndexByte(rest[filled:filled+n], '\n'); i >= 0 {
			c.To += int64(i) + 1
			c.err = nil
			break
		}
		filled += n
		if c.To += int64(n); c.To == end {
			c.err = nil
		}
	}
	f.offset, f.err = c.To, c.err
	return c, true
}

// Load reads the lines into the buffer that Claim had, or a larger one. It returns them, and the
// error, io.EOF if the file ends too early, that ends the lines.
func (c *Claim) Load(buf *[]byte) ([]byte, error) {
	length := int(c.To - c.From)
	size := min(length, c.block)
	if !c.fits || length > len(*buf) {
		size = length
		Resize(buf, max(length, 4*c.block)) // few need more
	}
	n, err := c.file.ReadAt((*buf)[:size], c.From)
	if n < size {
		return (*buf)[:n:n], err
	}
	return (*buf)[:length:length], c.err
}

// read reads into b once, and returns how many bytes it read, or sets err.
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

// IsFile reports whether the reader is an [io.SectionReader] with at least the given number of bytes after
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
