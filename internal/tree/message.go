package tree

import (
	"bytes"

	"jl/internal/entry"
	"jl/internal/shape"
)

// A talk is what the rules about tool calls must know of a user or assistant
// entry's message. Calls and results are known by what the ids of
// tool_use blocks have in common.
type message struct {
	id      string   // the message's id: all entries of one answer have the same
	calls   []string // the tool_use blocks
	results []string // the tool_result blocks
	hasText bool     // there is more than thinking and white space
}

// talk reads the message of n. It keeps what it has read, so it is for the nodes
// on and beside a path, not for all of a log.
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
	m := t.Entry(n).Get(entry.Message)
	k.id = string(m.Member("id").Text())
	content := m.Member("content")
	k.hasText = content.IsString() && len(bytes.TrimSpace(content.Text())) > 0
	for b := range shape.Blocks(content) {
		switch {
		case b.IsCall():
			k.calls = append(k.calls, b.ID.Key())
		case b.IsResult():
			k.results = append(k.results, b.Answer.Key())
		case b.IsThinking():
			continue
		}
		if !b.Text.IsString() || len(bytes.TrimSpace(b.Text.Text())) > 0 {
			k.hasText = true
		}
	}
	return k
}

// messageOf returns the id of the message that n is an entry of, "" if none: only
// assistant entries have one.
func (t *Tree) messageOf(n Node) string {
	if t.at(n).kind != assistant || t.at(n).message == 0 {
		return ""
	}
	return t.message(n).id
}

// resultsOf returns the calls that n answers: only user entries do.
func (t *Tree) resultsOf(n Node) []string {
	if t.at(n).kind != user {
		return nil
	}
	return t.message(n).results
}

// callsOf returns the calls that n makes: only assistant entries do.
func (t *Tree) callsOf(n Node) []string {
	if t.at(n).kind != assistant {
		return nil
	}
	return t.message(n).calls
}
