package main

import (
	"slices"
	"strconv"

	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/operand"
)

// edges prints the edges of a file.
func edges(c *cli.Command, f *operand.File) {
	p := printer{c: c, file: f}
	for r, made := range operand.Prepared(f, p.prepare) {
		if p.entry(r.Entry(), r.Dialect(), made); c.Broken() {
			return
		}
	}
	p.release()
}

// An edge is what an entry is for the tree.
type edge struct {
	isConversation bool
	hasID          bool
	json           []byte // its fields, if the entry has an id and is not in a straight log
}

// prepare finds the fields of the edge of an entry.
func (p *printer) prepare(e *entry.Entry, d dialect.Dialect, made *edge) {
	made.json = made.json[:0]
	if d.Straight() {
		return
	}
	id := d.IDOf(e)
	made.hasID, made.isConversation = id != nil, d.IsConversation(e)
	if made.hasID && d.IsNode(e) {
		made.json = d.AppendFields(made.json, e, id, d.ParentOf(e), p.file.Label)
	}
}

// A printer prints the edges of one log.
type printer struct {
	c    *cli.Command
	file *operand.File

	dialect dialect.Dialect
	edge    []byte // scratch

	thread *dialect.Thread        // nil unless the log is straight
	living []entry.Value          // the ids of the living entries of a straight log
	side   map[string]entry.Value // by sidechain: the id of its last entry

	numbered bool        // no conversation entry has an id: that of an entry is its line
	before   entry.Value // the id of the previous entry that has its line as its id
	named    bool        // a conversation entry has an id
	held     []byte      // the edges of a log without ids, as long as ids may follow
	links    []byte      // the edges of links with ids meanwhile, printed if ids follow
}

// heldMax bounds held and links, in bytes each. If held is full, the log counts as one
// without ids; if links is full, as one with ids.
const heldMax = 8 << 20

// entry prints the edge of e if it is a node.
func (p *printer) entry(e *entry.Entry, d dialect.Dialect, made *edge) {
	p.dialect = d
	if d.Straight() {
		p.straight(e)
		return
	}
	if len(made.json) > 0 {
		made.json = append(dialect.AppendPlace(made.json, e), '}', '\n')
	}
	switch {
	case !made.hasID && d.LikeClaude() && !p.named && made.isConversation && d.IsNode(e):
		p.numberedEdge(e)
	case len(made.json) == 0, p.numbered && !made.isConversation:
	case p.numbered || len(p.held) == 0:
		p.named = p.named || made.isConversation
		p.c.Print(made.json)
	default:
		p.links = append(p.links, made.json...)
		if made.isConversation || len(p.links) > heldMax {
			p.haveIDs()
		}
	}
}

// haveIDs notes that the log has ids, and prints the edges of the links held back.
func (p *printer) haveIDs() {
	p.c.Print(p.links)
	p.named, p.held, p.links = true, nil, nil
}

// straight prints the edge of an entry of a straight log.
func (p *printer) straight(e *entry.Entry) {
	if p.thread == nil {
		p.thread, p.side = dialect.NewThread(p.dialect), map[string]entry.Value{}
	}
	step := p.thread.Next(e)
	p.living = p.living[:step.Keep]
	if !step.Node {
		return
	}
	id := slices.Clone(p.dialect.IDOf(e))
	if id == nil {
		id = p.lineID(e)
	}
	var parent entry.Value
	if step.Agent != nil {
		agent := step.Agent.Key()
		parent, p.side[agent] = p.side[agent], id
	} else {
		if step.At > 0 {
			parent = p.living[step.At-1]
		}
		if step.At == len(p.living) {
			p.living = append(p.living, id)
		}
	}
	p.print(e, id, parent)
}

// lineID returns the id of an entry that is known by its line.
func (p *printer) lineID(e *entry.Entry) entry.Value {
	id := strconv.AppendInt([]byte(`"#`), e.Pos.Line, 10)
	if n := len(id); n <= len(p.before) && string(p.before[:n]) == string(id) {
		id = strconv.AppendInt(append(id, '+'), e.Pos.Offset, 10) // a second one on the line
	}
	p.before = append(id, '"')
	return p.before
}

// numberedEdge prints the edge from an entry without an id to the one before it. It holds
// the edge back as long as ids may follow.
func (p *printer) numberedEdge(e *entry.Entry) {
	parent := p.before
	id := p.lineID(e)
	if p.numbered {
		p.print(e, id, parent)
		return
	}
	p.held = p.appendEdge(p.held, e, p.dialect, id, parent)
	if len(p.held) > heldMax {
		p.release()
	}
}

func (p *printer) appendEdge(dst []byte, e *entry.Entry, d dialect.Dialect, id, parent entry.Value) []byte {
	return append(d.AppendEdge(dst, e, id, parent, p.file.Label), '}', '\n')
}

func (p *printer) print(e *entry.Entry, id, parent entry.Value) {
	p.edge = p.appendEdge(p.edge[:0], e, p.dialect, id, parent)
	p.c.Print(p.edge)
}

// release prints what was held back, at the end of a log or when it is too much. If edges
// of conversation entries were held back, the log has no ids.
func (p *printer) release() {
	if len(p.held) == 0 {
		p.file.NoteDialect(p.dialect)
		p.haveIDs()
		return
	}
	p.file.NoteDialect(dialect.ClaudeNoIDs)
	p.c.Print(p.held)
	p.numbered, p.held, p.links = true, nil, nil
}
