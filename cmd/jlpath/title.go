package main

import (
	"io"
	"slices"

	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/session"
	"jl/internal/shape"
	"jl/internal/tree"
)

// title prints an entry that names the session of a path, unless one of the annotations,
// which are printed, is a title that a list sees. Without a title, a list shows no session whose
// prompts are far from the beginning of its log.
func (p *printer) title(path []tree.Node, annotations []entry.Pos) {
	if len(path) == 0 || !p.t.Dialect().HasAnnotations() {
		return
	}
	r, size, _ := p.file.Source.At() // the tree has reported the error
	name := ""
	for _, at := range slices.Backward(annotations) {
		e := p.t.EntryAt(at)
		if e.Get(entry.Type).Is("custom-title") && !e.Get(entry.CustomTitle).IsEmpty() {
			if session.InTail(at.Offset, size) {
				return
			}
			name = string(e.Get(entry.CustomTitle).Text())
			break
		}
	}
	if name == "" {
		name = p.name(r, size, path)
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

// name returns the name that the session of the log has in a list, or else the first
// prompt on the path.
func (p *printer) name(r io.ReaderAt, size int64, path []tree.Node) string {
	name, err := session.NameOf(r, size)
	p.file.Fail(err)
	if name != "" {
		return name
	}
	return shape.FirstPrompt(func(yield func(*entry.Entry) bool) {
		for _, n := range path {
			if !yield(p.t.Entry(n)) {
				return
			}
		}
	})
}
