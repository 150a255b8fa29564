package main

import (
	"jl/internal/record"
	"jl/internal/session"
)

// list prints the sessions, newest first: those of a working directory only, if cwd is
// not empty, and those touched or begun since an instant in milliseconds.
func (p *printer) list(cwd string, since int64) {
	var all []session.Brief
	for b, err := range p.h.List(cwd) {
		if err != nil {
			p.report(err)
		} else if b.Modified >= since || b.Created != nil && *b.Created >= since {
			all = append(all, b)
		}
	}
	if len(all) == 0 {
		p.c.No()
	}
	for _, b := range session.NewestFirst(all) {
		if p.c.Broken() {
			return
		}
		if p.null {
			p.printPath(b.Name)
			continue
		}
		p.print(&record.Session{
			SessionID:    record.Text(b.ID),
			Summary:      record.Text(b.Title()),
			CustomTitle:  record.Text(b.CustomTitle),
			FirstPrompt:  record.Text(b.FirstPrompt),
			GitBranch:    record.Text(b.GitBranch),
			Cwd:          record.Text(b.Cwd),
			Tag:          record.Text(b.Tag),
			CreatedAt:    b.Created,
			LastModified: b.Modified,
			FileSize:     b.Bytes,
			Path:         record.Text(p.h.Path(b.Name)),
			Archived:     b.Archived,
			Compressed:   b.Compressed,
			HeadOnly:     b.HeadOnly,
		})
	}
}
