package session

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/shape"
)

// asSDK describes the session of a log as the Agent SDK does: some fields come from entries, others
// from the text at any depth, so that the answers agree. The SDK does not list a log that begins on a
// sidechain: it may go on elsewhere.
func (d *describer) asSDK(e ends) {
	if d.id == "" {
		t := d.reader.beginning(d.open())
		d.id = t.id
	}
	t := d.names(e)
	own := d.ownDir()
	if own != "" && !t.retitled {
		custom := d.mark(own, "custom-title.json").Member("customTitle").Text()
		t.custom = cmp.Or(string(bytes.Trim(custom, entry.SpaceJS)), t.custom)
	}
	if d.seen.main && cmp.Or(t.custom, t.lastPrompt) == "" { // a summary of another log's entry is not this session's
		t.summary = ""
		for i, s := range slices.Backward(t.summaries) {
			if s[1] == "" || d.has(s[1], e, i == len(t.summaries)-1) {
				t.summary = s[0]
				break
			}
		}
	}
	if d.h != nil && d.agent.homeTitle != nil && t.custom == "" {
		t.custom = d.agent.homeTitle(d.h)
	}
	r := &d.row
	r.Summary, r.CustomTitle, r.FirstPrompt, r.Tag = record.Text(t.summaryOf()), record.Text(t.custom), record.Text(t.firstPrompt), record.Text(t.tag)
	branch := firstString(e.head, "gitBranch")
	for s := range stringsOf(e.tail, "gitBranch") {
		branch = cmp.Or(s, branch)
	}
	r.GitBranch = record.Text(branch)
	r.Cwd = record.Text(cmp.Or(t.relocated, d.ownCwd(e)))
	if own != "" { // a prompt that was sent later takes the session out of the archive
		archived := d.mark(own, "archived.json")
		at, ok := archived.Member("at").Instant()
		r.Archived = ok && string(archived.Member("archived")) == "true" && !d.sentAfter(e.tail, at) && !d.sentAfter(e.head, at)
	}
	at, ok := entry.ParseInstant([]byte(firstString(e.head, "timestamp")))
	if !ok {
		at, ok = d.firstNumber(e.head)
	}
	if ok {
		r.CreatedAt = millis(at)
	}
	r.Model, r.Entrypoint = record.Text(d.seen.answer().Member("model").Text()), record.Text(t.entrypoint)
	first, _, _ := bytes.Cut(e.head, []byte("\n"))
	d.isAgent = string(entry.Value(first).Member("isSidechain")) == "true" && d.seen.side && !d.seen.main
}

// ownCwd returns the working directory after which the folder of the log is named, if the beginning or the end of the
// log tells it, else the first that the log tells. The two differ if a project was renamed with its folder.
func (d *describer) ownCwd(e ends) string {
	first := firstString(e.head, "cwd")
	folder := path.Base(path.Dir(d.log))
	if d.h == nil || first == "" || projectName(first) == folder {
		return first
	}
	for _, end := range [][]byte{e.head, e.tail} {
		for dir := range stringsOf(end, "cwd") {
			if projectName(dir) == folder {
				return dir
			}
		}
	}
	return first
}

// has reports whether a log has an entry with a uuid, as JSON: at its ends, or, if deep is set, anywhere.
func (d *describer) has(uuid string, e ends, deep bool) bool {
	member := []byte(`"uuid":` + uuid)
	found := bytes.Contains(e.head, member) || bytes.Contains(e.tail, member)
	if found || !d.isPart || !deep {
		return found
	}
	f, _, err := d.open()
	d.fail(d.log, d.reader.each(f, err, []byte(uuid), nil, func(x *entry.Entry) bool {
		found = string(x.Get(entry.UUID)) == uuid
		return !found
	}))
	return found
}

// ownDir returns the name of the session's own directory in the home, "" if it has none.
func (d *describer) ownDir() string {
	if d.h == nil {
		return ""
	}
	own := path.Join(path.Dir(d.log), d.id)
	for _, r := range d.h.logs().sessions[d.id] {
		if r.name == own && !r.link {
			return own
		}
	}
	return ""
}

// mark returns the object in a small file in a session's own directory, or nil.
func (d *describer) mark(own, base string) entry.Value {
	name := path.Join(own, base)
	object, err := d.h.ReadObject(name)
	if !errors.Is(err, fs.ErrNotExist) {
		d.fail(name, err)
	}
	return object
}

// titles are the strings that name a session, of each kind the last in one end of its log.
type titles struct {
	custom, ai, lastPrompt, summary, tag string
	relocated                            string // the working directory that the session moved to

	summaries   [][2]string // all, each with the uuid of the entry that it is about, as JSON
	retitled    bool        // there is a custom title, even if it is empty
	firstPrompt string      // in the head
	firstTitle  string      // what that is called
	entrypoint  string      // of the first entry of a user there: how the session was begun
	attached    string      // to the first prompt with an attachment: "Image" or "Document"
}

// summaryOf returns what names the session in a list: as the Agent SDK does, but a plan by its heading.
func (t *titles) summaryOf() string {
	name := cmp.Or(t.custom, t.lastPrompt, t.summary, t.firstPrompt, t.attached)
	switch {
	case name == t.custom || !shape.IsPlanText([]byte(name)):
		return name
	case name == t.firstPrompt || strings.HasPrefix(inWords(t.firstPrompt), strings.TrimSuffix(inWords(name), "…")):
		return t.firstTitle
	}
	return shape.Line(shape.Title([]byte(name)))
}

// inWords returns a text with one space between its words.
func inWords(text string) string { return strings.Join(strings.Fields(text), " ") }

// firstNumber returns the first time in an end of the log that is a number.
func (d *describer) firstNumber(end []byte) (at int64, ok bool) {
	for x := range d.entriesIn(end) {
		if x.Get(entry.Timestamp).IsNumber() {
			if at, ok = d.dialect.Instant(x); ok {
				break
			}
		}
	}
	return at, ok
}

// inTail adds what an entry of the tail tells.
func (r *endReader) inTail(t *titles, e *entry.Entry) {
	t.mark(e, r.seen.in)
	r.seen.entry(e)
	isCaptured := e.Get(entry.SessionID) == nil && e.Member("session_id") != nil // so it is about a task or a turn
	if !e.Get(entry.Type).Is("tool_use_summary") && !isCaptured && setString(&t.summary, e, e.Get(entry.Summary)) {
		t.summaries = append(t.summaries, [2]string{t.summary, string(e.Get(entry.LeafUUID).NonEmpty())})
	}
}

// mark sets what e gives to its session, if that is a title, a tag or its last prompt.
func (t *titles) mark(e *entry.Entry, in dialect.Dialect) {
	switch title, rank := in.Title(e); rank {
	case dialect.ByUser:
		t.retitled = setString(&t.custom, e, title) || t.retitled
	case dialect.ByClient:
		setString(&t.ai, e, title)
	}
	switch typ := e.Get(entry.Type); {
	case typ.Is("tag"):
		setString(&t.tag, e, e.Member("tag"))
	case typ.Is("last-prompt"):
		setString(&t.lastPrompt, e, e.Member("lastPrompt"))
	case typ.Is("relocated"):
		t.relocated = cmp.Or(string(e.Member("relocatedCwd").Text()), t.relocated)
	}
}

// names returns the strings that name the session of a log, and its tag. If the log has no custom
// title, another title takes its place. It reads each end once.
func (r *endReader) names(e ends) titles {
	var t, head titles
	if r.isPart {
		for x := range r.entriesIn(e.tail) {
			r.inTail(&t, x)
		}
	}
	t.firstPrompt, t.firstTitle = shape.FirstPrompt(r.prompts(e, &t, &head))
	t.custom = cmp.Or(t.custom, head.custom, t.ai, head.ai)
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

// prompts yields the entries in the head of a log that may be prompts. Meanwhile it adds what the head tells: to t,
// what stands at the first prompt, and everything if the log is small; to head, the titles; and to the survey, what the
// tail does not tell. Once the first prompt is found, it reads on only for those.
func (r *endReader) prompts(e ends, t, head *titles) iter.Seq[*entry.Entry] {
	return func(yield func(*entry.Entry) bool) {
		above := survey{in: r.seen.in}
		marked, surveyed, asked := bytes.Contains(e.head, []byte(`Title"`)), !r.seen.isWhole(), true
		for x := range r.entriesIn(e.head) {
			switch {
			case !r.isPart:
				r.inTail(t, x)
			case !asked && !marked && !surveyed:
				return
			default:
				if surveyed {
					above.entry(x)
				}
				if marked {
					head.mark(x, r.seen.in)
				}
			}
			if !asked || !r.whole {
				continue
			}
			if t.isPrompt(r.line, x) && entry.Valid(r.line) && !yield(x) {
				asked = false
			} else {
				r.look(x)
			}
		}
		if line := e.head[1+bytes.LastIndexByte(e.head, '\n'):]; asked && r.isPart && entry.Value(line).Member("type").Is("user") &&
			string(entry.Value(line).Member("isMeta")) != "true" && !bytes.Contains(line, []byte(`"tool_result"`)) {
			t.attached = cmp.Or(t.attached, attachment(line)) // in a line that the head cuts
		}
		if r.isPart && surveyed {
			r.seen.above(&above)
		}
	}
}

// isPrompt reports whether an entry may be a prompt. It sets attached to the name of the
// first attachment of one, and entrypoint.
func (t *titles) isPrompt(line []byte, e *entry.Entry) bool {
	if !e.Get(entry.Type).Is("user") || bytes.Contains(line, []byte(`"tool_result"`)) || shape.IsClients(e) {
		return false
	}
	if t.attached == "" {
		t.attached = attachment(line)
	}
	t.entrypoint = cmp.Or(t.entrypoint, string(e.Member("entrypoint").Text()))
	return true
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

// stringsOf yields the strings in text that are the values of members with the name, of equal ones in
// a row the first: as the Agent SDK looks for some members, at any depth and also in lines that an end of
// a log cuts.
func stringsOf(text []byte, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		// The search begins at a capital letter, because quotes and small letters are everywhere.
		cut := max(0, strings.IndexFunc(name, unicode.IsUpper))
		before, rest := []byte(`"`+name[:cut]), []byte(name[cut:]+`":`)
		last := "" // most entries have the one of the entry before them
		for at := bytes.Index(text, rest); at >= 0; at = bytes.Index(text, rest) {
			isMember := bytes.HasSuffix(text[:at], before)
			text = text[at+len(rest):]
			v := entry.Value(bytes.TrimPrefix(text, []byte(" ")))
			if !isMember || !v.IsString() || last != "" && bytes.HasPrefix(v, []byte(last)) {
				continue
			}
			c := v.Cursor()
			if v = c.Value(); v != nil { // else it does not end
				last = string(v)
				if !yield(string(v.Text())) {
					return
				}
			}
		}
	}
}

// firstString returns the first string in text that is the value of a member with the name, or "".
func firstString(text []byte, name string) string {
	for s := range stringsOf(text, name) {
		return s
	}
	return ""
}
