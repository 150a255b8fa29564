package main

import (
	"strconv"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/source"
)

// edges prints the edges of the operands. Only a failed write stops it.
func edges(c *cli.Command, f flags) error {
	for _, name := range c.Operands(f.Files) {
		p := printer{c: c, name: name}
		if len(f.Files) > 1 {
			p.file = name
		}
		if err := p.log(); err != nil {
			return err
		}
	}
	return nil
}

// A printer prints the edges of one log.
type printer struct {
	c    *cli.Command
	name string // as the user typed it
	file string // what the edges say of the file; nothing if there is one log only

	dialect entry.Dialect
	entries int
	edge    []byte // scratch

	lined  bool        // the log has no ids: entries are known by their lines
	before entry.Value // in a log without ids the id of the entry before
	named  bool        // a conversation entry has an id
	held   []byte      // the edges of a log without ids, as long as it may yet have some
	links  []byte      // the edges of links among them, which count only if it has
}

// heldMax bounds held and links, in bytes each. A log with so many entries before
// the first that has an id is taken for one without ids; one with so many links
// before its first conversation entry for one with.
const heldMax = 8 << 20

// log prints the edges of one log. It returns a failed write only.
func (p *printer) log() error {
	src, err := source.Open(p.name, p.c.In, p.c.Flush)
	if err != nil {
		p.c.Troublef("%s: %v", p.name, err)
		return nil
	}
	defer src.Close()
	var dec entry.Decoder
	lines := line.NewForward(src)
	for lines.Next() {
		count, damage := dec.Decode(lines.Bytes(), lines.Number() == 1)
		if damage != nil {
			damage.Report(p.c.Notef, p.c.Troublef, p.name, lines.Number(), lines.Offset())
		}
		for i := range count {
			if err := p.entry(dec.Entry(i), lines); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		p.c.Troublef("%s: %v", p.name, err)
	}
	return p.release()
}

// entry prints the edge of e if it is a node.
func (p *printer) entry(e *entry.Entry, at *line.Forward) error {
	p.entries++
	if p.entries == 1 {
		p.dialect = entry.DialectOf(e)
		p.lined = p.dialect == entry.Pi && entry.HasNoIDs(e)
	}
	if p.dialect == entry.Pi && e.Get(entry.Type).Is("session") {
		return nil
	}
	place := entry.Place{File: p.file, Line: at.Number(), Offset: at.Offset() + int64(e.At), Length: int64(e.Len)}
	id := p.dialect.IDOf(e)
	switch {
	case p.dialect == entry.Pi && p.lined,
		p.dialect == entry.Claude && id == nil && !p.named && e.IsConversation():
		return p.linedEdge(e, place)
	case id == nil:
		return nil
	}
	parent := p.dialect.ParentOf(e)
	switch {
	case p.lined && !e.IsConversation():
		return nil
	case p.lined || len(p.held) == 0:
		p.named = p.named || e.IsConversation()
		return p.print(p.appendEdge(p.edge[:0], e, id, parent, place))
	}
	p.links = p.appendEdge(p.links, e, id, parent, place)
	if e.IsConversation() || len(p.links) > heldMax {
		return p.haveIDs()
	}
	return nil
}

// haveIDs prints the edges of the links that were held back: the log has ids.
func (p *printer) haveIDs() error {
	links := p.links
	p.named, p.held, p.links = true, nil, nil
	_, err := p.c.Out.Write(links)
	return err
}

// linedEdge prints the edge of an entry without an id to the one before it; as
// long as ids may yet turn up it holds the edge back.
func (p *printer) linedEdge(e *entry.Entry, at entry.Place) error {
	id := strconv.AppendInt([]byte(`"#`), at.Line, 10)
	if n := len(id); n <= len(p.before) && string(p.before[:n]) == string(id) {
		id = strconv.AppendInt(append(id, '+'), at.Offset, 10) // a second one on the line
	}
	id = append(id, '"')
	parent := p.before
	p.before = id
	if p.lined {
		return p.print(p.appendEdge(p.edge[:0], e, id, parent, at))
	}
	p.held = p.appendEdge(p.held, e, id, parent, at)
	if len(p.held) > heldMax {
		return p.release()
	}
	return nil
}

func (p *printer) appendEdge(dst []byte, e *entry.Entry, id, parent entry.Value, at entry.Place) []byte {
	return append(e.AppendEdge(dst, p.dialect, id, parent, at), '}', '\n')
}

func (p *printer) print(edge []byte) error {
	p.edge = edge
	_, err := p.c.Out.Write(edge)
	return err
}

// release prints what was held back at the end of a log, or when that is too much.
// If conversation entries were held back the log has no ids.
func (p *printer) release() error {
	if len(p.held) == 0 {
		return p.haveIDs()
	}
	p.c.Notef("%s: no conversation entry has an id: taken as one straight path, in the order of the file", p.name)
	held := p.held
	p.lined, p.held, p.links = true, nil, nil
	_, err := p.c.Out.Write(held)
	return err
}
