package main

import (
	"path"

	"jl/internal/cli"
	"jl/internal/session"
)

// orphans prints the members whose session is gone, and those that are gone though
// their session names them.
func orphans(c *cli.Command, h *session.Home, f flags) error {
	p := memberPrinter{c: c, h: h, null: f.Null}
	found := false
	print := func(m *member) error {
		found = true
		return p.print(m)
	}
	withLog, err := logged(c, h)
	if err != nil { // then everything would look like one
		c.Fail(h.Path("projects"), err)
		return nil
	}
	ids, err := h.AllIDs()
	if err != nil {
		c.Fail(h.Path("."), err)
	}
	h.Unread() // all have rows
	for _, m := range h.Closed() {
		sayTrouble(c, h, &member{Member: m})
	}
	for _, id := range ids {
		if !withLog[id] {
			err = widows(h, id, print)
		} else if !f.Null { // what is gone has no path to print
			err = lost(c, h, id, print)
		}
		if err != nil {
			return err
		}
	}
	if err := nobodys(h, print); err != nil {
		return err
	}
	if !found {
		c.No()
	}
	return nil
}

// logged returns the ids of the sessions whose log is there.
func logged(c *cli.Command, h *session.Home) (map[string]bool, error) {
	folders, err := h.Projects()
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for _, folder := range folders {
		logs, err := h.Logs(folder)
		if err != nil {
			sayError(c, h.Path(path.Join("projects", folder)), err)
		}
		for _, log := range logs {
			ids[session.IDOf(log)] = true
		}
	}
	return ids, nil
}

// widows prints the members of a session that has no log.
func widows(h *session.Home, id string, print func(*member) error) error {
	for m := range h.Members(id) {
		if m.Shared() {
			continue
		}
		if err := print(&member{Member: m, orphan: "no session"}); err != nil {
			return err
		}
	}
	return nil
}

// lost prints the members that a session names and that are not there. Outputs of
// tasks are none: they lie where the system sweeps.
func lost(c *cli.Command, h *session.Home, id string, print func(*member) error) error {
	return collect(c, h, id, func(m *member) error {
		if !m.Shared() { // those are named once
			sayTrouble(c, h, m)
		}
		if !m.Missing || m.Kind == taskOutput {
			return nil
		}
		m.orphan = "no member"
		return print(m)
	})
}

// nobodys prints the agents of the old layout that name no session.
func nobodys(h *session.Home, print func(*member) error) error {
	for m := range h.Strays() {
		if err := print(&member{Member: m, orphan: "names no session"}); err != nil {
			return err
		}
	}
	return nil
}
