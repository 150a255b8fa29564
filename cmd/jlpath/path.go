package main

import (
	"bytes"
	"errors"
	"io"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/operand"
	"jl/internal/tree"
)

// A printer prints the paths of the logs, one after another.
type printer struct {
	c       *cli.Command
	f       *flags
	leaves  []*leaf // that -l names
	edit    *edit   // nil if entries are printed as they are
	printed bool

	file   *operand.File
	t      *tree.Tree
	headed bool // the header of the log is printed, or there is none
}

// log prints the paths of one log.
func (p *printer) log(file *operand.File) {
	p.file, p.t = file, file.Tree(p.f.As)
	p.headed = p.t.Dialect() != entry.Pi
	if p.f.Cwd != "" {
		p.edit.move = move{from: p.firstCwd(), to: p.f.Cwd}
	}
	ends := []tree.Node{tree.None}
	if p.f.Leaf != "" {
		ends = p.ends()
	}
	for _, end := range ends {
		if p.c.Broken() {
			return
		}
		p.path(end)
	}
	p.file.Fail(p.t.Err())
}

// path prints the path that ends at end, or at the leaf of the log if end is None.
func (p *printer) path(end tree.Node) {
	path := p.t.Path(end, tree.Options{Chain: p.f.Chain, Bridge: p.f.Bridge, Through: p.f.Through})
	p.file.Remarks(path.Remarks)
	var annotations []entry.Pos
	if p.f.Meta {
		annotations = p.t.Annotations(path.Nodes)
	}
	all := annotations
	if !p.headed && len(path.Nodes) > 0 {
		p.headed = true
		p.header()
	}
	for _, n := range path.Nodes {
		at := p.t.Pos(n)
		for len(annotations) > 0 && annotations[0].Offset < at.Offset {
			p.print(p.t.Read(annotations[0]), annotations[0].Line)
			annotations = annotations[1:]
		}
		if p.f.Session != "" {
			p.edit.parent = p.parentOf(path, n)
		}
		p.print(p.t.Bytes(n), at.Line)
	}
	for _, at := range annotations {
		p.print(p.t.Read(at), at.Line)
	}
	if p.f.Session != "" && p.f.Meta {
		p.title(path.Nodes, all)
	}
}

// header prints the header of a pi log, without which pi does not open what is printed. A
// part of a log has none.
func (p *printer) header() {
	r, size := p.file.At()
	entries := entry.NewReader(line.NewForward(io.NewSectionReader(r, 0, size)), entry.Decoder{}, nil)
	if !entries.Next() || !entries.Entry().IsHeader() {
		return
	}
	at := entries.Entry().Pos
	b := p.t.Read(at)
	if p.f.Session != "" && b != nil {
		start := bytes.IndexByte(b, '{')
		b = entry.Value(b[start:]).Rewrite(bytes.Clone(b[:start]), func(name, value entry.Value) entry.Value {
			if name.Is("id") {
				return p.edit.session
			}
			return value
		})
	}
	p.print(b, at.Line)
}

// parentOf returns the parent to write for n, nil to leave what is written: a session of
// its own must be connected by what is written, and begin at a root.
func (p *printer) parentOf(path tree.Path, n tree.Node) entry.Value {
	if parent, ok := path.Taken[n]; ok {
		return p.t.RawID(parent)
	}
	if n == path.Nodes[0] && p.t.Parent(n) == tree.None && p.t.Dialect() == entry.Claude && !p.t.Numbered() && p.t.RawParent(n) != nil {
		return entry.Value("null")
	}
	return nil
}

// print prints one entry, of a line with the given number.
func (p *printer) print(b []byte, number int64) {
	if p.t.Err() != nil {
		return // what was read again is not what was there
	}
	if !entry.Valid(b) {
		p.file.FailAt(number, errors.New("not valid JSON inside: not printed"))
		return
	}
	p.printed = true
	if p.edit != nil {
		b = p.edit.apply(b)
		p.edit.parent = nil
	}
	p.c.Print(b)
	if b[len(b)-1] != '\n' {
		p.c.Print([]byte{'\n'})
	}
}

// firstCwd returns the first working directory that the log names, "" if it names none.
func (p *printer) firstCwd() string {
	r, size := p.file.At()
	entries := entry.NewReader(line.NewForward(io.NewSectionReader(r, 0, size)), entry.Decoder{}, nil)
	for entries.Next() {
		if cwd := entry.Value(entries.Entry().Bytes).Member("cwd"); !cwd.IsEmpty() {
			return string(cwd.Text())
		}
	}
	return ""
}
