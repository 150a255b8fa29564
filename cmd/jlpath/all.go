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
				parent = p.rootAt(e.Pos)
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

// rootAt returns the parent to write for the first node of the log: null if the parent that
// it names is not in the log.
func (p *printer) rootAt(at entry.Pos) entry.Value {
	n := p.t.NodeAt(at)
	if n == tree.None || p.t.Parent(n) != tree.None {
		return nil
	}
	return p.root(n)
}
