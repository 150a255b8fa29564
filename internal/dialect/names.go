package dialect

import (
	"bytes"
	"hash/maphash"
	"strconv"

	"jl/internal/entry"
)

// names gives the entries of a list their ids, all different.
type names struct {
	taken map[uint64]struct{} // hashes of the ids so far; nil if all of them are made of places
	line  int64               // the last line that an id was made of
}

// seed gives each run other hashes, so that nobody can write ids with equal hashes into a log.
var seed = maphash.MakeSeed()

// name returns the id of the entry at a position: its own id, which may be nil, if that is free, else
// the first of its [PlaceIDs] that is free.
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
func (n *names) take(id entry.Value) bool {
	if n.taken == nil {
		return true
	}
	count := len(n.taken)
	n.taken[maphash.Bytes(seed, id.Text())] = struct{}{}
	return len(n.taken) > count
}

// PlaceIDs returns the ids that the entry of a list at a position may have instead of its own:
// the strings "#LINE" and "#LINE+OFFSET". The second is always free, because an id that looks like
// it is never used as an entry's own.
func PlaceIDs(at entry.Pos) [2]entry.Value {
	line := strconv.AppendInt([]byte(`"#`), at.Line, 10)
	both := strconv.AppendInt(append(bytes.Clone(line), '+'), at.Offset, 10)
	return [2]entry.Value{append(line, '"'), append(both, '"')}
}

// isPlace reports whether an id may be the second of PlaceIDs.
func isPlace(id []byte) bool { return bytes.HasPrefix(id, []byte{'#'}) && bytes.IndexByte(id, '+') > 0 }
