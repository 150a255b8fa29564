package said

import (
	"bytes"
	"fmt"
)

// unsplit returns the hunks that Copilot CLI tells: of a text whose lines are the pieces between its line breaks, so
// that a text that ends in one has an empty piece behind it. The end of the text is told by fewer than three pieces
// behind the last change. Where there are three, the last one is left out: it may be a line, the last one without a
// line break, or that empty piece.
func unsplit(hunks []byte) []byte {
	last := bytes.LastIndex(hunks, []byte("\n@@ -")) + 1
	header, body, _ := bytes.Cut(hunks[last:], []byte("\n"))
	var from, to int
	if _, err := fmt.Sscanf(string(header), "@@ -%d", &from); err != nil {
		return nil
	}
	_, after, _ := bytes.Cut(header, []byte("+"))
	if _, err := fmt.Sscanf(string(after), "%d", &to); err != nil {
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
	last := len(lines) - 1
	if last < 0 {
		return lines
	}
	if len(lines[last].text) == 0 {
		return lines[:last]
	}
	lines[last].open = true
	return lines
}

// hunkOf returns a hunk of the lines of the old and of the new text.
func hunkOf(from, to int, old, now []piecedLine) []byte {
	var out []byte
	n := 0 // of now, so far
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
	return append(hunkHeader(nil, from, len(old), to, len(now)), out...)
}
