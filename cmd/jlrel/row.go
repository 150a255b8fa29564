package main

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"jl/internal/cli"
	"jl/internal/entry"
)

// A row is one line of output: a JSON object that grows member by member.
type row struct{ b []byte }

// reset begins a new row.
func (r *row) reset() { r.b = append(r.b[:0], '{') }

func (r *row) key(name string) {
	if r.b[len(r.b)-1] != '{' {
		r.b = append(r.b, ',')
	}
	r.b = append(append(append(r.b, '"'), name...), '"', ':')
}

func (r *row) str(name, s string) {
	r.key(name)
	r.b = appendText(r.b, s)
}

// text adds a string, or null if there is none.
func (r *row) text(name, s string) {
	if s == "" {
		r.null(name)
		return
	}
	r.str(name, s)
}

// some adds a string if there is one.
func (r *row) some(name, s string) {
	if s != "" {
		r.str(name, s)
	}
}

func (r *row) num(name string, n int64) {
	r.key(name)
	r.b = strconv.AppendInt(r.b, n, 10)
}

func (r *row) yes(name string) {
	r.key(name)
	r.b = append(r.b, "true"...)
}

func (r *row) null(name string) {
	r.key(name)
	r.b = append(r.b, "null"...)
}

// time adds a time as UTC with milliseconds.
func (r *row) time(name string, t time.Time) {
	r.str(name, t.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// print ends the row and writes it.
func (r *row) print(c *cli.Command) error {
	_, err := c.Out.Write(append(r.b, '}', '\n'))
	return err
}

// appendText appends s as a JSON string. The three bytes that [entry.Value.Text]
// makes of a lone surrogate become its escape again.
func appendText(dst []byte, s string) []byte {
	text := []byte(s)
	lone := func() int {
		for at := 0; ; {
			i := bytes.IndexByte(text[at:], 0xed)
			if i < 0 || at+i+3 > len(text) {
				return -1
			}
			if at += i; text[at+1] >= 0xa0 && text[at+1] <= 0xbf && text[at+2]&0xc0 == 0x80 {
				return at
			}
			at++
		}
	}
	dst = append(dst, '"')
	for i := lone(); i >= 0; i = lone() {
		dst = appendInside(dst, text[:i])
		unit := 0xd000 | int(text[i+1]&0x3f)<<6 | int(text[i+2]&0x3f)
		dst = fmt.Appendf(dst, `\u%04x`, unit)
		text = text[i+3:]
	}
	return append(appendInside(dst, text), '"')
}

// appendInside appends text as the inside of a JSON string.
func appendInside(dst, text []byte) []byte {
	start := len(dst)
	dst = entry.AppendString(dst, text)
	copy(dst[start:], dst[start+1:])
	return dst[:len(dst)-2]
}
