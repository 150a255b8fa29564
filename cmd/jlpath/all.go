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
	nodes := 0
	for e, d := range p.file.Again() {
		if p.c.Broken() {
			return
		}
		var parent entry.Value
		switch {
		case repeats[e.Pos.Offset]:
			continue
		case d.IsHeader(e):
			p.header(e)
			continue
		case d.IDOf(e) != nil:
			if nodes++; nodes == 1 && p.f.Session != "" {
				if n := p.t.NodeAt(e.Pos); n != tree.None && p.t.Parent(n) == tree.None {
					parent = p.root(n) // the parent that it names is not in the log
				}
			}
		}
		p.print(e.Line, e.Pos.Line, entry.Valid(e.Line), parent)
	}
	if p.f.Session != "" && p.f.Meta {
		path := p.t.Path(tree.None, tree.Options{}).Nodes
		p.title(path, p.t.Annotations(path))
	}
	p.file.Fail(p.t.Err())
}
