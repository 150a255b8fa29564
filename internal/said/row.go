package said

import (
	"bytes"
	"slices"
	"strconv"

	"jl/internal/checksum"
	"jl/internal/entry"
	"jl/internal/says"
)

// A key is a hash of what a row is, when, and what it says or names.
type key uint64

// keyLen is the length of a key in a row, in hexadecimal digits.
const keyLen = 16

// prime is that of FNV-1a for 64 bits.
const prime = 1099511628211

// with returns k with the values of a log: FNV-1a over their hashes. Nil and the empty value count, too.
func (k key) with(values ...entry.Value) key {
	for _, v := range values {
		k = (k ^ key(checksum.Of(v))) * prime
	}
	return k
}

// newKey returns the key of all rows of a kind, to which their values come.
func newKey(kind says.Kind) key { return kindKeys[kind] }

var kindKeys = func() (keys [says.Kinds]key) {
	for kind := range keys {
		keys[kind] = key(14695981039346656037).with(entry.Value(says.Kind(kind).String()))
	}
	return keys
}()

// beginRow begins a row of a kind with what the current origin has. The values name it, among the rows of its kind and
// its time.
func (r *Rows) beginRow(kind says.Kind, names ...entry.Value) { r.beginRowAt(kind, &r.from, names...) }

// beginRowAt begins a row of a kind. A row without a time is known by its place in the log.
func (r *Rows) beginRowAt(kind says.Kind, h *origin, names ...entry.Value) {
	r.buf = append(append(append(r.buf[:0], `{"is":"`...), kind.String()...), '"')
	r.out, r.late = h.out, h != &r.from
	if kind == says.Unread {
		r.value("session", h.session)
	} else {
		r.key = newKey(kind).with(h.time)
		if h.time == nil {
			r.key = r.key.with(h.session, h.uuid)
		}
		r.key = r.key.with(names...)
		r.value("timestamp", h.time)
		r.value("session", h.session)
	}
	if h.agent != nil {
		r.value("agentId", h.agent)
	} else if h.sidechain {
		r.flag("isSidechain", true)
	}
	if kind != says.Unread {
		r.value("uuid", h.uuid)
	} else {
		r.key = 0
	}
}

// name writes the name of a member.
func (r *Rows) name(name string) {
	r.buf = append(append(append(r.buf, ',', '"'), name...), '"', ':')
}

// value writes a member whose value is of the log, null if it is nil.
func (r *Rows) value(name string, v entry.Value) {
	if r.name(name); v == nil {
		v = entry.Value("null")
	}
	r.buf = append(r.buf, v...)
}

// string writes a member that is a text.
func (r *Rows) string(name string, s []byte) {
	r.name(name)
	r.buf = entry.AppendString(r.buf, s)
}

// inside writes a member that is a string of JSON, without its quotes.
func (r *Rows) inside(name string, s []byte) {
	r.name(name)
	r.buf = append(append(append(r.buf, '"'), s...), '"')
}

func (r *Rows) int(name string, n int64) {
	r.name(name)
	r.buf = strconv.AppendInt(r.buf, n, 10)
}

func (r *Rows) float(name string, x float64) {
	r.name(name)
	r.buf = strconv.AppendFloat(r.buf, x, 'f', -1, 64)
}

func (r *Rows) flag(name string, is bool) {
	r.name(name)
	r.buf = strconv.AppendBool(r.buf, is)
}

// text writes a member that is a text of the log, or the texts of its blocks, each on lines of its own.
func (r *Rows) text(name string, v entry.Value) { r.inside(name, r.joined(v)) }

// idBeside returns the id of a message, nil if it is that of its entry, which a copy may not keep.
func idBeside(message, uuid entry.Value) entry.Value {
	if bytes.Equal(message, uuid) {
		return nil
	}
	return message
}

// A row that waits.
type row struct {
	text []byte
	key  key
}

// endRow ends the row, and prints it. Entries are scanned only as far as the programs need, so what they hold is
// checked here. Of rows alike that one entry has, each has a key of its own.
func (r *Rows) endRow() {
	if row, ok := r.made(); ok {
		r.emit(row)
	}
}

// made ends the row, and returns it: valid until the next one begins. It reports false if it is no row, or not in the
// part.
func (r *Rows) made() (row, bool) {
	if r.File != nil {
		r.value("file", r.File)
	}
	if r.key != 0 {
		if !r.late {
			for slices.Contains(r.keys, r.key) {
				r.key = r.key.with(nil)
			}
			r.keys = append(r.keys, r.key)
		}
		r.buf = append(r.buf, `,"key":"`...)
		for shift := 60; shift >= 0; shift -= 4 {
			r.buf = append(r.buf, "0123456789abcdef"[r.key>>shift&15])
		}
		r.buf = append(r.buf, '"')
	}
	r.buf = append(r.buf, '}')
	if r.out {
		return row{}, false
	}
	lone, valid := entry.ValidPairs(r.buf)
	if !valid {
		r.unread["not valid JSON inside"]++
		return row{}, false
	}
	if lone >= 0 {
		entry.ReplaceLone(r.buf[lone:])
	}
	return row{r.buf, r.key}, true
}

// rowOf returns the row that was begun, to be printed later.
func (r *Rows) rowOf() (row, bool) {
	made, ok := r.made()
	made.text = bytes.Clone(made.text)
	return made, ok
}

// emit prints a row, unless one with its key was printed.
func (r *Rows) emit(x row) {
	if x.key != 0 {
		before := len(r.printed)
		if r.printed[x.key] = struct{}{}; len(r.printed) == before {
			return
		}
	}
	r.print(x.text)
}

// joined returns the inside of the string of JSON that a text is, or of the texts of blocks as one. A value that has
// no text is its JSON. The result is part of v or valid until the next call.
func (r *Rows) joined(v entry.Value) []byte {
	if v.IsString() {
		return v[1 : len(v)-1]
	}
	var one []byte
	n := 0
	r.decoded = r.decoded[:0]
	for text := range says.Words(v) {
		inner := text[1 : len(text)-1]
		if n++; n == 1 {
			one = inner
			continue
		}
		if n == 2 {
			r.decoded = append(r.decoded, one...)
		}
		r.decoded = append(append(r.decoded, `\n`...), inner...)
	}
	switch n {
	case 0:
	case 1:
		return one
	default:
		return r.decoded
	}
	if v.IsArray() || string(v) == "null" {
		return nil
	}
	r.decoded = entry.AppendString(r.decoded, v)
	return r.decoded[1 : len(r.decoded)-1]
}
