package main

import (
	"bytes"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/operand"
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
	from := part.cut
	if from == part.head {
		from = 0 // all is live
	}
	t := p.tree(from)
	path := t.Path(t.End(), tree.Options{})
	if from == 0 { // else what the cut took away is not missing
		p.remarks(t, path)
	}
	top, rest := split(t, path.Nodes)
	if p.f.NoSummary {
		top = nil
	}
	return p.print(t, append(top, rest[max(0, len(rest)-count):]...))
}

// remarks says what is odd about a path through the whole log.
func (p *printer) remarks(t *tree.Tree, path tree.Path) {
	if t.Numbered() && t.Dialect() == entry.Claude {
		p.c.Note(p.name, "no conversation entry has an id: taken as one straight path, in the order of the file")
	}
	for _, r := range path.Remarks {
		p.c.Note(cli.Line(p.name, r.Line), "%s", r.Text)
	}
}

// split parts the conversation entries of a live path into the boundary and summary
// that stand for what was compacted, and the others.
func split(t *tree.Tree, path []tree.Node) (top, rest []tree.Node) {
	for i, n := range path {
		e := t.Entry(n)
		switch {
		case t.Dialect() == entry.Pi && e.Get(entry.Type).Is("compaction"):
			rest = append(rest, top...) // an older one is history like the rest
			top = []tree.Node{n}
		case t.Dialect() == entry.Claude && len(top) == i && (i == 0 && e.IsBoundary() || i > 0 && e.Get(entry.IsCompactSummary).Truthy()):
			top = append(top, n) // the root, and what comes right behind it
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
		p.c.Note(p.name, "no entry %q", id)
		p.c.No()
		return nil
	}
	path := t.Path(t.End(), tree.Options{Through: true})
	if !slices.Contains(path.Nodes, m.Node) {
		path = t.Path(m.Node, tree.Options{Through: true})
	}
	p.remarks(t, path)
	var found []tree.Node
	for _, n := range path.Nodes {
		if n == m.Node {
			break
		}
		if t.Conversation(n) {
			found = append(found, n)
		}
	}
	return p.print(t, found[max(0, len(found)-count):])
}

// tree reads the log from an offset at which a line begins.
func (p *printer) tree(from int64) *tree.Tree {
	size := p.size - from
	at := io.NewSectionReader(p.r, from, size)
	above := int64(-1) // the number of lines above; counted when it is first asked for
	release(size)
	defer release(size)
	t, err := tree.Read(line.NewForward(io.NewSectionReader(p.r, from, size)), at, size, tree.Default,
		func(d *entry.Damage) {
			if above < 0 {
				above = p.linesAbove(from)
			}
			d.Pos.Line += above
			d.Pos.Offset += from
			for i := range d.Recovered {
				d.Recovered[i] += from
			}
			operand.Report(p.c, p.name, d)
		})
	if err != nil {
		p.trouble(err)
	}
	return t
}

// release gives back the memory of what was read before, if size bytes may have
// held lines that are long: else what the stages hold of the longest line adds up.
func release(size int64) {
	if size > releaseOver {
		debug.FreeOSMemory()
	}
}

// releaseOver is how many bytes are read without giving back memory: to do so takes
// about a millisecond.
const releaseOver = 32 << 20

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

// print prints entries; none are the answer "none". It returns a failed write only.
func (p *printer) print(t *tree.Tree, nodes []tree.Node) error {
	if len(nodes) == 0 {
		p.c.No()
	}
	for _, n := range nodes {
		b := t.Bytes(n)
		if t.Err() != nil {
			break
		}
		if !entry.Valid(b) {
			p.c.Fail(p.name, fmt.Errorf("the entry %q is not valid JSON inside: not printed", t.ID(n)))
			continue
		}
		if _, err := p.w.Write(b); err != nil {
			return err
		}
		if b[len(b)-1] == '\n' {
			continue
		}
		if _, err := p.w.Write([]byte{'\n'}); err != nil {
			return err
		}
	}
	if err := t.Err(); err != nil {
		p.trouble(err)
	}
	return nil
}
