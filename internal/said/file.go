package said

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"jl/internal/dialect"
	"jl/internal/entry"
)

// A touch is what a call does to a file.
type touch struct {
	action, path, to string
	diff             []byte // hunks; nil if the log does not tell
}

// files makes the rows of the files that a call read or changed. Its result may be nil.
func (r *Rows) files(c *call, x *dialect.Thing) {
	if !r.kinds.Has(dialect.File) {
		return
	}
	touches := changed(c.changes)
	if touches == nil {
		touches = r.touched(c, x)
	}
	h := c.head
	if x != nil {
		h = r.head
	}
	for _, f := range touches {
		r.beginAt(dialect.File, &h)
		r.value("call", c.id)
		r.value("name", c.name)
		r.value("cwd", r.home)
		r.string("action", []byte(f.action))
		r.string("path", []byte(r.placed(f.path, c)))
		if f.to != "" {
			r.string("to", []byte(r.placed(f.to, c)))
		}
		if x != nil {
			r.flag("failed", x.Failed)
		} else {
			r.value("failed", nil)
		}
		if f.diff != nil && f.action != "read" && x != nil && !x.Failed && fits(f.diff) {
			r.string("diff", f.diff)
		}
		r.end()
	}
}

// placed returns the path of a file below the first folder of the session: a call may have been made in another one.
func (r *Rows) placed(name string, c *call) string {
	dir := string(c.input.Member("workdir").Text())
	if dir == "" {
		dir = string(c.cwd.Text())
	}
	if dir == "" || dir == string(r.home.Text()) || isAbsolute(name) {
		return name
	}
	if !isAbsolute(dir) {
		dir = path.Join(string(r.home.Text()), dir)
	}
	return path.Join(dir, name)
}

func isAbsolute(name string) bool {
	return strings.HasPrefix(name, "/") || strings.HasPrefix(name, "~") || len(name) > 2 && name[1] == ':' || strings.HasPrefix(name, `\`)
}

// changed returns what an agent tells about the files that a call changed, nil if nothing: Codex's object by path, or the array of
// codex exec.
func changed(v entry.Value) (touches []touch) {
	for change := range v.Elements() {
		action := map[string]string{"add": "write", "delete": "delete"}[string(change.Member("kind").Text())]
		if action == "" {
			action = "edit"
		}
		if change.Member("path").IsString() {
			touches = append(touches, touch{action: action, path: string(change.Member("path").Text())})
		}
	}
	for name, change := range v.Members() {
		f := touch{path: string(name.Text()), action: "edit"}
		kind := string(change.Member("type").Text())
		for _, k := range []string{"add", "delete", "update"} { // older logs
			if m := change.Member(k); m != nil && kind == "" {
				kind, change = k, m
			}
		}
		content := string(change.Member("content").Text())
		switch kind {
		case "add":
			f.action, f.diff = "write", made(content)
		case "delete":
			f.action, f.diff = "delete", whole(content, '-')
		default:
			f.diff = hunksIn(change.Member("unified_diff").Text())
			if f.to = string(change.Member("move_path").Text()); f.to != "" {
				f.action = "move"
				if f.diff == nil {
					f.diff = []byte{}
				}
			}
		}
		touches = append(touches, f)
	}
	return touches
}

// The names that agents have for the path of a file, the text before an edit, and that of a file.
var (
	pathNames = []string{"file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file", "filename"}
	oldNames  = []string{"old_string", "old_str", "oldText", "oldString", "oldStr"}
	newNames  = []string{"new_string", "new_str", "newText", "newString", "newStr"}
	textNames = []string{"content", "file_text", "contents", "fileText", "new_source"}
	listNames = []string{"paths", "files", "absolute_paths", "operations"}
)

// text returns the first of some members that is a string.
func text(in fields, names []string) (string, bool) {
	for _, name := range names {
		if v := in.get(name); v.IsString() {
			return string(v.Text()), true
		}
	}
	return "", false
}

// isString reports whether one of some members is a string.
func isString(in fields, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return in.get(name).IsString() })
}

// fields are the members of an object, which are few.
type fields []struct {
	name  []byte
	value entry.Value
}

// members returns the members of an object, in one pass.
func members(v entry.Value) fields {
	f := make(fields, 0, 8)
	for name, v := range v.Named() {
		f = append(f, struct {
			name  []byte
			value entry.Value
		}{name, v})
	}
	return f
}

// get returns the last member of a name, nil if there is none.
func (f fields) get(name string) entry.Value {
	for i := len(f) - 1; i >= 0; i-- {
		if string(f[i].name) == name {
			return f[i].value
		}
	}
	return nil
}

// touched returns what a call did to files by its name, its input and what the client told of it.
func (r *Rows) touched(c *call, x *dialect.Thing) []touch {
	in := members(c.input)
	if patch, ok := patchIn(c.input, in); ok {
		return inPatch(patch)
	}
	if touches := changed(in.get("changes")); in.get("changes").IsArray() && touches != nil {
		return touches
	}
	name := letters(string(c.name.Text()))
	where, ok := text(in, pathNames)
	if !ok {
		return listed(in, name)
	}
	f := touch{action: action(name, in), path: where}
	switch {
	case f.action == "":
		return nil
	case f.action != "read" && x != nil && !x.Failed:
		if f.diff = told(x.Told); f.diff == nil {
			f.diff = hunksIn(x.Diff.Text())
		}
		if before := x.Told.Member("originalFile"); before.IsString() && len(before) == 2 {
			f.action = "edit" // of an empty file
			if x.Told.Member("oldString").IsEmpty() && x.Told.Member("oldString") != nil {
				f.action = "write" // so Claude Code makes a file by an edit
			}
		}
		if f.diff == nil && x.Told.Member("structuredPatch") == nil {
			f.diff = r.written(&f, c, in)
		}
	}
	return []touch{f}
}

// listed returns the files that a call read if it names several.
func listed(in fields, name string) (touches []touch) {
	if !strings.Contains(name, "read") {
		return nil
	}
	for _, list := range listNames {
		for v := range in.get(list).Elements() {
			if v.IsObject() {
				v = v.Member("path")
			}
			if v.IsString() {
				touches = append(touches, touch{action: "read", path: string(v.Text())})
			}
		}
	}
	return touches
}

// letters returns the small letters of a name.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// action returns what a tool does to the file that its input names, "" if nothing is known.
func action(name string, in fields) string {
	command := string(in.get("command").Text())
	if strings.Trim(command, "abcdefghijklmnopqrstuvwxyz_") != "" {
		command = "" // of a shell
	}
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
	}
	hasText := isString(in, textNames)
	switch {
	case isString(in, oldNames) || in.get("edits") != nil:
		return "edit"
	case hasText && (command == "" || command == "create" || command == "write"):
		return "write"
	case command == "view" || command == "read":
		return "read"
	case command == "insert" || command == "append":
		return "edit"
	case has("delete", "remove", "unlink"):
		return "delete"
	case has("write", "create"):
		return "write"
	case has("edit", "replace", "patch", "insert"):
		return "edit"
	case has("read", "view", "open") && !has("list", "dir") && !strings.HasSuffix(name, "ls"):
		return "read"
	}
	return ""
}

// --- Patches of Codex ---

// patchIn returns the lines of the patch of Codex that an input is or holds.
func patchIn(input entry.Value, in fields) ([]byte, bool) {
	if !bytes.Contains(input, []byte("*** Begin Patch")) {
		return nil, false
	}
	values := []entry.Value{input, in.get("input"), in.get("patch"), in.get("patchText"), in.get("command"), in.get("cmd")}
	values = append(values, slices.Collect(in.get("command").Elements())...)
	for _, v := range values {
		if _, patch, ok := bytes.Cut(v.Text(), []byte("*** Begin Patch\n")); ok {
			patch, _, _ = bytes.Cut(patch, []byte("*** End Patch"))
			return patch, true
		}
	}
	return nil, false
}

// inPatch returns what a patch of Codex does. It does not say at which lines, so its hunks have none to count on: git finds them by the
// lines around. What a deleted file holds, and where lines go that have none around, it does not tell.
func inPatch(patch []byte) (touches []touch) {
	var last *touch
	for l := range strings.Lines(string(patch)) {
		l = strings.TrimRight(l, "\r\n")
		word, rest, _ := strings.Cut(l, ": ")
		action := map[string]string{"*** Add File": "write", "*** Update File": "edit", "*** Delete File": "delete"}[word]
		switch {
		case action != "":
			touches = append(touches, touch{action: action, path: strings.TrimSpace(rest)})
			last = &touches[len(touches)-1]
		case last == nil || strings.HasPrefix(l, "*** End of File"):
		case word == "*** Move to":
			last.action, last.to = "move", strings.TrimSpace(rest)
		case l == "":
			last.diff = append(last.diff, " \n"...)
		default:
			last.diff = append(append(last.diff, l...), '\n')
		}
	}
	for i := range touches {
		touches[i].place()
	}
	return touches
}

// place makes hunks of the lines of a patch of Codex.
func (f *touch) place() {
	lines := f.diff
	f.diff = nil
	switch f.action {
	case "delete":
		return
	case "write":
		var text []byte
		for l := range bytes.Lines(lines) {
			text = append(text, l[1:]...)
		}
		f.diff = made(string(text))
		return
	case "move":
		f.diff = []byte{}
	}
	var hunk []byte
	old, now := 0, 0
	end := func() bool {
		if len(hunk) > 0 && old == 0 {
			f.diff = nil
			return false
		}
		if len(hunk) > 0 { // not line 1, which would mean the beginning of the file
			f.diff = append(fmt.Appendf(f.diff, "@@ -2,%d +2,%d @@\n", old, now), hunk...)
		}
		hunk, old, now = hunk[:0], 0, 0
		return true
	}
	for l := range bytes.Lines(lines) {
		switch l[0] {
		case '@':
			if !end() {
				return
			}
			continue
		case ' ':
			old, now = old+1, now+1
		case '-':
			old++
		case '+':
			now++
		default:
			f.diff = nil
			return
		}
		hunk = append(hunk, l...)
	}
	end()
}

// --- Diffs ---

// hunksIn returns the hunks of a diff of one file, nil if it has none.
func hunksIn(diff []byte) []byte {
	i := bytes.Index(diff, []byte("@@ -"))
	if i < 0 || i > 0 && diff[i-1] != '\n' {
		return nil
	}
	diff = bytes.TrimRight(diff[i:], "\n")
	return append(slices.Clip(diff), '\n')
}

// whole returns the hunk that adds or removes all lines of a text, not nil if there is none.
func whole(text string, mark byte) []byte {
	if text == "" {
		return []byte{}
	}
	n := countLines(text)
	out := make([]byte, 0, len(text)+n+64)
	if mark == '-' {
		out = append(strconv.AppendInt(append(out, "@@ -1,"...), int64(n), 10), " +0,0"...)
	} else {
		out = strconv.AppendInt(append(out, "@@ -0,0 +1,"...), int64(n), 10)
	}
	return marked(append(out, " @@\n"...), mark, text)
}

// made returns the hunk that makes a file, which has no lines if the file is empty: so it is not taken for one that changes nothing.
func made(text string) []byte {
	if text == "" {
		return []byte("@@ -0,0 +0,0 @@\n")
	}
	return whole(text, '+')
}

// fits reports whether hunks are whole: their lines are as many as their heads say, and begin with a mark.
func fits(hunks []byte) bool {
	old, now := 0, 0
	for l := range bytes.Lines(hunks) {
		switch {
		case old == 0 && now == 0 && bytes.HasPrefix(l, []byte("@@ -")):
			var ok bool
			if old, now, ok = counts(l); !ok {
				return false
			}
		case l[0] == ' ' && old > 0 && now > 0:
			old, now = old-1, now-1
		case l[0] == '-' && old > 0:
			old--
		case l[0] == '+' && now > 0:
			now--
		case l[0] != '\\':
			return false
		}
	}
	return old == 0 && now == 0
}

// counts returns the numbers of lines that the head of a hunk tells.
func counts(head []byte) (old, now int, ok bool) {
	words := strings.Fields(string(head))
	if len(words) < 4 || words[3] != "@@" {
		return 0, 0, false
	}
	count := func(word, mark string) int {
		_, n, found := strings.Cut(strings.TrimPrefix(word, mark), ",")
		if !found {
			return 1
		}
		lines, err := strconv.Atoi(n)
		ok = ok && err == nil && lines >= 0
		return lines
	}
	ok = true
	old, now = count(words[1], "-"), count(words[2], "+")
	return old, now, ok
}

// told returns the hunks of what Claude Code tells of a change: a structuredPatch, whose lines have two spaces for each tab.
func told(v entry.Value) []byte {
	if v.Member("structuredPatch") == nil {
		return nil
	}
	m := members(v)
	hunks := slices.Collect(m.get("structuredPatch").Elements())
	switch {
	case len(hunks) > 0:
	case !m.get("structuredPatch").IsArray():
		return nil
	case m.get("type").Is("create") && m.get("content").IsString():
		return made(string(m.get("content").Text()))
	case m.get("originalFile").IsString() && bytes.Equal(m.get("originalFile"), m.get("content")): // written twice alike
		return []byte{}
	case m.get("originalFile").IsString() && len(m.get("originalFile")) == 2 && m.get("content").IsString(): // it was empty
		return whole(string(m.get("content").Text()), '+')
	default:
		return nil
	}
	var before, after []string
	if bytes.Contains(v, []byte(`\t`)) {
		before, after = texts(m)
	}
	var out []byte
	for _, h := range hunks {
		var at [4]int64
		for i, name := range []string{"oldStart", "oldLines", "newStart", "newLines"} {
			at[i], _ = h.Member(name).Int()
		}
		for i, n := range at {
			out = append(out, []string{"@@ -", ",", " +", ","}[i]...)
			out = strconv.AppendInt(out, n, 10)
		}
		out = append(out, " @@\n"...)
		old, now := at[0]-1, at[2]-1
		for line := range h.Member("lines").Elements() {
			text := string(line.Text())
			if text == "" {
				text = " "
			}
			switch text[0] {
			case ' ':
				text = " " + tabs(before, old, tabs(after, now, text[1:]))
				old, now = old+1, now+1
			case '-':
				text = "-" + tabs(before, old, text[1:])
				old++
			case '+':
				text = "+" + tabs(after, now, text[1:])
				now++
			}
			out = append(append(out, text...), '\n')
		}
	}
	return out
}

// texts returns the lines of a file before and after a change.
func texts(m fields) (before, after []string) {
	original := string(first(m.get("originalFile").NonEmpty(), m.get("originalFileContents")).Text())
	text := original
	if m.get("content").IsString() {
		text = string(m.get("content").Text())
	} else {
		for e := range m.get("edits").Elements() {
			text = edited(text, e.Member("old_string"), e.Member("new_string"), e.Member("replace_all"))
		}
		text = edited(text, m.get("oldString"), m.get("newString"), m.get("replaceAll"))
	}
	return strings.Split(original, "\n"), strings.Split(text, "\n")
}

// edited returns a text after an edit, as Claude Code makes it.
func edited(text string, from, to, all entry.Value) string {
	if from.IsEmpty() {
		return text
	}
	n, old := 1, string(from.Text())
	if all.Truthy() {
		n = -1
	}
	if to.IsEmpty() && !strings.HasSuffix(old, "\n") && strings.Contains(text, old+"\n") {
		old += "\n" // the client removes the line too
	}
	return strings.Replace(text, old, string(to.Text()), n)
}

// tabs returns line i of a text if it is the given line with its tabs, else the given line.
func tabs(lines []string, i int64, line string) string {
	if i >= 0 && i < int64(len(lines)) && strings.Contains(lines[i], "\t") && strings.ReplaceAll(lines[i], "\t", "  ") == strings.ReplaceAll(line, "\t", "  ") {
		return lines[i]
	}
	return line
}

// --- Texts of files that only the calls tell ---

// textsMost is how many bytes of the texts of files are kept at most.
const textsMost = 4 << 20

// written returns the hunks of a change of which only the input of the call tells. The first text of a file is taken for that of a
// new one.
func (r *Rows) written(f *touch, c *call, in fields) []byte {
	where := string(c.head.session) + " " + r.placed(f.path, c)
	before, known := r.texts[where]
	after, isText := text(in, textNames)
	switch {
	case f.action == "write" && isText && !known:
		r.keepText(where, after)
		return made(after)
	case f.action == "write" && isText:
	case f.action == "edit" && known:
		var ok bool
		if after, ok = editedBy(before, in); !ok {
			r.keepText(where, "")
			delete(r.texts, where)
			return nil
		}
	default:
		delete(r.texts, where)
		return somewhere(in)
	}
	r.keepText(where, after)
	return lineDiff(before, after)
}

// somewhere returns hunks of the edits of an input whose places are not known: git finds them by the lines, as those of a
// patch of Codex.
func somewhere(in fields) []byte {
	var f touch
	edits := slices.Collect(in.get("edits").Elements())
	if len(edits) == 0 {
		f.edit(in)
	}
	for _, e := range edits {
		f.edit(members(e))
	}
	f.place()
	return f.diff
}

// edit adds the lines of an edit to those of a patch of Codex.
func (f *touch) edit(in fields) {
	lines := func(names []string) []string {
		s, _ := text(in, names)
		return slices.Collect(strings.Lines(strings.TrimSuffix(s, "\n")))
	}
	old, now := lines(oldNames), lines(newNames)
	head := 0
	for head < len(old) && head < len(now) && chomped(old[head]) == chomped(now[head]) {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(now)-head && chomped(old[len(old)-1-tail]) == chomped(now[len(now)-1-tail]) {
		tail++
	}
	f.diff = append(f.diff, "@@\n"...)
	f.add(' ', old[:head])
	f.add('-', old[head:len(old)-tail])
	f.add('+', now[head:len(now)-tail])
	f.add(' ', old[len(old)-tail:])
}

func (f *touch) add(mark byte, lines []string) {
	for _, l := range lines {
		f.diff = append(append(append(f.diff, mark), chomped(l)...), '\n')
	}
}

// chomped returns a line without its end.
func chomped(line string) string { return strings.TrimSuffix(line, "\n") }

// keepText keeps the text of a file, if all of them are not too long.
func (r *Rows) keepText(where, text string) {
	r.textBytes += len(text) - len(r.texts[where])
	if r.texts == nil || r.textBytes > textsMost {
		r.texts, r.textBytes = map[string]string{}, len(text)
	}
	r.texts[where] = text
}

// editedBy returns a text after the edits of an input. It reports false if the place of one is not in the text.
func editedBy(text string, in fields) (string, bool) {
	edits := slices.Collect(in.get("edits").Elements())
	if len(edits) == 0 {
		return editOnce(text, in)
	}
	for _, e := range edits {
		var ok bool
		if text, ok = editOnce(text, members(e)); !ok {
			return "", false
		}
	}
	return text, true
}

func editOnce(before string, in fields) (string, bool) {
	from, ok := text(in, oldNames)
	to, _ := text(in, newNames)
	if !ok || from == "" || !strings.Contains(before, from) {
		return "", false
	}
	n := 1
	if in.get("replace_all").Truthy() || in.get("replaceAll").Truthy() {
		n = -1
	}
	return strings.Replace(before, from, to, n), true
}

// lineDiff returns the hunk by which a text becomes another, with three lines around; not nil if they are the same.
func lineDiff(before, after string) []byte {
	if before == after {
		return []byte{}
	}
	n := 0
	for n < len(before) && n < len(after) && before[n] == after[n] {
		n++
	}
	head := strings.LastIndexByte(before[:n], '\n') + 1 // of the lines that both begin with
	old, now := before[head:], after[head:]
	n = 0
	for n < len(old) && n < len(now) && old[len(old)-1-n] == now[len(now)-1-n] {
		n++
	}
	tail := n // of the lines that both end with
	if !beginsLine(old, len(old)-n) || !beginsLine(now, len(now)-n) {
		same := old[len(old)-n:]
		tail = len(same) - (strings.IndexByte(same, '\n') + 1)
		if tail == len(same) { // no line begins there
			tail = 0
		}
	}
	old, now = old[:len(old)-tail], now[:len(now)-tail]
	const around = 3
	above, below := before[:head], before[len(before)-tail:]
	from := head
	for range around {
		if from > 0 {
			from = strings.LastIndexByte(above[:from-1], '\n') + 1
		}
	}
	to := 0
	for range around {
		if i := strings.IndexByte(below[to:], '\n'); i >= 0 {
			to += i + 1
		} else {
			to = len(below)
		}
	}
	start := strings.Count(above[:from], "\n")
	context := countLines(above[from:]) + countLines(below[:to])
	out := append(make([]byte, 0, len(old)+len(now)+2*around*80), "@@ -"...)
	at := func(n int) {
		first := start
		if n > 0 {
			first++
		}
		out = strconv.AppendInt(append(strconv.AppendInt(out, int64(first), 10), ','), int64(n), 10)
	}
	at(countLines(old) + context)
	out = append(out, " +"...)
	at(countLines(now) + context)
	out = append(out, " @@\n"...)
	out = marked(out, ' ', above[from:])
	out = marked(out, '-', old)
	out = marked(out, '+', now)
	return marked(out, ' ', below[:to])
}

// beginsLine reports whether a line begins at text[i].
func beginsLine(text string, i int) bool { return i == 0 || text[i-1] == '\n' }

func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// marked appends the lines of a text, each behind a mark.
func marked(out []byte, mark byte, text string) []byte {
	for text != "" {
		i := strings.IndexByte(text, '\n') + 1
		if i == 0 {
			return append(append(append(out, mark), text...), "\n\\ No newline at end of file\n"...)
		}
		out = append(append(out, mark), text[:i]...)
		text = text[i:]
	}
	return out
}
