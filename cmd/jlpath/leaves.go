package main

import (
	"errors"
	"slices"
	"strings"

	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/operand"
	"jl/internal/tree"
)

// A leaf is an entry whose path is to be printed, or the end of a range.
type leaf struct {
	id    string
	file  string // the log that it is in, if an edge with a file names it
	found bool

	// In a range A..B, from is A, and the leaf itself is B; else from is nil. If A or B is empty, it is
	// the leaf that the rules choose.
	from     *leaf
	name     string // A..B, which may be an id itself
	together bool   // one log has both
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
			leaves = append(leaves, &leaf{id: to, from: &leaf{id: from}, name: name})
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
	for l := range f.List(true) {
		if l.Entry == nil {
			leaves = append(leaves, &leaf{id: l.ID})
			continue
		}
		id := dialect.Of(l.Entry).IDOf(l.Entry)
		if id == nil {
			f.FailAt(l.Line, errors.New("an entry without an id is not a leaf"))
			continue
		}
		named := &leaf{id: string(id.Text())}
		if l.Entry.Get(entry.Offset) != nil { // an edge
			named.file = string(l.Entry.Get(entry.File).Text())
		}
		leaves = append(leaves, named)
	}
	return leaves
}

// A nodeRange is a path, whole or without what it shares with another one.
type nodeRange struct {
	to    tree.Node // the leaf of the path, None for the one that the rules choose
	from  tree.Node // the leaf of the other one, or None in the same way
	whole bool      // print all of the path; from is not used
}

// ranges returns what the leaves name in the log; without -l, the whole path to the leaf that the
// rules choose.
func (p *printer) ranges() []nodeRange {
	if len(p.f.Leaf) == 0 {
		return []nodeRange{{to: tree.None, whole: true}}
	}
	var here []*leaf
	var ids []string
	exact := map[*leaf]tree.Node{}                                                    // what looks like a range, but is an id
	label := string(entry.Value(entry.AppendString(nil, []byte(p.file.Name))).Text()) // as an edge has it
	p.labels = append(p.labels, label)
	for _, l := range p.leaves {
		if l.file == "" || l.file == label {
			here = append(here, l)
			if l.from == nil {
				ids = append(ids, l.id)
			} else if n := p.named(l); n != tree.None {
				exact[l] = n
			} else {
				ids = append(ids, l.id, l.from.id)
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	answers := map[string]operand.Answer{}
	for i, a := range p.file.Find(p.t, ids...) {
		answers[ids[i]] = a
	}
	var ranges []nodeRange
	for _, l := range here {
		if l.from == nil {
			a := answers[l.id]
			if l.found = l.found || a.Known; a.Chosen {
				ranges = append(ranges, nodeRange{to: a.Node, whole: true})
			}
		} else if n, ok := exact[l]; ok {
			l.found, l.from.found, l.together = true, true, true
			ranges = append(ranges, nodeRange{to: n, whole: true})
		} else if r, ok := rangeOf(l, answers); ok {
			ranges = append(ranges, r)
		}
	}
	return ranges
}

// rangeOf returns what a range means in the log that the answers are from. It reports false if the
// log lacks one of the ends.
func rangeOf(l *leaf, answers map[string]operand.Answer) (nodeRange, bool) {
	answer := func(end *leaf) operand.Answer {
		a := answers[end.id]
		if end.id == "" {
			a = operand.Answer{Known: true, Chosen: true, Node: tree.None}
		}
		end.found = end.found || a.Known
		return a
	}
	to, from := answer(l), answer(l.from)
	l.together = l.together || to.Known && from.Known
	return nodeRange{to: to.Node, from: from.Node}, to.Chosen && from.Chosen
}

// named returns the node whose id is what a range is called, or None.
func (p *printer) named(l *leaf) tree.Node {
	if n := p.t.Find([]string{l.name})[0].Node; n != tree.None && p.t.ID(n) == l.name {
		return n
	}
	return tree.None
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
