package main

import (
	"strconv"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/operand"
)

// edges prints the edges of a file.
func edges(c *cli.Command, f *operand.File) {
	p := printer{c: c, file: f}
	for e := range f.Entries() {
		if p.entry(e); c.Broken() {
			return
		}
	}
	p.release()
}

// A printer prints the edges of one log.
type printer struct {
	c    *cli.Command
	file *operand.File

	dialect entry.Dialect
	entries int
	edge    []byte // scratch

	numbered bool        // the log has no ids: the id of an entry is its line
	before   entry.Value // in a log without ids, the id of the previous entry
	named    bool        // a conversation entry has an id
	held     []byte      // the edges of a log without ids, as long as ids may follow
	links    []byte      // the edges of links with ids meanwhile, printed if ids follow
}

// heldMax bounds held and links, in bytes each. If held is full, the log counts as one
// without ids; if links is full, as one with ids.
const heldMax = 8 << 20

// entry prints the edge of e if it is a node.
func (p *printer) entry(e *entry.Entry) {
	p.entries++
	if p.entries == 1 {
		p.dialect = entry.DialectOf(e)
		p.numbered = p.dialect == entry.Pi && entry.Numbered(e)
	}
	if p.dialect == entry.Pi && e.Get(entry.Type).Is("session") {
		return
	}
	id := p.dialect.IDOf(e)
	switch {
	case p.dialect == entry.Pi && p.numbered,
		p.dialect == entry.Claude && id == nil && !p.named && e.IsConversation():
		p.numberedEdge(e)
		return
	case id == nil:
		return
	}
	parent := p.dialect.ParentOf(e)
	switch {
	case p.numbered && !e.IsConversation():
	case p.numbered || len(p.held) == 0:
		p.named = p.named || e.IsConversation()
		p.print(e, id, parent)
	default:
		p.links = p.appendEdge(p.links, e, id, parent)
		if e.IsConversation() || len(p.links) > heldMax {
			p.haveIDs()
		}
	}
}

// haveIDs notes that the log has ids, and prints the edges of the links held back.
func (p *printer) haveIDs() {
	p.c.Print(p.links)
	p.named, p.held, p.links = true, nil, nil
}

// numberedEdge prints the edge from an entry without an id to the one before it. It holds
// the edge back as long as ids may follow.
func (p *printer) numberedEdge(e *entry.Entry) {
	id := strconv.AppendInt([]byte(`"#`), e.Pos.Line, 10)
	if n := len(id); n <= len(p.before) && string(p.before[:n]) == string(id) {
		id = strconv.AppendInt(append(id, '+'), e.Pos.Offset, 10) // a second one on the line
	}
	id = append(id, '"')
	parent := p.before
	p.before = id
	if p.numbered {
		p.print(e, id, parent)
		return
	}
	p.held = p.appendEdge(p.held, e, id, parent)
	if len(p.held) > heldMax {
		p.release()
	}
}

func (p *printer) appendEdge(dst []byte, e *entry.Entry, id, parent entry.Value) []byte {
	return append(e.AppendEdge(dst, p.dialect, id, parent, p.file.Label), '}', '\n')
}

func (p *printer) print(e *entry.Entry, id, parent entry.Value) {
	p.edge = p.appendEdge(p.edge[:0], e, id, parent)
	p.c.Print(p.edge)
}

// release prints what was held back, at the end of a log or when it is too much. If edges
// of conversation entries were held back, the log has no ids.
func (p *printer) release() {
	if len(p.held) == 0 {
		p.haveIDs()
		return
	}
	p.file.Note("%s", operand.NoIDs)
	p.c.Print(p.held)
	p.numbered, p.held, p.links = true, nil, nil
}
