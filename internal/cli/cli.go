// Package cli is what stands between a command and its process: arguments in,
// one buffered output, messages on standard error, the exit status out.
//
// All commands answer to one contract. Standard output carries data only. A
// message is one line, "name: place: what is wrong", whatever bytes the place
// holds, and comes after the output it is about. The exit status is that of
// grep: 0 answered, 1 the answer is "none", 2 trouble; the higher one wins.
package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/term"
)

const (
	none       = 1   // the answer is "none"
	trouble    = 2   // wrong usage, unreadable input, a lost entry, a failed write
	brokenPipe = 141 // what a shell shows for a process that SIGPIPE ended
)

// outputSize is the buffer of standard output: as much as a pipe holds.
const outputSize = 64 << 10

// Stdio is the outside of a command.
type Stdio struct {
	In       io.Reader
	Out, Err io.Writer
}

// OS returns the Stdio of this process.
func OS() Stdio { return Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr} }

// A Command is one run of one program.
type Command struct {
	In io.Reader

	// Out is standard output. A failed write is remembered, and [Command.Finish]
	// reports it, so a command need only check one where it would go on for
	// long in vain.
	Out *bufio.Writer

	name   string
	stdout *patient  // below Out
	screen *terminal // between the two if stdout is a terminal, else nil
	err    *patient
	status int
}

func newCommand(name string, std Stdio, screen bool) *Command {
	c := &Command{
		In:     std.In,
		name:   name,
		stdout: &patient{w: std.Out},
		err:    &patient{w: std.Err},
	}
	if screen {
		c.screen = &terminal{w: c.stdout}
		c.Out = bufio.NewWriterSize(c.screen, outputSize)
	} else {
		c.Out = bufio.NewWriterSize(c.stdout, outputSize)
	}
	return c
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Operands returns files, or standard input's name if there are none.
func (c *Command) Operands(files []string) []string {
	if len(files) == 0 {
		return []string{"-"}
	}
	return files
}

// Notef says something that leaves the exit status as it is: a warning, a guess.
func (c *Command) Notef(format string, args ...any) {
	c.Flush()
	msg := fmt.Sprintf("%s: "+format, append([]any{c.name}, args...)...)
	// There is no one left to tell if this write fails.
	_, _ = c.err.Write(append(appendVisible(nil, []byte(msg), ""), '\n'))
}

// Troublef says what went wrong with one input. The command goes on, and its
// exit status will be 2.
func (c *Command) Troublef(format string, args ...any) {
	c.Notef(format, args...)
	c.status = trouble
}

// Ambiguous says that several ids, the candidates, begin with the id that was
// given; the exit status will be 2. The place, a file, may be empty. Of very many
// candidates it names the first.
func (c *Command) Ambiguous(place, id string, candidates []string) {
	const most = 8
	more := ""
	if n := len(candidates) - most; n > 0 {
		candidates = candidates[:most]
		more = fmt.Sprintf(" and %d more", n)
	}
	quoted := make([]string, len(candidates))
	for i, id := range candidates {
		quoted[i] = strconv.Quote(id)
	}
	if place != "" {
		place += ": "
	}
	c.Troublef("%s%q is ambiguous: %s%s", place, id, strings.Join(quoted, ", "), more)
}

// No says that the answer is "none": exit status 1, unless there is trouble.
func (c *Command) No() { c.status = max(c.status, none) }

// Terminal returns standard error if that is a terminal, else nil. It is for what
// is only worth seeing while it lasts, and leaves the exit status as it is.
func (c *Command) Terminal() io.Writer {
	if !isTerminal(c.err.w) {
		return nil
	}
	return c.err
}

// Flush writes out what is ready, so that no reader waits for it while the
// command waits for input.
func (c *Command) Flush() {
	_ = c.Out.Flush() // the error stays in c.stdout for Finish
}

// Finish ends the run and returns the exit status. It reports err if there is
// one, and a failed write, whether or not err is that failure, once. A write
// to a pipe that nobody reads any more is not reported.
func (c *Command) Finish(err error) int {
	if err != nil && (c.stdout.err == nil || !errors.Is(err, c.stdout.err)) {
		c.Troublef("%v", err)
	}
	c.Flush()
	if c.screen != nil {
		c.screen.end()
	}
	failed := c.stdout.err
	if failed == nil {
		return c.status
	}
	if errors.Is(failed, syscall.EPIPE) {
		return brokenPipe
	}
	if path, ok := errors.AsType[*fs.PathError](failed); ok {
		failed = path.Err // "write /dev/stdout: " says nothing to a user
	}
	c.Troublef("write: %v", failed)
	return c.status
}
