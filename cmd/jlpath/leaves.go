package main

import (
	"errors"
	"slices"
	"strings"

	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/log"
	"jl/internal/operand"
)

// A leaf is an entry whose path is to be printed, or the end of a range.
type leaf struct {
	id    string
	file  string // the log that it is in, if an edge with a file names it
	found bool

	// In a range A..B, from is A, and the leaf itself is B; else from is nil. If A or B is empty, it is
	// the leaf that the rules choose.
	from     *leaf
	together bool // one log has both
}

// leavesOf returns the leaves that -l names.
func leavesOf(c *cli.Command, named []string) []*leaf {
	var leaves []*leaf
	for _, name := range named {
		from, to, isRange := strings.Cut(name, "..")
		switch {
		case name == "-":
			leaves = append(leaves, readLeaves(c)...)
		case isRange:
			leaves = append(leaves, &leaf{id: to, from: &leaf{id: from}})
		default:
			leaves = append(leaves, &leaf{id: name})
		}
	}
	return leaves
}

// readLeaves reads leaves from standard input.
func readLeaves(c *cli.Command) []*leaf {
	f, ok := operand.Open(c, "-")
	if !ok {
		return nil
	}
	defer f.Close()
	var leaves []*leaf
	for id, e := range f.List(true) {
		if e == nil {
			leaves = append(leaves, &leaf{id: id})
			continue
		}
		id := dialect.Of(e).IDOf(e)
		if id == nil {
			f.FailAt(e.Pos.Line, errors.New("an entry without an id is not a leaf"))
			continue
		}
		named := &leaf{id: string(id.Text())}
		if e.Get(entry.Offset) != nil { // an edge
			named.file = string(e.Get(entry.File).Text())
		}
		leaves = append(leaves, named)
	}
	if leaves == nil && !f.Failed() {
		f.Note("standard input names no leaf")
	}
	return leaves
}

// A nodeRange is a path, whole or without what it shares with another one.
type nodeRange struct {
	to    log.Node // the leaf of the path, None for the one that the rules choose
	from  log.Node // the leaf of the other one, or None in the same way
	whole bool     // print all of the path; from is not used
}

// ranges returns what the leaves name in the log; without -l, the whole path to the leaf that the
// rules choose.
func (p *printer) ranges() []nodeRange {
	if len(p.f.Leaf) == 0 {
		return []nodeRange{{to: log.None, whole: true}}
	}
	var here []*leaf
	var ids []string
	label := string(entry.Value(entry.AppendString(nil, []byte(p.file.Name))).Text()) // as an edge has it
	p.labels = append(p.labels, label)
	for _, l := range p.leaves {
		if l.file == "" || l.file == label {
			here = append(here, l)
			ids = append(ids, l.id)
			if l.from != nil {
				ids = append(ids, l.from.id)
			}
		}
	}
	answers := p.file.Find(p.t, slices.DeleteFunc(ids, func(id string) bool { return id == "" })...)
	answers[""] = operand.Answer{Known: true, Chosen: true, Node: log.None}
	answer := func(end *leaf) operand.Answer {
		end.found = end.found || answers[end.id].Known
		return answers[end.id]
	}
	var ranges []nodeRange
	for _, l := range here {
		to, from := answer(l), operand.Answer{Chosen: true}
		if l.from != nil {
			from = answer(l.from)
			l.together = l.together || to.Known && from.Known
		}
		if to.Chosen && from.Chosen {
			ranges = append(ranges, nodeRange{to: to.Node, from: from.Node, whole: l.from == nil})
		}
	}
	return ranges
}

// missing reports the leaves that no log has.
func (p *printer) missing() {
	files := operand.Names(p.f.Files)
	for _, l := range p.leaves {
		found := true
		for _, end := range []*leaf{l, l.from} {
			switch {
			case end == nil || end.found:
				continue
			case end.file == "":
				operand.NoEntry(p.c, files, end.id)
			case slices.Contains(files, end.file), slices.Contains(p.labels, end.file):
				operand.NoEntry(p.c, []string{end.file}, end.id)
			default:
				p.c.Note(cli.File(end.file), "not one of the FILEs: no entry %s", entry.Quote(end.id))
				p.c.No()
			}
			found = false
		}
		if found && l.from != nil && !l.together {
			p.c.Note(cli.Place{}, "no FILE has both %s and %s", entry.Quote(l.from.id), entry.Quote(l.id))
			p.c.No()
		}
	}
}
