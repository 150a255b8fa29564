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

// stringsOf yields the strings in text that are the values of members with the name, of equal ones in
// a row the first.
func stringsOf(text []byte, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		// The search begins at a capital letter, because quotes and small letters are everywhere.
		cut := max(0, strings.IndexFunc(name, unicode.IsUpper))
		before, rest := []byte(`"`+name[:cut]), []byte(name[cut:]+`":`)
		last := "" // most entries have the one of the entry before them
		for at := bytes.Index(text, rest); at >= 0; at = bytes.Index(text, rest) {
			isMember := bytes.HasSuffix(text[:at], before)
			text = text[at+len(rest):]
			v := entry.Value(bytes.TrimPrefix(text, []byte(" ")))
			if !isMember || !v.IsString() || last != "" && bytes.HasPrefix(v, []byte(last)) {
				continue
			}
			c := v.Cursor()
			if v = c.Value(); v != nil { // else it does not end
				last = string(v)
				if !yield(string(v.Text())) {
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
