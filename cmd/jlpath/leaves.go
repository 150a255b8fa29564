package main

import (
	"errors"
	"slices"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/operand"
	"jl/internal/tree"
)

// A leaf is an entry whose path is to be printed.
type leaf struct {
	id    string
	file  string // the log that it is in, if the edge that named it says so
	found bool
}

// leavesOf returns the leaves that -l names, none if it is not given.
func leavesOf(c *cli.Command, id string) []*leaf {
	switch id {
	case "":
		return nil
	case "-":
		return readLeaves(c)
	}
	return []*leaf{{id: id}}
}

// readLeaves reads leaves from standard input.
func readLeaves(c *cli.Command) []*leaf {
	f, ok := operand.Open(c, "-")
	if !ok {
		return nil
	}
	defer f.Source.Close()
	var leaves []*leaf
	var dec entry.Decoder
	lines := line.NewForward(f.Source)
	for lines.Next() {
		if id, ok := operand.ParseID(lines.Bytes(), lines.Number() == 1); ok {
			leaves = append(leaves, &leaf{id: id})
			continue
		}
		count, damage := dec.Decode(lines.Bytes(), lines.Number(), lines.Offset())
		switch {
		case damage == nil:
		case damage.Unfinished(): // the list is complete, so the rest of its last line is lost
			f.FailAt(lines.Number(), damage)
		default:
			f.Damaged(damage)
		}
		for i := range count {
			if l := leafOf(dec.Entry(i)); l != nil {
				leaves = append(leaves, l)
			} else {
				f.FailAt(lines.Number(), errors.New("an entry without an id is not a leaf"))
			}
		}
	}
	f.Fail(lines.Err())
	return leaves
}

// leafOf returns the leaf that an entry or an edge is, nil if it has no id.
func leafOf(e *entry.Entry) *leaf {
	id := entry.DialectOf(e).IDOf(e)
	if id == nil {
		return nil
	}
	l := &leaf{id: string(id.Text())}
	if e.Get(entry.Offset) != nil { // an edge
		l.file = string(e.Get(entry.File).Text())
	}
	return l
}

// ends returns the nodes of the log that the leaves name.
func (p *printer) ends() []tree.Node {
	var here []*leaf
	var ids []string
	label := string(entry.Value(entry.AppendString(nil, []byte(p.file.Name))).Text()) // as an edge has it
	for _, l := range p.leaves {
		if l.file == "" || l.file == label {
			here = append(here, l)
			ids = append(ids, l.id)
		}
	}
	var found []tree.Node
	for i, a := range p.file.Find(p.t, ids...) {
		here[i].found = here[i].found || a.Known
		if a.Chosen {
			found = append(found, a.Node)
		}
	}
	return found
}

// missing notes the leaves that no log has.
func (p *printer) missing() {
	files := operand.Names(p.f.Files)
	for _, l := range p.leaves {
		switch {
		case l.found:
		case l.file == "":
			operand.NoEntry(p.c, files, l.id)
		case slices.Contains(files, l.file):
			operand.NoEntry(p.c, []string{l.file}, l.id)
		default:
			p.c.Note(l.file, "not one of the FILEs: no entry %s", entry.Quote(l.id))
			p.c.No()
		}
	}
}
