package says

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"jl/internal/entry"
)

// each yields the elements of an array, or the value itself.
func each(v entry.Value) func(yield func(entry.Value) bool) {
	if v.IsArray() {
		return v.Elements()
	}
	return func(yield func(entry.Value) bool) {
		if v != nil && string(v) != "null" {
			yield(v)
		}
	}
}

// firstOf returns a content that is a string, or the first text of its blocks, or nil.
func firstOf(content entry.Value) entry.Value {
	if content.IsString() {
		return content
	}
	for block := range content.Elements() {
		if text := block.Member("text"); text != nil {
			return text
		}
	}
	return nil
}

// quoted returns a text as a string of JSON.
func quoted(text string) entry.Value { return entry.AppendString(nil, []byte(text)) }

// failed reports whether an exit code is there and is not zero. It may be a number, or a string that holds one.
func failed(code entry.Value) bool {
	if code = entry.First(code); code == nil {
		return false
	}
	text := string(code)
	if code.IsString() {
		text = strings.TrimSpace(string(code.Text()))
	}
	n, err := strconv.ParseFloat(text, 64)
	return err != nil || n != 0
}

// hasPrefix reports whether a string of the log begins with some words.
func hasPrefix(v entry.Value, words string) bool { return bytes.HasPrefix(v.Text(), []byte(words)) }

// isAny reports whether v is one of some strings.
func isAny(v entry.Value, names ...string) bool { return slices.ContainsFunc(names, v.Is) }

// matches reports whether a name is one of some, which may end in * for any end.
func matches(name entry.Value, names []string) bool { return matchesName(name.Text(), names) }

func matchesName(text []byte, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		if begin := n[:len(n)-1]; n[len(n)-1] == '*' {
			return bytes.HasPrefix(text, []byte(begin))
		}
		return string(text) == n
	})
}

// saying returns the first of some members that has words: a string that is not empty, or an array.
func saying(v entry.Value, names ...string) entry.Value {
	for _, name := range names {
		if m := v.Member(name); !m.IsEmpty() || m.IsArray() && len(m) > 2 {
			return m
		}
	}
	return nil
}

// isEmptyArray reports whether v is an array without elements.
func isEmptyArray(v entry.Value) bool {
	return v.IsArray() && len(bytes.TrimSpace(v[1:len(v)-1])) == 0
}

// joined returns one array of the elements of two.
func joined(a, b entry.Value) entry.Value {
	if !a.IsArray() || len(bytes.TrimSpace(a)) <= 2 || len(bytes.TrimSpace(a[1:len(a)-1])) == 0 {
		return b
	}
	if !b.IsArray() || len(bytes.TrimSpace(b[1:len(b)-1])) == 0 {
		return a
	}
	out := append(bytes.Clone(a[:len(a)-1]), ',')
	return append(out, b[1:]...)
}

// arrayOf returns an array of some values.
func arrayOf(values []entry.Value) entry.Value {
	out := entry.Value{'['}
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']')
}

// lines returns the texts among some values as one string, each on lines of its own.
func lines(values ...entry.Value) entry.Value {
	var texts [][]byte
	for _, v := range values {
		if !v.IsEmpty() {
			texts = append(texts, v.Text())
		}
	}
	return entry.AppendString(nil, bytes.Join(texts, []byte{'\n'}))
}

// objectOf returns an object with one member, without any if v is nil.
func objectOf(name string, v entry.Value) entry.Value {
	if v == nil {
		return entry.Value("{}")
	}
	out := append(append(entry.Value{'{'}, quoted(name)...), ':')
	return append(append(out, v...), '}')
}

// toolOf returns the name of a tool of an MCP server, as rollouts and most agents have it.
func toolOf(server, tool entry.Value) string {
	if server.IsEmpty() {
		return string(tool.Text())
	}
	return "mcp__" + string(server.Text()) + "__" + string(tool.Text())
}

// commandOf returns the command that an array of words is. What a shell runs is its last word.
func commandOf(v entry.Value) entry.Value {
	if !v.IsArray() {
		return v
	}
	var words []string
	for w := range v.Elements() {
		words = append(words, string(w.Text()))
	}
	if n := len(words); n == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return quoted(words[2])
	}
	return quoted(strings.Join(words, " "))
}
