package said

import (
	"bytes"
	"slices"

	"jl/internal/entry"
)

// A scratch is memory for the texts of an edit, and for hunks, which are valid until the next are made.
type scratch struct{ old, now, hunks []byte }

// --- What Claude Code tells ---

// told returns the hunks of what Claude Code tells of a change: a structuredPatch, whose lines have two spaces for
// each tab. The members are those of v.
func (s *scratch) told(v entry.Value, m entry.Fields) []byte {
	if old, now := m.Get("original_file"), m.Get("updated_file"); old.IsString() && now.IsString() { // of a notebook
		return lineDiff([]byte{}, old.Text(), now.Text())
	}
	patch := m.Get("structuredPatch")
	if !patch.IsArray() {
		return nil
	}
	hunks := slices.Collect(patch.Elements())
	if len(hunks) == 0 {
		return toldWhole(m)
	}
	var before, after [][]byte
	if bytes.Contains(v, []byte(`\t`)) {
		before, after = texts(m)
	}
	out := s.hunks[:0]
	for _, h := range hunks {
		at := func(name string) int {
			n, _ := h.Member(name).Int()
			return int(n)
		}
		old, now := at("oldStart"), at("newStart")
		out = hunkHeader(out, old, at("oldLines"), now, at("newLines"))
		old, now = old-1, now-1
		for line := range h.Member("lines").Elements() {
			text, mark := line.Text(), byte(' ')
			if len(text) > 0 {
				text, mark = text[1:], text[0]
			}
			switch mark {
			case ' ':
				text = tabs(before, old, tabs(after, now, text))
				old, now = old+1, now+1
			case '-':
				text = tabs(before, old, text)
				old++
			case '+':
				text = tabs(after, now, text)
				now++
			}
			out = append(append(append(out, mark), text...), '\n')
		}
	}
	s.hunks = out
	return out
}

// toldWhole returns the hunks of what Claude Code tells of a change by whole texts, nil if the texts do not tell it.
// The members are those of what is told.
func toldWhole(m entry.Fields) []byte {
	original, content := m.Get("originalFile"), m.Get("content")
	if m.Get("type").Is("create") && content.IsString() {
		return made(nil, content.Text())
	}
	if !original.IsString() {
		return nil
	}
	if bytes.Equal(original, content) { // written twice alike
		return []byte{}
	}
	if len(original) == 2 { // it was empty
		return whole(nil, '+', content.Text())
	}
	return nil
}

// texts returns the lines of a file before and after a change.
func texts(m entry.Fields) (before, after [][]byte) {
	original := entry.First(m.Get("originalFile").NonEmpty(), m.Get("originalFileContents")).Text()
	text := original
	if m.Get("content").IsString() {
		text = m.Get("content").Text()
	} else {
		for e := range m.Get("edits").Elements() {
			text = edited(text, e.Member("old_string"), e.Member("new_string"), e.Member("replace_all"))
		}
		text = edited(text, m.Get("oldString"), m.Get("newString"), m.Get("replaceAll"))
	}
	return bytes.Split(original, []byte("\n")), bytes.Split(text, []byte("\n"))
}

// edited returns a text after an edit, as Claude Code makes it.
func edited(text []byte, from, to, all entry.Value) []byte {
	if from.IsEmpty() {
		return text
	}
	n, old := 1, from.Text()
	if all.Truthy() {
		n = -1
	}
	if line := slices.Concat(old, []byte("\n")); to.IsEmpty() && !bytes.HasSuffix(old, []byte("\n")) && bytes.Contains(text, line) {
		old = line // the client removes the line too
	}
	return bytes.Replace(text, old, to.Text(), n)
}

// tabs returns line i of a text if it is the given line with its tabs, else the given line.
func tabs(lines [][]byte, i int, line []byte) []byte {
	if i >= 0 && i < len(lines) && bytes.IndexByte(lines[i], '\t') >= 0 && bytes.Equal(spaces(lines[i]), spaces(line)) {
		return lines[i]
	}
	return line
}

// spaces returns a line with two spaces for each tab.
func spaces(line []byte) []byte { return bytes.ReplaceAll(line, []byte("\t"), []byte("  ")) }

// --- Lines without a place ---

// place makes hunks of the lines of a patch of Codex, without a diff if a change has no line that was, or, but at the
// end of the file, none below it: git would not find it.
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
		f.diff = made(nil, text)
		return
	case "move":
		f.diff = []byte{}
	}
	var hunk []byte
	old, now := 0, 0
	var below bool // the last line is below all changes
	end := func(atEnd bool) bool {
		if len(hunk) > 0 && (old == 0 || !below && !atEnd) {
			f.diff = nil
			return false
		}
		if len(hunk) > 0 { // not line 1, which would mean the beginning of the file
			f.diff = append(hunkHeader(f.diff, 2, old, 2, now), hunk...)
		}
		hunk, old, now = hunk[:0], 0, 0
		return true
	}
	for l := range bytes.Lines(lines) {
		switch l[0] {
		case '@', '*': // the next lines, or that these are the end of the file
			if !end(l[0] == '*') {
				return
			}
			continue
		case ' ':
			old, now, below = old+1, now+1, true
		case '-':
			old, below = old+1, false
		case '+':
			now, below = now+1, false
		default:
			f.diff = nil
			return
		}
		hunk = append(hunk, l...)
	}
	end(false)
}

// somewhere returns hunks of the edits of an input whose places are not known: git finds them by the lines, as those
// of a patch of Codex. It returns nil if an edit has no lines to be found by, or none below what it changes.
func (s *scratch) somewhere(in entry.Fields) []byte {
	edits := slices.Collect(in.Get("edits").Elements())
	s.hunks = s.hunks[:0]
	ok := len(edits) > 0 || s.atLines(in)
	for _, e := range edits {
		ok = ok && s.atLines(entry.FieldsOf(e))
	}
	if !ok || len(s.hunks) == 0 {
		return nil
	}
	return s.hunks
}

// atLines adds the hunk of an edit, of which only the lines are known. It reports false if that has none to be found
// by.
func (s *scratch) atLines(in entry.Fields) bool {
	s.old, s.now = lines(s.old, in, oldNames), lines(s.now, in, newNames)
	old, now := s.old, s.now
	if len(old) == 0 {
		return len(now) == 0
	}
	prefix, suffix := common(old, now)
	if suffix == 0 { // git takes a change without a line below it for one at the end of the file
		return false
	}
	out := hunkHeader(s.hunks, 2, countLines(old), 2, countLines(now)) // not line 1, which would mean the beginning of the file
	out = marked(out, ' ', old[:prefix])
	out = marked(out, '-', old[prefix:len(old)-suffix])
	out = marked(out, '+', now[prefix:len(now)-suffix])
	s.hunks = marked(out, ' ', old[len(old)-suffix:])
	return true
}

// lines returns the first of some members that is a string, as whole lines, in the memory of to.
func lines(to []byte, in entry.Fields, names []string) []byte {
	to, _ = text(to[:0], in, names)
	to = bytes.TrimSuffix(to, []byte("\n"))
	if len(to) == 0 || to[len(to)-1] == '\n' {
		return to
	}
	return append(to, '\n')
}
