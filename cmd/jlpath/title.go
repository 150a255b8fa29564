package main

import (
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/record"
	"jl/internal/session"
	"jl/internal/shape"
)

// title prints an entry that names the session of a path. The name is the first of these that is there: the
// last title of the annotations, the name of the session in a list, the first prompt on the path. A list does
// not show a session whose prompts are far from the beginning of its log if it has no title. Title prints nothing
// if there is no name, or if a list sees a title among the annotations.
func (p *printer) title(path []log.Node, annotations []entry.Pos) {
	switch {
	case len(path) == 0:
		return
	case p.t.Dialect.NeedsHeader(): // a log of pi
		p.lastName(path)
		return
	}
	r, size := p.file.At()
	name := ""
	for _, at := range slices.Backward(annotations) {
		e := p.t.EntryAt(at)
		if title, rank := p.t.Dialect.Title(e); rank == dialect.ByUser && !title.IsEmpty() {
			if session.InTail(at.Offset, size) {
				return
			}
			name = string(title.Text())
			break
		}
	}
	if name == "" {
		var err error
		name, err = session.NameOf(r, size)
		p.file.Fail(err)
	}
	if name == "" {
		entries := func(yield func(*entry.Entry) bool) {
			for _, n := range path {
				if !yield(p.t.Entry(n)) {
					return
				}
			}
		}
		_, name = shape.FirstPrompt(entries)
	}
	if name == "" || p.t.Err() != nil {
		return
	}
	p.c.Print(record.Append(nil, &record.Title{
		Type:        "custom-title",
		CustomTitle: record.Text(name),
		SessionID:   record.Text(p.f.Session),
	}))
}

// lastName prints the last entry that names the session of a pi log below the last node of a path, unless
// that is printed already. For pi the last one in the file counts, on whatever branch.
func (p *printer) lastName(path []log.Node) {
	last := func(nodes []log.Node, is func(*entry.Entry) bool) log.Node {
		for _, n := range slices.Backward(nodes) {
			if e := p.t.Entry(n); is(e) && entry.Valid(e.Bytes) {
				return n
			}
		}
		return log.None
	}
	names := func(e *entry.Entry) bool {
		_, rank := p.t.Dialect.Title(e)
		return rank != dialect.NoTitle
	}
	named := last(forest.All(p.t.Count), names)
	if p.f.All || named == log.None || slices.Contains(path, named) {
		return
	}
	if name, _ := p.t.Dialect.Title(p.t.Entry(named)); name.IsEmpty() && last(path, names) == log.None {
		return
	}
	var parent entry.Value
	if end := last(path, func(*entry.Entry) bool { return true }); end != log.None && !p.t.Dialect.IsList() {
		parent = p.t.RawID(end)
	}
	e := p.t.Entry(named)
	p.print(e.Line, e.Pos.Line, true, parent)
}
