package session

import (
	"bytes"
	"cmp"
	"io"
	"iter"

	"jl/internal/entry"
	"jl/internal/shape"
)

// titles are the strings that name a session, of each kind the last in one end of its log.
type titles struct {
	custom, ai, lastPrompt, summary, tag string
	relocated                            string // the working directory that the session moved to

	summaries   [][2]string // all, each with the uuid of the entry that it is about, as JSON
	retitled    bool        // there is a custom title, even if it is empty
	firstPrompt string      // in the head
	entrypoint  string      // of the first entry of a user there: how the session was begun
	attached    string      // to the first prompt with an attachment: "Image" or "Document"
}

// summaryOf returns what names the session in a list.
func (t *titles) summaryOf() string {
	return cmp.Or(t.custom, t.lastPrompt, t.summary, t.firstPrompt, t.attached)
}

// titles returns the titles of an end, and, if it is the tail, the other strings too.
func (r *endReader) titles(end []byte, tail bool) titles {
	var t titles
	if !tail && !bytes.Contains(end, []byte(`Title"`)) {
		return t // as most heads
	}
	for e := range r.entriesIn(end) {
		if t.mark(e); !tail {
			continue
		}
		r.seen.entry(e)
		if !e.Get(entry.Type).Is("tool_use_summary") && setString(&t.summary, e, e.Get(entry.Summary)) {
			t.summaries = append(t.summaries, [2]string{t.summary, string(e.Get(entry.LeafUUID).NonEmpty())})
		}
	}
	return t
}

// mark sets what e gives to its session, if that is a title, a tag or its last prompt.
func (t *titles) mark(e *entry.Entry) {
	switch typ := e.Get(entry.Type); {
	case typ.Is("custom-title"):
		t.retitled = setString(&t.custom, e, e.Member("customTitle")) || t.retitled
	case typ.Is("ai-title"):
		setString(&t.ai, e, e.Member("aiTitle"))
	case typ.Is("tag"):
		setString(&t.tag, e, e.Member("tag"))
	case typ.Is("last-prompt"):
		setString(&t.lastPrompt, e, e.Member("lastPrompt"))
	case typ.Is("relocated"):
		t.relocated = cmp.Or(string(e.Member("relocatedCwd").Text()), t.relocated)
	}
}

// names returns the strings that name the session of a log, and its tag. If the log has no custom
// title, another title takes its place.
func (r *endReader) names(e ends) titles {
	t := r.titles(e.tail, true)
	head := t
	if !e.small {
		head = r.titles(e.head, false)
	}
	t.custom = cmp.Or(t.custom, head.custom, t.ai, head.ai)
	t.firstPrompt = shape.FirstPrompt(r.prompts(e.head, &t))
	return t
}

// InTail reports whether a list sees an entry at an offset in a log that has size bytes,
// decompressed, because it looks at the end of the log.
func InTail(offset, size int64) bool { return offset >= size-endSize }

// NameOf returns what names the session of a log that has size bytes, decompressed: the summary
// that [Home.List] gives it, but for a title in a file of its own, and for an attachment. It reads
// 64 KiB at each end. With an error it returns the name that it found until then.
func NameOf(log io.ReaderAt, size int64) (string, error) {
	r := newEndReader()
	e, err := r.inPlace(log, size)
	t := r.names(e)
	t.attached = ""
	return t.summaryOf(), err
}

// setString sets text to v, a member of e, and reports true, if v is a string and e is valid.
func setString(text *string, e *entry.Entry, v entry.Value) bool {
	if !v.IsString() || !entry.Valid(e.Bytes) {
		return false
	}
	*text = string(v.Text())
	return true
}

// prompts yields the entries in the head of a log that may be prompts. It sets attached in t to the
// name of the first attachment in their lines, even if the head ends within that line, and entrypoint.
func (r *endReader) prompts(head []byte, t *titles) iter.Seq[*entry.Entry] {
	return func(yield func(*entry.Entry) bool) {
		for line := range linesIn(head) {
			v := entry.Value(line)
			if !v.Member("type").Is("user") || string(v.Member("isMeta")) == "true" || bytes.Contains(line, []byte(`"tool_result"`)) {
				continue
			}
			if t.attached == "" {
				t.attached = attachment(line)
			}
			if !r.e.Scan(line) {
				continue
			}
			t.entrypoint = cmp.Or(t.entrypoint, string(r.e.Member("entrypoint").Text()))
			if entry.Valid(line) && !yield(&r.e) {
				return
			}
		}
	}
}

// attachment returns the name of what is attached to a prompt, or "".
func attachment(line []byte) (name string) {
	for kind := range stringsOf(line, "type") {
		switch kind {
		case "image":
			return "Image"
		case "document":
			name = "Document"
		}
	}
	return name
}

// sentAfter reports whether an end of a log has a prompt that the user sent after an instant, in
// microseconds since 1970.
func (r *endReader) sentAfter(end []byte, instant int64) bool {
	for e := range r.entriesIn(end) {
		if at, ok := e.Get(entry.Timestamp).Instant(); ok && at > instant && shape.IsSent(e) {
			return true
		}
	}
	return false
}
