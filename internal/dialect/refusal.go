package dialect

import (
	"bytes"

	"jl/internal/entry"
)

// refusals are what clients put into the result of a call that the user refused: how it begins, words that come after
// that, and those before what the user said, "" if it has none.
var refusals = [...]struct{ begins, has, before string }{
	{"The user doesn't want to ", "", "the user said:\n"}, // Claude Code
	{"exec_command failed", "rejected by user", ""},       // Codex
	{"exec command rejected by user", "", ""},
	{"patch rejected by user", "", ""},
	{"The user rejected this tool call.", "", "User feedback: "},                      // Copilot CLI
	{"[Operation Cancelled] Reason: User denied", "", ""},                             // Gemini CLI
	{"[Operation Cancelled] Reason: User did not allow", "", ""},                      // Qwen Code
	{"The user rejected permission to use this", "", "with the following feedback: "}, // OpenCode
}

// Refused reports whether the text of a failed result says that the user refused the call, and returns what the user
// said, nil if nothing. That is a part of text.
func Refused(text []byte) (said []byte, refused bool) {
	for _, r := range refusals {
		if !bytes.HasPrefix(text, []byte(r.begins)) || !bytes.Contains(text, []byte(r.has)) {
			continue
		}
		if _, after, ok := bytes.Cut(text, []byte(r.before)); ok && r.before != "" {
			said = after
		}
		return said, true
	}
	return nil, false
}

// Asks reports whether a call of the tool with a name is a question to the user, so that its result is what the user answered.
func Asks(name entry.Value) bool {
	return isAny(name, "AskUserQuestion", "ask_user", "ask_user_question", "request_user_input")
}

// StartsAgent reports whether a call of the tool with a name starts a sub-agent, whose type its input tells.
func StartsAgent(name entry.Value) bool { return isAny(name, "Agent", "Task") }
