// Package cli is the layer between a command and its process: arguments in, one
// buffered output, messages on standard error, the exit status out.
//
// All commands keep one contract. Standard output carries data only. A message is one
// line, "name: place: what is wrong", whatever bytes the place holds, and it follows the
// output that was printed before it. The exit status is grep's: 0 answered, 1 the answer
// is "none", 2 trouble; the highest one wins.
package cli

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"syscall"

	"golang.org/x/term"

	"jl/internal/nonblock"
)

const (
	none       = 1   // the answer is "none"
	trouble    = 2   // wrong usage, unreadable input, a lost entry, a failed write
	brokenPipe = 141 // what a shell shows for a process that SIGPIPE ended
)

// outputSize is the size of the buffer of standard output: twice what a pipe holds.
const outputSize = 128 << 10

// Stdio is the standard streams of a command.
type Stdio struct {
	In       io.Reader
	Out, Err io.Writer
}

// Main runs a command with the arguments and the standard streams of this process, and
// exits with its status. About says what the program does, in one line or a few. Args is
// the type of the command's options and operands, a struct with kong's tags; see
// Command.parse.
func Main[Args any](name, about string, run func(*Command, *Args)) {
	if err := reserve(); err != nil {
		run = func(c *Command, args *Args) {
			names := []string{""}
			if o, ok := any(args).(Operander); ok && len(*o.Operands()) > 0 {
				names = *o.Operands()
			}
			for _, name := range names {
				c.Fail(File(name), err) // no operand can be opened
			}
		}
	}
	if os.Getenv("GOGC") == "" {
		collectLate(atFirst)
	}
	os.Exit(Run(name, about, os.Args[1:], Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, run))
}

// collectLate sets how many per cent of what is in use may become garbage before the next collection, and
// sets it again after each one: a heap of 16 MiB is never collected, because few logs need more, and a
// larger one when half of that is garbage. Trees live until the end, and buffers are used again.
func collectLate(percent int) {
	debug.SetGCPercent(percent)
	runtime.AddCleanup(new([32]byte), func(struct{}) { // after the next collection
		used := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(used)
		collectLate(min(max(int(16<<20*100/(used[0].Value.Uint64()+1))-100, 50), atFirst))
	}, struct{}{})
}

// atFirst is the percentage at the start. If less than 4 MiB are in use, it is a percentage of 4 MiB.
const atFirst = 400

// Run is Main with the given arguments and streams. It returns the exit status.
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
	// the run, so a command need not check for one. A loop that may run for long calls
	// [Command.Broken].
	Out *bufio.Writer

	name     string
	reported messages
	stdout   *output         // standard output
	screen   *terminal       // what protects a terminal if stdout is one, else nil
	stderr   nonblock.Writer // standard error
	errInfo  os.FileInfo     // of standard error, nil if it is not a regular file
	mute     atomic.Bool     // standard error is a file that is read
	status   int
}

func newCommand(name string, std Stdio, screen bool) *Command {
	c := &Command{In: std.In, name: name, stdout: &output{w: std.Out}, stderr: nonblock.Writer{W: std.Err}}
	c.stdout.info, c.errInfo = regular(std.Out), regular(std.Err)
	var out io.Writer = c.stdout
	if screen {
		c.screen = &terminal{w: c.stdout}
		out = c.screen
	}
	c.Out = bufio.NewWriterSize(out, outputSize)
	return c
}

// regular returns what the system knows of a stream if it is a regular file, else nil.
func regular(stream any) os.FileInfo {
	if f, ok := stream.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info
		}
	}
	return nil
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Name returns the name of the program.
func (c *Command) Name() string { return c.name }

// Print writes b to standard output.
func (c *Command) Print(b []byte) { _, _ = c.Out.Write(b) }

// Broken reports whether a write to standard output has failed.
func (c *Command) Broken() bool { return c.stdout.failure() != nil }

// Reason returns the text of err without the call and the paths that package os adds to a
// system error, because the place of a message names the path.
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

// No makes the answer "none": exit status 1, unless there is trouble.
func (c *Command) No() { c.status = max(c.status, none) }

// FromTerminal reports whether standard input is a terminal.
func (c *Command) FromTerminal() bool { return isTerminal(c.In) }

// Writes returns an error if a file that is read is standard output too, because the output would damage it.
// From then on the command writes nothing, not even about other files. If the file is standard error, the
// command writes no more messages; a message that it would write still makes the exit status 2. A file that is
// empty so far does no harm. Several goroutines may call Writes.
func (c *Command) Writes(file os.FileInfo) error {
	is := func(out os.FileInfo) bool {
		return file != nil && out != nil && file.Size() > 0 && os.SameFile(file, out)
	}
	if is(c.errInfo) {
		c.mute.Store(true)
	}
	if !is(c.stdout.info) {
		return nil
	}
	c.stdout.isInput.Store(true)
	return errIsInput
}

// Terminal returns standard error if it is a terminal, else nil. It is for progress and hints.
func (c *Command) Terminal() io.Writer {
	if !isTerminal(c.stderr.W) {
		return nil
	}
	return c.stderr
}

// Flush writes the buffered output, so that no reader waits for it while the command
// waits for input.
func (c *Command) Flush() {
	_ = c.Out.Flush() // the error stays in c.stdout for finish
}

// finish ends the run and returns the exit status. It reports a failed write, unless the
// reader of a pipe has closed it.
func (c *Command) finish() int {
	c.Flush()
	if c.screen != nil {
		c.screen.end()
	}
	c.stdout.close()
	failed := c.stdout.failure()
	if errors.Is(failed, syscall.EPIPE) {
		return brokenPipe
	}
	c.CountMessages()
	if failed != nil && (failed != errIsInput || c.status < trouble) { // else the message names the file
		c.Fail(File("write"), failed)
	}
	return c.status
}
