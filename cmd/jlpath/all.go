package main

import (
	"io"
	"iter"

	"jl/internal/entry"
	"jl/internal/hashset"
	"jl/internal/line"
	"jl/internal/tree"
)

// all prints every whole entry of the log once, in file order.
func (p *printer) all() {
	seen := hashset.Set{}
	entries, nodes := 0, 0
	var dialect entry.Dialect
	for e := range p.entries() {
		if p.c.Broken() {
			return
		}
		if entries++; entries == 1 {
			dialect = entry.DialectOf(e)
		}
		if dialect.IDOf(e) != nil {
			if !seen.AddBytes(e.Bytes) {
				continue
			}
			if nodes++; nodes == 1 && p.f.Session != "" {
				p.edit.parent = p.rootAt(e.Pos)
			}
		}
		if e.IsHeader() {
			p.header(e.Line, e.Pos.Line)
		} else {
			p.print(e.Line, e.Pos.Line)
		}
	}
	if p.f.Session != "" && p.f.Meta && !p.notLog {
		path := p.t.Path(tree.None, tree.Options{}).Nodes
		p.title(path, p.t.Annotations(path))
	}
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

// entries yields the entries of the log in file order, as they arrive, unless an edit needs
// to know the whole log first.
func (p *printer) entries() iter.Seq[*entry.Entry] {
	if p.f.Session == "" && p.f.Cwd == "" {
		return p.file.Entries()
	}
	ok := p.begin()
	return func(yield func(*entry.Entry) bool) {
		if !ok {
			return
		}
		r, size := p.file.At()
		entries := entry.NewReader(line.NewForward(io.NewSectionReader(r, 0, size)), entry.Decoder{}, nil)
		for entries.Next() && yield(entries.Entry()) {
		}
		p.file.Fail(entries.Err())
	}
}
