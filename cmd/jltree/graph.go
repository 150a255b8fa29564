package main

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"jl/internal/cli"
	"jl/internal/drawing"
	"jl/internal/log"
	"jl/internal/operand"
)

// A painter draws logs as text.
type painter struct {
	c      *cli.Command
	all    bool
	screen cli.Screen
	chars  *drawing.Charset
	more   string // replaces the rest of a line
	drawn  bool   // a log
	row    []byte // scratch
}

func newPainter(c *cli.Command, all bool) *painter {
	p := &painter{c: c, all: all, screen: c.Screen(), chars: &drawing.ASCII, more: ".."}
	if p.screen.UTF8 {
		p.chars, p.more = &drawing.Box, "…"
	}
	return p
}

// A style is what an SGR sequence sets.
type style string

const (
	plain   style = ""
	heading style = "1"
	faint   style = "2"
	red     style = "31"
	green   style = "1;32"
	yellow  style = "33"
	magenta style = "35"
)

// laneStyles are the colors of the lanes, from left to right and again.
var laneStyles = []style{"32", "33", "34", "35", "36", "31"}

// A piece is a part of a line.
type piece struct {
	text  string
	style style
}

// readStretches reads the stretches of a log. It reports false if the file is not a log, or if
// it was not the same when it was read again.
func readStretches(file *operand.File, all bool) ([]stretch, bool) {
	t, ok := file.Log(log.Reading{})
	if !ok {
		return nil, false
	}
	leaf := t.Leaf
	file.Odd(t, t.NoLeaf)
	stretches := outline(t, leaf, all)
	file.Fail(t.Err())
	return stretches, t.Err() == nil
}

// log draws one log.
func (p *painter) log(file *operand.File) {
	stretches, ok := readStretches(file, p.all)
	if !ok {
		return
	}
	if file.Label != "" { // as head and tail print it
		if p.drawn {
			p.line(nil)
		}
		p.drawn = true
		p.line([]piece{{"==> " + string(cli.AppendVisible(nil, []byte(file.Label))) + " <==", heading}})
	}
	if len(stretches) == 0 {
		return
	}
	nodes := make([]drawing.Node, len(stretches))
	for i, s := range stretches {
		nodes[i] = s.Node
	}
	lines := drawing.Draw(nodes, p.chars)
	t := p.table(stretches, lines)
	p.line([]piece{{strings.Repeat(" ", t.lanes), plain}, t.header()})
	for l := range lines {
		if p.c.Broken() {
			return
		}
		pieces := lanes(l.Lanes)
		if l.Node >= 0 {
			pad := t.lanes - drawing.Width(l.Lanes)
			pieces = append(pieces, piece{strings.Repeat(" ", pad), plain})
			pieces = append(pieces, t.row(&stretches[l.Node])...)
		}
		p.line(pieces)
	}
}

// lanes returns the lanes of a line, each in its color.
func lanes(text string) []piece {
	var pieces []piece
	for column, r := range []rune(text) {
		s := laneStyles[(column+1)/2%len(laneStyles)] // a lane is two columns, its own and that to the left
		switch r {
		case '@':
			s = green
		case ' ':
			s = plain
		}
		pieces = append(pieces, piece{string(r), s})
	}
	return pieces
}

// line prints a line, or as much of it as the screen is wide.
func (p *painter) line(pieces []piece) {
	if p.screen.Columns > 0 {
		pieces = clip(pieces, p.screen.Columns, p.more)
	}
	p.row = p.row[:0]
	for _, s := range pieces {
		if s.style != plain && p.screen.Color {
			p.row = fmt.Appendf(p.row, "\x1b[%sm%s\x1b[0m", s.style, s.text)
		} else {
			p.row = append(p.row, s.text...)
		}
	}
	p.c.Draw(append(bytes.TrimRight(p.row, " "), '\n'))
}

// clip returns the beginning of a line that takes at most the given number of columns. It
// replaces what it cuts off by mark, and changes pieces.
func clip(pieces []piece, columns int, mark string) []piece {
	var line strings.Builder
	for _, s := range pieces {
		line.WriteString(s.text)
	}
	all := strings.TrimRight(line.String(), " ")
	short := drawing.Clip(all, columns, mark)
	if short == all {
		return pieces
	}
	left := len(short) - len(mark)
	for i, s := range pieces {
		if len(s.text) < left {
			left -= len(s.text)
			continue
		}
		if left < 0 {
			return nil // not even mark has room
		}
		pieces[i].text = s.text[:left] + mark
		return pieces[:i+1]
	}
	return pieces
}

// A table has the widths of the columns of a drawing, and the forms of its rows.
type table struct {
	lanes, took, turns, calls, id int

	narrow   bool
	gap      string // between two columns
	timeForm string
	date     string // of all rows, if timeForm has none
}

// narrow is the width below which a drawing makes room for the prompts: it leaves out the year, how long a row
// took, the marks that the lanes show too, and a date that all rows share.
const narrow = 100

func (p *painter) table(stretches []stretch, lines iter.Seq[drawing.Line]) *table {
	t := &table{took: len("TOOK"), turns: len("TURNS"), calls: len("CALLS"), id: len("ID"), gap: "  ", timeForm: "2006-01-02 15:04"}
	if c := p.screen.Columns; c > 0 && c < narrow {
		t.narrow, t.gap, t.timeForm = true, " ", "01-02 15:04"
		if t.date = dateOf(stretches); t.date != "" {
			t.timeForm = "15:04"
		}
	}
	for l := range lines {
		t.lanes = max(t.lanes, drawing.Width(l.Lanes)+2)
	}
	for i := range stretches {
		s := &stretches[i]
		t.took = max(t.took, len(s.took()))
		t.turns = max(t.turns, len(strconv.Itoa(s.prompts)))
		t.calls = max(t.calls, len(strconv.Itoa(s.calls)))
		t.id = max(t.id, drawing.Width(s.id))
	}
	return t
}

// dateOf returns the date on which all stretches begin, or "".
func dateOf(stretches []stretch) string {
	date := ""
	for i := range stretches {
		d := stretches[i].start(time.DateOnly)
		if d != "" && date != "" && d != date {
			return ""
		}
		date = cmp.Or(date, d)
	}
	return date
}

// header returns the names of the columns.
func (t *table) header() piece {
	start, prompt := "START (UTC)", "PROMPT"
	if t.date != "" {
		start, prompt = "START", "PROMPT ("+t.date+" UTC)"
	}
	columns := []string{fmt.Sprintf("%-*s", len(t.timeForm), start)}
	if !t.narrow {
		columns = append(columns, fmt.Sprintf("%*s", t.took, "TOOK"))
	}
	columns = append(columns, fmt.Sprintf("%*s", t.turns, "TURNS"), fmt.Sprintf("%*s", t.calls, "CALLS"),
		fmt.Sprintf("%-*s", t.id, "ID"), prompt)
	return piece{strings.Join(columns, t.gap), heading}
}

// row returns the text next to the lanes of a stretch.
func (t *table) row(s *stretch) []piece {
	figures := fmt.Sprintf("%*d%s%*d%s", t.turns, s.prompts, t.gap, t.calls, s.calls, t.gap)
	if !t.narrow {
		figures = fmt.Sprintf("%*s%s", t.took, s.took(), t.gap) + figures
	}
	pieces := []piece{
		{fmt.Sprintf("%-*s%s", len(t.timeForm), s.start(t.timeForm), t.gap), plain},
		{figures, faint},
		{s.id + strings.Repeat(" ", t.id-drawing.Width(s.id)) + t.gap, yellow},
	}
	for _, m := range s.marks {
		if !t.narrow || m != leafMark && m != endMark && (m != compactionMark || !s.Dotted) {
			pieces = append(pieces, piece{"(" + m + ") ", cmp.Or(markStyles[m], faint)})
		}
	}
	return append(pieces, piece{s.title, plain})
}

var markStyles = map[string]style{leafMark: green, endMark: yellow, compactionMark: magenta, planMark: magenta, orphanMark: red, cycleMark: red}
