package main

import (
	"io"
	"strconv"

	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/operand"
)

// A page is a part of a log that begins at a boundary, or at its beginning.
type page struct {
	offset, bytes int64
	entries       int64
	trigger       entry.Value // of the compaction that began it, nil if it names none
	tokens        entry.Value // before the compaction
}

// pages reads a log and returns its pages in order. A boundary on a sidechain begins
// none. Damaged lines are named.
func (p *printer) pages() []page {
	pages := []page{{}}
	var dec entry.Decoder
	var dialect entry.Dialect
	entries := 0
	lines := line.NewForward(io.NewSectionReader(p.r, 0, p.size))
	for lines.Next() {
		count, damage := dec.Decode(lines.Bytes(), lines.Number(), lines.Offset())
		if damage != nil {
			operand.Report(p.c, p.name, damage)
		}
		for i := range count {
			e := dec.Entry(i)
			if entries++; entries == 1 {
				dialect = entry.DialectOf(e)
			}
			if begun, ok := begins(e, dialect); ok {
				begun.offset = lines.Offset()
				if begun.offset == 0 {
					pages = pages[:0]
				}
				pages = append(pages, begun)
			}
			pages[len(pages)-1].entries++
		}
	}
	switch err := lines.Err(); {
	case err != nil:
		p.trouble(err)
	case lines.Offset() < p.size:
		p.trouble(errShrank)
	}
	end := p.size
	for i := len(pages) - 1; i >= 0; i-- {
		pages[i].bytes = end - pages[i].offset
		end = pages[i].offset
	}
	return pages
}

// begins returns the page that e begins; it reports false if it begins none.
func begins(e *entry.Entry, d entry.Dialect) (page, bool) {
	if d == entry.Pi {
		return page{tokens: scalar(e.Get(entry.TokensBefore))}, e.Get(entry.Type).Is("compaction")
	}
	m := e.Get(entry.CompactMetadata)
	return page{trigger: scalar(m.Member("trigger")), tokens: scalar(m.Member("preTokens"))},
		e.IsBoundary() && !e.Get(entry.IsSidechain).Truthy()
}

// scalar returns a copy of v if it is a sound string or number, else nil.
func scalar(v entry.Value) entry.Value {
	if len(v) == 0 || v.IsObject() || v.IsArray() || !entry.Valid(v) || string(v) == "null" {
		return nil
	}
	return append(entry.Value(nil), v...)
}

// list prints one row for each page.
func (p *printer) list() error {
	var row []byte
	for i, g := range p.pages() {
		row = append(row[:0], `{"page":`...)
		row = strconv.AppendInt(row, int64(i+1), 10)
		for _, m := range []struct {
			name string
			n    int64
		}{{"entries", g.entries}, {"bytes", g.bytes}, {"offset", g.offset}} {
			row = append(row, `,"`+m.name+`":`...)
			row = strconv.AppendInt(row, m.n, 10)
		}
		if g.trigger != nil {
			row = append(append(row, `,"trigger":`...), g.trigger...)
		}
		if g.tokens != nil {
			row = append(append(row, `,"tokensBefore":`...), g.tokens...)
		}
		if p.file != "" {
			row = entry.AppendString(append(row, `,"file":`...), []byte(p.file))
		}
		if _, err := p.w.Write(append(row, "}\n"...)); err != nil {
			return err
		}
	}
	return nil
}

// page prints page k, from the end if it is negative.
func (p *printer) page(k int) error {
	pages := p.pages()
	if k < 0 {
		k += len(pages) + 1
	}
	if k < 1 || k > len(pages) {
		p.c.Note(p.name, "no such page, there are %d", len(pages))
		p.c.No()
		return nil
	}
	g := pages[k-1]
	return p.copy(g.offset, g.offset+g.bytes)
}
