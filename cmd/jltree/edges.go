package main

import (
	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/operand"
)

// edges prints the edges of a file.
func edges(c *cli.Command, f *operand.File) {
	r := f.Ahead()
	fields := func(e *entry.Entry, made *[]byte) {
		*made = r.Dialect().AppendFields((*made)[:0], e, f.Label)
	}
	var thread *dialect.Thread // nil before the first entry
	var d dialect.Dialect
	var edge []byte
	for fields := range dialect.Ahead(r, nil, fields) {
		if thread == nil {
			d = r.Dialect()
			thread = dialect.NewThread(d)
		}
		step := thread.Next(r.Entry())
		if !step.Node {
			continue
		}
		edge = append(d.AppendIDs(edge[:0], step.ID, step.Parent), *fields...)
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
