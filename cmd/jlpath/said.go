package main

import (
	"bytes"
	"slices"

	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/record"
	"jl/internal/said"
	"jl/internal/session"
)

// rows returns what prints the rows of one log.
func (p *printer) rows() *said.Rows {
	r := said.New(p.f.kinds, p.f.Through, func(row []byte) {
		p.printed = true
		p.c.Print(row)
		p.c.Print([]byte{'\n'})
	})
	if p.file.Label != "" {
		r.File = entry.Value(record.Text(p.file.Label))
	}
	r.HasLog = func(agent string) bool { return session.HasAgentLog(p.file.Name, agent) }
	agentType, model := session.AgentTold(p.file.Name)
	r.AgentType, r.Model = entry.Value(record.Text(agentType)), entry.Value(record.Text(model))
	return r
}

// endRows prints the last rows of a log, and names what was not read.
func (p *printer) endRows(r *said.Rows) {
	r.End()
	if report := r.Report(); report != "" {
		p.c.Note(cli.File(p.file.Name), "%s", report)
	}
}

// saidAll prints the rows of all entries, as they are read.
func (p *printer) saidAll() {
	r, none := p.rows(), true
	for e, d := range p.file.Entries() {
		if p.c.Broken() {
			return
		}
		none = false
		r.Entry(e, d)
	}
	if none {
		p.file.NoteNone()
	}
	p.endRows(r)
}

// saidOut prints the rows of a passage, with those of the entries that have no place in the tree.
func (p *printer) saidOut(g passage) {
	others := append(p.beside(g.Nodes), p.t.Annotations(g.Nodes)...)
	slices.SortFunc(others, byOffset)
	others = slices.Compact(others)
	r := p.rows()
	var e entry.Entry
	for x := range p.t.Texts(g.Nodes, others) {
		if p.c.Broken() {
			return
		}
		if e.Scan(bytes.TrimSpace(x.Bytes)) {
			e.Pos = x.Pos
			r.Entry(&e, p.t.Dialect)
		}
	}
	p.endRows(r)
}

// beside returns the entries without a node, from the first of some nodes to the next message after the last, if they name no
// session or one that an entry there names: the queue, what the client counted, the end of a capture. Progress and sub-agents are
// reported between them. It also returns the headers of a list, which tell the session and the folder of what is below them.
func (p *printer) beside(nodes []log.Node) []entry.Pos {
	var found []entry.Pos
	var sessions []string // of found, as keys
	if len(nodes) == 0 {
		return nil
	}
	in := forest.NewSet(p.t.Cap)
	in.AddAll(nodes)
	named := map[string]bool{"": true}
	inside := false
	for e, d := range p.file.Again() {
		n := p.t.NodeAt(e.Pos)
		switch {
		case n != log.None && in.Has(n):
			inside = true
			named[dialect.SessionOf(e).Key()] = true
		case n != log.None:
			inside = inside && (!d.IsMessage(e) || d.Sidechain(e) != nil)
		case d.IsHeader(e), inside && (!d.IsNode(e) || !d.IsList() && d.IDOf(e) == nil):
			found, sessions = append(found, e.Pos), append(sessions, dialect.SessionOf(e).Key())
		}
	}
	own := found[:0]
	for i, at := range found {
		if named[sessions[i]] || p.t.Dialect.IsList() {
			own = append(own, at)
		}
	}
	return own
}
