package main

import (
	"bytes"
	"io"
	"slices"

	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/line"
	"jl/internal/log"
	"jl/internal/record"
	"jl/internal/said"
	"jl/internal/says"
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
	if cwd := session.CwdTold(p.file.Name); cwd != "" {
		r.Cwd = entry.Value(record.Text(cwd))
	}
	r.Session = p.session
	if p.readsAgain() {
		r.Ahead = p.unsaid
	}
	return r
}

// readsAgain reports whether the log can be read a second time at no cost: it is a plain file, or was read already.
func (p *printer) readsAgain() bool { return p.t != nil || p.file.Source.InPlace() }

// session returns the session of the entries above the first that names one. It is the session that this entry names,
// if the log can be read again, or else the one in the name of the file; nil for standard input.
func (p *printer) session() entry.Value {
	if p.readsAgain() {
		var t says.Telling
		for e, d := range p.file.Head() {
			if !bytes.Contains(e.Bytes, []byte("ession")) && !bytes.Contains(e.Bytes, []byte("onversation")) { // no name that tells it
				continue
			}
			if says.Tell(d, e, &t); t.Session.NonEmpty() != nil {
				return t.Session
			}
		}
	}
	if p.file.Name == "-" {
		return nil
	}
	return entry.Value(record.Text(session.Named(p.file.Name)))
}

// unsaid returns the offsets of the entries that put a text into the queue that no other entry says. It reads the
// entries of the queue first. Then, while a text waits, it reads those entries that hold a word of one.
func (p *printer) unsaid(d dialect.Dialect) map[int64]bool {
	at, size := p.file.At()
	entriesFrom := func(offset int64) *dialect.Reader {
		in := dialect.NewReader(line.NewForward(io.NewSectionReader(at, offset, size-offset)), entry.Decoder{}, nil)
		in.TakeAs(d)
		return in
	}
	newRows := func() *said.Rows { return said.New(p.f.kinds, p.f.Through, func([]byte) {}) }
	mark := []byte("queue-operation")
	var queued []int64 // the offsets of the lines of the queue
	in, r := entriesFrom(0), newRows()
	for in.Only(mark); in.Next(); {
		queued = append(queued, in.Entry().Pos.Offset)
		r.Entry(in.Entry(), d)
	}
	if len(queued) == 0 {
		return nil
	}
	above := make([]byte, min(queued[0], 1<<14))
	n, _ := at.ReadAt(above, queued[0]-int64(len(above)))
	words, few := r.Sought(above[:n])
	if few && len(words) == 0 {
		return nil
	}
	const most = 8 // words, that to search for all is cheaper than to read each entry
	few = few && len(words) <= most
	const near = 1 << 20 // bytes, so near that reading on is cheaper than to begin again
	r = newRows()
	for len(queued) > 0 {
		from := queued[0]
		queued = queued[1:]
		in := entriesFrom(from)
		if few {
			in.Only(append(words, mark)...)
		}
		var since []byte // when the first of these entries was written
		for in.Next() {
			e := in.Entry()
			if !says.MayQueue(e) {
				continue
			}
			if time := e.Get(entry.Timestamp); since == nil {
				since = bytes.Clone(time)
			} else if bytes.Compare(time, since) < 0 && time.IsString() {
				return unsaidInAll(entriesFrom(0), newRows(), d)
			}
			e.Pos.Offset += from
			r.Entry(e, d)
			for len(queued) > 0 && queued[0] <= e.Pos.Offset {
				queued = queued[1:]
			}
			if !r.Waits() && (len(queued) == 0 || queued[0] > e.Pos.Offset+near) {
				break
			}
		}
	}
	return r.Waiting()
}

// unsaidInAll is unsaid for a log in which something is older than what comes before it: it may be a copy of an entry
// that unsaid has not read, and says nothing then.
func unsaidInAll(in *dialect.Reader, r *said.Rows, d dialect.Dialect) map[int64]bool {
	for in.Next() {
		if e := in.Entry(); says.MayQueue(e) {
			r.Entry(e, d)
		}
	}
	return r.Waiting()
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

// saidOut prints the rows of a passage, with those of the entries that have no place in the tree. All of the log is
// read, so that they are the same as in any other passage.
func (p *printer) saidOut(g passage) {
	others := append(p.outside(g.Nodes), p.t.Annotations(g.Nodes)...)
	slices.SortFunc(others, byOffset)
	others = slices.Compact(others)
	in := forest.NewSet(p.t.Cap)
	in.AddAll(g.Nodes)
	r := p.rows()
	for e, d := range p.file.Again() {
		if p.c.Broken() {
			return
		}
		n := p.t.NodeAt(e.Pos)
		if n == log.None { // an entry of that id came before or comes again
			n = p.t.LookUp(d.RawID(e))
		}
		for len(others) > 0 && others[0].Offset < e.Pos.Offset {
			others = others[1:]
		}
		if p.t.Has(n) && in.Has(n) || len(others) > 0 && others[0].Offset == e.Pos.Offset {
			r.Entry(e, d)
		} else {
			r.Pass(e, d)
		}
	}
	p.endRows(r)
}

// outside returns the entries without a node, from the first of some nodes to the next message after the last, if they
// name no session or one that an entry there names: the queue, what the client counted, and the end of a capture,
// which may have a node. Progress and sub-agents are reported between them. It also returns the headers of a list, which
// tell the session and the folder of what is below them.
func (p *printer) outside(nodes []log.Node) []entry.Pos {
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
		isEnd := says.EndsCapture(e)
		switch {
		case n != log.None && in.Has(n):
			inside = true
			named[says.SessionOf(e).Key()] = true
		case n != log.None && !isEnd:
			inside = inside && (!d.IsMessage(e) || d.Sidechain(e) != nil)
		case d.IsHeader(e), inside && (isEnd || !d.IsNode(e) || !d.IsList() && d.IDOf(e) == nil):
			found, sessions = append(found, e.Pos), append(sessions, says.SessionOf(e).Key())
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
