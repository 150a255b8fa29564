package said

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

// hunkHeader appends the header of a hunk: the first line and the number of lines of the old text and of the new one.
func hunkHeader(out []byte, from, old, to, now int) []byte {
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
		out = hunkHeader(out, 1, n, 0, 0)
	} else {
		out = hunkHeader(out, 0, 0, 1, n)
	}
	return marked(out, mark, text)
}

// made appends the hunk that makes a file, which has no lines if the file is empty: so it is not taken for one that
// changes nothing.
func made(out, text []byte) []byte {
	if len(text) == 0 {
		return append(out, "@@ -0,0 +0,0 @@\n"...)
	}
	return whole(out, '+', text)
}

// fits reports whether hunks are whole: their lines are as many as their headers say, and begin with a mark.
func fits(hunks []byte) bool {
	old, now := 0, 0
	for l := range bytes.Lines(hunks) {
		if old == 0 && now == 0 && bytes.HasPrefix(l, []byte("@@ -")) {
			var ok bool
			if old, now, ok = counts(l); !ok {
				return false
			}
			continue
		}
		switch l[0] {
		case ' ':
			old, now = old-1, now-1
		case '-':
			old--
		case '+':
			now--
		case '\\':
		default:
			return false
		}
	}
	return old == 0 && now == 0
}

// counts returns the numbers of lines that the header of a hunk tells.
func counts(header []byte) (old, now int, ok bool) {
	words := strings.Fields(string(header))
	if len(words) < 4 || words[3] != "@@" {
		return 0, 0, false
	}
	count := func(word string) int {
		_, n, found := strings.Cut(word, ",")
		if !found {
			return 1
		}
		lines, err := strconv.Atoi(n)
		ok = ok && err == nil
		return lines
	}
	ok = true
	old, now = count(words[1]), count(words[2])
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

// common returns the lengths of the lines that two texts both begin with, and of those that the rest of both ends with.
func common(before, after []byte) (prefix, suffix int) {
	n := 0
	for n < len(before) && n < len(after) && before[n] == after[n] {
		n++
	}
	prefix = bytes.LastIndexByte(before[:n], '\n') + 1
	old, now := before[prefix:], after[prefix:]
	n = 0
	for n < len(old) && n < len(now) && old[len(old)-1-n] == now[len(now)-1-n] {
		n++
	}
	suffix = n
	if !beginsLine(old, len(old)-n) || !beginsLine(now, len(now)-n) {
		same := old[len(old)-n:]
		suffix = len(same) - (bytes.IndexByte(same, '\n') + 1)
		if suffix == len(same) { // no line begins there
			suffix = 0
		}
	}
	return prefix, suffix
}

// lineDiff appends the hunk by which a text becomes another, with three lines around, if they are not the same.
func lineDiff(out, before, after []byte) []byte { return partDiff(out, 1, 1, before, after) }

// partDiff is lineDiff for the part of a text that begins at line first before, and at line to after.
func partDiff(out []byte, first, to int, before, after []byte) []byte {
	if bytes.Equal(before, after) {
		return out
	}
	prefix, suffix := common(before, after)
	old, now := before[prefix:len(before)-suffix], after[prefix:len(after)-suffix]
	const around = 3
	above, below := before[:prefix], before[len(before)-suffix:]
	from := prefix
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
	out = hunkHeader(out, first-1+start+min(1, oldLines), oldLines, to-1+start+min(1, newLines), newLines)
	out = marked(out, ' ', above[from:])
	out = marked(out, '-', old)
	out = marked(out, '+', now)
	return marked(out, ' ', below[:end])
}
