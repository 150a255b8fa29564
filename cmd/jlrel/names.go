package main

import (
	"errors"
	"maps"
	"os"
	"slices"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/operand"
	"jl/internal/says"
	"jl/internal/session"
)

// A finder finds the sessions that operands name, and calls found once for each.
type finder struct {
	*printer
	found func(session.Match)
	seen  map[session.Match]bool
	asked map[string]bool // the names that were looked up
}

// eachSession calls found once with each session that the operands name, in their order.
func (p *printer) eachSession(operands []string, found func(session.Match)) {
	f := p.newFinder(found)
	for _, name := range operand.Names(operands) {
		if p.c.Broken() {
			return
		}
		f.operand(name)
		p.c.CountMessages()
	}
}

func (p *printer) newFinder(found func(session.Match)) *finder {
	return &finder{printer: p, found: found, seen: map[session.Match]bool{}, asked: map[string]bool{}}
}

// operand finds the sessions that an operand names: see [operand.ID].
func (f *finder) operand(name string) {
	id, preferFile := operand.ID(name)
	switch {
	case name == "-":
		f.stdin()
	case id == "" || !f.find(id, false, preferFile):
		f.file(name)
	}
}

// find finds the session of a name: of a whole id if exact, else of a beginning. If there is not just one, it
// reports that, or returns false if the name means a file.
func (f *finder) find(name string, exact, preferFile bool) bool {
	if f.asked[name] || f.c.Broken() {
		return true
	}
	found, errs := f.homes.Find(name, exact)
	ids := map[string]bool{}
	var sessions []session.Match
	for _, m := range found {
		if id := m.Session(); id != "" {
			ids[id] = true
			sessions = append(sessions, session.Match{Home: m.Home, ID: id})
		}
	}
	if len(ids) != 1 && preferFile {
		return false
	}
	switch f.asked[name] = true; {
	case len(ids) > 1:
		operand.Ambiguous(f.c, "", name, slices.Sorted(maps.Keys(ids)), len(ids))
	case len(ids) == 0:
		f.reportAll(errs)
		note := ""
		if !exact && len(name) < session.Shortest {
			note = "; the beginning of an id takes four characters"
		}
		f.c.Note(cli.Place{}, "no session %s in %s%s", entry.Quote(name), f.homes, note)
		f.c.No()
	default:
		for _, m := range sessions {
			if !f.seen[m] {
				f.seen[m] = true
				f.found(m)
			}
		}
	}
	return true
}

// file finds the session whose log or member a file is.
func (f *finder) file(name string) {
	if _, err := os.Lstat(name); err != nil {
		f.c.Fail(cli.File(name), err)
		return
	}
	ids, unread, err := f.homes.Owners(name)
	f.reportAll(unread)
	switch {
	case errors.Is(err, session.ErrNoOwner):
		f.c.Note(cli.File(name), "%v", err)
		f.c.No()
	case err != nil:
		f.c.Fail(cli.File(name), err)
	}
	for _, id := range ids {
		f.find(id, true, false)
	}
}

// stdin finds the sessions that standard input names: by entries, or by ids, one a line.
func (f *finder) stdin() {
	in, ok := operand.Open(f.c, "-")
	if !ok {
		return
	}
	defer in.Close()
	named, entries := false, false
	for id, e := range in.List(false) {
		if f.c.Broken() {
			return
		}
		if e == nil {
			f.find(id, false, false)
			named = true
			continue
		}
		entries = true
		if id := string(says.SessionOf(e).Text()); id != "" {
			f.find(id, true, false)
			named = true
		}
	}
	switch {
	case named || in.Failed():
	case entries:
		in.Note("no entry names a session")
	default:
		in.Note("standard input names no session")
	}
	if !named {
		f.c.No()
	}
}
