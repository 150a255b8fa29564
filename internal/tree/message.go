package tree

import (
	"bytes"

	"jl/internal/entry"
)

// A talk is what the rules about tool calls must know of a user or assistant
// entry's message. Calls and results are known by what the ids of
// tool_use blocks have in common.
type talk struct {
	message string   // the message's id: all entries of one answer have the same
	calls   []string // the tool_use blocks
	results []string // the tool_result blocks
	said    bool     // there is more than thinking and white space
}

// talk reads the message of n. It keeps what it has read, so it is for the nodes
// on and beside a path, not for all of a log.
func (t *Tree) talk(n Node) *talk {
	k, ok := t.talks[n]
	if !ok {
		k = t.readTalk(n)
		t.talks[n] = k
	}
	return k
}

func (t *Tree) readTalk(n Node) *talk {
	k := new(talk)
	var content entry.Value
	for name, v := range t.entry(n).Get(entry.Message).Members() {
		switch {
		case name.Is("id"):
			k.message = string(v.Text())
		case name.Is("content"):
			content = v
		}
	}
	k.said = content.IsString() && len(bytes.TrimSpace(content.Text())) > 0
	for b := range content.Elements() {
		if b.IsObject() {
			k.block(b)
		}
	}
	return k
}

// block takes in one block of the content.
func (k *talk) block(b entry.Value) {
	var typ, id, result, text entry.Value
	for name, v := range b.Members() {
		switch {
		case name.Is("type"):
			typ = v
		case name.Is("id"):
			id = v
		case name.Is("tool_use_id"):
			result = v
		case name.Is("text"):
			text = v
		}
	}
	switch {
	case typ.Is("tool_use"):
		k.calls = append(k.calls, id.Same())
	case typ.Is("tool_result"):
		k.results = append(k.results, result.Same())
	case typ.Is("thinking"), typ.Is("redacted_thinking"):
		return
	}
	if !text.IsString() || len(bytes.TrimSpace(text.Text())) > 0 {
		k.said = true
	}
}

// messageOf returns the id of the message that n is an entry of, "" if none: only
// assistant entries have one.
func (t *Tree) messageOf(n Node) string {
	if t.at(n).kind != assistant || t.at(n).message == 0 {
		return ""
	}
	return t.talk(n).message
}

// resultsOf returns the calls that n answers: only user entries do.
func (t *Tree) resultsOf(n Node) []string {
	if t.at(n).kind != user {
		return nil
	}
	return t.talk(n).results
}

// callsOf returns the calls that n makes: only assistant entries do.
func (t *Tree) callsOf(n Node) []string {
	if t.at(n).kind != assistant {
		return nil
	}
	return t.talk(n).calls
}
