package main

import (
	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/operand"
)

// The fields of an edge are what it has of its entry alone.
type fields struct {
	in   *dialect.Reader
	file string
	text []byte
}

// Make makes the fields of the edge of an entry.
func (x *fields) Make(e *entry.Entry) { x.text = x.in.Dialect().AppendFields(x.text[:0], e, x.file) }

// edges prints the edges of a file.
func edges(c *cli.Command, f *operand.File) {
	r := f.Reader()
	r.Prepare(func() dialect.Maker { return &fields{in: r, file: f.Label} })
	defer f.Spare.Give(r)
	defer r.Close()
	var thread *dialect.Thread // nil before the first entry
	var d dialect.Dialect
	var edge []byte
	for r.Next() {
		if thread == nil {
			d = r.Dialect()
			thread = dialect.NewThread(d)
		}
		step := thread.Next(r.Entry())
		if !step.Node {
			continue
		}
		edge = append(d.AppendIDs(edge[:0], step.ID, step.Parent), r.Made().(*fields).text...)
		edge = append(dialect.AppendPlace(edge, r.Entry()), '}', '\n')
		if c.Print(edge); c.Broken() {
			return
		}
	}
	f.End(r)
	f.NoteDialect(d)
	if edge == nil {
		f.NoteNone()
	}
}
