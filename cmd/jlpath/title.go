package main

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/session"
	"jl/internal/tree"
)

// title prints an entry that names the session of a path, unless one of the annotations,
// which are printed, is a title. Without a title, a list shows no session whose prompts
// are far from the beginning of its log.
func (p *printer) title(path []tree.Node, annotations []entry.Pos) {
	if len(path) == 0 || !p.t.Dialect().LikeClaude() {
		return
	}
	for _, at := range slices.Backward(annotations) {
		e := p.t.EntryAt(at)
		if e.Get(entry.Type).Is("custom-title") && !e.Get(entry.CustomTitle).IsEmpty() {
			return
		}
	}
	name := p.name(path)
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
func (p *printer) name(path []tree.Node) string {
	r, size, _ := p.file.Source.At() // the tree has reported the error
	name, err := session.NameOf(r, size)
	p.file.Fail(err)
	if name != "" {
		return name
	}
	return session.FirstPrompt(func(yield func(*entry.Entry) bool) {
		for _, n := range path {
			if !yield(p.t.Entry(n)) {
				return
			}
		}
	})
}
