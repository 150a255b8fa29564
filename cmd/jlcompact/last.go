package main

import (
	"bytes"
	"io"

	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/tree"
)

// last prints the newest count conversation entries of the live path, below what
// the compaction left in place of the rest.
func (p *printer) last(count int) error {
	part, err := live(p.r, p.size)
	if err != nil {
		p.trouble(err)
		return nil
	}
	t := p.tree(part.cut)
	path := t.Path(t.End(), tree.Options{})
	top, rest := split(t, path.Nodes)
	if len(top)+len(rest) == 0 {
		p.c.No()
	}
	if !p.f.NoSummary {
		if err := p.print(t, top); err != nil {
			return err
		}
	}
	return p.print(t, rest[max(0, len(rest)-count):])
}

// split parts the conversation entries of a live path into the boundary and summary
// that stand for what was compacted, and the others.
func split(t *tree.Tree, path []tree.Node) (top, rest []tree.Node) {
	for _, n := range path {
		e := t.Entry(n)
		switch {
		case t.Dialect() == entry.Pi && e.Get(entry.Type).Is("compaction"):
			rest = append(rest, top...) // an older one is history like the rest
			top = []tree.Node{n}
		case t.Dialect() == entry.Claude && (e.IsBoundary() || e.Get(entry.IsCompactSummary).Truthy()):
			top = append(top, n)
		case t.Conversation(n):
			rest = append(rest, n)
		}
	}
	return top, rest
}

// before prints the count conversation entries before the one that id names, going
// back across compactions.
func (p *printer) before(count int, id string) error {
	t := p.tree(0)
	m := t.Find([]string{id})[0]
	switch {
	case len(m.Candidates) > 0:
		p.c.Ambiguous(p.name, id, m.Candidates)
		return nil
	case m.Node == tree.None:
		p.c.Notef("%s: no entry %q", p.name, id)
		p.c.No()
		return nil
	}
	path := t.Path(m.Node, tree.Options{Chain: true, Through: true})
	for _, r := range path.Remarks {
		p.c.Notef("%s:%d: %s", p.name, r.Line, r.Text)
	}
	var found []tree.Node
	for _, n := range path.Nodes {
		if n != m.Node && t.Conversation(n) {
			found = append(found, n)
		}
	}
	if len(found) == 0 {
		p.c.No()
	}
	return p.print(t, found[max(0, len(found)-count):])
}

// tree reads the log from an offset at which a line begins.
func (p *printer) tree(from int64) *tree.Tree {
	size := p.size - from
	at := io.NewSectionReader(p.r, from, size)
	above := int64(-1) // the number of lines above; counted when it is first asked for
	t, err := tree.Read(line.NewForward(io.NewSectionReader(p.r, from, size)), at, size, tree.Default,
		func(number, offset int64, d *entry.Damage) {
			if above < 0 {
				above = p.linesAbove(from)
			}
			d.Report(p.c.Notef, p.c.Troublef, p.name, above+number, from+offset)
		})
	if err != nil {
		p.trouble(err)
	}
	return t
}

// linesAbove counts the lines that end above an offset.
func (p *printer) linesAbove(offset int64) int64 {
	var n int64
	b := make([]byte, 256<<10)
	in := io.NewSectionReader(p.r, 0, offset)
	for {
		k, err := in.Read(b)
		n += int64(bytes.Count(b[:k], []byte{'\n'}))
		if err != nil {
			return n // a read error shows again where the entries are read
		}
	}
}

// print prints entries. It returns a failed write only.
func (p *printer) print(t *tree.Tree, nodes []tree.Node) error {
	for _, n := range nodes {
		b := t.Bytes(n)
		if t.Err() != nil {
			break
		}
		if !entry.Valid(b) {
			p.c.Troublef("%s: the entry %q is not valid JSON inside: not printed", p.name, t.ID(n))
			continue
		}
		if b[len(b)-1] != '\n' {
			b = append(b[:len(b):len(b)], '\n')
		}
		if _, err := p.w.Write(b); err != nil {
			return err
		}
	}
	if err := t.Err(); err != nil {
		p.trouble(err)
	}
	return nil
}
