package session

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
	"unicode/utf16"

	"jl/internal/entry"
	"jl/internal/shape"
)

// titles are the last of the strings that name a session in one end of its log.
type titles struct {
	custom, ai, lastPrompt, summary, tag string

	retitled bool // there is a custom title, even if it is empty
}

func (r *endReader) titles(end []byte) titles {
	var t titles
	// Most ends have few of these words, if any: that saves looking into each line.
	has := func(name string) func([]byte) bool {
		if !bytes.Contains(end, []byte(name)) {
			return func([]byte) bool { return false }
		}
		return func(line []byte) bool { return hasString(line, name) }
	}
	hasCustom, hasAI, hasTag := has("customTitle"), has("aiTitle"), has("tag")
	hasPrompt, hasSummary := has("lastPrompt"), has("summary")
	for line := range bytes.Lines(end) {
		custom, ai, tag := hasCustom(line), hasAI(line), hasTag(line)
		other := hasPrompt(line) || hasSummary(line)
		if !custom && !ai && !tag && !other {
			continue
		}
		count, damage := r.dec.Decode(line, 2, 1)
		if count == 0 {
			continue
		}
		// In a damaged line only an entry at its end counts, and only for the titles.
		e := r.dec.Entry(count - 1)
		if damage != nil && !bytes.HasSuffix(bytes.TrimRight(line, " \t\r\n"), e.Bytes) {
			continue
		}
		switch typ := e.Get(entry.Type); {
		case custom && typ.Is("custom-title"):
			setString(&t.custom, e.Get(entry.CustomTitle))
			t.retitled = t.retitled || e.Get(entry.CustomTitle).IsString()
		case ai && typ.Is("ai-title"):
			setString(&t.ai, e.Get(entry.AITitle))
		case tag && typ.Is("tag"):
			setString(&t.tag, entry.Value(e.Bytes).Member("tag"))
		}
		if other && damage == nil {
			setString(&t.lastPrompt, entry.Value(e.Bytes).Member("lastPrompt"))
			setString(&t.summary, e.Get(entry.Summary))
		}
	}
	return t
}

// setString sets text to v if v is a string.
func setString(text *string, v entry.Value) {
	if v.IsString() {
		*text = string(v.Text())
	}
}

// Texts that are not prompts: the output of a command, or what a hook or the editor
// put in.
var (
	inserted    = regexp.MustCompile(`^(<[a-z][A-Za-z0-9_-]*[\s>]|\[Request interrupted by user[^\]]*\])`)
	commandName = regexp.MustCompile(`<command-name>(.*?)</command-name>`)
	bashInput   = regexp.MustCompile(`<bash-input>(.*?)</bash-input>`)
)

// firstPrompt returns the first text that the user typed; if there are only commands,
// the name of the first.
func (r *endReader) firstPrompt(head []byte) string {
	command := ""
	for line := range bytes.Lines(head) {
		if !hasMember(line, "type", `"user"`) || bytes.Contains(line, []byte(`"tool_result"`)) ||
			hasMember(line, "isMeta", "true") || hasMember(line, "isCompactSummary", "true") {
			continue
		}
		count, damage := r.dec.Decode(line, 2, 1)
		if damage != nil || count != 1 {
			continue
		}
		e := r.dec.Entry(0)
		if !e.Get(entry.Type).Is("user") || string(e.Get(entry.IsMeta)) == "true" || string(e.Get(entry.IsCompactSummary)) == "true" {
			continue
		}
		for text := range shape.Texts(shape.Content(e)) {
			prompt, name := promptOf(string(text.Text()))
			if prompt != "" {
				return prompt
			}
			command = cmp.Or(command, name)
		}
	}
	return command
}

// promptOf returns the prompt that a text holds, or the name of the command that it is.
func promptOf(text string) (prompt, command string) {
	text = trimJS(strings.ReplaceAll(text, "\n", " "))
	if m := commandName.FindStringSubmatch(text); m != nil && m[1] != "" {
		return "", m[1]
	}
	if m := bashInput.FindStringSubmatch(text); m != nil {
		return "! " + trimJS(m[1]), ""
	}
	if inserted.MatchString(text) {
		return "", ""
	}
	return cut(text), ""
}

// cut cuts a prompt at 200 UTF-16 units, but not within a character.
func cut(text string) string {
	const most = 200
	units := 0
	for i, r := range text {
		if units += utf16.RuneLen(r); units > most {
			return strings.TrimRight(text[:i], spaceJS) + "…"
		}
	}
	return text
}

// spaceJS are the characters that trim() takes for white space in JavaScript.
const spaceJS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

func trimJS(s string) string { return strings.Trim(s, spaceJS) }
