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
	"unicode/utf8"

	"jl/internal/entry"
	"jl/internal/shape"
)

// titles are the last of the strings that name a session in one end of its log.
type titles struct {
	custom, ai, lastPrompt, summary, tag string

	retitled bool // there is a custom title, even if it is empty
}

// titles returns the titles of an end, and, if it is the tail, the other strings too. Like the Agent
// SDK's, it reads top-level members, but only those whose names are found in the text too. Of a
// damaged line it reads an entry at the end, if that begins with its type.
func (r *endReader) titles(end []byte, tail bool) titles {
	var t titles
	if !tail && !bytes.Contains(end, []byte(`Title":`)) {
		return t // as most heads
	}
	hasPrompts := tail && hasMember(end, "lastPrompt", "")
	for line := range bytes.Lines(end) {
		line = bytes.Trim(line, space)
		if !r.e.Scan(line) {
			r.endMarks(&t, line)
			continue
		}
		t.mark(&r.e)
		if tail && r.e.Get(entry.Summary) != nil && hasMember(line, "summary", "") {
			setString(&t.summary, &r.e, r.e.Get(entry.Summary))
		}
		if hasPrompts && hasMember(line, "lastPrompt", "") {
			setString(&t.lastPrompt, &r.e, entry.Value(line).Member("lastPrompt"))
		}
	}
	return t
}

// mark sets what e gives to its session, if that is a title or a tag.
func (t *titles) mark(e *entry.Entry) {
	is := func(typ, name string) bool {
		return e.Get(entry.Type).Is(typ) && hasMember(e.Bytes, "type", `"`+typ+`"`) && hasMember(e.Bytes, name, "")
	}
	switch {
	case is("custom-title", "customTitle"):
		t.retitled = setString(&t.custom, e, e.Get(entry.CustomTitle)) || t.retitled
	case is("ai-title", "aiTitle"):
		setString(&t.ai, e, e.Get(entry.AITitle))
	case is("tag", "tag"):
		setString(&t.tag, e, entry.Value(e.Bytes).Member("tag"))
	}
}

// space is what JSON allows around values.
const space = " \t\r\n"

// endMarks sets in t what a mark at the end of a damaged line gives, for each type of marks from
// where one begins last. A mark is not a value inside another entry.
func (r *endReader) endMarks(t *titles, line []byte) {
	starts := [...]string{`custom-title"`, `ai-title"`, `tag"`}
	var last [len(starts)]int // 0 if there is none: the whole line is not an entry
	const before = `{"type":"`
	for i := 0; ; {
		n := bytes.Index(line[i:], []byte(before))
		if n < 0 {
			break
		}
		i += n + len(before)
		for k, start := range starts {
			if bytes.HasPrefix(line[i:], []byte(start)) {
				last[k] = i - len(before)
			}
		}
	}
	for _, i := range last {
		if i > 0 && strings.IndexByte(":,[", line[i-1]) < 0 && r.e.Scan(line[i:]) {
			t.mark(&r.e)
		}
	}
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
	b.FirstPrompt = FirstPrompt(r.prompts(e.head, &b.Attached))
	return inTail.retitled
}

// InTail reports whether a list sees an entry at an offset in a log that has size bytes,
// decompressed, because it looks at the end of the log.
func InTail(offset, size int64) bool { return offset >= size-endSize }

// NameOf returns what names the session of a log that has size bytes, decompressed: the
// [Brief.Title] that [Home.List] gives it, but for a title in a file of its own, and for an
// attachment. It reads 64 KiB at each end. With an error it returns the name that it found until
// then.
func NameOf(log io.ReaderAt, size int64) (string, error) {
	r := newEndReader()
	e, err := r.inPlace(log, size)
	var b Brief
	r.name(&b, e)
	b.Attached = ""
	return b.Title(), err
}

// setString sets text to v, a member of e, and reports true, if v is a string and e is valid.
func setString(text *string, e *entry.Entry, v entry.Value) bool {
	if !v.IsString() || !entry.Valid(e.Bytes) {
		return false
	}
	*text = string(v.Text())
	return true
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

// prompts yields the entries in the head of a log that may be prompts. It sets attached to the name
// of the first attachment in their lines, even if the head ends within that line.
func (r *endReader) prompts(head []byte, attached *string) iter.Seq[*entry.Entry] {
	return func(yield func(*entry.Entry) bool) {
		for line := range bytes.Lines(head) {
			line = bytes.Trim(line, space)
			whole := r.e.Scan(line)
			if whole && !r.e.Get(entry.Type).Is("user") || !hasMember(line, "type", `"user"`) ||
				bytes.Contains(line, resultType) || hasMember(line, "isMeta", "true") {
				continue
			}
			if *attached == "" {
				*attached = attachment(line)
			}
			if whole && !hasMember(line, "isCompactSummary", "true") && entry.Valid(line) && !yield(&r.e) {
				return
			}
		}
	}
}

// attachment returns the name of what is attached to a prompt, "" for nothing.
func attachment(line []byte) string {
	switch {
	case hasMember(line, "type", `"image"`):
		return "Image"
	case hasMember(line, "type", `"document"`):
		return "Document"
	}
	return ""
}

// FirstPrompt returns the first text that the user typed in entries, on one line and cut
// at 200 characters; if there are only commands, the name of the first.
func FirstPrompt(entries iter.Seq[*entry.Entry]) string {
	command := ""
	for e := range entries {
		if !e.Get(entry.Type).Is("user") || string(e.Get(entry.IsMeta)) == "true" ||
			string(e.Get(entry.IsCompactSummary)) == "true" || bytes.Contains(e.Bytes, resultType) {
			continue
		}
		for text := range shape.Texts(shape.Content(e)) {
			prompt, name := promptOf(text.Text())
			if prompt != "" {
				return prompt
			}
			command = cmp.Or(command, name)
		}
	}
	return command
}

// sentAfter reports whether an end of a log has a prompt that the user sent after an instant, in
// microseconds since 1970.
func (r *endReader) sentAfter(end []byte, instant int64) bool {
	for line := range bytes.Lines(end) {
		if r.e.Scan(bytes.Trim(line, space)) && isSent(&r.e) {
			if at, ok := r.e.Get(entry.Timestamp).Instant(); ok && at > instant {
				return true
			}
		}
	}
	return false
}

// isSent reports whether e is a prompt that a person sent, by the rules by which the Agent SDK
// takes a session out of the archive: words, an attachment, or a command for the model, typed at
// once or queued.
func isSent(e *entry.Entry) bool {
	content, _ := shape.QueuedPrompt(e)
	from := entry.Value(e.Bytes).Member("attachment")
	if content == nil {
		if !e.Get(entry.Type).Is("user") || e.Get(entry.IsMeta).Truthy() || e.Get(entry.IsCompactSummary).Truthy() || shape.HasResult(e) {
			return false
		}
		content, from = shape.Content(e), entry.Value(e.Bytes)
	}
	origin := from.Member("origin").Member("kind")
	if e.Get(entry.IsSidechain).Truthy() || from.Member("isVisibleInTranscriptOnly").Truthy() || !origin.IsEmpty() && !origin.Is("human") {
		return false
	}
	for b := range shape.Blocks(content) {
		if b.Type.Is("image") || b.Type.Is("document") {
			return true
		}
	}
	for text := range shape.Texts(content) {
		text := text.Text()
		if prompt, _ := promptOf(text); prompt != "" || bytes.HasPrefix(bytes.Trim(text, entry.SpaceJS), []byte("<command-message>")) {
			return true
		}
	}
	return false
}

// resultType is in the text of an entry that holds the result of a call, which is not a prompt.
var resultType = []byte(`"tool_result"`)

// promptOf returns the prompt that a text holds, or the name of the command that it is.
func promptOf(text []byte) (prompt, command string) {
	text = bytes.Trim(text, entry.SpaceJS)
	if bytes.Contains(text, []byte("<command-name>")) || bytes.Contains(text, []byte("<bash-input>")) {
		line := onOneLine(text)
		if m := commandName().FindStringSubmatch(line); m != nil && m[1] != "" {
			return "", m[1]
		}
		if m := bashInput().FindStringSubmatch(line); m != nil {
			return "! " + trimJS(m[1]), ""
		}
	}
	if inserted().Match(text) {
		return "", ""
	}
	return cut(text), ""
}

// onOneLine returns a text as a list shows it.
func onOneLine(text []byte) string { return strings.ReplaceAll(string(text), "\n", " ") }

// cut returns a prompt on one line, and cuts it at 200 UTF-16 units, but not within a character.
func cut(text []byte) string {
	const most = 200
	line := onOneLine(text[:min(len(text), (most+1)*utf8.UTFMax)])
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

func trimJS(s string) string { return strings.Trim(s, entry.SpaceJS) }
