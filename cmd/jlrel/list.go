package main

import (
	"path/filepath"

	"jl/internal/cli"
	"jl/internal/operand"
	"jl/internal/record"
	"jl/internal/session"
)

// home prints a home.
func (p *printer) home(h *session.Home) {
	if p.null {
		p.printPath("", h.Dir())
		return
	}
	p.print(&record.Home{Agent: record.Text(h.Agent()), Name: record.Text(h.Label()), Path: record.Text(h.Dir())})
}

// list prints the sessions of all homes, newest first, or those whose logs the operands name.
func (p *printer) list(o operand.Options, f *flags) {
	filter := session.Filter{Cwd: f.Cwd, Under: f.Under, Since: f.since, Until: f.until, All: f.All}
	if err := filter.Resolve(); err != nil {
		p.c.Fail(cli.Place{}, err)
		return
	}
	var files []string
	for _, name := range o.Files {
		if file, ok := o.Resolve(p.c, name); ok {
			files = append(files, file)
		}
	}
	var all []*session.Brief
	var errs []*session.PlaceError
	if len(o.Files) > 0 {
		all, errs = p.homes.ListFiles(files, filter)
	} else {
		all, errs = p.homes.List(filter)
	}
	p.reportAll(errs)
	if len(all) == 0 {
		which := ""
		for _, part := range [...][2]string{{" of ", filter.Cwd}, {" under ", filter.Under}, {" since ", f.Since}, {" until ", f.Until}} {
			if part[1] != "" {
				which += part[0] + part[1]
			}
		}
		switch {
		case which != "":
			p.c.Note(cli.Place{}, "no session%s", which)
		case len(o.Files) == 0 && len(errs) == 0:
			p.c.Note(cli.Place{}, "no session in %s", p.homes)
			for _, dir := range o.Home {
				if log := session.UnknownLog(dir); log != "" {
					p.c.Note(cli.File(dir), "logs in no layout that is known, as %s: each is a FILE for jlpath and jlrel --list", log)
				}
				if above, base := filepath.Split(filepath.Clean(dir)); base == "projects" || base == "sessions" {
					p.c.Note(cli.File(dir), "a folder of a home, which is %s", filepath.Clean(above))
				}
			}
		}
		p.c.No()
	}
	for _, b := range all {
		if p.c.Broken() {
			return
		}
		if p.null {
			p.printPath(b.Name, b.Path)
		} else {
			p.c.Print(b.Row)
		}
		for _, other := range b.Others {
			operand.Another(p.c, b.ID, other, b.Path)
		}
	}
	if len(o.Files) > 0 {
		return
	}
	for _, h := range p.homes {
		for _, name := range h.Conflicts() {
			p.c.Note(cli.File(h.Path(name)), "not listed: a copy of a log that a sync tool made")
		}
	}
}
