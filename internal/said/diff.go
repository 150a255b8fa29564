package said

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jl/internal/dialect"
	"jl/internal/entry"
)

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

// whole returns the hunk that adds or removes all lines of a text, not nil if there is none.
func whole(text string, mark byte) []byte {
	if text == "" {
		return []byte{}
	}
	n := countLines(text)
	out := make([]byte, 0, len(text)+n+64)
	if mark == '-' {
		out = hunkHead(out, 1, n, 0, 0)
	} else {
		out = hunkHead(out, 0, 0, 1, n)
	}
	return marked(out, mark, text)
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

// --- What Claude Code tells ---

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
		at := func(name string) int {
			n, _ := h.Member(name).Int()
			return int(n)
		}
		old, now := at("oldStart"), at("newStart")
		out = hunkHead(out, old, at("oldLines"), now, at("newLines"))
		old, now = old-1, now-1
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
	original := string(dialect.First(m.get("originalFile").NonEmpty(), m.get("originalFileContents")).Text())
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
func tabs(lines []string, i int, line string) string {
	if i >= 0 && i < len(lines) && strings.Contains(lines[i], "\t") && strings.ReplaceAll(lines[i], "\t", "  ") == strings.ReplaceAll(line, "\t", "  ") {
		return lines[i]
	}
	return line
}

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
			f.diff = append(hunkHead(f.diff, 2, old, 2, now), hunk...)
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

// --- Texts ---

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
	context := countLines(above[from:]) + countLines(below[:to])
	oldLines, newLines := countLines(old)+context, countLines(now)+context
	start := strings.Count(above[:from], "\n")
	out := make([]byte, 0, len(old)+len(now)+2*around*80)
	out = hunkHead(out, start+min(1, oldLines), oldLines, start+min(1, newLines), newLines)
	out = marked(out, ' ', above[from:])
	out = marked(out, '-', old)
	out = marked(out, '+', now)
	return marked(out, ' ', below[:to])
}
