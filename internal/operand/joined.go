package operand

import (
	"bytes"
	"fmt"
	"io"

	"jl/internal/cli"
	"jl/internal/session"
	"jl/internal/source"
)

// A joined reads one log after another. What is read is one text, whose lines it can place in the logs.
type joined struct {
	logs  []session.Member // those not read to the end
	src   *source.Source   // the first of them, nil if it is not open
	parts []part           // of what has been read
	lines int64            // that have been read
	torn  bool             // the last one has no newline
	err   error            // the first one
}

// A part of the text is one log.
type part struct {
	name  string // its path
	lines int64  // before it
}

// Read reads from the logs. A log that does not end in a newline gets one. What cannot be read of one does not stop
// the others: the error comes after the last of them.
func (j *joined) Read(p []byte) (n int, err error) {
	for len(j.logs) > 0 {
		if j.src == nil {
			err = j.open()
		}
		if err == nil {
			n, err = j.src.Read(p)
		}
		switch {
		case n > 0:
			j.lines += int64(bytes.Count(p[:n], []byte{'\n'}))
			j.torn = p[n-1] != '\n'
			return n, nil
		case err == nil:
			continue
		case err != io.EOF && j.err == nil:
			j.err = fmt.Errorf("%s: %w", j.parts[len(j.parts)-1].name, err)
		}
		if err = nil; j.src != nil {
			j.src.Close()
		}
		if j.logs, j.src = j.logs[1:], nil; j.torn && len(j.logs) > 0 && len(p) > 0 {
			j.torn = false
			j.lines++
			p[0] = '\n'
			return 1, nil
		}
	}
	if j.err != nil {
		return 0, j.err
	}
	return 0, io.EOF
}

// open opens the next log.
func (j *joined) open() error {
	log := j.logs[0]
	j.parts = append(j.parts, part{log.Path(), j.lines})
	f, err := log.Home.Open(log.Name)
	if err == nil {
		j.src, err = source.Of(f)
	}
	return err
}

// place returns the place of a line of the text in the log that has it.
func (j *joined) place(line int64) cli.Place {
	at := j.parts[0]
	for _, p := range j.parts[1:] {
		if p.lines < line {
			at = p
		}
	}
	return cli.Line(at.name, line-at.lines)
}
