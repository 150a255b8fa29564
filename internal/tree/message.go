package tree

import (
	"bytes"
	"iter"
	"unicode/utf8"

	"jl/internal/entry"
	"jl/internal/shape"
)

// A message is what the rules about tool calls need from the message of a user or
// assistant entry. A call and its results have the same [entry.Value.Key].
type message struct {
	id      string   // the message id, the same in all entries of one answer
	calls   []string // the keys of its tool_use blocks
	results []string // the keys of the calls that its tool_result blocks answer
	hasText bool     // it holds more than thinking and white space
}

// message returns the message of n. It keeps what it reads, so it is for the nodes of a
// path and their siblings, not for a whole log.
func (t *Tree) message(n Node) *message {
	k, ok := t.messages[n]
	if !ok {
		k = t.readMessage(n)
		t.messages[n] = k
	}
	return k
}

func (t *Tree) readMessage(n Node) *message {
	k := new(message)
	var content entry.Value
	for name, v := range t.Entry(n).Get(entry.Message).Members() {
		switch {
		case name.Is("id"):
			k.id = string(v.Text())
		case name.Is("content"):
			content = v
		}
	}
	k.hasText = content.IsString() && !isBlank(content)
	for b := range shape.Blocks(content) {
		switch {
		case b.IsCall():
			k.calls = append(k.calls, b.ID.Key())
		case b.IsResult():
			k.results = append(k.results, b.Answer.Key())
		case b.IsThinking():
			continue
		}
		if !b.Text.IsString() || !isBlank(b.Text) {
			k.hasText = true
		}
	}
	return k
}

// isBlank reports whether the string v is white space. It copies v only if the first
// character does not tell.
func isBlank(v entry.Value) bool {
	if first := v[1]; first > ' ' && first < utf8.RuneSelf && first != '\\' && first != '"' {
		return false
	}
	return len(bytes.TrimSpace(v.Text())) == 0
}

// messageOf returns the id of the message that n is an entry of, "" if it has none or is
// not an assistant entry.
func (t *Tree) messageOf(n Node) string {
	if t.at(n).kind != assistant || t.at(n).message == 0 {
		return ""
	}
	return t.message(n).id
}

// resultsOf returns the calls that n answers, nil if it is not a user entry.
func (t *Tree) resultsOf(n Node) []string {
	if t.at(n).kind != user {
		return nil
	}
	return t.message(n).results
}

// callsOf returns the calls that n makes, nil if it is not an assistant entry.
func (t *Tree) callsOf(n Node) []string {
	if t.at(n).kind != assistant {
		return nil
	}
	return t.message(n).calls
}

// callSet returns the set of the calls that of returns for nodes.
func callSet(nodes iter.Seq[Node], of func(Node) []string) map[string]bool {
	set := map[string]bool{}
	for n := range nodes {
		for _, call := range of(n) {
			set[call] = true
		}
	}
	return set
}
