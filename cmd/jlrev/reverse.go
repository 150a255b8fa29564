package main

import (
	"bufio"
	"cmp"

	"jl/internal/cli"
	"jl/internal/line"
	"jl/internal/source"
)

// reverse prints the operands, each last line first. Only a failed write stops
// it.
func reverse(c *cli.Command, f flags) error {
	for _, name := range c.Operands(f.Files) {
		if err := reverseFile(c, name); err != nil {
			return err
		}
	}
	return nil
}

// reverseFile prints what can be read of one operand and says why that is not
// all. It returns a failed write only.
func reverseFile(c *cli.Command, name string) error {
	src, err := source.Open(name, c.In, c.Flush)
	if err != nil {
		c.Troublef("%s: %v", name, err)
		return nil
	}
	defer src.Close()
	r, size, damage := src.At()
	lines := line.NewBackward(r, size)
	if err := writeLines(c.Out, lines); err != nil {
		return err
	}
	if damage := cmp.Or(damage, lines.Err()); damage != nil {
		c.Troublef("%s: %v", name, damage)
	}
	return nil
}

// writeLines writes the lines that are left, each with a newline at its end:
// the last one of a file may have none, and one whose rest cannot be read has
// lost it. It returns a failed write only.
func writeLines(w *bufio.Writer, lines *line.Backward) error {
	out := lastByte{w: w, last: '\n'}
	for lines.Next() {
		_, err := lines.WriteTo(&out)
		if err != nil && lines.Err() == nil {
			return err
		}
		if out.last != '\n' {
			if _, err := out.Write([]byte{'\n'}); err != nil {
				return err
			}
		}
	}
	return nil
}

// A lastByte remembers the last byte that went through it to w.
type lastByte struct {
	w    *bufio.Writer
	last byte
}

func (l *lastByte) Write(p []byte) (int, error) {
	if len(p) > 0 {
		l.last = p[len(p)-1]
	}
	return l.w.Write(p)
}
