package main

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/hashset"
	"jl/internal/operand"
	"jl/internal/record"
	"jl/internal/relation"
	"jl/internal/says"
	"jl/internal/session"
	"jl/internal/shape"
)

// links prints the links between the entries of the operands. A log that is a FILE
// or standard input needs no home; homeErrs say why some cannot be opened.
func (p *printer) links(names []string, named bool, homeErrs []*session.PlaceError) {
	for _, err := range homeErrs {
		if !errors.Is(err, fs.ErrNotExist) {
			p.c.Fail(cli.File(err.Path), err.Err)
		}
	}
	sessions := p.newFinder(func(m session.Match) {
		l := newLinker(p, m.Home) // what belongs to several sessions names each of them
		l.named = named
		l.session(m.ID)
	})
	names = operand.Names(names)
	for _, name := range names {
		id, preferFile := operand.ID(name)
		switch {
		case p.c.Broken():
			return
		case name == "-" || (id == "" || preferFile && len(p.homes) == 0) && !p.homes.IsMember(name):
			l := newLinker(p, nil)
			if named || len(names) > 1 {
				l.file = record.Text(name)
			}
			l.log(name)
			l.end()
		case len(p.homes) > 0:
			sessions.operand(name)
		case len(homeErrs) == 0:
			p.c.Note(cli.Place{}, "no home of an agent is there")
			p.c.No()
			return
		case errors.Is(homeErrs[0], fs.ErrNotExist):
			p.c.Fail(cli.File(homeErrs[0].Path), homeErrs[0].Err)
			return
		}
	}
}

// A linker prints the links in the records of one session, from one log or several. It remembers links
// whose other end it has not seen, and the ids that are done.
type linker struct {
	*printer
	h            *session.Home // in which the files that records refer to are looked up, nil if there is none
	*memberIndex               // of the session whose records are read
	indexes      map[string]*memberIndex

	file  record.Raw           // the log that is read, nil if it is the only one
	known bool                 // the session is known, whatever its records say
	named bool                 // rows name their log even if it is the only one
	early []*record.BackupLink // those of the records before the first one that names a session

	// By id, what is not complete; nil if it is.
	waiting map[string]*half // by the kind and the id
	tasks   map[string]*task
	forks   map[string]*fork // by the other session
	order   int              // of what was begun last

	agentsSeen map[string]bool // that a call began
	copied     hashset.Set     // copied entries
	origins    map[string]bool // the sessions whose entries the logs have
	latest     *fork           // the fork to which the last entry belongs
	own        string          // the session that the name of the log tells, "" if it tells none
	first      string          // the first session that an entry names
	isMain     bool            // the log that is read is the session's, not an agent's
	isOwn      bool            // some entry names own
}

func newLinker(p *printer, h *session.Home) *linker {
	return &linker{
		printer: p, h: h, memberIndex: &memberIndex{}, indexes: map[string]*memberIndex{},
		waiting: map[string]*half{}, tasks: map[string]*task{}, forks: map[string]*fork{},
		agentsSeen: map[string]bool{}, copied: hashset.Set{}, origins: map[string]bool{},
	}
}

// next returns the order of what begins now.
func (l *linker) next() int {
	l.order++
	return l.order
}

// A pos is the position of an entry: its id, if it has one, its log and its line.
type pos struct {
	id   record.Raw
	file record.Raw
	line int64
}

// number returns the line of the entry, or nil if the log lacks the entry.
func (p *pos) number() *int64 {
	if p.line == 0 {
		return nil
	}
	return &p.line
}

// logs returns the logs of the ends of a link, of which one may be missing.
func logs(from, to pos) record.Logs {
	if from.line == 0 {
		from = to
	}
	logs := record.Logs{File: from.file}
	if to.line != 0 && !bytes.Equal(to.file, from.file) {
		logs.ToFile = to.file
	}
	return logs
}

// session prints the links in the log of a session and in those of its agents.
func (l *linker) session(id string) {
	l.enter(id)
	l.known, l.own = true, id
	if len(l.logs) == 0 {
		l.c.Note(cli.Place{}, "session %s has no log", entry.Quote(id))
		l.c.No()
	}
	label := func(log session.Member) record.Raw {
		if l.named || len(l.logs) > 1 {
			return record.Text(log.Path())
		}
		return nil
	}
	var main *session.Member
	for _, log := range l.logs {
		if log.Err != nil {
			continue
		}
		l.file, l.isMain = label(log), log.Kind == session.Log
		if l.isMain && main == nil {
			main = &log
		}
		for e, err := range l.h.Entries(log.Name) {
			if l.c.Broken() {
				return
			}
			if l.report(err); err == nil {
				l.entry(e)
			}
		}
	}
	if main != nil {
		l.file = label(*main)
		l.others(*main)
	}
	l.end()
	for _, agent := range slices.Sorted(maps.Keys(l.agents)) {
		if !l.h.NamesAgents() && !l.agentsSeen[agent] { // no call of the session began it
			l.printAgent(&half{}, record.Text(agent), "parent", l.agents[agent], present)
		}
	}
	for _, log := range l.logs {
		if log.Kind == session.Agent && log.Err == nil && session.AgentID(log.Name) == "" { // it is a session, too
			a := newLinker(l.printer, l.h)
			a.file, log.Session = label(log), log.Agent
			a.others(log)
			a.end()
		}
	}
}

// log prints the links in one log that the user named. One in a home is read by the home's rules.
func (l *linker) log(name string) {
	h, inside := l.homes.Of(name)
	if name == "-" {
		h = nil
	}
	var f *operand.File
	var ok bool
	if l.h = h; h != nil {
		l.reported[h.Path(inside)] = true // what is wrong with it is reported under the user's name
		l.enter(h.OwnerOf(inside))        // until its records name another session
		l.own, l.isMain = l.id, session.AgentID(inside) == ""
		file, err := h.Open(inside)
		f, ok = operand.Of(l.c, name, file, err)
	} else {
		if len(l.homes) > 0 {
			l.h = l.homes[0]
		}
		l.own, l.isMain = session.Owner(filepath.Base(name)), true
		f, ok = operand.Open(l.c, name)
	}
	if !ok {
		return
	}
	defer f.Close()
	read := false
	for e := range f.Entries() {
		if l.entry(e); l.c.Broken() {
			return
		}
		read = true
	}
	if !read {
		f.NoteNone()
	}
	if l.id == "" {
		l.enter(l.own)
	}
	info := f.Source.Info()
	if !read || !l.isMain || name == "-" || info == nil || !info.Mode().IsRegular() {
		return
	}
	if h == nil {
		var err error
		if h, inside, err = session.HomeAround(name); err != nil {
			l.c.Fail(cli.Place{}, err)
			return
		}
		defer session.Homes{h}.Close()
		h.Refuses = l.c.Writes
	}
	id := session.Owner(filepath.Base(name)) // of a sub-agent, its own
	l.others(session.Member{Home: h, Session: cmp.Or(id, l.own, l.first), Name: inside})
}

// entry prints the links that e completes and remembers those that it begins.
func (l *linker) entry(e *entry.Entry) {
	at := pos{raw(e.Get(entry.UUID)), l.file, e.Pos.Line}
	if !l.known {
		l.enter(string(says.SessionOf(e).Text()))
		if l.id != "" {
			l.printEarly()
		}
	}
	if parent := e.Get(entry.LogicalParentUUID); !parent.IsEmpty() {
		l.print(&record.LogicalLink{Link: "logical", From: at.id, Line: at.line, To: raw(parent), Logs: record.Logs{File: at.file}})
	}
	if l.isMain || l.own == "" {
		l.forked(e, at)
	}
	for n := range relation.Notices(e) {
		l.ended(string(n.ID.Text()), &taskEnd{at, raw(n.Status), raw(n.Output)})
	}
	if shape.NamesBackups(e) {
		l.backups(e, at)
	}
	task, call := relation.StartedTask(e)
	l.began(raw(call), task, at)
	l.halves(e, at)
}

// backups prints the links from an entry to the backups that it names, once the session is known whose they are.
func (l *linker) backups(e *entry.Entry, at pos) {
	for tracked, backup := range shape.Backups(e) {
		value, version := backup.Member(shape.BackupName), backup.Member(shape.BackupVersion)
		row := &record.BackupLink{
			Link: "backup", From: raw(e.Get(entry.MessageID)), Line: at.line, Tracked: written(tracked),
			Backup: raw(value), Logs: record.Logs{File: at.file},
		}
		if _, isInt := version.Int(); isInt {
			row.Version = record.Scalar(version)
		}
		if string(value) == "null" {
			row.State = "absent"
		}
		l.early = append(l.early, row)
	}
	if l.h == nil || l.id != "" {
		l.printEarly()
	}
}

// printEarly prints what may have had to wait for the session.
func (l *linker) printEarly() {
	for _, row := range l.early {
		path, state := l.backup(string(entry.Value(row.Backup).Text()))
		row.Path, row.State = record.Text(path), cmp.Or(row.State, state)
		l.print(row)
	}
	l.early = l.early[:0]
}

// end prints the links that are still open, in the order of the records.
func (l *linker) end() {
	l.printEarly()
	type open struct {
		order int
		print func()
	}
	var all []open
	for _, h := range l.waiting {
		switch {
		case h == nil:
		case !h.answers:
			all = append(all, open{h.order, func() { l.pair(h, &half{}) }})
		case string(h.name) != `"cancelled"`: // else nothing was asked
			all = append(all, open{h.order, func() { l.pair(&half{}, h) }})
		}
	}
	for _, t := range l.tasks {
		if t.link != nil {
			all = append(all, open{t.order, func() { l.print(t.link) }})
		}
	}
	for _, f := range l.forks {
		if f.link.Entries > 0 || f.named {
			all = append(all, open{f.order, func() {
				if f.link.Path == nil {
					path, state := l.sessionLog(string(entry.Value(f.link.To).Text()))
					f.link.Path, f.link.State = record.Text(path), state
				}
				l.print(&f.link)
			}})
		}
	}
	slices.SortFunc(all, func(a, b open) int { return cmp.Compare(a.order, b.order) })
	for _, o := range all {
		if o.print(); l.c.Broken() {
			return
		}
	}
}
