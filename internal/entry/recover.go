package entry

import (
	"bytes"
	"slices"
	"strings"
)

// recover finds the whole entries inside body, a line that is not one and stands
// at lo in its line; it adds their places to d.spans.
//
// A record that was cut off is followed, on the same line, by the next one. Read
// as JSON the line makes sense up to the cut and a little beyond: the next record
// begins inside the string that was open, or where the text stops being JSON. All
// brackets that are open there are the torn record's own, and what was closed
// before is nested in it, so the search goes on at the last string or literal
// before the break. Of what lies before that nothing is read again, so the time
// is linear, whatever the damage.
//
// One thing cannot be told: a record cut off right behind a nested object that
// holds all that an entry holds looks like one cut off where a value is due, with
// an entry behind it. It is taken for that.
func (d *Decoder) recover(body []byte, lo int) {
	g := &d.g
	pos := 0
	splice := -1 // an entry may begin up to here: an entry broke just before
	for {
		n := bytes.IndexByte(body[pos:], '{')
		if n < 0 {
			return
		}
		start := pos + n
		anchored := start <= splice || opensLine(body[:start])
		if g.parse(body, start) {
			pos = g.at
			d.keep(body, start, g.at, lo, anchored)
			continue
		}
		if anchored {
			splice = max(splice, skipSpace(body, g.at))
		}
		pos = max(start+1, g.token)
		// A record cut off where a value was due takes the next one for that
		// value. It shows when the text breaks, or ends, right behind it.
		if g.last >= start && g.token < g.end && body[g.last] == '{' && gapOnly(body[g.end:g.at]) {
			d.keep(body, g.last, g.end, lo, false)
			pos = g.end
		}
	}
}

// keep adds the object body[start:end] if it can be an entry. One that does not
// stand where an entry begins may be a part of a torn one, so nothing of that may
// follow, and it must hold a key that only entries have.
func (d *Decoder) keep(body []byte, start, end, lo int, anchored bool) {
	e := &d.e
	if !e.Scan(body[start:end]) || !e.Get(Type).IsString() && e.Get(UUID).IsEmpty() {
		return
	}
	if !anchored && (goesOn(body[end:]) || !e.hasAny(ParentUUID, ParentID, SessionID, LeafUUID, MessageID)) {
		return
	}
	d.spans = append(d.spans, span{lo + start, end - start})
}

// hasAny reports whether e has one of the keys.
func (e *Entry) hasAny(keys ...Key) bool {
	return slices.ContainsFunc(keys, func(k Key) bool { return e.Get(k) != nil })
}

// opensLine reports whether an entry may begin behind before: at the start of a
// line, behind another entry's end, behind NULs or a byte order mark.
func opensLine(before []byte) bool {
	before = bytes.TrimRight(before, " \t\r")
	return len(before) == 0 || before[len(before)-1] == '}' || before[len(before)-1] == 0 || bytes.HasSuffix(before, bom)
}

// goesOn reports whether behind begins with what follows a value inside another.
func goesOn(behind []byte) bool {
	i := skipSpace(behind, 0)
	return i < len(behind) && strings.IndexByte(",:]}", behind[i]) >= 0
}

// gapOnly reports whether nothing but white space stands in b.
func gapOnly(b []byte) bool { return skipSpace(b, 0) == len(b) }
