package shape

import (
	"bytes"
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"jl/internal/entry"
)

// QueuedPrompt returns the content of a prompt that was queued while the model was busy, as Claude
// Code writes it since 2.1.329, and the uuid of the message that it was queued as, nil if it names
// none. The prompt is nil if e is something else.
func QueuedPrompt(e *entry.Entry) (prompt, source entry.Value) {
	if !e.Get(entry.Type).Is("attachment") {
		return nil, nil
	}
	a := e.Member("attachment")
	prompt = a.Member("prompt")
	if !a.Member("type").Is("queued_command") || a.Member("isMeta").Truthy() || !prompt.IsString() && !prompt.IsArray() {
		return nil, nil
	}
	return prompt, a.Member("source_uuid").NonEmpty()
}

// What Codex's extensions put above a prompt, and what they write between that and the prompt.
var (
	aboveRequest = [][]byte{[]byte("# Context from my IDE setup"), []byte("# Files mentioned by the user")}
	request      = []byte("## My request for Codex:")
)

// Beginnings of what a client says in the name of the user: where the user stopped the model, and where the model said
// nothing. Newer releases mark the entry of the latter.
var (
	Interrupted = []byte("[Request interrupted by user")
	AskedAgain  = []byte("[Your previous response had no visible output")
)

// IsPlain reports whether text, a string of JSON, is all that a person typed: nothing in it can be of a client.
func IsPlain(text entry.Value) bool {
	return !bytes.ContainsRune(text, '<') && !bytes.Contains(text, Interrupted) && !bytes.Contains(text, AskedAgain) && !bytes.Contains(text, request)
}

// Typed returns the part of a text that a user typed, without white space around it. If the text is no more than a
// command for the client, it returns that instead, with its arguments. Claude Code writes the message of a command for
// the model before its name, and that of one for the client after it.
func Typed(text []byte) (prompt, command []byte) {
	rest := bytes.TrimSpace(withoutTags(text))
	if name := Inside(text, "command-name"); name != nil {
		before, _, _ := bytes.Cut(text, []byte("<command-name>"))
		if args := Inside(text, "command-args"); len(args) > 0 {
			name = slices.Concat(name, []byte{' '}, args)
		}
		switch forModel := bytes.Contains(before, []byte("<command-message>")); {
		case forModel:
			prompt = name
		case len(rest) == 0:
			return nil, name
		case bytes.ContainsRune(name, ' '):
			prompt = name
		}
	}
	for _, above := range aboveRequest {
		if bytes.HasPrefix(rest, above) {
			if _, asked, ok := bytes.Cut(rest, request); ok {
				rest = bytes.TrimSpace(asked)
			}
		}
	}
	if len(prompt) > 0 {
		if len(rest) > 0 {
			prompt = slices.Concat(prompt, []byte{'\n'}, rest)
		}
		return prompt, nil
	}
	if bytes.HasPrefix(rest, Interrupted) || bytes.HasPrefix(rest, AskedAgain) {
		return nil, nil
	}
	return rest, nil
}

// insertedSDK matches the texts that the Agent SDK takes as not typed: those that begin with a tag.
var insertedSDK = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(<[a-z][A-Za-z0-9_-]*[\s>]|\[Request interrupted by user[^\]]*\])`)
})

// FirstPrompt returns the first text in entries that the Agent SDK takes as a prompt, as its list shows it: on one line
// and cut at 200 characters. If there are only commands, it returns the name of the first. The SDK also takes what the
// entry says nobody typed. Title is the [Title] of the prompt, as a list shows it.
func FirstPrompt(entries iter.Seq[*entry.Entry]) (prompt, title string) {
	command := ""
	for e := range entries {
		if !e.Get(entry.Type).Is("user") || string(e.Get(entry.IsCompactSummary)) == "true" || bytes.Contains(e.Bytes, []byte(`"tool_result"`)) ||
			IsClients(e) || !e.Member("parent_tool_use_id").IsEmpty() { // the task of a sub-agent, in a captured stream
			continue
		}
		for text := range Texts(Content(e)) {
			words := text.Text()
			if bytes.HasPrefix(words, fromChannel) {
				words = withoutTags(words)
			}
			prompt, name := typedSDK(words)
			if prompt != "" {
				title := prompt
				if words = bytes.Trim(words, entry.SpaceJS); IsPlanText(words) {
					title = Line(Title(words))
				}
				return prompt, title
			}
			command = cmp.Or(command, name)
		}
	}
	return command, command
}

// IsSent reports whether e is a prompt that a person sent, by the rules by which the Agent SDK
// takes a session out of the archive: words, an attachment, or a command for the model, typed at
// once or queued.
func IsSent(e *entry.Entry) bool {
	content, _ := QueuedPrompt(e)
	from := e.Member("attachment")
	if content == nil {
		if !e.Get(entry.Type).Is("user") || e.Get(entry.IsMeta).Truthy() || e.Get(entry.IsCompactSummary).Truthy() {
			return false
		}
		content, from = Content(e), entry.Value(e.Bytes)
	}
	origin := from.Member("origin").Member("kind")
	if e.Get(entry.IsSidechain).Truthy() || from.Member("isVisibleInTranscriptOnly").Truthy() || !origin.IsEmpty() && !origin.Is("human") {
		return false
	}
	sent := false
	for b := range Blocks(content) {
		if b.IsResult() {
			return false
		}
		sent = sent || b.Type.Is("image") || b.Type.Is("document")
	}
	for text := range Texts(content) {
		text := text.Text()
		prompt, _ := typedSDK(text)
		sent = sent || prompt != "" || bytes.HasPrefix(bytes.Trim(text, entry.SpaceJS), []byte("<command-message>"))
	}
	return sent
}

// typedSDK is typed by the rules of the Agent SDK, which leaves the arguments of a command out.
func typedSDK(text []byte) (prompt, command string) {
	text = bytes.Trim(text, entry.SpaceJS)
	if name, _ := element(text, "command-name"); len(name) > 0 {
		return "", onOneLine(name)
	}
	if input, ok := element(text, "bash-input"); ok {
		return "! " + strings.Trim(onOneLine(input), entry.SpaceJS), ""
	}
	if insertedSDK().Match(text) {
		return "", ""
	}
	return Line(text), ""
}

// FirstWords returns the beginning of a text with one space for all white space between two words: at least n bytes of
// it, if it has so many, and at most twice as many and one.
func FirstWords(text []byte, n int) (line []byte) {
	for word := range bytes.FieldsSeq(text) {
		if len(line) > 0 {
			line = append(line, ' ')
		}
		if line = append(line, word[:min(len(word), n)]...); len(line) >= n {
			break
		}
	}
	return line
}

// onOneLine returns a text as a list shows it.
func onOneLine(text []byte) string { return strings.ReplaceAll(string(text), "\n", " ") }

// Line returns a prompt as a list shows it: on one line, and cut at 200 UTF-16 units, but not within
// a character.
func Line(text []byte) string {
	const most = 200
	line := onOneLine(text[:min(len(text), most*utf8.UTFMax)])
	units := 0
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		if entry.IsSurrogate(line[i:]) {
			size = 3
		}
		if units += utf16.RuneLen(r); units > most {
			return strings.TrimRight(line[:i], entry.SpaceJS) + "…"
		}
		i += size
	}
	return line
}
