package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"jl/internal/cli"
	"jl/internal/drawing"
	"jl/internal/operand"
)

// A dotter writes logs as one graph in the language of Graphviz.
type dotter struct {
	c    *cli.Command
	all  bool
	logs int              // how many were written
	used [len(looks)]bool // which looks were
}

// labelWidth is how many columns the title in a box takes at most.
const labelWidth = 40

// open writes the beginning of the graph. The root of a tree is at the bottom.
func (d *dotter) open() {
	fmt.Fprint(d.c.Out, `digraph sessions {
	graph [charset="UTF-8" rankdir=BT ranksep=0.3 fontname="sans-serif"]
	node [shape=box style="rounded,filled" fillcolor=white fontname="sans-serif" fontsize=10]
	edge [arrowsize=0.6]
`)
}

// close writes the legend, which has the looks that occur, and the end of the graph.
func (d *dotter) close() {
	if slices.Contains(d.used[:], true) {
		fmt.Fprint(d.c.Out, "\tsubgraph cluster_legend {\n\tlabel=legend\n")
		for i, l := range looks {
			if d.used[i] {
				fmt.Fprintf(d.c.Out, "\tlegend_%d [label=%s%s]\n", i, quoted(l.name), l.attributes)
			}
		}
		fmt.Fprint(d.c.Out, "\t}\n")
	}
	fmt.Fprint(d.c.Out, "}\n")
}

// log writes one log, in a box of its own if it has a label.
func (d *dotter) log(file *operand.File) {
	stretches, ok := readStretches(file, d.all)
	if !ok {
		return
	}
	d.logs++
	if file.Label != "" {
		fmt.Fprintf(d.c.Out, "\tsubgraph cluster_%d {\n\tlabel=%s\n", d.logs, quoted(oneLine(file.Label)))
	}
	for i := range stretches {
		d.stretch(&stretches[i], i)
	}
	if file.Label != "" {
		fmt.Fprint(d.c.Out, "\t}\n")
	}
}

// stretch writes a box and the edge to it.
func (d *dotter) stretch(s *stretch, i int) {
	name := fmt.Sprintf("s%d_%d", d.logs, i)
	figures := counted(s.prompts, "turn", "turns") + ", " + counted(s.calls, "call", "calls")
	tooltip := []string{s.title, figures}
	if s.timed {
		figures = s.start("01-02 15:04") + ", " + s.took() + ", " + figures
		tooltip = append(tooltip, s.start(time.DateTime)+" UTC, "+s.took())
	}
	label := []string{drawing.Clip(s.title, labelWidth, "…"), figures, s.id}
	if len(s.marks) > 0 {
		label = slices.Insert(label, 0, "("+strings.Join(s.marks, ") (")+")")
	}
	fmt.Fprintf(d.c.Out, "\t%s [label=%s tooltip=%s%s]\n", name, quoted(label...), quoted(tooltip...), d.look(s))
	up, line := fmt.Sprintf("s%d_%d", d.logs, s.Parent), ""
	if s.Torn {
		up = name + "_up"
		fmt.Fprintf(d.c.Out, "\t%s [label=\"~\" shape=none fillcolor=none tooltip=\"not in the file, or in a cycle\"]\n", up)
	}
	if s.Dotted || s.Torn {
		line = " [style=dotted]"
	}
	if s.Torn || s.Parent >= 0 {
		fmt.Fprintf(d.c.Out, "\t%s -> %s%s\n", up, name, line)
	}
}

// looks are the kinds of boxes that differ from the plain ones, each with the attributes that show
// it. The first that fits a box counts.
var looks = [...]struct {
	name, attributes string
	fits             func(s *stretch) bool
}{
	{"leaf", ` fillcolor="#c8ecd0" penwidth=2`, func(s *stretch) bool { return s.Kind == drawing.Chosen }},
	{"orphan or cycle", ` fillcolor="#f8d7da"`, func(s *stretch) bool { return s.Torn }},
	{"end", ` fillcolor="#fff3c4"`, func(s *stretch) bool { return s.Kind == drawing.End }},
	{"beside the branches", ` style="rounded,dashed"`, func(s *stretch) bool { return s.Kind == drawing.Folded }},
	{"compaction", ` fillcolor="#e8def8"`, func(s *stretch) bool { return slices.Contains(s.marks, compactionMark) }},
}

// look returns the attributes that show what kind of box it is.
func (d *dotter) look(s *stretch) string {
	for i, l := range looks {
		if l.fits(s) {
			d.used[i] = true
			return l.attributes
		}
	}
	return ""
}

// escapes are what Graphviz reads as an escape or a character reference.
var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `&`, `&amp;`)

// quoted returns lines as a string of Graphviz. It leaves out empty lines.
func quoted(lines ...string) string {
	lines = slices.DeleteFunc(lines, func(l string) bool { return l == "" })
	for i, l := range lines {
		lines[i] = escapes.Replace(l)
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}
