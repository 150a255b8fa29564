package main

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/source"
	"jl/internal/tree"
)

// paths prints the paths of the operands. Only a failed write stops it.
func paths(c *cli.Command, f flags) error {
	leaves := wanted(c, f.Leaf)
	p := printer{c: c, f: f, leaves: leaves}
	if f.Strip || f.Session != nil {
		p.edit = newEdit(f.Strip, f.Session)
	}
	files := c.Operands(f.Files)
	for _, name := range files {
		p.name = name
		if err := p.log(); err != nil {
			return err
		}
	}
	for _, l := range leaves {
		if !l.found {
			switch {
			case l.file != "" && !slices.Contains(files, l.file):
				c.Notef("%s: not one of the FILEs: no entry %q", l.file, l.id)
			default:
				c.Notef("%s: no entry %q", cmp.Or(l.file, strings.Join(files, ", ")), l.id)
			}
			c.No()
		}
	}
	if !p.printed {
		c.No()
	}
	return nil
}

// A printer prints the paths of the logs, one after another.
type printer struct {
	c       *cli.Command
	f       flags
	leaves  []*leaf
	edit    *edit // nil if entries are printed as they are
	printed bool

	name string
	t    *tree.Tree
}

// log prints the paths of one log. It returns a failed write only.
func (p *printer) log() error {
	src, err := source.Open(p.name, p.c.In, p.c.Flush)
	if err != nil {
		p.c.Troublef("%s: %v", p.name, err)
		return nil
	}
	defer src.Close()
	p.read(src)
	ends := []tree.Node{tree.None}
	if p.f.Leaf != nil {
		ends = nodes(p.c, p.t, p.name, p.leaves)
	}
	for _, end := range ends {
		if err := p.path(end); err != nil {
			return err
		}
	}
	if err := p.t.Err(); err != nil {
		p.c.Troublef("%s: %v", p.name, err)
	}
	return nil
}

func (p *printer) read(src *source.Source) {
	r, size, err := src.At()
	if err != nil {
		p.c.Troublef("%s: %v", p.name, err)
	}
	p.t, err = tree.Read(line.NewForward(io.NewSectionReader(r, 0, size)), r, size, tree.Readers[p.f.As],
		func(number, offset int64, d *entry.Damage) { d.Report(p.c.Notef, p.c.Troublef, p.name, number, offset) })
	if err != nil {
		p.c.Troublef("%s: %v", p.name, err)
	}
	if p.t.Numbered() && p.t.Dialect() == entry.Claude {
		p.c.Notef("%s: no conversation entry has an id: taken as one straight path, in the order of the file", p.name)
	}
}

// path prints the path that ends at end, or at the leaf of the log if that is None.
func (p *printer) path(end tree.Node) error {
	path := p.t.Path(end, tree.Options{Chain: p.f.Chain, Bridge: p.f.Bridge, Through: p.f.Through})
	for _, r := range path.Remarks {
		p.c.Notef("%s:%d: %s", p.name, r.Line, r.Text)
	}
	var beside []tree.Extent
	if p.f.Meta {
		beside = p.t.Beside(path.Nodes)
	}
	for _, n := range path.Nodes {
		for len(beside) > 0 && beside[0].Offset < p.t.Extent(n).Offset {
			if err := p.print(p.t.Read(beside[0]), beside[0].Line); err != nil {
				return err
			}
			beside = beside[1:]
		}
		if p.edit != nil {
			p.edit.parent = p.parentOf(path, n)
		}
		if err := p.print(p.t.Bytes(n), p.t.Extent(n).Line); err != nil {
			return err
		}
	}
	for _, x := range beside {
		if err := p.print(p.t.Read(x), x.Line); err != nil {
			return err
		}
	}
	return nil
}

// parentOf returns the parent to be written for n, as a JSON string: a session of
// its own must hang together by what is written. It is nil if what is written there
// is what the path took.
func (p *printer) parentOf(path tree.Path, n tree.Node) []byte {
	parent, ok := path.Taken[n]
	if !ok || p.f.Session == nil {
		return nil
	}
	return entry.AppendString(nil, []byte(p.t.ID(parent)))
}

// print prints one entry of line number. It returns a failed write only.
func (p *printer) print(b []byte, number int64) error {
	if p.t.Err() != nil {
		return nil // what was read again is not what was there
	}
	if !entry.Valid(b) {
		p.c.Troublef("%s:%d: not valid JSON inside: not printed", p.name, number)
		return nil
	}
	p.printed = true
	if p.edit != nil {
		b = p.edit.apply(b)
	}
	if _, err := p.c.Out.Write(b); err != nil {
		return err
	}
	if b[len(b)-1] != '\n' {
		return p.c.Out.WriteByte('\n')
	}
	return nil
}
