package entry

import (
	"bytes"
	"fmt"
	"strings"
)

// A Decoder turns lines into entries by the suite's rule for bad input:
//
//   - Blank lines, spaces and tabs around an entry, CR before LF, and a byte order
//     mark before the first line are accepted.
//   - A line that is not one whole entry never costs another one: whole entries
//     inside it (behind a torn one, inside one, behind NULs, `}{`) are recovered.
//   - What is not recovered is skipped, and the [Damage] says so. So is a JSON
//     value that is no object.
//
// The zero Decoder is ready for use.
type Decoder struct {
	// Exact makes the decoder do as the programs that write the logs do: a line
	// counts if all of it is one JSON object by the full grammar, and is passed
	// over whole if not. Nothing is recovered.
	Exact bool

	// NoBOM makes a byte order mark cost the first line, as it does in the Agent
	// SDK.
	NoBOM bool

	entries []Entry
	g       grammar
}

var bom = []byte("\xef\xbb\xbf")

// Decode returns the entries of a line, which is given with its '\n' if it has
// one; first says that it is the first of its file. The entries are in the order
// of the line: one, none if the line is blank, any number if it is damaged. They
// are parts of line and valid until the next call. The Damage is nil if nothing
// is wrong with the line.
func (d *Decoder) Decode(line []byte, first bool) ([]Entry, *Damage) {
	start := 0
	if first && !d.NoBOM && bytes.HasPrefix(line, bom) {
		start = len(bom)
	}
	lo, hi := skipSpace(line, start), len(line)
	for hi > lo && isSpace(line[hi-1]) {
		hi--
	}
	if lo == hi {
		return nil, nil
	}
	if len(d.entries) == 0 {
		d.entries = make([]Entry, 1)
	}
	d.entries = d.entries[:1]
	body := line[lo:hi]
	if e := &d.entries[0]; e.Scan(body) && (!d.Exact || d.g.whole(body)) {
		e.At, e.Len = start, len(line)-start
		return d.entries, nil
	}
	d.entries = d.entries[:0]
	bad := &Damage{Line: len(line), unfinished: line[len(line)-1] != '\n'}
	if d.g.whole(body) {
		bad.what, bad.Value = "a JSON "+kind(body[0])+" is no entry", body
		bad.lost, bad.unfinished = true, false
		return nil, bad
	}
	if !d.Exact {
		d.recover(body, lo, bad)
	}
	bad.judge(body, lo)
	return d.entries, bad
}

// kind names the kind of JSON value that begins with c.
func kind(c byte) string {
	switch c {
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// A Damage says what is wrong with a line and what became of it.
type Damage struct {
	// Line is the line's length in bytes.
	Line int

	// Value is the line's JSON value if it is one, but no entry; else nil.
	Value Value

	// Recovered holds the places in the line of the entries that were recovered.
	Recovered []int

	what       string
	lengths    []int // of what was recovered
	lost       bool  // something was there that is not recovered
	unfinished bool  // the line has no '\n': it is the last and may still be growing
}

// Lost reports whether part of the line was an entry, or may have been one, that
// could not be recovered. The unfinished end of a log that is being written is
// not lost.
func (d *Damage) Lost() bool { return d.lost && !d.unfinished }

// Report says what is wrong with line number of file, which begins at offset: by
// trouble if something is lost, else by note.
func (d *Damage) Report(note, trouble func(format string, args ...any), file string, number, offset int64) {
	say := note
	if d.Lost() {
		say = trouble
	}
	say("%s:%d: %s", file, number, d.Message(offset))
}

// Message says in one line what is wrong, given the line's offset in its file.
func (d *Damage) Message(offset int64) string {
	var s strings.Builder
	s.WriteString(d.what)
	for i, at := range d.Recovered {
		switch {
		case i == 0:
			s.WriteString("; recovered the entry at byte ")
		case i == 4:
			fmt.Fprintf(&s, " and %d more", len(d.Recovered)-i)
			return s.String()
		default:
			s.WriteString(", ")
		}
		fmt.Fprint(&s, offset+int64(at))
	}
	if d.lost && len(d.Recovered) == 0 && !d.unfinished {
		fmt.Fprintf(&s, "; skipped %d bytes at byte %d", d.Line, offset)
	}
	return s.String()
}

// judge finds what of body, which stands at lo in its line, was not recovered,
// and says what is wrong with the line.
func (d *Damage) judge(body []byte, lo int) {
	nul := bytes.IndexByte(body, 0) >= 0
	rest := func(part []byte) bool { return len(bytes.Trim(part, " \t\r\x00\ufeff")) > 0 }
	before, end := false, 0
	for i, at := range d.Recovered {
		before = before || rest(body[end:at-lo])
		end = at - lo + d.lengths[i]
	}
	behind := rest(body[end:])
	d.lost = before || behind || nul && len(d.Recovered) == 0
	d.unfinished = d.unfinished && !before
	switch {
	case d.unfinished && behind:
		d.what = "the last line is not finished"
	case (before || behind) && len(d.Recovered) == 0:
		d.what = "not a whole entry"
	case before || behind:
		d.what = "torn entry"
	case nul:
		d.what = "NUL bytes"
	case len(d.Recovered) > 1:
		d.what = "more than one entry on a line"
	default:
		d.what = "misplaced byte order mark"
	}
}
