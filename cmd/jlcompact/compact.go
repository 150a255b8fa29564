package main

import (
	"bytes"
	"io"

	"jl/internal/cli"
	"jl/internal/cut"
	"jl/internal/entry"
	"jl/internal/frames"
	"jl/internal/operand"
)

// compact prints what the options ask for of the FILEs.
func compact(c *cli.Command, f *flags) {
	out, opened := &separator{w: c.Out}, false
	if f.Zstd {
		z, err := frames.NewWriter(c.Out, f.level())
		if err != nil {
			c.Fail(cli.Place{}, err)
			return
		}
		defer func() {
			if opened { // else there is nothing to end
				z.Close() // its errors are those of c.Out
			}
		}()
		out.w = z
	}
	operand.Each(c, &f.Options, f.Named, func(file *operand.File) {
		out.begin, opened = true, true
		p := printer{c: c, f: f, w: out, file: file}
		p.log()
	})
}

// A separator is a writer that separates logs: a last line without a newline gets one
// before the first line of the next log. It leaves out the byte order mark of a log that
// is not the first, because in the middle of a file it would damage a line.
type separator struct {
	w     io.Writer
	last  byte // the last byte written, or 0
	begin bool // the next bytes begin another log
}

func (s *separator) Write(b []byte) (int, error) {
	size, another := len(b), s.begin && s.last != 0
	if another {
		b = bytes.TrimPrefix(b, []byte(entry.BOM))
	}
	if len(b) == 0 {
		return size, nil
	}
	if another && s.last != '\n' {
		b = append([]byte{'\n'}, b...)
	}
	s.begin, s.last = false, b[len(b)-1]
	if _, err := s.w.Write(b); err != nil {
		return 0, err
	}
	return size, nil
}

// A printer prints what the options ask for of one log.
type printer struct {
	c    *cli.Command
	f    *flags
	w    io.Writer // writes to c.Out, which remembers a failed write
	file *operand.File

	r    io.ReaderAt
	size int64
}

// log prints what the options ask for.
func (p *printer) log() {
	p.r, p.size = p.file.At()
	if p.size == 0 {
		p.file.NoteNone()
	}
	switch {
	case p.f.List:
		p.list()
	case p.f.Page != nil:
		p.page(*p.f.Page)
	case p.f.Before != "":
		p.before(*p.f.Last, p.f.Before)
	default:
		part, err := cut.Find(p.r, p.size)
		if err != nil {
			p.file.Fail(err)
			return
		}
		if t := part.Table(); t != nil {
			p.file.NoteShape(t)
		}
		p.part(part)
	}
}

// part prints the live part of the log, or the newest messages of it, or the cold part.
func (p *printer) part(part cut.Cut) {
	switch {
	case p.f.Last != nil:
		p.last(part, *p.f.Last)
		return
	case !p.f.Cold:
		p.live(part)
		if part.Offset > part.Head {
			p.c.Hint(cli.File(p.file.Name), "what was compacted is not printed; --cold prints it")
		}
	case part.Offset > part.Head: // else the whole log is live
		p.copy(0, part.Offset)
	}
	p.file.NoteDialect(part.Dialect)
}

// print prints b.
func (p *printer) print(b []byte) { _, _ = p.w.Write(b) }

// copy prints the bytes from one offset to another.
func (p *printer) copy(from, to int64) {
	if _, err := io.Copy(p.w, io.NewSectionReader(p.r, from, to-from)); !p.c.Broken() {
		p.file.Fail(err)
	}
}
