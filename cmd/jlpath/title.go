package main

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/session"
	"jl/internal/shape"
	"jl/internal/tree"
)

// title prints an entry that names the session of a path: by the last title of the annotations, by
// what names the session in a list, or by the first prompt on the path. It prints nothing if one of the
// annotations, which are printed, is a title that a list sees. Without a title, a list shows no
// session whose prompts are far from the beginning of its log.
func (p *printer) title(path []tree.Node, annotations []entry.Pos) {
	if len(path) == 0 || !p.t.Dialect().HasAnnotations() {
		return
	}
	r, size := p.file.At()
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
		var err error
		name, err = session.NameOf(r, size)
		p.file.Fail(err)
	}
	if name == "" {
		name = shape.FirstPrompt(func(yield func(*entry.Entry) bool) {
			for _, n := range path {
				if !yield(p.t.Entry(n)) {
					return
				}
			}
		})
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
