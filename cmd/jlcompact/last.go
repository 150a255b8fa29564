package main

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"sync"

	"jl/internal/cli"
	"jl/internal/cut"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/graft"
	"jl/internal/operand"
	"jl/internal/tree"
)

// last prints the newest count messages of the live path, below the boundary and the
// summary, so that a client loads all of them. Without the summary it prints a slice of the path across
// compactions, as before does, so that all pages together are that path.
func (p *printer) last(part cut.Cut, count int) {
	from := part.Offset
	if from == part.Head {
		from = 0 // the whole log is live
	}
	t, ok := p.tree(from)
	if !ok {
		return
	}
	live := t.Path(t.End(), tree.Options{})
	if from == 0 { // else an entry may be missing because it is above the cut
		p.remarks(t, live)
	}
	page := withSummary(t, live, count)
	if p.f.NoSummary {
		all := t.Path(t.End(), tree.Options{Through: true}).Nodes
		is := forest.SetOf(live.Nodes)
		first := max(0, slices.IndexFunc(all, func(n tree.Node) bool { return is[n] }))
		page = newest(t, all[first:], count)
	}
	var name string
	var kept entry.Value
	top := replacement(t, live)
	if !t.Dialect().BoundaryIsRoot() && len(top) > 0 && len(page) > 0 {
		name, kept = firstKept(t, live.Nodes, page, top[0])
	}
	grafted := graft.New(t, graft.Part{Nodes: page, Chain: live.Chain, Kept: true})
	p.entries(t, page, func(x tree.Text) []byte {
		b := x.Bytes
		if kept != nil && x.Node == top[0] {
			b = entry.Value(b).Set(nil, name, kept, nil)
		}
		if parent := grafted.Parent(x.Node); parent != nil {
			b = entry.Value(b).Set(nil, t.Dialect().ParentName(), parent, nil)
		}
		return b
	})
}

// before prints the count messages before the entry that id names, across compactions.
func (p *printer) before(count int, id string) {
	t, ok := p.tree(0)
	if !ok {
		return
	}
	a := p.file.Find(t, id)[id]
	if err := t.Err(); err != nil {
		p.file.Fail(err)
		return
	}
	if !a.Known {
		operand.NoEntry(p.c, []string{p.file.Name}, id)
	}
	if !a.Chosen {
		return
	}
	path := t.Path(t.End(), tree.Options{Through: true})
	if !slices.Contains(path.Nodes, a.Node) {
		path = t.Path(a.Node, tree.Options{Through: true})
	}
	p.remarks(t, path)
	above := path.Nodes[:max(0, slices.Index(path.Nodes, a.Node))]
	p.entries(t, newest(t, above, count), func(x tree.Text) []byte { return x.Bytes })
}

// remarks reports what is odd about a path through the whole log.
func (p *printer) remarks(t *tree.Tree, path tree.Path) {
	p.file.NoteDialect(t.Dialect())
	p.file.Remarks(path.Remarks)
}

// tree reads the log from an offset at which a line begins. It returns false if the file is not
// a log.
func (p *printer) tree(from int64) (*tree.Tree, bool) {
	size := p.size - from
	above := sync.OnceValue(func() int64 { return p.linesAbove(from) })
	t, err := tree.Read(io.NewSectionReader(p.r, from, size), size, tree.Reading{}, func(d *entry.Damage) {
		d.Pos.Line += above()
		d.Pos.Offset += from
		for i := range d.Recovered {
			d.Recovered[i] += from
		}
		p.file.Damaged(d)
	})
	p.file.Fail(err)
	return t, !errors.Is(err, dialect.ErrNotLog)
}

// linesAbove returns the number of lines above an offset at which a line begins. Whoever reads the
// entries reports a failed read.
func (p *printer) linesAbove(offset int64) (n int64) {
	in := bufio.NewReaderSize(io.NewSectionReader(p.r, 0, offset), 256<<10)
	for err := error(nil); err == nil || err == bufio.ErrBufferFull; {
		if _, err = in.ReadSlice('\n'); err == nil {
			n++
		}
	}
	return n
}

// entries prints entries, as edit returns them: for pi, after the header of the log. If
// there are none, the answer is "none".
func (p *printer) entries(t *tree.Tree, nodes []tree.Node, edit func(tree.Text) []byte) {
	if len(nodes) == 0 {
		p.c.No()
		return
	}
	if d := t.Dialect(); d.NeedsHeader() {
		if h := p.file.Header(d); h != nil {
			p.line(h.Bytes)
		}
	}
	for x := range t.Texts(nodes, nil) {
		if p.c.Broken() {
			break
		}
		if !x.Whole {
			lost := tree.NewRemark(x.Pos.Line, "the entry %s is not valid JSON inside: not printed", entry.Quote(t.ID(x.Node)))
			p.c.Fail(cli.File(p.file.Name), lost)
			continue
		}
		p.line(edit(x))
	}
	p.file.Fail(t.Err())
}
