package session

import (
	"bytes"
	"cmp"
	"io"
	"iter"
	"strings"

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

// titles returns the titles of an end, and, if it is the tail, the other strings too. Like the Agent
// SDK's, it reads top-level members, but only those whose names are found in the text too. Of a
// damaged line it reads an entry at the end, if that begins with its type.
func (r *endReader) titles(end []byte, tail bool) titles {
	var t titles
	if !tail && !bytes.Contains(end, []byte(`Title":`)) {
		return t // as most heads
	}
	last := end[len(end)-min(surveyed, len(end)):]
	hasPrompts := tail && hasMember(end, "lastPrompt", "")
	for line := range linesIn(end) {
		if !r.e.Scan(line) {
			r.seen.damaged = r.seen.damaged || len(line) > 0
			r.endMarks(&t, line)
			continue
		}
		if tail && cap(line) <= cap(last) { // it is one of the last lines
			r.seen.entry(&r.e)
		}
		t.mark(&r.e)
		if tail && r.e.Get(entry.Summary) != nil && hasMember(line, "summary", "") && !r.e.Get(entry.Type).Is("tool_use_summary") {
			if setString(&t.summary, &r.e, r.e.Get(entry.Summary)) {
				t.summaries = append(t.summaries, [2]string{t.summary, string(r.e.Get(entry.LeafUUID).NonEmpty())})
			}
		}
		if hasPrompts && hasMember(line, "lastPrompt", "") {
			setString(&t.lastPrompt, &r.e, entry.Value(line).Member("lastPrompt"))
		}
	}
	return t
}

// surveyed is how many bytes at the end of a log tell what its last entries tell, for nearly all logs.
const surveyed = 16 << 10

// mark sets what e gives to its session, if that is a title or a tag.
func (t *titles) mark(e *entry.Entry) {
	is := func(typ, name string) bool {
		return e.Get(entry.Type).Is(typ) && hasMember(e.Bytes, "type", `"`+typ+`"`) && hasMember(e.Bytes, name, "")
	}
	switch {
	case is("custom-title", "customTitle"):
		t.retitled = setString(&t.custom, e, e.Member("customTitle")) || t.retitled
	case is("ai-title", "aiTitle"):
		setString(&t.ai, e, e.Member("aiTitle"))
	case is("tag", "tag"):
		setString(&t.tag, e, entry.Value(e.Bytes).Member("tag"))
	case e.Get(entry.Type).Is("relocated"):
		t.relocated = cmp.Or(string(e.Member("relocatedCwd").Text()), t.relocated)
	}
}

// endMarks sets in t what a mark at the end of a damaged line gives, for each type of marks from
// where one begins last. A mark is not a value inside another entry.
func (r *endReader) endMarks(t *titles, line []byte) {
	for _, typ := range []string{"custom-title", "ai-title", "tag"} {
		start := []byte(`{"type":"` + typ + `"`)
		if !bytes.Contains(line, start) { // faster than to search from the end
			continue
		}
		i := bytes.LastIndex(line, start)
		if i > 0 && strings.IndexByte(":,[", line[i-1]) < 0 && r.e.Scan(line[i:]) {
			t.mark(&r.e)
		}
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
			whole := r.e.Scan(line)
			if whole && !r.e.Get(entry.Type).Is("user") || !hasMember(line, "type", `"user"`) ||
				bytes.Contains(line, []byte(`"tool_result"`)) || hasMember(line, "isMeta", "true") {
				continue
			}
			if t.attached == "" {
				t.attached = attachment(line)
			}
			if whole && t.entrypoint == "" {
				t.entrypoint = string(r.e.Member("entrypoint").Text())
			}
			if whole && !hasMember(line, "isCompactSummary", "true") && entry.Valid(line) && !yield(&r.e) {
				return
			}
		}
	}
}

// attachment returns the name of what is attached to a prompt, or "".
func attachment(line []byte) (name string) {
	for at := range valuesOf(line, "type", `"`) {
		switch {
		case bytes.HasPrefix(line[at:], []byte(`"image"`)):
			return "Image"
		case bytes.HasPrefix(line[at:], []byte(`"document"`)):
			name = "Document"
		}
	}
	return name
}

// sentAfter reports whether an end of a log has a prompt that the user sent after an instant, in
// microseconds since 1970.
func (r *endReader) sentAfter(end []byte, instant int64) bool {
	for line := range linesIn(end) {
		if r.e.Scan(line) && shape.IsSent(&r.e) {
			if at, ok := r.e.Get(entry.Timestamp).Instant(); ok && at > instant {
				return true
			}
		}
	}
	return false
}
