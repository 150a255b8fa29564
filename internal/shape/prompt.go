package shape

import (
	"bytes"
	"regexp"
	"slices"
	"sync"

	"jl/internal/dialect"
	"jl/internal/entry"
)

// Prompt returns the text that the user typed in e, an entry of a log in the dialect d,
// without white space around it; nil if e is not a prompt. If e is a command without
// arguments, Prompt returns its name instead. The result of a tool, a meta
// entry, the summary of a compaction and what a client, an editor or a hook put in are not.
// The prompt of a command is its name and its arguments; a command without arguments is not
// a prompt. A queued prompt is one, too.
func Prompt(e *entry.Entry, d dialect.Dialect) (prompt, command []byte) {
	if text := d.Prompt(e); text != nil {
		return typed(text.Text())
	}
	content, _ := QueuedPrompt(e)
	if content == nil {
		role := e.Get(entry.Message).Member("role")
		if !role.Is("user") && !e.Get(entry.Type).Is("user") || e.Get(entry.IsMeta).Truthy() || e.Get(entry.IsCompactSummary).Truthy() {
			return nil, nil
		}
		content = Content(e)
	}
	for text := range Texts(content) {
		typed, name := typed(text.Text())
		if len(typed) > 0 {
			return typed, nil
		}
		if command == nil {
			command = name
		}
	}
	return nil, command
}

// inserted matches the beginning of a text that a program put in for the user. The name of
// its tag has several words; a tag of HTML that a user typed has one.
var inserted = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(<([a-z]+[-_][a-z_-]*|tick|goal)[\s>]|\[Request interrupted by user)`)
})

// typed returns what a user typed of a text, or the name of the command without arguments
// that the text is.
func typed(text []byte) (prompt, command []byte) {
	text = bytes.TrimSpace(text)
	if name := inside(text, "command-name"); name != nil {
		if args := inside(text, "command-args"); len(args) > 0 {
			return slices.Concat(name, []byte{' '}, args), nil
		}
		return nil, name
	}
	if input := inside(text, "bash-input"); len(input) > 0 {
		return slices.Concat([]byte("! "), input), nil
	}
	if inserted().Match(text) {
		return nil, nil
	}
	return text, nil
}

// inside returns what is in the first element of that name, without white space around it,
// nil if there is none.
func inside(text []byte, name string) []byte {
	_, rest, _ := bytes.Cut(text, []byte("<"+name+">"))
	inner, _, ok := bytes.Cut(rest, []byte("</"+name+">"))
	if !ok {
		return nil
	}
	return bytes.TrimSpace(inner)
}

// QueuedPrompt returns the content of a prompt that was queued while the model was busy, as Claude
// Code writes it since 2.1.329, and the uuid of the message that it was queued as, nil if it names
// none. The prompt is nil if e is something else.
func QueuedPrompt(e *entry.Entry) (prompt, source entry.Value) {
	if !e.Get(entry.Type).Is("attachment") {
		return nil, nil
	}
	a := entry.Value(e.Bytes).Member("attachment")
	prompt = a.Member("prompt")
	if !a.Member("type").Is("queued_command") || a.Member("isMeta").Truthy() || !prompt.IsString() && !prompt.IsArray() {
		return nil, nil
	}
	return prompt, str(a, "source_uuid")
}
