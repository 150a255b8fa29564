package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/operand"
	"jl/internal/relation"
	"jl/internal/session"
)

// A finder finds the sessions that operands name, and calls found once for each.
type finder struct {
	*printer
	found func(id string)
	seen  map[string]bool
	none  map[query]bool // queries without an answer; each is reported once
}

// A query is a name to find a session by: a whole id if exact, else a beginning.
type query struct {
	name  string
	exact bool
}

// eachSession calls found once with each session that the operands name, in their order.
func (p *printer) eachSession(operands []string, found func(id string)) {
	f := p.newFinder(found)
	for _, name := range operand.Names(operands) {
		if p.c.Broken() {
			return
		}
		f.operand(name)
		p.c.CountMessages()
	}
}

func (p *printer) newFinder(found func(id string)) *finder {
	return &finder{printer: p, found: found, seen: map[string]bool{}, none: map[query]bool{}}
}

// operand finds the sessions that an operand names.
func (f *finder) operand(name string) {
	switch {
	case name == "-":
		f.stdin()
	case isFile(name):
		f.file(name)
	default:
		f.find(query{name, false})
	}
}

// isFile reports whether an operand is meant as a file and not as an id.
func isFile(name string) bool {
	if session.HasLogSuffix(name) || strings.ContainsRune(name, filepath.Separator) {
		return true
	}
	_, err := os.Lstat(name)
	return err == nil
}

func (f *finder) find(q query) {
	if f.seen[q.name] || f.none[q] || f.c.Broken() {
		return
	}
	ids, err := f.h.Find(q.name)
	switch {
	case q.exact && !slices.Contains(ids, q.name):
		ids = nil
	case len(ids) == 0 && !q.exact:
		ids = f.ownersOfAgents(q.name)
	}
	switch {
	case len(ids) > 1:
		operand.Ambiguous(f.c, "", q.name, ids, len(ids))
	case len(ids) == 1:
		if !f.seen[ids[0]] {
			f.seen[ids[0]] = true
			f.found(ids[0])
		}
	default:
		f.none[q] = true
		f.report(err)
		f.c.Note(cli.Place{}, "no session %s in %s", entry.Quote(q.name), f.h.Path("."))
		f.c.No()
	}
}

// ownersOfAgents returns the ids of the sessions of the agents that a name may mean.
func (f *finder) ownersOfAgents(name string) []string {
	var ids []string
	logs, errs := f.h.Agents(name)
	f.reportAll(errs)
	for _, log := range logs {
		if id := f.h.OwnerOf(log); id != "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// file finds the session whose log or member a file is.
func (f *finder) file(name string) {
	if _, err := os.Lstat(name); err != nil {
		f.c.Fail(cli.File(name), err)
		return
	}
	ids, errs := f.h.Owners(name)
	for _, err := range errs {
		switch {
		case errors.Is(err, session.ErrNoOwner):
			f.c.Note(cli.File(name), "%v", err)
			f.c.No()
		case errors.As(err, new(*session.PlaceError)):
			f.report(err)
		default:
			f.c.Fail(cli.File(name), err)
		}
	}
	for _, id := range ids {
		f.find(query{id, true})
	}
}

// stdin finds the sessions that standard input names: by entries, or by ids, one a line.
func (f *finder) stdin() {
	in, ok := operand.Open(f.c, "-")
	if !ok {
		return
	}
	defer in.Close()
	last, named, entries := "", false, false
	for l := range in.List(false) {
		if f.c.Broken() {
			return
		}
		if l.Entry == nil {
			f.find(query{l.ID, false})
			named = true
			continue
		}
		entries = true
		if id := string(relation.SessionOf(l.Entry).Text()); id != "" && id != last {
			f.find(query{id, true})
			last, named = id, true
		}
	}
	if entries && !named {
		in.Note("no entry names a session")
	}
	if !named {
		f.c.No()
	}
}
