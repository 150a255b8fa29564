package main

import (
	"jl/internal/cli"
	"jl/internal/session"
)

// orphans prints the members of a home whose session is gone, and, if missing is set, those that are gone
// although their session names them. It reports whether there are some.
func (p *printer) orphans(h *session.Home, missing bool) (found bool) {
	closed, unsure := false, false
	print := func(m *session.Member, why string) {
		found = true
		p.member(m, why)
	}
	ids, errs := h.AllIDs()
	for _, err := range errs {
		p.report(err)
		closed = closed || err.Kind == session.Other
	}
	for _, id := range ids {
		switch hasLog := h.HasLog(id); {
		case p.c.Broken():
			return found
		case !hasLog && closed:
			unsure = true
		case !hasLog:
			for m, err := range h.Members(id) {
				if err == nil { // else it has been reported
					print(&m, "no session")
				}
			}
		case missing:
			p.eachMember(session.Match{Home: h, ID: id}, h.AllMembers(id), func(m *session.Member) {
				if m.Missing && m.Kind != session.TaskOutput { // those are where the system removes them
					print(m, "no member")
				} else {
					p.troubled(m)
				}
			})
		}
	}
	for _, m := range h.Unattributed() {
		print(&m, "names no session")
	}
	for _, m := range h.Misplaced() {
		print(&m, "no place of a session")
	}
	if missing {
		lost := h.Lost()
		if unsure = unsure || closed && len(lost) > 0; closed {
			lost = nil
		}
		for _, m := range lost {
			print(&m, "no log")
		}
	}
	if unsure {
		p.c.Note(cli.Place{}, "a session without a log does not count as gone: its log may be in what cannot be read")
	}
	return found
}
