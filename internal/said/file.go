package said

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"jl/internal/entry"
	"jl/internal/says"
)

// A touch is what a call does to a file.
type touch struct {
	action, path, to string
	diff             []byte // hunks; nil if the log does not tell
	line, end        int    // of the part of the file that is told: its first line, and the one behind it
}

// files makes the rows of the files that a call read or changed. Its result may be nil.
func (r *Rows) files(c *call, x *says.Thing) {
	if !r.kinds.Has(says.File) {
		return
	}
	touches := changed(c.changes)
	if touches == nil {
		touches = r.touched(c, x)
	}
	h := c.from
	if x != nil {
		h = r.from
	}
	for i, f := range touches {
		r.beginRowAt(says.File, &h, c.id, c.name, entry.Value(f.path), entry.Value{byte(i), byte(i >> 8)})
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
		if f.diff != nil && x != nil && !x.Failed {
			r.string("diff", f.diff)
		}
		r.endRow()
	}
}

// namedFile makes the row of a file that a prompt names.
func (r *Rows) namedFile(x *says.Thing) {
	if !r.kinds.Has(says.File) || r.restored {
		return
	}
	r.beginRow(says.File, x.Name)
	r.value("call", nil)
	r.value("name", nil)
	r.value("cwd", r.home)
	r.string("action", []byte("named"))
	r.value("path", x.Name)
	r.value("failed", nil)
	r.endRow()
}

// placed returns the path of a file below the first folder of the session: a call may have been made in another one.
func (r *Rows) placed(name string, c *call) string {
	if isAbsolute(name) {
		return name
	}
	dir := string(c.input.Member("workdir").Text())
	if dir == "" {
		dir = string(c.cwd.Text())
	}
	if dir == "" || dir == string(r.home.Text()) {
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

// changed returns what an agent tells about the files that a call changed, nil if nothing: Codex's object by path, or
// the array of codex exec.
func changed(v entry.Value) (touches []touch) {
	for change := range v.Elements() {
		where := change.Member("path")
		if !where.IsString() {
			continue
		}
		action := map[string]string{"add": "write", "delete": "delete"}[string(change.Member("kind").Text())]
		if action == "" {
			action = "edit"
		}
		f := touch{action: action, path: string(where.Text())}
		f.part(change)
		if n := len(touches); n > 0 && touches[n-1].path == f.path { // another part of the file
			touches[n-1].join(f)
		} else {
			touches = append(touches, f)
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
		content := change.Member("content").Text()
		switch kind {
		case "add":
			f.action, f.diff = "write", made(nil, content)
		case "delete":
			f.action, f.diff = "delete", whole([]byte{}, '-', content)
		default:
			f.diff = hunksIn(change.Member("unified_diff").Text())
			if f.to = string(change.Member("move_path").Text()); f.to != "" {
				f.action = "move"
				if f.diff == nil {
					f.diff = []byte{}
				}
			}
			if !fits(f.diff) {
				f.diff = nil
			}
		}
		touches = append(touches, f)
	}
	return touches
}

// part makes the hunk of a change that tells the texts before and after of a part of a file, if it does.
func (f *touch) part(change entry.Value) {
	before, after := change.Member("before"), change.Member("after")
	line, ok := change.Member("line").Int()
	if !ok || !before.IsString() {
		return
	}
	old, now := before.Text(), after.Text()
	if f.line = int(line); len(old) == 0 && f.line == 1 {
		f.action, f.diff = "write", made(nil, now)
	} else {
		to, ok := change.Member("to").Int()
		if !ok {
			to = line
		}
		f.diff = partDiff([]byte{}, f.line, int(to), old, now)
	}
	f.end = f.line + countLines(old)
}

// join adds the hunk of another part of the file. What overlaps another part has no place of its own.
func (f *touch) join(next touch) {
	if f.diff == nil || next.line < f.end { // which has no line if it has no hunk
		f.diff = nil
		return
	}
	f.diff, f.end = append(f.diff, next.diff...), next.end
}

// The names that agents have for the path of a file, the text before an edit, and that of a file.
var (
	pathNames = []string{"file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file", "target_notebook", "filename"}
	oldNames  = []string{"old_string", "old_str", "oldText", "oldString", "oldStr"}
	newNames  = []string{"new_string", "new_str", "newText", "newString", "newStr"}
	textNames = []string{"content", "file_text", "contents", "fileText"}
	listNames = []string{"paths", "files", "absolute_paths", "operations"}
)

// text appends the first of some members that is a string.
func text(to []byte, in entry.Fields, names []string) ([]byte, bool) {
	for _, name := range names {
		if v := in.Get(name); v.IsString() {
			return v.AppendText(to), true
		}
	}
	return to, false
}

// isString reports whether one of some members is a string.
func isString(in entry.Fields, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return in.Get(name).IsString() })
}

// touched returns what a call did to files by its name, its input and what the client told of it.
func (r *Rows) touched(c *call, x *says.Thing) []touch {
	in := entry.FieldsOf(c.input)
	if patch, ok := patchIn(c.input, in); ok {
		return inPatch(patch)
	}
	if changes := in.Get("changes"); changes.IsArray() {
		if touches := changed(changes); touches != nil {
			return touches
		}
	}
	name := letters(string(c.name.Text()))
	where, ok := text(nil, in, pathNames)
	if !ok {
		return listed(in, name)
	}
	f := touch{action: action(name, in), path: string(where)}
	if f.action == "" {
		return nil
	}
	if f.action != "read" && x != nil && !x.Failed {
		r.changes(&f, c, in, x)
	}
	return []touch{f}
}

// changes sets the hunks of what a call changed in a file, and what it did if the client tells that better than its
// input.
func (r *Rows) changes(f *touch, c *call, in entry.Fields, x *says.Thing) {
	of := entry.FieldsOf(x.Extra)
	if f.diff = r.scratch.told(x.Extra, of); f.diff == nil {
		f.diff = toldDiff(x, f.action)
	}
	if f.diff != nil {
		r.keepText(r.placed(f.path, c), nil) // it is there, and another one now
	}
	const empty = `""`
	if string(of.Get("originalFile")) == empty {
		f.action = "edit" // of an empty file
		if string(of.Get("oldString")) == empty {
			f.action = "write" // so Claude Code makes a file by an edit
		}
	}
	if f.diff == nil && of.Get("structuredPatch") == nil && !isCell(in) {
		f.diff = r.written(f, c, in)
	} else if !fits(f.diff) {
		f.diff = nil
	}
}

// toldDiff returns the hunks of the diff that a result tells, nil if there is none.
func toldDiff(x *says.Thing, action string) []byte {
	if !x.Split {
		return hunksIn(x.Diff.Text())
	}
	if action == "write" && bytes.Contains(x.Diff, []byte(`/dev/null\n+++ `)) {
		return nil // the text is told; in the diff it cannot be seen whether it ends in a line break
	}
	return unsplit(hunksIn(x.Diff.Text()))
}

// listed returns the files that a call read if it names several.
func listed(in entry.Fields, name string) (touches []touch) {
	if !strings.Contains(name, "read") {
		return nil
	}
	for _, list := range listNames {
		for v := range in.Get(list).Elements() {
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
func action(name string, in entry.Fields) string {
	command := string(in.Get("command").Text())
	if strings.Trim(command, "abcdefghijklmnopqrstuvwxyz_") != "" {
		command = "" // of a shell
	}
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
	}
	hasText := isString(in, textNames)
	switch {
	case isString(in, oldNames) || in.Get("edits") != nil || isCell(in):
		return "edit"
	case hasText && has("insert", "append"): // a part of the file
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

// isCell reports whether an input is about a cell of a notebook: its texts are none of the file's, which is JSON.
func isCell(in entry.Fields) bool {
	return slices.ContainsFunc([]string{"new_source", "cell_id", "cell_number", "cell_idx", "cell_type"}, func(name string) bool { return in.Get(name) != nil })
}

// --- Patches of Codex ---

// patchIn returns the lines of the patch of Codex that an input is or holds.
func patchIn(input entry.Value, in entry.Fields) ([]byte, bool) {
	if !bytes.Contains(input, []byte("*** Begin Patch")) {
		return nil, false
	}
	values := []entry.Value{input, in.Get("input"), in.Get("patch"), in.Get("patchText"), in.Get("command"), in.Get("cmd")}
	values = append(values, slices.Collect(in.Get("command").Elements())...)
	for _, v := range values {
		if _, patch, ok := bytes.Cut(v.Text(), []byte("*** Begin Patch\n")); ok {
			patch, _, _ = bytes.Cut(patch, []byte("*** End Patch"))
			return patch, true
		}
	}
	return nil, false
}

// inPatch returns what a patch of Codex does. The patch has no numbers of lines, so git finds the place of a hunk by
// the lines around it. A hunk without such lines, or without one below what it changes, has no place but at the end of
// the file, and a deleted file has no content.
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
		case last == nil:
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

// --- Texts of files that only the calls tell ---

// textsMost is how many bytes of the texts of files are kept at most.
const textsMost = 4 << 20

// written returns the hunks of a change that only the input of the call tells. The first text of a file is taken for
// that of a new one.
func (r *Rows) written(f *touch, c *call, in entry.Fields) []byte {
	where := r.placed(f.path, c)
	before, known := r.texts[where]
	s, after, ok := &r.scratch, []byte(nil), false
	isThere := known && before == nil // with a text that is not known
	switch {
	case f.action == "write" && isString(in, textNames):
		if after, _ = text([]byte{}, in, textNames); c.ends && len(after) > 0 && after[len(after)-1] != '\n' {
			after = append(after, '\n')
		}
	case f.action == "edit" && known && !isThere:
		if after, ok = s.editedBy(before, in); !ok {
			r.forget(where)
			return nil
		}
	default:
		r.forget(where)
		return s.somewhere(in)
	}
	r.keepText(where, after)
	if isThere {
		return nil
	}
	if s.hunks = s.hunks[:0]; known {
		s.hunks = lineDiff(s.hunks, before, after)
	} else {
		s.hunks = made(s.hunks, after)
	}
	return s.hunks
}

// keepText keeps the text of a file, which nobody may change then, if all of them are not too long.
func (r *Rows) keepText(where string, text []byte) {
	r.textBytes += len(text) - len(r.texts[where])
	if r.texts == nil || r.textBytes > textsMost {
		r.texts, r.textBytes = map[string][]byte{}, len(text)
	}
	r.texts[where] = text
}

// forget drops the text of a file. The next text of it counts as that of a new file.
func (r *Rows) forget(where string) {
	r.textBytes -= len(r.texts[where])
	delete(r.texts, where)
}

// editedBy returns a text after the edits of an input, a new slice. It reports false if the place of one is not in the
// text.
func (s *scratch) editedBy(before []byte, in entry.Fields) ([]byte, bool) {
	edits := slices.Collect(in.Get("edits").Elements())
	if len(edits) == 0 {
		return s.editOnce(before, in)
	}
	for _, e := range edits {
		var ok bool
		if before, ok = s.editOnce(before, entry.FieldsOf(e)); !ok {
			return nil, false
		}
	}
	return before, true
}

func (s *scratch) editOnce(before []byte, in entry.Fields) (after []byte, ok bool) {
	s.old, _ = text(s.old[:0], in, oldNames)
	s.now, _ = text(s.now[:0], in, newNames)
	i := bytes.Index(before, s.old)
	if len(s.old) == 0 || i < 0 {
		return nil, false
	}
	if in.Get("replace_all").Truthy() || in.Get("replaceAll").Truthy() {
		return bytes.ReplaceAll(before, s.old, s.now), true
	}
	return slices.Concat(before[:i], s.now, before[i+len(s.old):]), true
}
