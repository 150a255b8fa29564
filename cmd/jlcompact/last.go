package main

import (
	"errors"
	"slices"

	"jl/internal/cli"
	"jl/internal/cut"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/graft"
	"jl/internal/log"
	"jl/internal/operand"
)

// last prints the newest count messages of the conversation, below the boundary and the summary that it
// begins with, so that a client loads all of them. Without these it prints the end of the conversation to the true
// beginning, as before does, so that all pages together are that.
func (p *printer) last(part cut.Cut, count int) {
	t, ok := p.read()
	if !ok {
		return
	}
	path := t.Path(log.None, log.Options{})
	if !t.Dialect.IsClaude() {
		path.Nodes = slices.DeleteFunc(path.Nodes, func(n log.Node) bool { return t.Pos(n).Offset < part.Offset })
	}
	top := replacement(t, path)
	var page []log.Node
	if p.f.NoSummary || t.Dialect.IsClaude() && len(top) == 0 {
		path = t.Path(log.None, log.Options{Through: true})
		page = newest(t, path.Nodes, count)
	} else {
		page = withSummary(t, path, top, count)
	}
	p.note(t, path)
	var name string
	var kept entry.Value
	if !t.Dialect.IsClaude() && len(top) > 0 && len(page) > 0 {
		name, kept = firstKept(t, path.Nodes, page, top[0])
	}
	grafted := graft.New(t, graft.Part{Nodes: page, Chain: path.Turns, Taken: path.Taken, Kept: true})
	p.entries(t, page, func(x log.Text) []byte {
		b := x.Bytes
		if kept != nil && x.Node == top[0] {
			b = entry.Value(b).Set(nil, name, kept, nil)
		}
		if parent := grafted.Parent(x.Node); parent != nil {
			b = entry.Value(b).Set(nil, t.Dialect.ParentName(), parent, nil)
		}
		return b
	})
}

// before prints the count messages before the entry that id names, across compactions.
func (p *printer) before(count int, id string) {
	t, ok := p.read()
	if !ok {
		return
	}
	a := p.file.Find(t, id)[id]
	if err := t.Err(); err != nil {
		p.file.Fail(err)
		return
	}
	if !a.Known {
		operand.NoEntry(p.c, []string{p.file.Name}, id)
	}
	if !a.Chosen {
		return
	}
	path := t.Path(log.None, log.Options{Through: true})
	if !slices.Contains(path.Nodes, a.Node) {
		path = t.Path(a.Node, log.Options{Through: true})
	}
	p.note(t, path)
	above := path.Nodes[:max(0, slices.Index(path.Nodes, a.Node))]
	p.entries(t, newest(t, above, count), func(x log.Text) []byte { return x.Bytes })
}

// note reports what is odd about a path through the whole log.
func (p *printer) note(t *log.Log, path log.Path) {
	p.file.NoteDialect(t.Dialect)
	p.file.Odd(t, path.Odd)
}

// read reads the log. It returns false if the file is not one.
func (p *printer) read() (*log.Log, bool) {
	t, err := log.Read(p.r, p.size, log.Reading{Spare: p.file.Spare}, p.file.Damaged)
	p.file.Fail(err)
	p.file.NoteShape(t)
	return t, !errors.Is(err, dialect.ErrNotLog)
}

// entries prints entries, as edit returns them: for pi, after the header of the log. If
// there are none, the answer is "none".
func (p *printer) entries(t *log.Log, nodes []log.Node, edit func(log.Text) []byte) {
	if len(nodes) == 0 {
		p.c.No()
		return
	}
	if d := t.Dialect; d.NeedsHeader() {
		if h := p.file.Header(d); h != nil {
			p.line(h.Bytes)
		}
	}
	for x := range t.Texts(nodes, nil) {
		if p.c.Broken() {
			break
		}
		if !x.Whole {
			p.c.Fail(cli.File(p.file.Name), unprinted(entry.Quote(t.ID(x.Node))))
			continue
		}
		p.line(edit(x))
	}
	p.file.Fail(t.Err())
}

// An unprinted is the error about an entry that is not printed: its id, quoted.
type unprinted string

func (id unprinted) Error() string {
	return "the entry " + string(id) + " is not valid JSON inside: not printed"
}

// Kind returns what all these errors have in common.
func (id unprinted) Kind() string { return "the entry %s is not valid JSON inside: not printed" }
