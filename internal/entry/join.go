package entry

import (
	"bytes"
	"fmt"
	"iter"
	"strings"

	"jl/internal/line"
)

// Some programs write the line breaks of a string as they are, and so tear an entry into several
// lines. Such lines count as one if they are an entry only together. Each of them but the last ends
// inside a string, so the last is the first that does not. A line that begins an entry ends the search:
// whatever the damage, no line is looked at more than twice.

// joinMost is how many bytes the lines of an entry that is torn have at most. They are held together.
var joinMost = 16 << 20

// joinedLength returns the length of the lines of the entry that b begins with, or else of the first
// line. It reports false if that depends on what follows b; nothing does unless more is set. If seen is
// not 0, it has reported false about so many bytes of b.
func joinedLength(b []byte, seen int, more bool) (length int, ok bool) {
	first := lineLength(b)
	if !begins(b) || first < len(b) && begins(b[first:]) {
		return first, true
	}
	end := max(first, seen)
	for quoted := seen > 0 || endsQuoted(b[:end], 0, false); quoted; {
		if end == len(b) && more && end < joinMost {
			return 0, false
		}
		from := end
		end += lineLength(b[end:])
		if from == end || end > joinMost || begins(b[from:]) || isEntry(b[from:end]) {
			return first, true
		}
		quoted = endsQuoted(b[:end], from, true)
	}
	if end > first && new(Entry).ScanWhole(bytes.TrimSpace(bytes.TrimPrefix(Join(b[:end]), []byte(BOM)))) {
		return end, true
	}
	return first, true
}

// isEntry reports whether a line is an entry with members: one without is rather part of a text.
func isEntry(line []byte) bool {
	return bytes.IndexByte(line, '"') >= 0 && new(Entry).Scan(bytes.TrimSpace(line))
}

// lineLength returns the length of the line that b begins with. The last line of a log may lack the
// newline.
func lineLength(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// begins reports whether a line that begins with b begins an entry, even if the line above ends inside
// a string: after the quote that would end the string, a name follows.
func begins(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte(BOM))
	i := skipSpace(b, 0)
	if i == len(b) || b[i] != '{' {
		return false
	}
	i = skipSpace(b, i+1)
	return i+1 < len(b) && b[i] == '"' && strings.IndexByte(" \t\r\n,:}]", b[i+1]) < 0
}

// lastBeginning returns where the last line begins that begins an entry, of those that begin in the
// first n bytes of b; 0 if there is none.
func lastBeginning(b []byte, n int) int {
	for ; n > 0; n-- {
		if n = bytes.LastIndexByte(b[:n], '\n') + 1; begins(b[n:]) {
			return n
		}
	}
	return 0
}

// endsQuoted reports whether a line of b, from i to the end, ends inside a string. Quoted tells whether
// it begins in one.
func endsQuoted(b []byte, i int, quoted bool) bool {
	for {
		if quoted {
			if i = skipString(b, i); i < 0 {
				return true
			}
		}
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return false
		}
		i, quoted = i+n+1, true
	}
}

// Join returns b if it is one line. If it is the lines of one entry, Join returns that as a line: a copy
// in which the line breaks and other control characters in strings are escapes.
func Join(b []byte) []byte {
	if lineLength(b) == len(b) {
		return b
	}
	return escape(b)
}

// escape returns a copy of b in which the control characters in strings are escapes.
func escape(b []byte) []byte {
	joined := make([]byte, 0, len(b)+len(b)/16)
	for i, quoted := 0, false; i < len(b); {
		start := i
		if quoted {
			i = plain(b, i)
		} else if i += bytes.IndexByte(b[i:], '"'); i < start {
			i = len(b)
		}
		if joined = append(joined, b[start:i]...); i == len(b) {
			break
		}
		c := b[i]
		i++
		switch {
		case c == '"':
			quoted = !quoted
			joined = append(joined, c)
		case c == '\\' && i < len(b):
			joined = append(joined, c, b[i])
			i++
		case c == '\n':
			joined = append(joined, `\n`...)
		case c == '\r':
			joined = append(joined, `\r`...)
		default:
			joined = fmt.Appendf(joined, `\u%04x`, c)
		}
	}
	return joined
}

// At returns the offset in the log of the byte at i of e.Bytes. The byte may begin an escape, but must not be
// inside one.
func (e *Entry) At(i int) int64 {
	longer := 0 // by how much the bytes of a joined line before i are longer than those in the log
	for n := 0; n < i && e.torn != nil; n++ {
		switch {
		case e.Bytes[n] == e.torn[n-longer]:
		case e.Bytes[n+1] == 'u':
			n, longer = n+5, longer+5
		default:
			n, longer = n+1, longer+1
		}
	}
	return e.Pos.Offset + int64(bytes.IndexByte(e.Line, '{')+i-longer)
}

// A feed is the lines of a log, several at a time.
type feed struct {
	lines *line.Forward
	rest  part  // what is not yet used of the lines that were read
	again int   // how many bytes of rest are read again, because lines that may follow decide about them
	limit int64 // where the lines end for now; 0 if they do not
}

// more reads more lines. It reports false at the end of the log or the limit, or after an error.
func (f *feed) more() bool {
	if f.limit > 0 && f.rest.offset == f.limit || !f.lines.Next() {
		return false
	}
	b, offset := f.lines.Bytes(), f.lines.Offset()
	f.rest = part{b, f.rest.number, offset, f.lines.Dropped(), f.again, len(b) > f.again}
	if f.again = 0; f.limit > 0 && offset+int64(len(b)) >= f.limit {
		f.rest.bytes, f.rest.more = b[:f.limit-offset], false
	}
	return true
}

// wait makes the rest, which begins at an offset, wait for the lines that follow, unless they are longer than
// so many bytes together.
func (f *feed) wait(longest int) {
	f.lines.Again(f.rest.offset, longest)
	f.again, f.rest.bytes = len(f.rest.bytes), nil
}

// Lines yields the lines of a log, with the positions of those that are an entry only together as one.
func Lines(lines *line.Forward) iter.Seq2[Pos, []byte] {
	return func(yield func(Pos, []byte) bool) {
		for f := (feed{lines: lines, rest: part{number: 1}}); f.more(); {
			for len(f.rest.bytes) > 0 {
				l, ok := f.rest.cut(false)
				if !ok {
					f.wait(joinMost)
				} else if !yield(Pos{l.number, l.offset, int64(len(l.bytes))}, l.bytes) {
					return
				}
			}
		}
	}
}

// LinesIn yields the lines of a text, those that are an entry only together as one joined line.
func LinesIn(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for p := (part{bytes: text}); len(p.bytes) > 0; {
			if l, _ := p.cut(false); !yield(Join(l.bytes)) {
				return
			}
		}
	}
}
