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

	e     Entry
	line  []byte // what the spans are in
	spans []span // of recovered entries; none if the line is one entry
	g     grammar
}

// A span is a place in a line. A damaged line may hold any number of entries, so
// only their places are kept.
type span struct{ at, length int }

var bom = []byte("\xef\xbb\xbf")

// Decode takes a line, with its '\n' if it has one, and returns how many entries it
// holds: one, none if it is blank, any number if it is damaged; [Decoder.Entry] gives
// them. first says that the line is the first of its file. The Damage is nil if
// nothing is wrong with the line. The decoder keeps line until the next call.
func (d *Decoder) Decode(line []byte, first bool) (int, *Damage) {
	d.line, d.spans = line, d.spans[:0]
	start := 0
	if first && !d.NoBOM && bytes.HasPrefix(line, bom) {
		start = len(bom)
	}
	lo, hi := skipSpace(line, start), len(line)
	for hi > lo && isSpace(line[hi-1]) {
		hi--
	}
	if lo == hi {
		return 0, nil
	}
	body := line[lo:hi]
	if d.e.Scan(body) && (!d.Exact || d.g.whole(body)) {
		d.e.At, d.e.Len = start, len(line)-start
		return 1, nil
	}
	bad := &Damage{Line: len(line), unfinished: line[len(line)-1] != '\n'}
	if d.g.whole(body) {
		bad.what, bad.Value = "a JSON "+kind(body[0])+" is no entry", body
		bad.lost, bad.unfinished = true, false
		return 0, bad
	}
	if !d.Exact {
		d.recover(body, lo)
	}
	for _, s := range d.spans {
		bad.Recovered = append(bad.Recovered, s.at)
	}
	bad.judge(body, lo, d.spans)
	return len(d.spans), bad
}

// Entry returns entry i of the line that was decoded last, counted from 0 in the
// order of the line. It is a part of that line and valid until the next call of
// Decode or Entry.
func (d *Decoder) Entry(i int) *Entry {
	if len(d.spans) > 0 {
		s := d.spans[i]
		d.e.Scan(d.line[s.at : s.at+s.length]) // which it passed when it was recovered
		d.e.At, d.e.Len = s.at, s.length
	}
	return &d.e
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
	lost       bool // something was there that is not recovered
	unfinished bool // the line has no '\n': it is the last and may still be growing
}

// Lost reports whether part of the line was an entry, or may have been one, that
// could not be recovered. The unfinished end of a log that is being written is
// not lost.
func (d *Damage) Lost() bool { return d.lost && !d.unfinished }

// Reason says what is wrong with the line in a few words, without places.
func (d *Damage) Reason() string { return d.what }

// Unfinished reports whether the line ends in an entry that may still be growing.
func (d *Damage) Unfinished() bool { return d.lost && d.unfinished }

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
func (d *Damage) judge(body []byte, lo int, recovered []span) {
	nul := bytes.IndexByte(body, 0) >= 0
	rest := func(part []byte) bool { return len(bytes.Trim(part, " \t\r\x00\ufeff")) > 0 }
	before, end := false, 0
	for _, s := range recovered {
		before = before || rest(body[end:s.at-lo])
		end = s.at - lo + s.length
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
