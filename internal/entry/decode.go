package entry

import (
	"bytes"
	"iter"

	"jl/internal/line"
)

// A Pos is the position of an entry or a line in the decompressed log: the number of the
// line, counted from 1, and the offset and length of its bytes.
//
// The bytes of an entry are its line with the '\n', but without a byte order mark. If the entry was recovered
// from a damaged line, they are the object alone.
type Pos struct{ Line, Offset, Length int64 }

// A Decoder turns lines into entries. It holds the suite's rule for bad input:
//
//   - Blank lines, spaces and tabs around an entry, CR before LF, and a byte order
//     mark before the first line are accepted.
//   - A line that is not one whole entry never costs another entry: whole entries
//     inside it (after a torn one, inside one, after NULs, `}{`) are recovered.
//   - What is not recovered is skipped, and so is a JSON value that is not an object.
//     The [Damage] reports both.
//
// The zero Decoder is ready for use.
type Decoder struct {
	// Strict makes the decoder read as the programs that write the logs do: it skips
	// each line that is not one JSON object by the full grammar, and recovers nothing.
	Strict bool

	// SDK makes the decoder read as the Agent SDK does: a byte order mark before the first line
	// is damage.
	SDK bool

	// Faults makes the decoder find the faults of each entry, which [Entry.Faults] returns. It
	// has no effect if Strict is set.
	Faults bool

	// Walker, if it is not nil, reads the message of each entry.
	Walker Walker

	e      *Entry // the current entry
	line   []byte // the line that was decoded last
	number int64  // its number
	offset int64  // where it begins in its log
	spans  []span // the recovered entries; empty if the line is one entry
	g      grammar
}

// A Walker reads the message of an entry while the entry is scanned, so that most bytes of a log are passed
// only once. Walk gets the cursor at the message, and returns it when it has stepped over the object, as
// [Cursor.Value] does, or is lost. If it is lost, what it has read does not count.
type Walker interface{ Walk(Cursor) Cursor }

// A span is a part of a line. A damaged line may hold any number of entries, so the
// decoder keeps only their spans.
type span struct{ start, length int }

// BOM is the byte order mark, which may be in front of a log or of a list, and is not part of it.
const BOM = "\ufeff"

// Decode decodes one line, and returns how many entries it holds: one, none if it is blank, any number
// if it is damaged. [Decoder.Entry] returns them. A '\n' may be at the end of the line, and nowhere
// else. Lines are numbered from 1, and offset is where the line begins in its log. The Damage is nil if
// the line is sound. The decoder keeps line until the next call.
func (d *Decoder) Decode(line []byte, number, offset int64) (int, *Damage) {
	d.begin(line, number, offset)
	start := 0
	if offset == 0 && !d.SDK && bytes.HasPrefix(line, []byte(BOM)) {
		start = len(BOM)
	}
	lo, hi := skipSpace(line, start), len(bytes.TrimSuffix(line, newline))
	for hi > lo && isSpace(line[hi-1]) {
		hi--
	}
	if lo == hi {
		return 0, nil
	}
	body := line[lo:hi]
	if d.scan(body) == len(body) {
		d.setPos(start, len(line)-start)
		return 1, nil
	}
	bad := &Damage{Pos: Pos{number, offset, int64(len(line))}, unfinished: line[len(line)-1] != '\n'}
	if d.g.whole(body) {
		bad.reason, bad.Value = "a JSON "+kind(body[0])+" is not an entry", body
		bad.lost, bad.unfinished = true, false
		return 0, bad
	}
	if !d.Strict && !d.divide(body, lo) {
		d.recover(body, lo)
	}
	for _, s := range d.spans {
		bad.Recovered = append(bad.Recovered, offset+int64(s.start))
	}
	bad.classify(body, lo, d.spans)
	return len(d.spans), bad
}

// Into makes e the entry that the decoder fills. Without a call, it has one of its own.
func (d *Decoder) Into(e *Entry) { d.e = e }

// DecodeFirst decodes the first of several lines as Decode does, and returns the length of that line.
// Nearly all lines are one entry and nothing else, and end where the entry ends: DecodeFirst searches
// only for the end of other lines.
func (d *Decoder) DecodeFirst(lines []byte, number, offset int64) (length, count int, damage *Damage) {
	d.begin(lines, number, offset)
	if end := d.scan(lines); end >= 0 {
		end = skipSpace(lines, end)
		switch {
		case end == len(lines):
		case lines[end] == '\n':
			end++
		default:
			end = -1
		}
		if end >= 0 {
			d.line = lines[:end:end]
			d.setPos(0, end)
			return end, 1, nil
		}
	}
	length = lineLength(lines)
	count, damage = d.Decode(lines[:length:length], number, offset)
	return length, count, damage
}

// lineLength returns the length of the line that b begins with. The last line of a log may lack the
// newline.
func lineLength(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// Lines yields the lines of a log with their positions. A line is valid until the next one.
func Lines(lines *line.Forward) iter.Seq2[Pos, []byte] {
	return func(yield func(Pos, []byte) bool) {
		for at := (Pos{Line: 1}); lines.Next(); {
			for l := range bytes.Lines(lines.Bytes()) {
				if at.Length = int64(len(l)); !yield(at, l) {
					return
				}
				at.Line, at.Offset = at.Line+1, at.Offset+at.Length
			}
		}
	}
}

// begin prepares to decode a line.
func (d *Decoder) begin(line []byte, number, offset int64) {
	d.line, d.offset, d.spans = line, offset, d.spans[:0]
	if d.e == nil {
		d.e = new(Entry)
	}
	d.number, d.e.Pos.Line = number, number
}

// Entry returns entry i of the line that was decoded last, counted from 0 in the
// order of the line. It is a part of that line and valid until the next call of
// Decode or Entry.
func (d *Decoder) Entry(i int) *Entry {
	if len(d.spans) > 0 {
		s := d.spans[i]
		d.scan(d.line[s.start : s.start+s.length]) // succeeds, as it did in divide or keep
		d.e.Pos.Line = d.number
		d.setPos(s.start, s.length)
	}
	return d.e
}

// scan makes the object that b begins with the current entry. It returns the offset after it, -1
// if there is none in the line.
func (d *Decoder) scan(b []byte) int {
	if !d.Strict && !d.Faults {
		return d.e.scan(b, nil, d.Walker)
	}
	d.g.surrogate, d.g.nul = -1, -1
	end := d.e.scan(b, &d.g, d.Walker)
	if d.Strict {
		return end
	}
	valid := end >= 0
	if !valid {
		end = d.e.scan(b, nil, d.Walker)
	}
	if end >= 0 {
		d.e.faults = d.g.faults(b[:end], valid)
	}
	return end
}

// setPos sets the position of the current entry: length bytes at start of the line.
func (d *Decoder) setPos(start, length int) {
	d.e.Line = d.line[start : start+length]
	d.e.Pos.Offset, d.e.Pos.Length = d.offset+int64(start), int64(length)
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

// isSpace reports whether c is white space of JSON other than a newline, which ends a line.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
