package main

import (
	"jl/internal/entry"
	"jl/internal/tree"
)

// all prints every whole entry of the log once, in file order. Of entries with the same id
// and bytes the last is printed, because its place is the one that counts.
func (p *printer) all() {
	if !p.begin() {
		return
	}
	repeats := p.t.Repeats()
	var heirs *heirs
	if p.f.Session != "" {
		heirs = newHeirs(p.t, passage{nodes: p.t.Nodes(), union: true, all: true})
	}
	for e, d := range p.file.Again() {
		if p.c.Broken() {
			return
		}
		switch {
		case repeats[e.Pos.Offset]:
			continue
		case d.IsHeader(e):
			p.header(e)
			continue
		}
		whole := entry.Valid(e.Line)
		var parent entry.Value
		if n := p.t.NodeAt(e.Pos); n != tree.None && heirs != nil {
			parent = heirs.parent(n, whole)
		}
		p.print(e.Line, e.Pos.Line, whole, parent)
	}
	if p.f.Session != "" && p.f.Meta {
		path := p.t.Path(tree.None, tree.Options{}).Nodes
		p.title(path, p.t.Annotations(path))
	}
	p.file.Fail(p.t.Err())
}
