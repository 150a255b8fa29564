package session

import (
	"bytes"
	"cmp"
	"io"
	"iter"
	"regexp"
	"strings"
	"sync"
	"unicode/utf16"

	"jl/internal/entry"
	"jl/internal/shape"
)

// titles are the last of the strings that name a session in one end of its log.
type titles struct {
	custom, ai, lastPrompt, summary, tag string

	retitled bool // there is a custom title, even if it is empty
}

// These are the members that an end is searched for.
var (
	titleMembers = []string{"customTitle", "aiTitle"}
	tailMembers  = []string{"customTitle", "aiTitle", "tag", "lastPrompt", "summary"}
)

// titles returns the titles of an end, and, if it is the tail, the other strings too.
func (r *endReader) titles(end []byte, tail bool) titles {
	var t titles
	names := tailMembers
	if !tail {
		if !bytes.Contains(end, []byte(`Title":`)) {
			return t // as most heads
		}
		names = titleMembers
	}
	for line, has := range linesNaming(end, names) {
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
		case has["customTitle"] && typ.Is("custom-title"):
			setString(&t.custom, e.Get(entry.CustomTitle))
			t.retitled = t.retitled || e.Get(entry.CustomTitle).IsString()
		case has["aiTitle"] && typ.Is("ai-title"):
			setString(&t.ai, e.Get(entry.AITitle))
		case has["tag"] && typ.Is("tag"):
			setString(&t.tag, entry.Value(e.Bytes).Member("tag"))
		}
		if (has["lastPrompt"] || has["summary"]) && damage == nil {
			setString(&t.lastPrompt, entry.Value(e.Bytes).Member("lastPrompt"))
			setString(&t.summary, e.Get(entry.Summary))
		}
	}
	return t
}

// name fills in b what names its session, and its tag. It reports whether the tail has a
// custom title, even an empty one.
func (r *endReader) name(b *Brief, e ends) (retitled bool) {
	inTail := r.titles(e.tail, true)
	inHead := inTail
	if !e.small {
		inHead = r.titles(e.head, false)
	}
	b.CustomTitle = cmp.Or(inTail.custom, inHead.custom, inTail.ai, inHead.ai)
	b.LastPrompt, b.Summary, b.Tag = inTail.lastPrompt, inTail.summary, inTail.tag
	b.FirstPrompt = FirstPrompt(r.prompts(e.head))
	return inTail.retitled
}

// NameOf returns what names the session of a log that has size bytes, decompressed: the
// [Brief.Title] that [Home.List] gives it, but for a title in a file of its own. It reads
// 64 KiB at each end. With an error it returns the name that it found until then.
func NameOf(log io.ReaderAt, size int64) (string, error) {
	var e ends
	var err error
	r := newEndReader()
	e.head, e.tail, err = r.inPlace(log, size)
	e.small = err == nil && size <= endSize
	var b Brief
	r.name(&b, e)
	return b.Title(), err
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
	inserted = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(<[a-z][A-Za-z0-9_-]*[\s>]|\[Request interrupted by user[^\]]*\])`)
	})
	commandName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<command-name>(.*?)</command-name>`) })
	bashInput   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<bash-input>(.*?)</bash-input>`) })
)

// prompts yields the entries in the head of a log that may be prompts.
func (r *endReader) prompts(head []byte) iter.Seq[*entry.Entry] {
	return func(yield func(*entry.Entry) bool) {
		for line := range bytes.Lines(head) {
			if !hasMember(line, "type", `"user"`) || bytes.Contains(line, []byte(resultType)) ||
				hasMember(line, "isMeta", "true") || hasMember(line, "isCompactSummary", "true") {
				continue
			}
			if count, damage := r.dec.Decode(line, 2, 1); damage == nil && count == 1 && !yield(r.dec.Entry(0)) {
				return
			}
		}
	}
}

// FirstPrompt returns the first text that the user typed in entries, on one line and cut
// at 200 characters; if there are only commands, the name of the first.
func FirstPrompt(entries iter.Seq[*entry.Entry]) string {
	command := ""
	for e := range entries {
		if !e.Get(entry.Type).Is("user") || string(e.Get(entry.IsMeta)) == "true" ||
			string(e.Get(entry.IsCompactSummary)) == "true" || bytes.Contains(e.Bytes, []byte(resultType)) {
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

// resultType is in the entries that hold the result of a call, which is not a prompt.
const resultType = `"tool_result"`

// promptOf returns the prompt that a text holds, or the name of the command that it is.
func promptOf(text string) (prompt, command string) {
	text = trimJS(strings.ReplaceAll(text, "\n", " "))
	if m := commandName().FindStringSubmatch(text); m != nil && m[1] != "" {
		return "", m[1]
	}
	if m := bashInput().FindStringSubmatch(text); m != nil {
		return "! " + trimJS(m[1]), ""
	}
	if inserted().MatchString(text) {
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
