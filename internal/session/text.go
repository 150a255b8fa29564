package session

import (
	"bytes"
	"iter"
	"strings"
	"unicode"

	"jl/internal/entry"
)

// The Agent SDK looks for members in the text of an end of a log, at any depth and also in
// damaged lines. So do the functions of this file.

// valuesOf yields where in text the value of each member with the name begins, if it begins with
// start, and whether there is a space before it: the two ways that JSON is written in.
func valuesOf(text []byte, name, start string) iter.Seq2[int, bool] {
	return func(yield func(int, bool) bool) {
		// The search begins at a capital letter, because quotes and small letters are everywhere.
		cut := max(0, strings.IndexFunc(name, unicode.IsUpper))
		before, rest := []byte(`"`+name[:cut]), []byte(name[cut:]+`":`)
		for i := 0; ; {
			n := bytes.Index(text[i:], rest)
			if n < 0 {
				return
			}
			found := i + n
			i = found + len(rest)
			at := i
			if at < len(text) && text[at] == ' ' {
				at++
			}
			if bytes.HasSuffix(text[:found], before) && bytes.HasPrefix(text[at:], []byte(start)) && !yield(at, at > i) {
				return
			}
		}
	}
}

// hasMember reports whether text has a member with the name whose value begins with start.
func hasMember(text []byte, name, start string) bool {
	for range valuesOf(text, name, start) {
		return true
	}
	return false
}

// stringsOf yields the strings in text that are the values of members with the name.
func stringsOf(text []byte, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		last := "" // most entries have the one of the entry before them
		for at := range valuesOf(text, name, `"`) {
			if bytes.HasPrefix(text[at:], []byte(last)) && last != "" {
				continue
			}
			if s, ok := stringAt(text[at:]); ok {
				if last = `"` + s + `"`; !yield(s) {
					return
				}
			}
		}
	}
}

// firstString returns the first string in text that is the value of a member with the name, one
// written without a space before one with a space.
func firstString(text []byte, name string) string {
	withSpace, found := "", false
	for at, spaced := range valuesOf(text, name, `"`) {
		if spaced && found {
			continue
		}
		s, ok := stringAt(text[at:])
		switch {
		case ok && !spaced:
			return s
		case ok:
			withSpace, found = s, true
		}
	}
	return withSpace
}

// lastString returns the last string in text that is the value of a member with the name. It is
// fast if that is near the end.
func lastString(text []byte, name string) string {
	for size := 1 << 10; ; size *= 8 {
		end := text[max(0, len(text)-size):]
		last, found := "", false
		for s := range stringsOf(end, name) {
			last, found = s, true
		}
		if found || len(end) == len(text) {
			return last
		}
	}
}

// stringAt returns the string that text begins with; false if there is none, or if it does not
// end. A string that is not valid JSON is returned as it is written.
func stringAt(text []byte) (string, bool) {
	if len(text) == 0 || text[0] != '"' {
		return "", false
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			if quoted := text[:i+1]; entry.Valid(quoted) {
				return string(entry.Value(quoted).Text()), true
			}
			return string(text[1:i]), true
		}
	}
	return "", false
}
