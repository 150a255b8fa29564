package main

import (
	"bytes"

	"jl/internal/cut"
	"jl/internal/entry"
)

// live prints the live part of the log: for pi the header, and the settings that are above
// the cut but still hold.
func (p *printer) live(part cut.Cut) {
	settings, first, err := part.Settings()
	if err != nil {
		p.file.Fail(err)
		return
	}
	p.copy(0, part.Head)
	for _, s := range settings {
		p.linked(s)
	}
	from := part.Offset
	if first.Parent != nil {
		p.copy(from, first.Offset)
		p.linked(first)
		from = first.Offset + first.Length
	}
	p.copy(from, p.size)
}

// linked prints an entry of a pi log with the parent that it gets.
func (p *printer) linked(at cut.Linked) {
	b := make([]byte, at.Length)
	if n, err := p.r.ReadAt(b, at.Offset); n < len(b) {
		p.file.Fail(err)
		return
	}
	if at.Parent != nil {
		b = entry.Value(b).Set(nil, "parentId", at.Parent, nil)
	}
	p.line(b)
}

// line prints an entry, with a newline at its end.
func (p *printer) line(b []byte) {
	p.print(b)
	if !bytes.HasSuffix(b, []byte{'\n'}) {
		p.print([]byte{'\n'})
	}
}
