package entry

import (
	"bytes"
	"slices"
	"strings"
)

// divide adds to d.spans the objects that body, which begins at lo in its line, consists of,
// whatever they hold. It reports false, and adds nothing, if there is more than white space,
// NULs and byte order marks between them.
func (d *Decoder) divide(body []byte, lo int) bool {
	for pos := skipBlank(body, 0); pos < len(body); pos = skipBlank(body, d.g.at) {
		if body[pos] != '{' || !d.g.parse(body, pos) || !d.e.Scan(body[pos:d.g.at]) {
			d.spans = d.spans[:0]
			return false
		}
		d.spans = append(d.spans, span{lo + pos, d.g.at - pos})
	}
	return true
}

// recover adds to d.spans the whole entries inside body, which begins at lo in its line
// and does not consist of entries alone.
//
// Where an entry was cut off, the next one follows on the same line. The line is valid JSON
// up to the cut and a little beyond: the next entry begins inside the string that was open,
// or where the text stops being JSON. All brackets that are open there belong to the torn
// entry, and what was closed before is nested in it, so the search continues at the last
// string or literal before the break. Nothing before that is read again, so the time is
// linear, whatever the damage.
//
// One case is ambiguous: an object that looks like an entry may be the last thing in an entry that was
// cut off after it, or follow an entry that was cut off before a value. It is taken for an entry.
func (d *Decoder) recover(body []byte, lo int) {
	g := &d.g
	pos := 0
	splice := -1 // an entry may begin up to here, because another one broke off just before
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
		// If an entry was cut off before a value, the next entry is parsed as that
		// value, and the text breaks, or ends, right after it.
		if g.closedAt > start && g.token < g.closedAt && body[g.closedAt-1] == '}' && isBlank(body[g.closedAt:g.at]) {
			d.keep(body, g.closed(body, start), g.closedAt, lo, false)
			pos = g.closedAt
		}
	}
}

// keep adds the object body[start:end] if it can be an entry. If it is anchored, which means that it
// begins where an entry can begin, it needs a member. If not, it needs a type or an id, and a key that
// only entries have. A member of something that was cut off is not an entry, whatever it has.
func (d *Decoder) keep(body []byte, start, end, lo int, anchored bool) {
	e := d.e
	if goesOn(body[end:]) && (!anchored || isMember(body[:start])) || !e.Scan(body[start:end]) {
		return
	}
	if anchored {
		if bytes.IndexByte(e.Bytes, '"') < 0 {
			return
		}
	} else if !e.Get(Type).IsString() && e.Get(UUID).IsEmpty() || !e.HasAny(ParentUUID, ParentID, SessionID, LeafUUID, MessageID) {
		return
	}
	d.spans = append(d.spans, span{lo + start, end - start})
}

// HasAny reports whether e has one of the keys.
func (e *Entry) HasAny(keys ...Key) bool {
	return slices.ContainsFunc(keys, func(k Key) bool { return e.Get(k) != nil })
}

// opensLine reports whether an entry can begin after the bytes before: at the start of a
// line, after another entry, after NULs or a byte order mark.
func opensLine(before []byte) bool {
	before = bytes.TrimRight(before, " \t\r")
	return len(before) == 0 || before[len(before)-1] == '}' || before[len(before)-1] == 0 || bytes.HasSuffix(before, []byte(BOM))
}

// isMember reports whether an object after the bytes before would be a member or an element.
func isMember(before []byte) bool {
	before = bytes.TrimRight(before, " \t\r")
	return len(before) > 0 && strings.IndexByte(",:[", before[len(before)-1]) >= 0
}

// goesOn reports whether after begins with a byte that follows a member or an element.
func goesOn(after []byte) bool {
	i := skipSpace(after, 0)
	return i < len(after) && strings.IndexByte(",]}", after[i]) >= 0
}

// isBlank reports whether b is white space.
func isBlank(b []byte) bool { return skipSpace(b, 0) == len(b) }
