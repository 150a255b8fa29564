package main

import (
	"errors"
	"io"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/record"
)

// pages reads the log and returns its pages in order, or no page if the file is not a log. A
// boundary on a sidechain does not begin a page.
func (p *printer) pages() []record.Page {
	pages := []record.Page{{}}
	r := p.file.Spare.Take(line.NewForward(io.NewSectionReader(p.r, 0, p.size)), entry.Decoder{}, p.file.Damaged)
	defer p.file.Spare.Give(r)
	for r.Next() {
		if begun, ok := begins(r.Entry(), r.Dialect()); ok {
			begun.Offset, _ = r.Bounds()
			if begun.Offset == 0 {
				pages = pages[:0]
			}
			pages = append(pages, begun)
		}
		pages[len(pages)-1].Entries++
	}
	err := r.Err()
	p.file.Fail(err)
	if errors.Is(err, dialect.ErrNotLog) {
		return nil
	}
	p.file.NoteDialect(r.Dialect())
	end := p.size
	for i := len(pages) - 1; i >= 0; i-- {
		pages[i].Page = i + 1
		pages[i].Bytes = end - pages[i].Offset
		end = pages[i].Offset
	}
	return pages
}

// begins returns the page that e begins. It reports false if e does not begin a page.
func begins(e *entry.Entry, d dialect.Dialect) (record.Page, bool) {
	if !d.IsBoundary(e) || !d.Summarizes(e) || d.Sidechain(e) != nil {
		return record.Page{}, false
	}
	m, tokens := e.Member("compactMetadata"), e.Member("tokensBefore")
	if tokens == nil {
		tokens = m.Member("preTokens")
	}
	return record.Page{Trigger: record.Scalar(m.Member("trigger")), TokensBefore: record.Scalar(tokens)}, true
}

// list prints a row for each page.
func (p *printer) list() {
	var row []byte
	for _, page := range p.pages() {
		page.File = record.Text(p.file.Label)
		row = record.Append(row[:0], page)
		p.print(row)
	}
}

// page prints page k, counted from the end if k is negative.
func (p *printer) page(k int) {
	pages := p.pages()
	if len(pages) == 0 {
		return
	}
	if k < 0 {
		k += len(pages) + 1
	}
	if k < 1 || k > len(pages) {
		p.file.Note("no such page: the last is %d", len(pages))
		p.c.No()
		return
	}
	page := pages[k-1]
	p.copy(page.Offset, page.Offset+page.Bytes)
}
