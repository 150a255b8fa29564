package main

import (
	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/operand"
)

// edges prints the edges of a file.
func edges(c *cli.Command, f *operand.File) {
	fields := func(e *entry.Entry, d dialect.Dialect, made *[]byte) {
		*made = d.AppendFields((*made)[:0], e, f.Label)
	}
	var thread *dialect.Thread // nil before the first entry
	var d dialect.Dialect
	var edge []byte
	for r, fields := range operand.Prepared(f, fields) {
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
	f.NoteDialect(d)
	if edge == nil {
		f.NoteNone()
	}
}
