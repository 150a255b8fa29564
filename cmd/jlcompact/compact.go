package main

import (
	"bytes"
	"errors"
	"io"

	"jl/internal/cli"
	"jl/internal/operand"
	"jl/internal/source"
)

// compact prints what is asked for of the operands. Only a failed write stops it.
func compact(c *cli.Command, f flags) error {
	var w io.Writer = c.Out
	var z *source.Writer
	if f.Zstd {
		var err error
		if z, err = source.NewWriter(c.Out, f.level()); err != nil {
			return err
		}
		w = z
	}
	out := &apart{w: w}
	for _, name := range operand.Names(f.Files) {
		out.begin = true
		p := printer{c: c, f: f, w: out, name: name}
		if len(f.Files) > 1 {
			p.file = name
		}
		if err := p.log(); err != nil {
			return err
		}
	}
	if z != nil {
		return z.Close()
	}
	return nil
}

// errShrank is for a log that ends before the size it had when it was opened.
var errShrank = errors.New("the file shrank while it was read")

// bom may stand at the beginning of a log. It is no part of the first entry.
const bom = "\xef\xbb\xbf"

// An apart is a writer that keeps logs apart: a last line without a newline gets one
// before the first line of the next log. A BOM is left out where it would not be at
// the beginning of what is written: there it would make a line no entry.
type apart struct {
	w     io.Writer
	last  byte // the last byte written, 0 if there is none
	begin bool // what comes next is of another log
}

func (a *apart) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	left := 0
	if a.begin && a.last != 0 {
		if bytes.HasPrefix(b, []byte(bom)) {
			left = len(bom)
		}
		if left == len(b) {
			return left, nil
		}
		if a.last != '\n' {
			if _, err := a.w.Write([]byte{'\n'}); err != nil {
				return 0, err
			}
		}
	}
	a.begin, a.last = false, b[len(b)-1]
	n, err := a.w.Write(b[left:])
	return left + n, err
}

// A printer prints what is asked for of one log.
type printer struct {
	c    *cli.Command
	f    flags
	w    io.Writer
	name string // as the user typed it
	file string // what the rows of --list say of the file; nothing if there is one only

	r    io.ReaderAt
	size int64
}

// log prints what is asked for of one log. It returns a failed write only.
func (p *printer) log() error {
	src, err := source.Open(p.name, p.c.In, p.c.Flush)
	if err != nil {
		p.trouble(err)
		return nil
	}
	defer src.Close()
	if p.r, p.size, err = src.At(); err != nil {
		p.trouble(err)
	}
	switch {
	case p.f.List:
		return p.list()
	case p.f.Page != nil:
		return p.page(*p.f.Page)
	case p.f.Last != nil && p.f.Before != nil:
		return p.before(*p.f.Last, *p.f.Before)
	case p.f.Last != nil:
		return p.last(*p.f.Last)
	}
	part, err := live(p.r, p.size)
	if err != nil {
		p.trouble(err)
		return nil
	}
	switch {
	case p.f.Stamp:
		return p.stamp(part)
	case p.f.Cold && part.cut > part.head:
		return p.copy(0, part.cut)
	case p.f.Cold:
		return nil // all is live
	}
	if err := p.copy(0, part.head); err != nil {
		return err
	}
	return p.copy(part.cut, p.size)
}

func (p *printer) trouble(err error) { p.c.Fail(p.name, err) }

// copy prints the bytes from one offset to another. It returns a failed write only.
func (p *printer) copy(from, to int64) error {
	in := readError{r: io.NewSectionReader(p.r, from, to-from)}
	n, err := io.Copy(p.w, &in)
	switch {
	case in.err != nil:
		p.trouble(in.err)
		return nil
	case err == nil && n < to-from:
		p.trouble(errShrank)
	}
	return err
}

// A readError tells the errors of r from those of the writer that io.Copy writes to.
type readError struct {
	r   io.Reader
	err error
}

func (r *readError) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}
