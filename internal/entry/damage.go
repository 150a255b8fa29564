package entry

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// A Damage describes a line that is not one whole entry.
type Damage struct {
	// Pos is the position of the line.
	Pos Pos

	// Value is the line's JSON value if it is one but not an object, else nil.
	Value Value

	// Recovered holds the offsets in the log of the entries that were recovered.
	Recovered []int64

	reason     string
	lost       bool // part of the line is not recovered
	unfinished bool // the line has no '\n': it is the last and may still be growing
}

// Lost reports whether part of the line that is not recovered may have been an entry. The
// unfinished end of a log that is being written does not count.
func (d *Damage) Lost() bool { return d.lost && !d.unfinished }

// Unfinished reports whether the line ends in an entry that may still be growing.
func (d *Damage) Unfinished() bool { return d.lost && d.unfinished }

// Reason returns what is wrong with the line in a few words, without positions.
func (d *Damage) Reason() string { return d.reason }

// Kind returns what messages about damaged lines have in common.
func (d *Damage) Kind() string {
	switch {
	case len(d.Recovered) > 0:
		return d.reason + "; recovered entries"
	case d.lost && !d.unfinished:
		return d.reason + "; skipped"
	}
	return d.reason
}

// Error returns in one line what is wrong, what was recovered and what was skipped.
func (d *Damage) Error() string {
	var s strings.Builder
	s.WriteString(d.reason)
	for i, offset := range d.Recovered {
		switch {
		case i == 0:
			s.WriteString("; recovered the entry at byte ")
		case i == 4:
			fmt.Fprintf(&s, " and %d more", len(d.Recovered)-i)
			return s.String()
		default:
			s.WriteString(", ")
		}
		fmt.Fprint(&s, offset)
	}
	if d.lost && len(d.Recovered) == 0 && !d.unfinished {
		fmt.Fprintf(&s, "; skipped %d bytes at byte %d", d.Pos.Length, d.Pos.Offset)
	}
	return s.String()
}

// classify sets the reason from the parts of body that were not recovered. The body begins
// at lo in its line.
func (d *Damage) classify(body []byte, lo int, recovered []span) {
	nul := bytes.IndexByte(body, 0) >= 0
	before, end := false, 0
	for _, s := range recovered {
		before = before || rest(body[end:s.start-lo])
		end = s.start - lo + s.length
	}
	after := rest(body[end:])
	d.lost = before || after || nul && len(d.Recovered) == 0
	d.unfinished = d.unfinished && !before
	switch {
	case d.unfinished && after:
		d.reason = "the last line is not finished"
	case (before || after) && len(d.Recovered) == 0:
		d.reason = "not a whole entry"
	case before || after:
		d.reason = "torn entry"
	case nul:
		d.reason = "NUL bytes"
	case len(d.Recovered) > 1:
		d.reason = "more than one entry on a line"
	default:
		d.reason = "misplaced byte order mark"
	}
}

// rest reports whether b holds more than white space, NULs and byte order marks.
func rest(b []byte) bool { return skipBlank(b, 0) < len(b) }

// skipBlank returns the offset after the white space, NULs and byte order marks at i.
func skipBlank(b []byte, i int) int {
	for ; i < len(b); i++ {
		switch {
		case b[i] == 0 || isSpace(b[i]):
		case bytes.HasPrefix(b[i:], []byte(BOM)):
			i += len(BOM) - 1
		default:
			return i
		}
	}
	return i
}

// Quote returns text quoted for a message, cut to at most 64 characters: an id of a log can
// have any length.
func Quote(text string) string {
	const most = 64
	if len(text) > most { // else it cannot have more characters
		n := 0
		for i := range text {
			if n++; n == most {
				return strconv.Quote(text[:i] + "…")
			}
		}
	}
	return strconv.Quote(text)
}
