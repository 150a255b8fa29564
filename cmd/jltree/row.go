package main

import (
	"fmt"
	"strconv"

	"jl/internal/entry"
	"jl/internal/tree"
)

// A row is a record of --check that is being made: JSON without its closing brace.
type row struct {
	text []byte
	note bool
}

// row begins a finding about what stands at a place.
func (k *checker) row(finding string, at tree.Extent) row {
	r := row{text: []byte(`{"finding":`)}
	r.text = entry.AppendString(r.text, []byte(finding))
	return r.string("file", k.name).place(at)
}

// noteRow begins a finding that is worth knowing but nothing wrong.
func (k *checker) noteRow(finding string, at tree.Extent) row {
	r := k.row(finding, at).bool("note", true)
	r.note = true
	return r
}

func (r row) place(at tree.Extent) row {
	return r.number("line", at.Line).number("offset", at.Offset).number("length", at.Length)
}

// with says where the other entry stands that a finding is about.
func (r row) with(at tree.Extent) row {
	r.text = fmt.Appendf(r.text, `,"with":{"line":%d,"offset":%d,"length":%d}`, at.Line, at.Offset, at.Length)
	return r
}

func (r row) name(name string) row {
	r.text = fmt.Appendf(r.text, `,"%s":`, name)
	return r
}

func (r row) number(name string, n int64) row {
	r = r.name(name)
	r.text = strconv.AppendInt(r.text, n, 10)
	return r
}

func (r row) float(name string, f float64) row {
	r = r.name(name)
	r.text = strconv.AppendFloat(r.text, f, 'f', -1, 64)
	return r
}

func (r row) bool(name string, b bool) row {
	r = r.name(name)
	r.text = strconv.AppendBool(r.text, b)
	return r
}

func (r row) string(name, s string) row {
	r = r.name(name)
	r.text = entry.AppendString(r.text, []byte(s))
	return r
}

// value adds a value as it is written in the log. One that is not there, is no JSON,
// or is an object or array, which no id or name is, is left out.
func (r row) value(name string, v entry.Value) row {
	if v.IsObject() || v.IsArray() || !entry.Valid(v) {
		return r
	}
	r = r.name(name)
	r.text = appendSound(r.text, v)
	return r
}

// appendSound appends v, with U+FFFD for what of a string is no Unicode: the row that
// tells of a lone surrogate must be read by those, as jq 1.6, who refuse one.
func appendSound(dst []byte, v entry.Value) []byte {
	if v.IsString() && (invalidUTF8(v) >= 0 || v.LoneSurrogate() >= 0) {
		return entry.AppendString(dst, v.Text())
	}
	return append(dst, v...)
}

func (r row) values(name string, list []entry.Value) row {
	r = r.name(name)
	r.text = append(r.text, '[')
	for i, v := range list {
		if i > 0 {
			r.text = append(r.text, ',')
		}
		r.text = appendSound(r.text, v)
	}
	r.text = append(r.text, ']')
	return r
}

// pathTo returns the place at in v as a path of jq, .message.content[0].text, of
// some steps at most: each costs a look at what is left of v.
func pathTo(v entry.Value, at int) string {
	const steps = 32
	var path []byte
	for range steps {
		next, step := entry.Value(nil), path
		switch {
		case v.IsObject():
			for name, m := range v.Members() {
				if end := v.Place(m) + len(m); at < end {
					next, step = m, appendKey(path, name)
					break
				}
			}
		case v.IsArray():
			i := 0
			for m := range v.Elements() {
				if end := v.Place(m) + len(m); at < end {
					next, step = m, fmt.Appendf(path, "[%d]", i)
					break
				}
				i++
			}
		}
		if next == nil {
			return string(path)
		}
		path = step
		if at -= v.Place(next); at < 0 { // it is in the name
			return string(path)
		}
		v = next[:len(next):len(next)]
	}
	return string(path)
}

// appendKey appends to a path of jq the step to a member.
func appendKey(path []byte, name entry.Value) []byte {
	text := name.Text()
	plain := len(text) > 0
	for i, c := range text {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		plain = plain && (letter || i > 0 && c >= '0' && c <= '9')
	}
	path = append(path, '.')
	if plain {
		return append(path, text...)
	}
	return entry.AppendString(path, text)
}
