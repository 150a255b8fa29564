package main

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/operand"
	"jl/internal/session"
	"jl/internal/source"
)

// links prints who refers to whom in the records of the operands. A log that is
// given as a file or on standard input needs no home; homeErr says why there is none,
// which is worth a word if there should be one.
func links(c *cli.Command, h *session.Home, f flags, homeErr error) error {
	if h != nil {
		defer h.Close()
	} else if !errors.Is(homeErr, fs.ErrNotExist) {
		c.Fail("", homeErr)
	}
	operands := operand.Names(f.Names)
	for _, name := range operands {
		l := newLinker(c, h)
		if name == "-" || isFile(name) && !isMember(h, name) {
			if len(operands) > 1 {
				l.file = name
			}
			if err := l.log(name); err != nil {
				return err
			}
			if err := l.end(); err != nil {
				return err
			}
			continue
		}
		if h == nil {
			if errors.Is(homeErr, fs.ErrNotExist) {
				return homeErr
			}
			continue
		}
		n := namer{c: c, h: h, home: h.Path("."), each: l.session}
		if err := n.all([]string{name}); err != nil {
			return err
		}
	}
	return nil
}

// isMember reports whether a file is a member of a session and no log: it names the
// session. Of the output of a task that is so whatever it holds: it is not opened.
func isMember(h *session.Home, name string) bool {
	if abs, err := filepath.Abs(name); err == nil && isOutput(abs) {
		return true
	}
	if h == nil {
		return false
	}
	inside := h.Name(name)
	isLog := session.IDOf(inside) != path.Base(inside)
	return inside != "" && !isLog && (h.OwnerOf(inside) != "" || isNamed(inside))
}

// A linker prints the links in the records of one session, from one log or several.
// It remembers what is still open, and of what is done a hash.
type linker struct {
	c    *cli.Command
	h    *session.Home // nil if there is none
	file string        // what the rows say of the log; nothing if there is one only
	row  row
	near *neighbours

	known bool // whose records they are is known, whatever they say

	calls    map[string]*open // of tools, without a result, by id
	results  map[string]*open // without a call
	requests map[string]*open // by request_id
	answers  map[string]*open // without a request
	tasks    map[string]*open // not ended, by id
	ends     map[string]ending
	stops    map[string]string // the tasks that calls are to stop, by id of the call
	forks    map[string]*fork  // by the session of origin
	done     hashes            // ids that need no further look
	order    int
}

func newLinker(c *cli.Command, h *session.Home) *linker {
	return &linker{
		c: c, h: h,
		near:  newNeighbours(c, h),
		calls: map[string]*open{}, results: map[string]*open{},
		requests: map[string]*open{}, answers: map[string]*open{},
		tasks: map[string]*open{}, ends: map[string]ending{}, stops: map[string]string{},
		forks: map[string]*fork{},
		done:  hashes{},
	}
}

// An open link is one whose other end has not been seen.
type open struct {
	id, name string
	place
	order int
	launch
	outcome outcome // of a result
}

// A place is where an entry stands.
type place struct {
	entry string // its id, "" if it has none
	line  int64
	file  string
}

// A fork is the part of a session that it has from another.
type fork struct {
	from, at, entry string
	line            int64
	file            string
	entries         int64
	order           int
}

// session prints the links in the log of a session and in those of its agents.
func (l *linker) session(id string) error {
	l.near.session(id)
	l.known = true
	logs := l.near.here.logs
	if !l.near.here.logged {
		l.c.Note("", "session %q has no log", id)
		l.c.No()
	}
	for _, name := range logs {
		f, err := l.h.Open(name)
		if err != nil {
			l.c.Fail(l.h.Path(name), err)
			continue
		}
		if len(logs) > 1 {
			l.file = l.h.Path(name)
		}
		err = eachEntry(l.c, l.h.Path(name), f, l.entry)
		f.Close()
		if err != nil {
			return err
		}
	}
	return l.end()
}

// log prints the links in one log that the user named.
func (l *linker) log(name string) error {
	if inside := l.inHome(name); inside != "" { // nothing there may be waited for
		f, err := l.h.Open(inside)
		if err != nil {
			l.c.Fail(name, err)
			return nil
		}
		defer f.Close()
		return eachEntry(l.c, name, f, l.entry)
	}
	src, err := source.Open(name, l.c.In, l.c.Flush)
	if err != nil {
		l.c.Fail(name, err)
		return nil
	}
	defer src.Close()
	return eachIn(l.c, name, src, l.entry)
}

// inHome returns what a file is called in the home, "" if it is not there.
func (l *linker) inHome(name string) string {
	if l.h == nil || name == "-" {
		return ""
	}
	return l.h.Name(name)
}

func (l *linker) entry(e *entry.Entry, at *line.Forward) error {
	p := place{string(e.Get(entry.UUID).Text()), at.Number(), l.file}
	if !l.known {
		l.near.session(sessionOf(e))
	}
	if err := l.logical(e, p); err != nil {
		return err
	}
	l.forked(e, p)
	if err := l.endings(e, p); err != nil {
		return err
	}
	switch typ := e.Get(entry.Type); {
	case typ.Is("assistant"):
		return l.called(e, p)
	case typ.Is("user"):
		return l.returned(e, p)
	case typ.Is("system") && e.Get(entry.Subtype).Is("task_started"):
		return l.started(e, p)
	case isSnapshot(e):
		return l.backups(e, p)
	case typ.Is("control_request"):
		return l.request(e, p)
	case typ.Is("control_response"):
		return l.response(e, p)
	case typ.Is("control_cancel_request"):
		return l.cancelled(e, p)
	}
	return nil
}

// next numbers what is open, so that it comes out in the order of the records.
func (l *linker) next() int {
	l.order++
	return l.order
}

// finished reports whether an id was marked before, and marks it.
func (l *linker) finished(kind, id string) bool {
	return !l.done.add(kind + "\x00" + id)
}

func (l *linker) isDone(kind, id string) bool { return l.done.has(kind + "\x00" + id) }

func (l *linker) begin(link string) *row {
	l.row.reset()
	l.row.str("link", link)
	return &l.row
}

func (r *row) from(p place) {
	r.text("from", p.entry)
	r.num("line", p.line)
}

func (r *row) to(p place) {
	r.text("to", p.entry)
	r.num("toLine", p.line)
}

// print ends a row with the log that it is about, and the other one if there are
// two.
func (l *linker) print(file, other string) error {
	l.row.some("file", file)
	if other != file {
		l.row.some("toFile", other)
	}
	return l.row.print(l.c)
}

func (l *linker) logical(e *entry.Entry, p place) error {
	parent := e.Get(entry.LogicalParentUUID)
	if parent.IsEmpty() {
		return nil
	}
	r := l.begin("logical")
	r.from(p)
	r.str("to", string(parent.Text()))
	return l.print(p.file, p.file)
}

// forked takes a record that another session had first.
func (l *linker) forked(e *entry.Entry, p place) {
	if !bytes.Contains(e.Bytes, []byte(`"forkedFrom"`)) {
		return
	}
	from := entry.Value(e.Bytes).Member("forkedFrom")
	id := str(from, "sessionId")
	if id == "" {
		return
	}
	f := l.forks[id]
	if f == nil {
		f = &fork{from: sessionOf(e), order: l.next()}
		l.forks[id] = f
	}
	f.entries++
	f.entry, f.at, f.line, f.file = p.entry, str(from, "messageUuid"), p.line, p.file
}

func (l *linker) printFork(id string, f *fork) error {
	r := l.begin("fork")
	r.text("from", f.from)
	r.str("to", id)
	r.text("entry", f.entry)
	r.num("line", f.line)
	r.text("toEntry", f.at)
	r.num("entries", f.entries)
	path, there := l.near.log(id)
	r.text("path", path)
	if l.h != nil && !there {
		r.str("state", gone)
	}
	return l.print(f.file, f.file)
}

func (l *linker) backups(e *entry.Entry, p place) error {
	p.entry = string(e.Get(entry.MessageID).Text())
	for tracked, backup := range backupsOf(e) {
		r := l.begin("backup")
		r.from(p)
		r.str("tracked", tracked)
		if version, ok := backup.Member("version").Int(); ok {
			r.num("version", version)
		}
		name := str(backup, "backupFileName")
		r.text("backup", name)
		path, state := l.near.backup(name)
		r.text("path", path)
		switch {
		case string(backup.Member("backupFileName")) == "null":
			r.str("state", "absent")
		default:
			r.some("state", state)
		}
		if err := l.print(p.file, p.file); err != nil {
			return err
		}
	}
	return nil
}

// called takes the calls of tools in an entry.
func (l *linker) called(e *entry.Entry, p place) error {
	for block := range e.Get(entry.Message).Member("content").Elements() {
		if !block.Member("type").Is("tool_use") { // the tools of a server answer on the spot
			continue
		}
		call := &open{id: str(block, "id"), name: str(block, "name"), place: p, order: l.next()}
		switch call.name {
		case "KillShell", "KillBash", "TaskStop":
			l.stops[call.id] = first(block.Member("input"), "shell_id", "task_id", "bash_id")
		}
		if result := l.results[call.id]; result != nil {
			delete(l.results, call.id)
			if err := l.settle(call, result.outcome, result.place); err != nil {
				return err
			}
			continue
		}
		if call.id != "" && !l.isDone("tool", call.id) { // a replayed call has its result
			l.calls[call.id] = call
		}
	}
	return nil
}

// returned takes the results of tools in an entry.
func (l *linker) returned(e *entry.Entry, p place) error {
	var result entry.Value
	for block := range e.Get(entry.Message).Member("content").Elements() {
		if !block.Member("type").Is("tool_result") {
			continue
		}
		if result == nil {
			result = resultOf(e)
		}
		id := str(block, "tool_use_id")
		call := l.calls[id]
		if call == nil {
			if id != "" && !l.isDone("tool", id) {
				l.results[id] = &open{id: id, place: p, order: l.next(), outcome: outcomeOf(result, block)}
			}
			continue
		}
		delete(l.calls, id)
		if err := l.settle(call, outcomeOf(result, block), p); err != nil {
			return err
		}
	}
	return nil
}

// settle takes a call and its result, whichever came first.
func (l *linker) settle(call *open, o outcome, p place) error {
	l.finished("tool", call.id)
	if err := l.tool(call, p); err != nil {
		return err
	}
	if err := l.agent(call, o); err != nil {
		return err
	}
	if err := l.launched(call, o.begun); err != nil {
		return err
	}
	return l.stopped(call, o, p)
}

func (l *linker) tool(call *open, result place) error {
	r := l.begin("tool")
	r.str("id", call.id)
	r.text("name", call.name)
	r.from(call.place)
	r.to(result)
	return l.print(call.file, result.file)
}

// agent prints the link from a call to the log of the agent that it began.
func (l *linker) agent(call *open, o outcome) error {
	id, by := o.agent, "toolUseResult"
	if id == "" {
		id, by = l.near.byCall(call.id), "meta"
	}
	if id == "" && (call.name == "Task" || call.name == "Agent") {
		id, by = o.quoted, "text"
	}
	if id == "" {
		return nil
	}
	r := l.begin("agent")
	r.str("id", call.id)
	r.from(call.place)
	r.str("agentId", id)
	r.str("by", by)
	path := l.near.agent(id)
	r.text("path", path)
	if path == "" && l.near.known() {
		r.str("state", gone)
	}
	return l.print(call.file, call.file)
}

// A rest is a link that stayed open, and how it is printed.
type rest struct {
	order int
	print func() error
}

// end prints what is still open, in the order of the records.
func (l *linker) end() error {
	var left []rest
	for _, call := range l.calls {
		left = append(left, rest{call.order, func() error { return l.unanswered(call) }})
	}
	for _, result := range l.results {
		left = append(left, rest{result.order, func() error { return l.uncalled(result) }})
	}
	for _, task := range l.tasks {
		left = append(left, rest{task.order, func() error { return l.task(task, nil) }})
	}
	for _, request := range l.requests {
		left = append(left, rest{request.order, func() error { return l.control(request, "unanswered", place{file: request.file}) }})
	}
	for _, answer := range l.answers {
		if answer.name == "cancelled" { // what was never asked
			continue
		}
		left = append(left, rest{answer.order, func() error {
			return l.control(&open{id: answer.id, place: place{file: answer.file}}, "no request", answer.place)
		}})
	}
	for id, f := range l.forks {
		left = append(left, rest{f.order, func() error { return l.printFork(id, f) }})
	}
	slices.SortFunc(left, func(a, b rest) int { return cmp.Compare(a.order, b.order) })
	for _, o := range left {
		if err := o.print(); err != nil {
			return err
		}
	}
	return nil
}

func (l *linker) unanswered(call *open) error {
	r := l.begin("tool")
	r.str("id", call.id)
	r.text("name", call.name)
	r.from(call.place)
	r.null("to")
	r.null("toLine")
	r.str("state", "unanswered")
	if err := l.print(call.file, call.file); err != nil {
		return err
	}
	return l.agent(call, outcome{})
}

func (l *linker) uncalled(result *open) error {
	r := l.begin("tool")
	r.str("id", result.id)
	r.null("name")
	r.null("from")
	r.null("line")
	r.to(result.place)
	r.str("state", "no call")
	return l.print(result.file, result.file)
}
