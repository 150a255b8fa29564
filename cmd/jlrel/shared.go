package main

import (
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/operand"
	"jl/internal/relation"
	"jl/internal/session"
)

// A logRef is a log that may hold a part of a conversation.
type logRef struct {
	id   string        // of its session
	h    *session.Home // nil if it is in none
	name string        // in the home, or its path
}

// entries yields the entries of a log that nobody has asked about, without a word about damaged lines.
func (p *printer) entries(r logRef) iter.Seq[*entry.Entry] {
	return func(yield func(*entry.Entry) bool) {
		if r.h == nil {
			f, ok := operand.Open(p.c, r.name)
			if !ok {
				return
			}
			defer f.Close()
			for e := range f.Again() {
				if !yield(e) {
					return
				}
			}
			return
		}
		for e, err := range r.h.Entries(r.name) {
			if err == nil && !yield(e) {
				return
			}
		}
	}
}

// A neighborhood is the logs of a home, or of the directory that a log is in, or of the folders of days
// as Codex has them, by what the beginning of each tells: its session, the session that it names as its
// parent, and its first entry.
type neighborhood struct {
	bySession map[string][]logRef
	byParent  map[string][]logRef
	byFirst   map[string][]logRef
}

// neighbors returns the logs beside a log. It reads their beginnings once.
func (p *printer) neighbors(of logRef) *neighborhood {
	where, depth := filepath.Dir(of.name), 0
	if of.h != nil {
		where = of.h.Path(".")
	} else if abs, err := filepath.Abs(where); err == nil && inDay.MatchString(filepath.ToSlash(abs)) {
		where, depth = filepath.Join(where, "../../.."), 3
	}
	if p.near == nil {
		p.near = map[place]*neighborhood{}
	}
	at := place{where, depth}
	if p.near[at] == nil {
		n := &neighborhood{map[string][]logRef{}, map[string][]logRef{}, map[string][]logRef{}}
		for _, log := range p.logsIn(of.h, at) {
			n.bySession[log.id] = append(n.bySession[log.id], log)
			parent, first := p.beginning(log)
			n.byParent[parent] = append(n.byParent[parent], log)
			if first != "" {
				n.byFirst[first] = append(n.byFirst[first], log)
			}
		}
		p.near[at] = n
	}
	return p.near[at]
}

// inDay matches the path of a folder YYYY/MM/DD.
var inDay = regexp.MustCompile(`/\d{4}/\d\d/\d\d$`)

// A place is a directory, with the folders of days, months and years so deep in it.
type place struct {
	dir   string
	depth int
}

// logsIn returns the logs of the sessions in a home, or at a place.
func (p *printer) logsIn(h *session.Home, at place) (logs []logRef) {
	if h == nil {
		files, err := os.ReadDir(at.dir)
		if err != nil {
			p.c.Fail(cli.File(at.dir), err)
		}
		for _, f := range files {
			if _, err := strconv.Atoi(f.Name()); err == nil && at.depth > 0 && f.IsDir() {
				logs = append(logs, p.logsIn(nil, place{filepath.Join(at.dir, f.Name()), at.depth - 1})...)
			}
			_, isLog := session.CutLog(f.Name())
			if id := session.Owner(f.Name()); id != "" && f.Type().IsRegular() && isLog {
				logs = append(logs, logRef{id, nil, filepath.Join(at.dir, f.Name())})
			}
		}
		return logs
	}
	for _, log := range h.Logs() {
		logs = append(logs, logRef{log.Session, h, log.Name})
	}
	return logs
}

// beginning returns the session that a log names as its parent, and what identifies its first entry.
func (p *printer) beginning(log logRef) (parent, first string) {
	for e := range p.entries(log) {
		if parent == "" {
			parent = parentOf(e)
		}
		id, unique := relation.Identity(e)
		if id != "" {
			if first = id; !unique {
				first = "" // other logs may begin so, too
			}
			if origin, _ := relation.Fork(e); origin != nil && parent == "" {
				parent = string(origin.Text())
			}
			break
		}
		if e.Pos.Offset > 1<<20 {
			break // a conversation begins earlier
		}
	}
	return parent, first
}

// parentOf returns the id of the session that e, the first entry of a log, names as its parent, "" if
// it names none.
func parentOf(e *entry.Entry) string {
	parent := string(dialect.Of(e).Session(e).Parent.Text())
	if id := session.Owner(filepath.Base(parent)); id != "" { // it may be a log
		return id
	}
	return parent
}
