package main

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/session"
	"jl/internal/source"
)

// endSize is how much is looked at of each end of a log.
const endSize = 64 << 10

// throughSize is how much of a compressed log is read to find its end.
const throughSize = 16 << 20

// A brief is what is said of a session in a list.
type brief struct {
	id, path    string
	customTitle string
	lastPrompt  string // the three that stand in for a title
	summary     string
	firstPrompt string
	branch, cwd string
	tag         string
	created     int64 // ms; 0 if unknown
	dated       bool
	modified    int64 // ms
	bytes       int64
	archived    bool
	compressed  bool
	headOnly    bool // its end is too far to look at
}

// title returns what names the session, "" if nothing does.
func (b *brief) title() string {
	return cmp.Or(b.customTitle, b.lastPrompt, b.summary, b.firstPrompt)
}

// list prints the sessions of the home, newest first.
func list(c *cli.Command, h *session.Home, f flags) error {
	want, dir, err := folderOf(f.Cwd)
	if err != nil {
		return err
	}
	folders, err := h.Projects()
	if err != nil {
		c.Fail(h.Path("projects"), err)
	}
	since, err := sinceOf(f.Since)
	if err != nil {
		return err
	}
	r := ends{c: c, h: h, head: make([]byte, endSize), tail: make([]byte, endSize)}
	var all []brief
	for _, folder := range folders {
		if want != "" && !session.MayBeProject(folder, want) {
			continue
		}
		logs, err := h.Logs(folder)
		if err != nil {
			sayError(c, h.Path(path.Join("projects", folder)), err)
		}
		for _, name := range logs {
			b, ok, err := r.read(name)
			if err != nil {
				c.Fail(h.Path(name), err)
			}
			if ok && inProject(&b, folder, want, dir) && (b.modified >= since || b.dated && b.created >= since) {
				all = append(all, b)
			}
		}
	}
	return printList(c, newestFirst(all))
}

// folderOf returns the folder's name for a working directory and its true path, in
// Unicode's composed form.
func folderOf(cwd string) (folder, dir string, err error) {
	if cwd == "" {
		return "", "", nil
	}
	dir, err = filepath.Abs(cwd)
	if err != nil {
		return "", "", err
	}
	// A directory that is gone has no links to follow any more.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return session.ProjectName(dir), session.Compose(dir), nil
}

// inProject reports whether a session in a folder is one of the working directory
// dir, whose folder is called want. The folder decides, as for the Agent SDK; but
// where its name may stand for several directories, the record's cwd does. Without
// one only the folder of that very name counts.
func inProject(b *brief, folder, want, dir string) bool {
	if want == "" || session.Compose(b.cwd) == dir {
		return true
	}
	return folder == want && session.ProjectName(b.cwd) != want
}

// newestFirst sorts by the time of the last change, then by id and path. Of a
// session that lies in several folders the newest remains.
func newestFirst(all []brief) []brief {
	slices.SortFunc(all, func(a, b brief) int {
		return cmp.Or(cmp.Compare(b.modified, a.modified), cmp.Compare(a.id, b.id), cmp.Compare(a.path, b.path))
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(b brief) bool {
		twice := seen[b.id]
		seen[b.id] = true
		return twice
	})
}

func printList(c *cli.Command, all []brief) error {
	if len(all) == 0 {
		c.No()
	}
	var r row
	for i := range all {
		b := &all[i]
		r.reset()
		r.str("sessionId", b.id)
		r.str("summary", b.title())
		r.text("customTitle", b.customTitle)
		r.text("firstPrompt", b.firstPrompt)
		r.text("gitBranch", b.branch)
		r.text("cwd", b.cwd)
		r.text("tag", b.tag)
		if b.dated {
			r.num("createdAt", b.created)
		} else {
			r.null("createdAt")
		}
		r.num("lastModified", b.modified)
		r.num("fileSize", b.bytes)
		r.str("path", b.path)
		if b.archived {
			r.yes("archived")
		}
		if b.compressed {
			r.yes("compressed")
		}
		if b.headOnly {
			r.yes("headOnly")
		}
		if err := r.print(c); err != nil {
			return err
		}
	}
	return nil
}

// ends reads the two ends of logs.
type ends struct {
	c          *cli.Command
	h          *session.Home
	head, tail []byte
	dec        entry.Decoder
}

// read returns what is said of the log called name. It reports false if it is no
// session that a list shows: empty, the log of an agent, or without anything that
// could name it.
func (r *ends) read(name string) (brief, bool, error) {
	id := session.IDOf(name)
	if !session.IsID(id) {
		return brief{}, false, nil
	}
	f, err := r.h.Open(name)
	if err != nil {
		if isSkipped(err) {
			err = nil
		}
		return brief{}, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return brief{}, false, err
	}
	e, err := r.ends(f, info.Size())
	b := brief{
		id: id, path: r.h.Path(name), modified: info.ModTime().UnixMilli(), bytes: info.Size(),
		compressed: e.compressed, headOnly: e.tail == nil,
	}
	first, _, _ := bytes.Cut(e.head, []byte("\n"))
	if hasMember(first, "isSidechain", "true") {
		return b, false, err
	}
	r.about(&b, path.Dir(name), e.head, e.tail)
	return b, b.title() != "", err
}

// The two ends of a log, decompressed. They are the same if it is small; the tail is
// nil if it was not reached.
type twoEnds struct {
	head, tail []byte
	compressed bool
}

// ends returns the ends of an open log. With an error it returns what it has.
func (r *ends) ends(f *os.File, size int64) (twoEnds, error) {
	n, err := f.ReadAt(r.head, 0)
	if err != nil && err != io.EOF {
		return twoEnds{}, err
	}
	head := r.head[:n]
	if mayBePacked(head) {
		if e, err := r.unpacked(f, size); e.compressed {
			return e, err
		}
	}
	if size <= endSize {
		return twoEnds{head: head, tail: head}, nil
	}
	n, err = f.ReadAt(r.tail, size-endSize)
	if err != nil && err != io.EOF {
		return twoEnds{head: head}, err
	}
	return twoEnds{head: head, tail: r.tail[:n]}, nil
}

// mayBePacked reports whether what begins with head may be compressed. What looks like
// entries is not.
func mayBePacked(head []byte) bool {
	text := bytes.TrimLeft(head, "\xef\xbb\xbf \t\r\n\x00")
	return len(text) > 0 && text[0] != '{'
}

// unpacked returns the ends of a log if it is compressed. An archive has its end read
// where it is. Anything else is read through, up to a bound.
func (r *ends) unpacked(f *os.File, size int64) (twoEnds, error) {
	raw := bytes.Clone(r.head)
	e := twoEnds{compressed: true}
	src, err := source.Open("-", f, nil)
	if err != nil {
		return e, err
	}
	defer src.Close()
	n, err := io.ReadFull(src, r.head)
	e.head = r.head[:n]
	switch {
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF:
		return e, err
	case bytes.Equal(e.head, raw[:n]): // it is as it stands
		return twoEnds{}, nil
	case err != nil:
		e.tail = e.head
		return e, nil
	}
	if hasTable(f, size) {
		return r.seek(f, e)
	}
	return r.through(src, e)
}

// hasTable reports whether a file ends as one with a seek table does.
func hasTable(f *os.File, size int64) bool {
	const end = "\xb1\xea\x92\x8f"
	last := make([]byte, len(end))
	_, err := f.ReadAt(last, size-int64(len(end)))
	return err == nil && string(last) == end
}

// seek reads the end of a log with a seek table. (Is the table damaged, all is read.)
func (r *ends) seek(f *os.File, e twoEnds) (twoEnds, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return e, err
	}
	src, err := source.Open("-", f, nil)
	if err != nil {
		return e, err
	}
	defer src.Close()
	at, size, err := src.At()
	if err != nil {
		return e, err
	}
	n, err := at.ReadAt(r.tail, max(0, size-endSize))
	if err != nil && err != io.EOF {
		return e, err
	}
	e.tail = r.tail[:n]
	return e, nil
}

// through reads a log on to its end, behind its head.
func (r *ends) through(src io.Reader, e twoEnds) (twoEnds, error) {
	// The tail is the last endSize bytes of what is in window.
	window := append(make([]byte, 0, 2*endSize), e.head...)
	for read := len(e.head); read < throughSize; {
		if len(window) == cap(window) {
			window = window[:copy(window, window[len(window)-endSize:])]
		}
		n, err := src.Read(window[len(window):cap(window)])
		window, read = window[:len(window)+n], read+n
		if err == io.EOF {
			n := copy(r.tail, window[max(0, len(window)-endSize):])
			e.tail = r.tail[:n]
			return e, nil
		}
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

// about fills b by the rules of the Agent SDK's listing. Some fields it takes from
// parsed entries, others from the text wherever it stands, nested or not: both are
// kept, so that the answers agree.
func (r *ends) about(b *brief, folder string, head, tail []byte) {
	inTail := r.titles(tail)
	inHead := inTail
	if len(tail) == 0 || &head[0] != &tail[0] {
		inHead = r.titles(head)
	}
	b.customTitle = cmp.Or(inTail.custom, inHead.custom, inTail.ai, inHead.ai)
	if !inTail.retitled {
		b.customTitle = cmp.Or(r.besideTitle(b.id, folder), b.customTitle)
	}
	b.archived = string(r.mark(folder, b.id, "archived.json").Member("archived")) == "true"
	b.lastPrompt, b.summary, b.tag = inTail.lastPrompt, inTail.summary, inTail.tag
	b.firstPrompt = r.firstPrompt(head)
	b.branch = cmp.Or(lastString(tail, "gitBranch"), firstString(head, "gitBranch"))
	b.cwd = firstString(head, "cwd")
	if at, ok := entry.Value(appendText(nil, firstString(head, "timestamp"))).Instant(); ok {
		b.created, b.dated = floorMilli(at), true
	}
}

// besideTitle returns the title that stands beside a log.
func (r *ends) besideTitle(id, folder string) string {
	return trimJS(str(r.mark(folder, id, "custom-title.json"), "customTitle"))
}

// mark returns the object in a small file in a session's own directory, nil if there
// is none.
func (r *ends) mark(folder, id, name string) entry.Value {
	inside := path.Join(folder, id, name)
	f, err := r.h.Open(inside)
	if errors.Is(err, fs.ErrNotExist) || isSkipped(err) {
		return nil
	}
	var b []byte
	if err == nil {
		defer f.Close()
		b, err = io.ReadAll(io.LimitReader(f, endSize))
	}
	if err != nil {
		r.c.Fail(r.h.Path(inside), cause(err))
	}
	if !entry.Valid(b) {
		return nil
	}
	return bytes.TrimSpace(b)
}

// floorMilli turns microseconds into milliseconds as JavaScript does.
func floorMilli(micro int64) int64 {
	if micro < 0 {
		return -((-micro + 999) / 1000)
	}
	return micro / 1000
}

// named are the last of the strings that name a session in one end of its log.
type named struct {
	custom, ai, lastPrompt, summary, tag string

	retitled bool // there is a custom title, if only an empty one
}

func (r *ends) titles(end []byte) named {
	var n named
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
		beside := hasPrompt(line) || hasSummary(line)
		if !custom && !ai && !tag && !beside {
			continue
		}
		count, damage := r.dec.Decode(line, 2, 1)
		if count == 0 {
			continue
		}
		// Of a damaged line what stands at its end counts, for the titles only.
		e := r.dec.Entry(count - 1)
		if damage != nil && !bytes.HasSuffix(bytes.TrimRight(line, " \t\r\n"), e.Bytes) {
			continue
		}
		switch typ := e.Get(entry.Type); {
		case custom && typ.Is("custom-title"):
			set(&n.custom, e.Get(entry.CustomTitle))
			n.retitled = n.retitled || e.Get(entry.CustomTitle).IsString()
		case ai && typ.Is("ai-title"):
			set(&n.ai, e.Get(entry.AITitle))
		case tag && typ.Is("tag"):
			set(&n.tag, entry.Value(e.Bytes).Member("tag"))
		}
		if beside && damage == nil {
			set(&n.lastPrompt, entry.Value(e.Bytes).Member("lastPrompt"))
			set(&n.summary, e.Get(entry.Summary))
		}
	}
	return n
}

// set makes a string the last one seen.
func set(last *string, v entry.Value) {
	if v.IsString() {
		*last = string(v.Text())
	}
}

// spellings returns how JSON writes the beginning of a member that has a value: the
// two ways that are looked for.
func spellings(name, value string) [2][]byte {
	return [2][]byte{[]byte(`"` + name + `":` + value), []byte(`"` + name + `": ` + value)}
}

func hasMember(text []byte, name, value string) bool {
	ways := spellings(name, value)
	return bytes.Contains(text, ways[0]) || bytes.Contains(text, ways[1])
}

func hasString(text []byte, name string) bool { return hasMember(text, name, `"`) }

// firstString returns the first string that is the value of name anywhere in text,
// written without a space if there is one.
func firstString(text []byte, name string) string {
	for _, way := range spellings(name, `"`) {
		for rest := text; ; {
			_, after, found := bytes.Cut(rest, way)
			if !found {
				break
			}
			if s, ok := stringAt(after); ok {
				return s
			}
			rest = after
		}
	}
	return ""
}

// lastString returns the last string that is the value of name anywhere in text.
func lastString(text []byte, name string) string {
	ways := spellings(name, `"`)
	for end := len(text); ; {
		at, from := -1, 0
		for _, way := range ways {
			if i := lastIndex(text[:end], way); i > at {
				at, from = i, i+len(way)
			}
		}
		if at < 0 {
			return ""
		}
		if s, ok := stringAt(text[from:]); ok {
			return s
		}
		end = at
	}
}

// lastIndex is bytes.LastIndex for what is likely to stand near the end.
func lastIndex(text, sep []byte) int {
	for size := 1 << 10; ; size *= 8 {
		start := max(0, len(text)-size)
		at := -1
		for i := bytes.Index(text[start:], sep); i >= 0; i = bytes.Index(text[start+at+1:], sep) {
			at += 1 + i
		}
		if at >= 0 {
			return start + at
		}
		if start == 0 {
			return -1
		}
	}
}

// stringAt returns the string whose inside text begins with; false if it does not
// end. One that is no JSON is returned as it is written.
func stringAt(text []byte) (string, bool) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			quoted := append(append([]byte{'"'}, text[:i]...), '"')
			if !entry.Valid(quoted) {
				return string(text[:i]), true
			}
			return string(entry.Value(quoted).Text()), true
		}
	}
	return "", false
}

// What a prompt is not: output of a command, something a hook or the editor put in.
var (
	machinery   = regexp.MustCompile(`^(<[a-z][A-Za-z0-9_-]*[\s>]|\[Request interrupted by user[^\]]*\])`)
	commandName = regexp.MustCompile(`<command-name>(.*?)</command-name>`)
	bashInput   = regexp.MustCompile(`<bash-input>(.*?)</bash-input>`)
)

// firstPrompt returns the first thing that the user typed; if that was only a
// command, its name.
func (r *ends) firstPrompt(head []byte) string {
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
		for text := range texts(e.Get(entry.Message).Member("content")) {
			prompt, name := promptOf(text)
			if prompt != "" {
				return prompt
			}
			command = cmp.Or(command, name)
		}
	}
	return command
}

// promptOf returns what of a text is a prompt, or the command that it is.
func promptOf(text string) (prompt, command string) {
	text = trimJS(strings.ReplaceAll(text, "\n", " "))
	if m := commandName.FindStringSubmatch(text); m != nil && m[1] != "" {
		return "", m[1]
	}
	if m := bashInput.FindStringSubmatch(text); m != nil {
		return "! " + trimJS(m[1]), ""
	}
	if machinery.MatchString(text) {
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
			return trimRightJS(text[:i]) + "…"
		}
	}
	return text
}

// spaceJS are the characters that trim() takes for white space in JavaScript.
const spaceJS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

func trimJS(s string) string      { return strings.Trim(s, spaceJS) }
func trimRightJS(s string) string { return strings.TrimRight(s, spaceJS) }
