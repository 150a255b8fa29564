package faults

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/torture/harness"
)

// unchanged runs a command on fixtures like f, without a fault and as run does. The
// outcomes must be equal.
func unchanged(p *harness.Promise, c harness.Command, f *harness.Fixture, form harness.Form, what string, run func(f *harness.Fixture) harness.Outcome) {
	want := c.Run(p, c.On(p, f), form)
	f = c.On(p, f)
	got := run(f)
	got.Files = c.Written(p, f)
	p.Try(got == want, "%v on %v, %s: %v", c, form, what, got)
}

// TestShortTransfers makes reads and writes transfer less than was asked for.
func TestShortTransfers(t *testing.T) {
	env.Long(t)
	p := harness.Traced(t, "P3", "short transfers change nothing")
	p.Each(harness.AllForms, func(p *harness.Promise, c harness.Command, form harness.Form) {
		rnd := harness.Rand(p, 0)
		calls := []string{"read", "pread64", "write", "pwrite64", "copy_file_range", "sendfile", "splice"}
		try := func(f *harness.Fixture, most int) {
			unchanged(p, c, f, form, fmt.Sprintf("%d bytes at most", most), func(f *harness.Fixture) harness.Outcome {
				return harness.Trace(p, c.Cmd(p, f, form), func(call *harness.Call) {
					if call.Concerns(f) && slices.Contains(calls, call.Name) {
						call.Limit(1 + rnd.Uint64N(uint64(most)))
					}
				}, nil)
			})
		}
		if harness.Long() || (c.Writes || !strings.Contains(c.Args, "-")) && form != harness.Gz && form != harness.Stdin {
			try(harness.Tiny(p), 7)
		}
		if harness.Long() {
			try(harness.Tiny(p), 1)
		}
		for i := range harness.Times(1, 40) {
			try(harness.Small(p), 100+400*(i%40))
		}
	})
}

// TestInterrupted fails every other call with EINTR, as if a signal were handled.
func TestInterrupted(t *testing.T) {
	env.Long(t)
	p := harness.Traced(t, "P4", "EINTR changes nothing")
	every := []string{"read", "pread64", "write", "openat", "getdents64", "fsync"}
	p.Each(harness.AllForms, func(p *harness.Promise, c harness.Command, form harness.Form) {
		made := map[string]int{}
		for _, names := range append([][]string{every}, slices.Collect(slices.Chunk(every[:5], 1))...) {
			if len(names) == 1 && made[names[0]] == 0 {
				continue
			}
			n := map[string]int{}
			unchanged(p, c, harness.Middle(p), form, fmt.Sprint(names), func(f *harness.Fixture) harness.Outcome {
				return harness.Trace(p, c.Cmd(p, f, form), func(call *harness.Call) {
					if call.Concerns(f) && slices.Contains(names, call.Name) {
						if n[call.Name]++; n[call.Name]%2 == 1 {
							call.Fail(syscall.EINTR)
						}
					}
				}, nil)
			})
			if len(names) > 1 {
				made = n
			}
		}
	})
}

// dribble runs a command whose standard input comes in small pieces, with pauses.
// With late, the pipe becomes non-blocking after the first piece.
func dribble(t testing.TB, c harness.Command, f *harness.Fixture, rnd *rand.Rand, late bool) harness.Outcome {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	cmd := c.Cmd(t, f, harness.Pipe)
	cmd.Stdin = r
	wait := harness.Start(t, cmd)
	for rest := f.Text; rest != ""; {
		n := min(len(rest), 1+rnd.IntN(100))
		_, err := io.WriteString(w, rest[:n])
		require.NoError(t, err)
		if late && len(rest) == len(f.Text) {
			require.NoError(t, syscall.SetNonblock(int(r.Fd()), true))
		}
		if rest = rest[n:]; rnd.IntN(50) == 0 || late && rnd.IntN(4) == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	r.Close()
	w.Close()
	return wait()
}

// TestDribble feeds standard input in small pieces.
func TestDribble(t *testing.T) {
	p := harness.Parallel(t, "P3", "a pipe that dribbles changes nothing")
	p.Each(harness.OnPipe, func(p *harness.Promise, c harness.Command, form harness.Form) {
		for i := range harness.Times(2, 40) {
			unchanged(p, c, harness.Small(p), form, "dribbling", func(f *harness.Fixture) harness.Outcome { return dribble(p, c, f, harness.Rand(p, i), false) })
		}
	})
}

// TestLateNonBlockingInput makes standard input non-blocking while it is read.
func TestLateNonBlockingInput(t *testing.T) {
	p := harness.Parallel(t, "P4", "standard input that is made non-blocking changes nothing")
	p.Each(harness.OnPipe, func(p *harness.Promise, c harness.Command, form harness.Form) {
		unchanged(p, c, harness.Small(p), form, "non-blocking", func(f *harness.Fixture) harness.Outcome { return dribble(p, c, f, harness.Rand(p, 0), true) })
	})
}

// TestWithoutNetwork runs all commands in a network namespace of their own.
func TestWithoutNetwork(t *testing.T) {
	p := harness.Parallel(t, "P28", "all work without a network")
	if exec.Command("unshare", "-n", "true").Run() != nil {
		p.SkipWithout("unshare(1) that may")
	}
	p.Each(harness.FirstForm, func(p *harness.Promise, c harness.Command, form harness.Form) {
		unchanged(p, c, harness.Small(p), form, "without a network", func(f *harness.Fixture) harness.Outcome {
			return harness.Execute(p, c.Wrapped(p, f, form, []string{"unshare", "-n"}))
		})
	})
}

// TestLateNonBlockingOutput makes standard output non-blocking once the command has
// begun to write. The reader is slow.
func TestLateNonBlockingOutput(t *testing.T) {
	p := harness.Parallel(t, "P4", "standard output that is made non-blocking changes nothing")
	f := harness.Middle(t)
	p.Each(harness.Printing(harness.FirstForm), func(p *harness.Promise, c harness.Command, form harness.Form) {
		want := c.Run(p, f, form)
		if len(want.Stdout) <= 64<<10 {
			return // a pipe holds all of it
		}
		r, w, err := os.Pipe()
		require.NoError(p, err)
		defer r.Close()
		cmd := c.Cmd(p, f, form)
		cmd.Stdout = w
		wait := harness.Start(p, cmd)
		text, buf := []byte{}, make([]byte, 5000)
		for n := 1; err == nil; n = len(buf) {
			if n, err = r.Read(buf[:n]); len(text) == 0 {
				require.NoError(p, syscall.SetNonblock(int(w.Fd()), true))
				w.Close()
			}
			text = append(text, buf[:n]...)
			time.Sleep(time.Millisecond)
		}
		require.Equal(p, io.EOF, err)
		got := wait()
		got.Stdout = string(text)
		p.Try(got == want, "%v: %v", c, got)
	})
}
