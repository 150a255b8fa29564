// Package cli is the layer between a command and its process: arguments in, one
// buffered output, messages on standard error, the exit status out.
//
// All commands keep one contract. Standard output carries data only. A message is one
// line, "name: place: what is wrong", whatever bytes the place holds, and it follows
// the output that it is about. The exit status is grep's: 0 answered, 1 the answer is
// "none", 2 trouble; the highest one wins.
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

// Main runs a command with the arguments and the standard streams of this process,
// and exits with its status. About says what the program does, in a line or a few.
// Args are the command's options and operands, a struct with kong's tags: see
// [Command.parse].
func Main[Args any](name, about string, run func(*Command, *Args)) {
	os.Exit(Run(name, about, os.Args[1:], OS(), run))
}

// Run is Main with the arguments and streams given. It returns the exit status.
func Run[Args any](name, about string, args []string, std Stdio, run func(*Command, *Args)) int {
	c := newCommand(name, std, isTerminal(std.Out))
	parsed := new(Args)
	if c.parse(about, parsed, args) {
		run(c, parsed)
	}
	return c.finish()
}

// A Command is one run of one program.
type Command struct {
	In io.Reader

	// Out is standard output. A failed write is remembered and reported at the end of
	// the run, so a command need not check for one; where it would go on for long in
	// vain, it asks [Command.Broken].
	Out *bufio.Writer

	name   string
	stdout *retryWriter // below Out
	screen *terminal    // between the two if stdout is a terminal, else nil
	err    *retryWriter
	status int
}

func newCommand(name string, std Stdio, screen bool) *Command {
	c := &Command{
		In:     std.In,
		name:   name,
		stdout: &retryWriter{w: std.Out},
		err:    &retryWriter{w: std.Err},
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

// Print writes b to standard output.
func (c *Command) Print(b []byte) { _, _ = c.Out.Write(b) }

// Broken reports whether a write to standard output has failed.
func (c *Command) Broken() bool { return c.stdout.err != nil }

// Line returns the place of a line of a file, for a message.
func Line(file string, line int64) string { return fmt.Sprintf("%s:%d", file, line) }

// Note prints a message that leaves the exit status as it is: a warning, a guess. The
// place is a file, a [Line], or empty.
func (c *Command) Note(place, format string, args ...any) {
	c.Flush()
	message := c.name + ": "
	if place != "" {
		message += place + ": "
	}
	message += fmt.Sprintf(format, args...)
	// Nobody is left to tell if this write fails.
	_, _ = c.err.Write(append(appendEscaped(nil, []byte(message), ""), '\n'))
}

// Fail reports what went wrong at a place. The command goes on, and its exit status
// will be 2. If the place is empty, the error has to name it.
func (c *Command) Fail(place string, err error) {
	text := err.Error()
	if place != "" {
		text = Reason(err)
	}
	c.Note(place, "%s", text)
	c.status = trouble
}

// Reason returns the text of err without what package os adds to an error of the
// system: the name of the call and the paths, which the place of a message has.
func Reason(err error) string {
	text := err.Error()
	inner := func(outer, cause error) { text = strings.Replace(text, outer.Error(), cause.Error(), 1) }
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		inner(e, e.Err)
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		inner(e, e.Err)
	}
	if e, ok := errors.AsType[*os.SyscallError](err); ok {
		inner(e, e.Err)
	}
	return text
}

// Ambiguous reports that an id that was given at a place is the beginning of several
// ids, the candidates; the exit status will be 2. It names the first candidates only.
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
	c.Fail(place, fmt.Errorf("%q is ambiguous: %s%s", id, strings.Join(quoted, ", "), more))
}

// No makes the answer "none": exit status 1, unless there is trouble.
func (c *Command) No() { c.status = max(c.status, none) }

// Terminal returns standard error if that is a terminal, else nil. It is for progress,
// and leaves the exit status as it is.
func (c *Command) Terminal() io.Writer {
	if !isTerminal(c.err.w) {
		return nil
	}
	return c.err
}

// Flush writes out what is ready, so that no reader waits for it while the
// command waits for input.
func (c *Command) Flush() {
	_ = c.Out.Flush() // the error stays in c.stdout for finish
}

// finish ends the run and returns the exit status. It reports a failed write, but not
// one to a pipe that nobody reads any more.
func (c *Command) finish() int {
	c.Flush()
	if c.screen != nil {
		c.screen.end()
	}
	switch failed := c.stdout.err; {
	case errors.Is(failed, syscall.EPIPE):
		return brokenPipe
	case failed != nil:
		c.Fail("write", failed)
	}
	return c.status
}

// Finish reports err, unless standard output is broken.
func (c *Command) Finish(err error) {
	if err != nil && !c.Broken() {
		c.Fail("", err)
	}
}
