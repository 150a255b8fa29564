package entry

import (
	"bytes"
	"iter"

	"jl/internal/line"
)

// lineLength returns the length of the line that b begins with. The last line of a log may lack the
// newline.
func lineLength(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// At returns the offset in the log of the byte at i of e.Bytes.
func (e *Entry) At(i int) int64 {
	return e.Pos.Offset + int64(bytes.IndexByte(e.Line, '{')+i)
}

// A feed is the lines of a log, several at a time.
type feed struct {
	lines *line.Forward
	rest  part  // what is not yet used of the lines that were read
	again int   // how many bytes of rest are read again, because lines that may follow decide about all
	limit int64 // where the lines end for now; 0 if they do not
}

// more reads more lines. It reports false at the end of the log or the limit, or after an error.
func (f *feed) more() bool {
	if f.limit > 0 && f.rest.offset == f.limit || !f.lines.Next() {
		return false
	}
	b, offset := f.lines.Bytes(), f.lines.Offset()
	f.rest = part{b, f.rest.number, offset, len(b) > f.again}
	if f.again = 0; f.limit > 0 && offset+int64(len(b)) >= f.limit {
		f.rest.bytes, f.rest.more = b[:f.limit-offset], false
	}
	return true
}

// wait makes the lines that were read come again, with those that follow, unless they are longer than so many
// bytes together.
func (f *feed) wait(longest int) {
	f.lines.Again(f.rest.offset, longest)
	f.again, f.rest.bytes = len(f.rest.bytes), nil
}

// Lines yields the lines of a log with their positions. A line is valid until the next one.
func Lines(lines *line.Forward) iter.Seq2[Pos, []byte] {
	return func(yield func(Pos, []byte) bool) {
		for f := (feed{lines: lines, rest: part{number: 1}}); f.more(); {
			for len(f.rest.bytes) > 0 {
				if l := f.rest.cut(); !yield(Pos{l.number, l.offset, int64(len(l.bytes))}, l.bytes) {
					return
				}
			}
		}
	}
}
