package main

import (
	"errors"

	"jl/internal/cli"
	"jl/internal/operand"
	"jl/internal/session"
)

// members prints the members of the sessions that the operands name.
func members(c *cli.Command, h *session.Home, f flags) error {
	p := memberPrinter{c: c, h: h, null: f.Null}
	n := namer{c: c, h: h, home: h.Path("."), each: func(id string) error { return collect(c, h, id, p.print) }}
	return n.all(operand.Names(f.Names))
}

// A member is a file that belongs to a session, and what only jlrel says of it.
type member struct {
	session.Member
	task   string // whose output it is; it lies outside of the home then
	orphan string // why it is one
}

// path returns where a member is, for a user.
func (m *member) path(h *session.Home) string {
	if m.Kind == taskOutput {
		return m.Name
	}
	return h.Path(m.Name)
}

// taskOutput is the kind of the output of a background task.
const taskOutput = "task-output"

// collect calls print for each member of a session: first those that names tell,
// then those that only entries name, so that nothing waits for a long log.
func collect(c *cli.Command, h *session.Home, id string, print func(*member) error) error {
	n := newInLogs(c, h, id, print)
	var logs []string
	for m := range h.Members(id) {
		if (m.Kind == session.Log || m.Kind == session.Agent) && m.Err == nil {
			logs = append(logs, m.Name)
		}
		n.know(m.Name)
		if err := print(&member{Member: m}); err != nil {
			return err
		}
		if m.Kind == session.Log {
			c.Flush() // what follows may be a directory of very many files
		}
	}
	c.Flush()
	if err := n.read(logs); err != nil {
		return err
	}
	for _, m := range h.Unread() {
		if !n.seen.has(m.Name) { // else it has a row
			sayTrouble(c, h, &member{Member: m})
		}
	}
	return nil
}

// A memberPrinter prints members as rows or paths.
type memberPrinter struct {
	c    *cli.Command
	h    *session.Home
	null bool
	row  row
}

func (p *memberPrinter) print(m *member) error {
	defer sayTrouble(p.c, p.h, m)
	if p.null {
		if m.Missing || m.task != "" || m.Time.IsZero() || isSkipped(m.Err) {
			return nil
		}
		_, err := p.c.Out.WriteString(m.path(p.h) + "\x00")
		return err
	}
	r := &p.row
	r.reset()
	r.text("session", m.Session)
	r.str("kind", m.Kind)
	r.str("path", m.path(p.h))
	if !m.Time.IsZero() && !isSkipped(m.Err) {
		r.num("bytes", m.Bytes)
		r.time("mtime", m.Time)
	}
	if m.Kind == session.Agent || m.Kind == session.AgentMeta {
		r.some("agentId", session.AgentID(m.Name))
	}
	r.some("task", m.task)
	if m.Missing {
		r.yes("missing")
	}
	if m.Err != nil {
		r.str("error", m.Err.Error())
	}
	r.some("orphan", m.orphan)
	return r.print(p.c)
}

func isSkipped(err error) bool { return errors.As(err, new(*session.SkippedError)) }

// sayTrouble says that a member cannot be read. One that nobody should read is
// nothing to worry about.
func sayTrouble(c *cli.Command, h *session.Home, m *member) {
	if m.Err != nil && !isSkipped(m.Err) {
		c.Fail(m.path(h), m.Err)
	}
}

// sayError says what cannot be read: trouble, or, of what should not be read, a note.
func sayError(c *cli.Command, name string, err error) {
	if isSkipped(err) {
		c.Note(name, "%v", err)
		return
	}
	c.Fail(name, err)
}

// outputOf returns the output of a background task as a member. It looks at the
// file and does not open it.
func outputOf(id, task, name string) member {
	m := session.Member{Name: name, Err: errElsewhere}
	if isOutput(name) {
		m = session.Look(name)
	}
	m.Session, m.Kind = id, taskOutput
	return member{Member: m, task: task}
}

// errElsewhere is for an output that is not where outputs lie.
var errElsewhere error = &session.SkippedError{Why: "this is not where outputs of tasks lie"}
