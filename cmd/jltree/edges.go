package main

import (
	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/operand"
)

// edges prints the edges of a file.
func edges(c *cli.Command, f *operand.File) {
	p := printer{c: c}
	fields := func(e *entry.Entry, d dialect.Dialect, made *[]byte) {
		*made = d.AppendFields((*made)[:0], e, f.Label)
	}
	for r, fields := range operand.Prepared(f, fields) {
		if p.thread == nil {
			p.thread = dialect.NewThread(r.Dialect())
		}
		if p.entry(r.Entry(), *fields); c.Broken() {
			return
		}
	}
	if p.thread != nil {
		p.thread.Decide(dialect.AnyShape)
		f.NoteDialect(p.thread.Dialect())
		p.release()
	}
	if !p.printed {
		f.NoteNone()
	}
}

// A printer prints the edges of one log.
type printer struct {
	c       *cli.Command
	thread  *dialect.Thread // nil before the first entry
	edge    []byte          // scratch
	printed bool            // an edge

	held [dialect.ListShape + 1][]byte // by shape: its edges, as long as the shape of the log is not known
}

// heldMax bounds the edges of each shape that are held, in bytes. If they are more, the log has
// that shape.
const heldMax = 8 << 20

// entry prints the edge of e, whose fields are given, if e is a node. It holds the edge back if
// the shape of the log may yet make it another.
func (p *printer) entry(e *entry.Entry, fields []byte) {
	step := p.thread.Next(e)
	if !step.Node {
		return
	}
	p.edge = p.thread.Dialect().AppendIDs(p.edge[:0], step.ID, step.Parent)
	p.edge = append(dialect.AppendPlace(append(p.edge, fields...), e), '}', '\n')
	if step.If == dialect.AnyShape {
		p.release()
		p.print(p.edge)
		return
	}
	held := &p.held[step.If]
	if *held = append(*held, p.edge...); len(*held) > heldMax {
		p.thread.Decide(step.If)
		p.release()
	}
}

// release prints the edges that were held back and have the shape of the log.
func (p *printer) release() {
	p.print(p.held[p.thread.Shape()])
	clear(p.held[:])
}

// print prints edges.
func (p *printer) print(edges []byte) {
	p.printed = p.printed || len(edges) > 0
	p.c.Print(edges)
}
