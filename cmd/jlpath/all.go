package main

import (
	"bytes"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/graft"
	"jl/internal/log"
)

// all prints every whole entry of the log once, in file order. Of entries with the same id and bytes that
// follow one another the first is printed.
func (p *printer) all() {
	if !p.begin() {
		return
	}
	repeats := p.t.Duplicates
	var grafted *graft.Graft
	if p.f.Session != "" {
		grafted = graft.New(p.t, graft.Part{Nodes: forest.All(p.t.Count)})
	}
	for e, d := range p.file.Again() {
		if p.c.Broken() {
			return
		}
		if len(repeats) > 0 {
			if d := repeats[0]; d.Later == e.Pos {
				if repeats = repeats[1:]; d.Same {
					continue
				}
			}
		}
		if d.IsHeader(e) {
			p.header(e)
			continue
		}
		whole := entry.Valid(e.Line)
		var parent entry.Value
		if grafted != nil && whole {
			if n := p.nodeOf(e, d); n != log.None {
				parent = grafted.Parent(n)
			}
		}
		p.print(e.Line, e.Pos.Line, whole, parent)
	}
	if p.f.Session != "" && p.f.Meta {
		path := p.t.Path(log.None, log.Options{}).Nodes
		p.title(path, p.t.Annotations(path))
	}
	p.file.Fail(p.t.Err())
}

// nodeOf returns the node of e, or of a later entry with its id and its bytes, or log.None.
func (p *printer) nodeOf(e *entry.Entry, d dialect.Dialect) log.Node {
	n := p.t.NodeAt(e.Pos)
	if n == log.None && !p.t.Dialect.IsList() {
		if later := p.t.LookUp(d.RawID(e)); p.t.Has(later) && bytes.Equal(p.t.Entry(later).Bytes, e.Bytes) {
			return later
		}
	}
	return n
}
