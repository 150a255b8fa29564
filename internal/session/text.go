package session

import (
	"bytes"
	"iter"
	"strings"
	"unicode"

	"jl/internal/entry"
)

// The Agent SDK looks for some members in the text of an end of a log, at any depth and also in lines
// that the end cuts. So do the functions of this file.

// valuesOf yields, for each member in text with the name, text from its value on.
func valuesOf(text []byte, name string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		// The search begins at a capital letter, because quotes and small letters are everywhere.
		cut := max(0, strings.IndexFunc(name, unicode.IsUpper))
		before, rest := []byte(`"`+name[:cut]), []byte(name[cut:]+`":`)
		for {
			at := bytes.Index(text, rest)
			if at < 0 {
				return
			}
			isMember := bytes.HasSuffix(text[:at], before)
			if text = text[at+len(rest):]; isMember && !yield(bytes.TrimPrefix(text, []byte(" "))) {
				return
			}
		}
	}
}

// stringsOf yields the strings in text that are the values of members with the name, of equal ones in
// a row the first.
func stringsOf(text []byte, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		last := "" // most entries have the one of the entry before them
		for v := range valuesOf(text, name) {
			if last != "" && bytes.HasPrefix(v, []byte(last)) {
				continue
			}
			if s, ok := stringAt(v); ok {
				if last = `"` + s + `"`; !yield(s) {
					return
				}
			}
		}
	}
}

// firstString returns the first string in text that is the value of a member with the name, or "".
func firstString(text []byte, name string) string {
	for s := range stringsOf(text, name) {
		return s
	}
	return ""
}

// lastString returns the last one.
func lastString(text []byte, name string) (last string) {
	for s := range stringsOf(text, name) {
		last = s
	}
	return last
}

// stringAt returns the string that text begins with; false if there is none, or if it does not
// end. A string that is not valid JSON is returned as it is written.
func stringAt(text []byte) (string, bool) {
	c := entry.Value(text).Cursor()
	v := c.Value()
	switch {
	case !bytes.HasPrefix(text, []byte{'"'}) || c.Lost():
		return "", false
	case !entry.Valid(v):
		return string(v[1 : len(v)-1]), true
	}
	return string(v.Text()), true
}
