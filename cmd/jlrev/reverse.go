package main

import (
	"cmp"
	"io"

	"jl/internal/cli"
	"jl/internal/dialect"
	"jl/internal/line"
	"jl/internal/operand"
)

// reverse prints what it can read of a file, last line first, and reports why it cannot
// read the rest.
func reverse(c *cli.Command, f *operand.File) {
	r, size, err := f.Source.At()
	head := make([]byte, 4)
	n, _ := r.ReadAt(head, 0)
	if err := dialect.NotText(head[:n]); err != nil { // halves of characters would be at the ends of its lines
		f.Fail(err)
		return
	}
	lines := line.NewBackward(r, size)
	writeLines(c.Out, lines)
	f.Fail(cmp.Or(err, lines.Err()))
}

// writeLines writes the remaining lines, each with a newline at its end: the last line of
// a file may lack it, and so does a line whose rest cannot be read.
func writeLines(w io.Writer, lines *line.Backward) {
	out := lastByte{w: w, last: '\n'}
	for lines.Next() {
		if _, err := lines.WriteTo(&out); err != nil && lines.Err() == nil {
			return // the output is broken
		}
		if out.last != '\n' {
			_, _ = out.Write([]byte{'\n'})
		}
	}
}

// A lastByte remembers the last byte that went through it to w.
type lastByte struct {
	w    io.Writer
	last byte
}

func (l *lastByte) Write(p []byte) (int, error) {
	if len(p) > 0 {
		l.last = p[len(p)-1]
	}
	return l.w.Write(p)
}
