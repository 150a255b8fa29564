package says

import (
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/shape"
)

// PromptOf returns the text that the user typed in e, an entry of a log in the dialect d, without white space around
// it, that of each block on lines of its own; nil if e is not a prompt. A queued prompt is a prompt. The result of a
// tool, a meta entry, the summary of a compaction, and text that a client, an editor or a hook put in are not. The
// prompt of a command is its name and its arguments, and that of a command for a shell begins with "! ". A command for
// the client is not a prompt; PromptOf returns it as command.
func PromptOf(d dialect.Dialect, e *entry.Entry) (prompt, command []byte) {
	var t Telling
	Tell(d, e, &t)
	return PromptIn(&t)
}

// PromptIn is [PromptOf] of an entry that says the things of t.
func PromptIn(t *Telling) (prompt, command []byte) {
	for i := range t.Things {
		x := &t.Things[i]
		if x.Is != Prompt || x.Unsure {
			continue
		}
		for text := range Words(x.Text) {
			decoded := text.Text()
			typed, name := shape.Typed(decoded)
			if input := shape.Inside(decoded, "bash-input"); len(input) > 0 {
				return slices.Concat([]byte("! "), input), nil
			}
			switch {
			case len(typed) == 0:
			case prompt == nil:
				prompt = slices.Clip(typed)
			default:
				prompt = append(append(prompt, '\n'), typed...)
			}
			if command == nil {
				command = name
			}
		}
		if prompt != nil {
			return prompt, nil
		}
	}
	return nil, command
}
