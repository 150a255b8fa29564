package main

// list prints the sessions, newest first: those of a working directory only, if cwd is
// not empty, and those touched or begun since an instant in milliseconds.
func (p *printer) list(cwd string, since int64) {
	all, errs := p.h.List(cwd, since)
	p.reportAll(errs)
	if len(all) == 0 {
		p.c.No()
	}
	for _, b := range all {
		if p.c.Broken() {
			return
		}
		if p.null {
			p.printPath(b.Name)
		} else {
			p.c.Print(b.Row)
		}
	}
}
