package said

import (
	"bytes"
	"strconv"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/shape"
)

// begin begins a row of a kind with what the current head has.
func (r *Rows) begin(kind dialect.Kind) { r.beginAt(kind, &r.head) }

// beginAt begins a row of a kind.
func (r *Rows) beginAt(kind dialect.Kind, h *head) {
	r.buf = append(append(append(r.buf[:0], `{"is":"`...), kind.String()...), '"')
	if kind != dialect.Unread {
		r.value("timestamp", h.time)
	}
	r.value("session", h.session)
	if h.agent != nil {
		r.value("agentId", h.agent)
	} else if h.side {
		r.flag("isSidechain", true)
	}
	if kind != dialect.Unread {
		r.value("uuid", h.uuid)
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

func (r *Rows) number64(name string, n int64) {
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

// end prints the row. Entries are scanned only as far as the programs need, so what they hold is checked here.
func (r *Rows) end() {
	if r.File != nil {
		r.value("file", r.File)
	}
	r.buf = append(r.buf, '}')
	lone, valid := entry.ValidPairs(r.buf)
	if !valid {
		r.unread["not valid JSON inside"]++
		return
	}
	if lone >= 0 {
		entry.ReplaceLone(r.buf[lone:])
	}
	r.print(r.buf)
}

// rowOf returns a copy of the row that a function prints.
func (r *Rows) rowOf(end func()) (row []byte) {
	print := r.print
	r.print = func(b []byte) { row = bytes.Clone(b) }
	end()
	r.print = print
	return row
}

// joined returns the inside of the string of JSON that a text is, or of the texts of blocks as one. A value that has no text is
// its JSON. The result is part of v or valid until the next call.
func (r *Rows) joined(v entry.Value) []byte {
	if v.IsString() {
		return v[1 : len(v)-1]
	}
	var one []byte
	n := 0
	r.decoded = r.decoded[:0]
	for text := range shape.Words(v) {
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
	switch {
	case n == 1:
		return one
	case n > 1:
		return r.decoded
	case v == nil || v.IsArray() || string(v) == "null":
		return nil
	}
	r.decoded = entry.AppendString(r.decoded, v)
	return r.decoded[1 : len(r.decoded)-1]
}
