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
	last := make([]byte, 1)
	_, _ = r.ReadAt(last, size-1)
	lines := line.NewBackward(r, size)
	writeLines(c.Out, lines, last[0] == '\n')
	f.Fail(cmp.Or(err, lines.Err()))
}

// writeLines writes the remaining lines, each with a newline at its end: the last line of
// a file may lack it, and so does a line whose rest cannot be read.
func writeLines(w io.Writer, lines *line.Backward, ended bool) {
	for ; lines.Next(); ended = true {
		n, err := lines.WriteTo(w)
		if err != nil && lines.Err() == nil {
			return // the output is broken
		}
		if n > 0 && (err != nil || !ended) {
			_, _ = w.Write([]byte{'\n'})
		}
	}
}
