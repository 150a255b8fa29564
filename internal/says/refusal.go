package says

import (
	"bytes"

	"jl/internal/entry"
)

// A refusal is how a client begins the result of a call that the user refused, words that come after that, and those
// before what the user said, "" if it has none.
type refusal struct{ begins, has, before string }

// in reports whether a text is the refusal, and returns what the user said, nil if nothing.
func (r refusal) in(text []byte) (said []byte, refused bool) {
	if !bytes.HasPrefix(text, []byte(r.begins)) || !bytes.Contains(text, []byte(r.has)) {
		return nil, false
	}
	if _, after, ok := bytes.Cut(text, []byte(r.before)); ok && r.before != "" {
		said = after
	}
	return said, true
}

// Refused reports whether the text of a failed result says that the user refused the call, and returns what the user
// said, nil if nothing. That is a part of text.
func Refused(text []byte) (said []byte, refused bool) {
	for i := range agents {
		for _, r := range agents[i].refuses {
			if said, refused = r.in(text); refused {
				return said, true
			}
		}
	}
	return nil, false
}

// Asks reports whether a call of the tool with a name is a question to the user, so that its result is what the user
// answered.
func Asks(name entry.Value) bool {
	return isAny(name, "AskUserQuestion", "ask_user", "ask_user_question", "request_user_input")
}

// StartsAgent reports whether a call of the tool with a name starts a sub-agent, whose type its input tells.
func StartsAgent(name entry.Value) bool { return isAny(name, "Agent", "Task") }
