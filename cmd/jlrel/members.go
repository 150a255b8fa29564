package main

import (
	"iter"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/operand"
	"jl/internal/record"
	"jl/internal/session"
)

// A printer prints rows about the sessions of a home, and reports what cannot be read there.
type printer struct {
	c     *cli.Command
	homes session.Homes

	null     bool // members are printed as paths
	relative bool // relative to the home

	buf      []byte
	reported map[string]bool                // the paths in homes that have been reported
	near     map[string]map[string][]string // what neighbors returns, by the path of the home
}

// print prints a row.
func (p *printer) print(row any) {
	p.buf = record.Append(p.buf[:0], row)
	p.c.Print(p.buf)
}

// report reports an error of the home, but only once for each file and directory, except
// for damaged lines. It does nothing if err is nil.
func (p *printer) report(err *session.PlaceError) {
	if err == nil {
		return
	}
	if damage, ok := err.Err.(*entry.Damage); ok {
		operand.Report(p.c, cli.Line(err.Path, damage.Pos.Line), damage)
		return
	}
	p.fail(err.Path, err.Err)
}

func (p *printer) reportAll(errs []*session.PlaceError) {
	for _, err := range errs {
		p.report(err)
	}
}

// fail reports a file or directory of the home that cannot be read, once.
func (p *printer) fail(path string, err error) {
	if !p.reported[path] {
		p.c.Fail(cli.File(path), err)
	}
	p.reported[path] = true
}

// eachMember calls do with each of the members of a session. A directory that cannot be read and that may
// hold members counts as one.
func (p *printer) eachMember(of session.Match, members iter.Seq2[session.Member, *session.PlaceError], do func(*session.Member)) {
	for m, err := range members {
		if p.c.Broken() {
			return
		}
		if err != nil && err.Kind != "" {
			m, err = session.Member{Home: of.Home, Session: of.ID, Kind: err.Kind, Name: err.Name, Err: err.Err}, nil
		}
		if p.report(err); err == nil {
			do(&m)
		}
	}
}

// membersOf prints the members of a session.
func (p *printer) membersOf(of session.Match) {
	found := false
	p.eachMember(of, of.Home.AllMembers(of.ID), func(m *session.Member) {
		found = true
		p.member(m, "")
	})
	if !found && !p.c.Broken() {
		p.c.Note(cli.Place{}, "session %s has no files", entry.Quote(of.ID))
		p.c.No()
	}
}

// member prints a member as a row or a path. Orphan says why it is an orphan, if it is.
func (p *printer) member(m *session.Member, orphan string) {
	path := m.Path()
	switch {
	case !p.null:
		row := &record.Member{
			SessionID: record.Text(m.Session), Kind: record.Text(m.Kind), Path: record.Text(path), AgentID: record.Text(m.Agent),
			Task: raw(m.Task), Missing: m.Missing, Orphan: orphan,
		}
		if !m.Time.IsZero() {
			mtime := record.Time(m.Time)
			row.Bytes, row.Mtime = &m.Bytes, &mtime
		}
		if m.Err != nil {
			row.Error = cli.Reason(m.Err)
		}
		p.print(row)
	case m.Time.IsZero(): // its file could not be read, or is missing
	case m.Kind == session.TaskOutput:
		p.leftOut(path)
	default:
		p.printPath(m.Name, path)
	}
	p.troubled(m)
}

// printPath prints the path of a file, or its name in the home, "" if it is in none.
func (p *printer) printPath(name, path string) {
	switch {
	case !p.relative:
		name = path
	case name == "":
		p.leftOut(path)
		return
	}
	p.c.Print(append([]byte(name), 0))
}

// leftOut prints a note about a path that a list of what is in a home cannot have.
func (p *printer) leftOut(path string) { p.c.Note(cli.File(path), "not in the home: left out") }

// troubled reports a member that cannot be read. The output of a task never is, so its row says
// what there is to say.
func (p *printer) troubled(m *session.Member) {
	if m.Err != nil && m.Kind != session.TaskOutput {
		p.fail(m.Path(), m.Err)
	}
}

// raw returns a copy of the string v as it is written; nil if v is not a string or is empty.
func raw(v entry.Value) record.Raw {
	if v.IsEmpty() {
		return nil
	}
	return written(v)
}

// written returns a copy of the string v as it is written, or anew if it is not valid JSON.
func written(v entry.Value) record.Raw {
	if !entry.Valid(v) {
		return entry.AppendString(nil, v.Text())
	}
	return append(record.Raw(nil), v...)
}
