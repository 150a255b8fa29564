package main

import (
	"errors"

	"jl/internal/cli"
	"jl/internal/session"
)

// orphans prints the members of all homes whose session is gone, and, if missing is set, those that
// are gone although their session names them.
func (p *printer) orphans(missing bool) {
	found := false
	for _, p.h = range p.homes {
		found = p.orphansIn(missing) || found
	}
	if !found {
		p.c.No()
	}
}

// orphansIn prints the orphans of one home. It reports whether there are some.
func (p *printer) orphansIn(missing bool) (found bool) {
	closed, unsure := false, false
	print := func(m *session.Member, why string) {
		found = true
		p.member(m, why)
	}
	ids, errs := p.h.AllIDs()
	for _, err := range errs {
		p.report(err)
		place, ok := errors.AsType[*session.PlaceError](err)
		closed = closed || ok && place.Kind == session.Other
	}
	for _, id := range ids {
		switch {
		case p.c.Broken():
			return found
		case !p.h.HasLog(id) && closed:
			unsure = true
		case !p.h.HasLog(id):
			p.withoutLog(id, print)
		case missing:
			p.missing(id, print)
		}
	}
	for m := range p.h.Unattributed() {
		print(&m, "names no session")
	}
	for _, m := range p.h.Misplaced() {
		print(&m, "no place of a session")
	}
	if unsure {
		p.c.Note(cli.Place{}, "a session without a log does not count as gone: its log may be in what cannot be read")
	}
	return found
}

// withoutLog prints the members of a session that has no log.
func (p *printer) withoutLog(id string, print func(*session.Member, string)) {
	for m, err := range p.h.Members(id) {
		if err == nil { // else it has been reported
			print(&m, "no session")
		}
	}
}

// missing prints the members that a session names and that are not there. Outputs of
// tasks do not count: they are where the system removes them.
func (p *printer) missing(id string, print func(*session.Member, string)) {
	for m, err := range p.h.AllMembers(id, nil) {
		place, ok := errors.AsType[*session.PlaceError](err)
		switch {
		case ok && place.Kind != "": // it has been reported
		case err != nil:
			p.report(err)
		case m.Missing && m.Kind != session.TaskOutput:
			print(&m, "no member")
		default:
			p.troubled(&m)
		}
	}
}
