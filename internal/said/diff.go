package said

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jl/internal/entry"
)

// A scratch is memory for the texts of an edit, and for hunks, which are valid until the next are made.
type scratch struct{ old, now, hunks []byte }

// hunksIn returns the hunks of a diff of one file, nil if it has none.
func hunksIn(diff []byte) []byte {
	i := bytes.Index(diff, []byte("@@ -"))
	if i < 0 || i > 0 && diff[i-1] != '\n' {
		return nil
	}
	diff = bytes.TrimRight(diff[i:], "\n")
	return append(slices.Clip(diff), '\n')
}

// hunkHead appends the head of a hunk: the first line and the number of lines of the old text and of the new one.
func hunkHead(out []byte, from, old, to, now int) []byte {
	return fmt.Appendf(out, "@@ -%d,%d +%d,%d @@\n", from, old, to, now)
}

// whole appends the hunk that adds or removes all lines of a text, if there is one.
func whole(out []byte, mark byte, text []byte) []byte {
	if len(text) == 0 {
		return out
	}
	n := countLines(text)
	out = slices.Grow(out, len(text)+n+64)
	if mark == '-' {
		out = hunkHead(out, 1, n, 0, 0)
	} else {
		out = hunkHead(out, 0, 0, 1, n)
	}
	return marked(out, mark, text)
}

// made appends the hunk that makes a file, which has no lines if the file is empty: so it is not taken for one that changes nothing.
func made(out, text []byte) []byte {
	if len(text) == 0 {
		return append(out, "@@ -0,0 +0,0 @@\n"...)
	}
	return whole(out, '+', text)
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

// beginsLine reports whether a line begins at text[i].
func beginsLine(text []byte, i int) bool { return i == 0 || text[i-1] == '\n' }

func countLines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// marked appends the lines of a text, each behind a mark.
func marked(out []byte, mark byte, text []byte) []byte {
	for len(text) > 0 {
		i := bytes.IndexByte(text, '\n') + 1
		if i == 0 {
			return append(append(append(out, mark), text...), "\n\\ No newline at end of file\n"...)
		}
		out = append(append(out, mark), text[:i]...)
		text = text[i:]
	}
	return out
}

// --- What Copilot CLI tells ---

// unsplit returns hunks of a text whose lines are the pieces between its line breaks, so that a text that ends in one has an empty piece
// behind it. The end of the text is told by fewer than three pieces behind the last change. Where there are three, the last one is left
// out: it may be a line, the last one without a line break, or that empty piece.
func unsplit(hunks []byte) []byte {
	last := bytes.LastIndex(hunks, []byte("\n@@ -")) + 1
	head, body, _ := bytes.Cut(hunks[last:], []byte("\n"))
	var from, to int
	if _, err := fmt.Sscanf(string(head), "@@ -%d", &from); err != nil {
		return nil
	}
	if _, after, ok := bytes.Cut(head, []byte("+")); !ok {
		return nil
	} else if _, err := fmt.Sscanf(string(after), "%d", &to); err != nil {
		return nil
	}
	pieces := bytes.Split(bytes.TrimSuffix(body, []byte("\n")), []byte("\n"))
	behind := 0
	for i := len(pieces) - 1; i >= 0 && (len(pieces[i]) == 0 || pieces[i][0] == ' '); i-- {
		behind++
	}
	const around = 3
	var old, now []piecedLine
	for _, p := range pieces {
		mark, text := byte(' '), p
		if len(p) > 0 {
			mark, text = p[0], p[1:]
		}
		if mark != '+' {
			old = append(old, piecedLine{text: text, both: mark == ' ', at: len(now)})
		}
		if mark != '-' {
			now = append(now, piecedLine{text: text})
		}
	}
	if behind >= around {
		old, now = old[:len(old)-1], now[:len(now)-1]
	} else {
		old, now = ended(old), ended(now)
	}
	return append(bytes.Clone(hunks[:last]), hunkOf(from, to, old, now)...)
}

// A piecedLine is a line of a hunk. One that is in both texts has the number of the line that it is there.
type piecedLine struct {
	text []byte
	both bool
	at   int
	open bool // no line break follows
}

// ended returns the lines of a text that ends with its last piece.
func ended(lines []piecedLine) []piecedLine {
	switch last := len(lines) - 1; {
	case last < 0:
		return lines
	case len(lines[last].text) == 0:
		return lines[:last]
	default:
		lines[last].open = true
		return lines
	}
}

// hunkOf returns a hunk of the lines of the old and of the new text.
func hunkOf(from, to int, old, now []piecedLine) []byte {
	var out []byte
	n, lines := 0, 0
	add := func(mark byte, l piecedLine) {
		out = append(append(append(out, mark), l.text...), '\n')
		if l.open {
			out = append(out, "\\ No newline at end of file\n"...)
		}
	}
	for _, l := range old {
		isBoth := l.both && l.at < len(now) && now[l.at].open == l.open
		for ; l.both && n < min(l.at, len(now)) || isBoth && n < l.at; n++ {
			add('+', now[n])
		}
		if isBoth {
			add(' ', l)
			n++
		} else {
			add('-', l)
		}
		lines++
	}
	for ; n < len(now); n++ {
		add('+', now[n])
	}
	if len(old) == 0 {
		from = max(from-1, 0)
	}
	if len(now) == 0 {
		to = max(to-1, 0)
	}
	return append(hunkHead(nil, from, lines, to, len(now)), out...)
}

// --- What Claude Code tells ---

// told returns the hunks of what Claude Code tells of a change: a structuredPatch, whose lines have two spaces for each tab. The
// members are those of v.
func (s *scratch) told(v entry.Value, m entry.Fields) []byte {
	hunks := slices.Collect(m.Get("structuredPatch").Elements())
	switch {
	case m.Get("original_file").IsString() && m.Get("updated_file").IsString(): // of a notebook
		return lineDiff([]byte{}, m.Get("original_file").Text(), m.Get("updated_file").Text())
	case len(hunks) > 0:
	case !m.Get("structuredPatch").IsArray():
		return nil
	case m.Get("type").Is("create") && m.Get("content").IsString():
		return made(nil, m.Get("content").Text())
	case m.Get("originalFile").IsString() && bytes.Equal(m.Get("originalFile"), m.Get("content")): // written twice alike
		return []byte{}
	case m.Get("originalFile").IsString() && len(m.Get("originalFile")) == 2 && m.Get("content").IsString(): // it was empty
		return whole(nil, '+', m.Get("content").Text())
	default:
		return nil
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
		out = hunkHead(out, old, at("oldLines"), now, at("newLines"))
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
		f.diff = made(nil, text)
		return
	case "move":
		f.diff = []byte{}
	}
	var hunk []byte
	old, now, behind := 0, 0, 0 // behind are the lines below the last change
	end := func(atEnd bool) bool {
		if len(hunk) > 0 && (old == 0 || behind == 0 && !atEnd) {
			f.diff = nil
			return false
		}
		if len(hunk) > 0 { // not line 1, which would mean the beginning of the file
			f.diff = append(hunkHead(f.diff, 2, old, 2, now), hunk...)
		}
		hunk, old, now, behind = hunk[:0], 0, 0, 0
		return true
	}
	for l := range bytes.Lines(lines) {
		behind++
		switch l[0] {
		case '@', '*':
			if !end(l[0] == '*') {
				return
			}
			continue
		case ' ':
			old, now = old+1, now+1
		case '-':
			old, behind = old+1, 0
		case '+':
			now, behind = now+1, 0
		default:
			f.diff = nil
			return
		}
		hunk = append(hunk, l...)
	}
	end(false)
}

// somewhere returns hunks of the edits of an input whose places are not known: git finds them by the lines, as those of a
// patch of Codex. It returns nil if an edit has no lines to be found by, or none below what it changes.
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

// atLines adds the hunk of an edit, of which only the lines are known. It reports false if that has none to be found by.
func (s *scratch) atLines(in entry.Fields) bool {
	s.old, s.now = lines(s.old, in, oldNames), lines(s.now, in, newNames)
	old, now := s.old, s.now
	if len(old) == 0 {
		return len(now) == 0
	}
	head, tail := common(old, now)
	if tail == 0 { // git takes a change without a line below it for one at the end of the file
		return false
	}
	out := hunkHead(s.hunks, 2, countLines(old), 2, countLines(now)) // not line 1, which would mean the beginning of the file
	out = marked(out, ' ', old[:head])
	out = marked(out, '-', old[head:len(old)-tail])
	out = marked(out, '+', now[head:len(now)-tail])
	s.hunks = marked(out, ' ', old[len(old)-tail:])
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

// --- Texts ---

// common returns the lengths of the lines that two texts both begin with, and of those that the rest of both ends with.
func common(before, after []byte) (head, tail int) {
	n := 0
	for n < len(before) && n < len(after) && before[n] == after[n] {
		n++
	}
	head = bytes.LastIndexByte(before[:n], '\n') + 1
	old, now := before[head:], after[head:]
	n = 0
	for n < len(old) && n < len(now) && old[len(old)-1-n] == now[len(now)-1-n] {
		n++
	}
	tail = n
	if !beginsLine(old, len(old)-n) || !beginsLine(now, len(now)-n) {
		same := old[len(old)-n:]
		tail = len(same) - (bytes.IndexByte(same, '\n') + 1)
		if tail == len(same) { // no line begins there
			tail = 0
		}
	}
	return head, tail
}

// lineDiff appends the hunk by which a text becomes another, with three lines around, if they are not the same.
func lineDiff(out, before, after []byte) []byte { return partDiff(out, 1, 1, before, after) }

// partDiff is lineDiff for the part of a text that begins at line first before, and at line to after.
func partDiff(out []byte, first, to int, before, after []byte) []byte {
	if bytes.Equal(before, after) {
		return out
	}
	head, tail := common(before, after)
	old, now := before[head:len(before)-tail], after[head:len(after)-tail]
	const around = 3
	above, below := before[:head], before[len(before)-tail:]
	from := head
	for range around {
		if from > 0 {
			from = bytes.LastIndexByte(above[:from-1], '\n') + 1
		}
	}
	end := 0
	for range around {
		if i := bytes.IndexByte(below[end:], '\n'); i >= 0 {
			end += i + 1
		} else {
			end = len(below)
		}
	}
	context := countLines(above[from:]) + countLines(below[:end])
	oldLines, newLines := countLines(old)+context, countLines(now)+context
	start := bytes.Count(above[:from], []byte("\n"))
	out = hunkHead(out, first-1+start+min(1, oldLines), oldLines, to-1+start+min(1, newLines), newLines)
	out = marked(out, ' ', above[from:])
	out = marked(out, '-', old)
	out = marked(out, '+', now)
	return marked(out, ' ', below[:end])
}
