package dialect

import (
	"bytes"
	"strconv"

	"jl/internal/entry"
	"jl/internal/hashset"
)

// names gives the entries of a list their ids, no two of which are equal.
type names struct {
	taken hashset.Set // the ids so far; nil if all of them are made of places
	line  int64       // the last line that an id was made of
}

// name returns the id of the entry at a position whose own id is own, nil if it has none: its own
// id, if that is free, else the first of its [PlaceIDs] that is.
func (n *names) name(own entry.Value, at entry.Pos) entry.Value {
	if own != nil && !isPlace(own.Text()) && n.take(own) {
		return own
	}
	ids := PlaceIDs(at)
	isFree := at.Line != n.line && n.take(ids[0])
	n.line = at.Line
	if isFree {
		return ids[0]
	}
	return ids[1]
}

// take makes an id taken. It reports whether the id was free.
func (n *names) take(id entry.Value) bool { return n.taken == nil || n.taken.Add(string(id.Text())) }

// PlaceIDs returns the ids that the entry of a list at a position may have instead of its own:
// the strings "#LINE" and "#LINE+OFFSET". The second is always free, because an entry whose own id
// looks like one of those does not have its own.
func PlaceIDs(at entry.Pos) [2]entry.Value {
	line := strconv.AppendInt([]byte(`"#`), at.Line, 10)
	both := strconv.AppendInt(append(bytes.Clone(line), '+'), at.Offset, 10)
	return [2]entry.Value{append(line, '"'), append(both, '"')}
}

// isPlace reports whether an id looks like #LINE+OFFSET.
func isPlace(id []byte) bool {
	line, offset, ok := bytes.Cut(id, []byte{'+'})
	number, isLine := bytes.CutPrefix(line, []byte{'#'})
	return ok && isLine && isDigits(number) && isDigits(offset)
}

func isDigits(b []byte) bool {
	return len(b) > 0 && len(bytes.Trim(b, "0123456789")) == 0
}

// A stack holds the ids of the living entries.
type stack struct {
	text []byte
	ends []int // by id: where it ends in text
}

// push adds an id.
func (s *stack) push(id entry.Value) {
	s.text = append(s.text, id...)
	s.ends = append(s.ends, len(s.text))
}

// at returns id i, which is valid as long as it is in the stack.
func (s *stack) at(i int) entry.Value { return entry.Value(s.text[s.start(i):s.ends[i]:s.ends[i]]) }

// cut removes all ids but the first n.
func (s *stack) cut(n int) { s.text, s.ends = s.text[:s.start(n)], s.ends[:n] }

func (s *stack) start(i int) int {
	if i == 0 {
		return 0
	}
	return s.ends[i-1]
}
