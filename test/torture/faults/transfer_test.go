package faults

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

var (
	reading = []string{"read", "pread64"}
	writing = []string{"write", "pwrite64", "copy_file_range", "sendfile", "splice"}
)

// TestShortTransfers makes reads and writes transfer less than was asked for.
func TestShortTransfers(t *testing.T) {
	p := harness.Traced(t, "P3", "short transfers change nothing")
	type mode struct {
		name  string
		f     *harness.Fixture
		calls []string
		most  uint64 // bytes at once; a random number up to it if random
		slow  bool   // a short run tries it with few commands
	}
	modes := []mode{
		{"1 byte read", harness.Tiny(t), reading, 1, true},
		{"7 bytes read", harness.Tiny(t), reading, 7, true},
		{"1 byte written", harness.Tiny(t), writing, 1, true},
		{"7 bytes written", harness.Tiny(t), writing, 7, true},
	}
	for i := range harness.Times(2, 40) {
		modes = append(modes, mode{fmt.Sprintf("random %d", i), harness.Small(t), slices.Concat(reading, writing), uint64(100 + 400*(i%40)), false})
	}
	p.Each(harness.AllForms, func(p *harness.Promise, c harness.Command, form harness.Form) {
		for i, m := range modes {
			if m.slow && !harness.Long() && (strings.Contains(c.Args, "-") && !c.Writes || form == harness.Gz || form == harness.Stdin) {
				continue
			}
			want := c.Run(p, c.On(p, m.f), form)
			f := c.On(p, m.f)
			rnd := harness.Rand(p, i)
			short := 0
			got := harness.Trace(p, c.Cmd(p, f, form), func(call *harness.Call) {
				if call.Concerns(f) && slices.Contains(m.calls, call.Name) {
					short++
					if m.slow {
						call.Limit(m.most)
					} else {
						call.Limit(1 + rnd.Uint64N(m.most))
					}
				}
			}, nil)
			got.Files = c.Written(p, f)
			require.False(p, short == 0 && m.calls[0] == "read", "%v on %v reads nothing", c, form)
			p.Try(got == want, "%v on %v, %s: %v", c, form, m.name, got)
		}
	})
}

// TestInterrupted fails every other call with EINTR, as if a signal were handled.
func TestInterrupted(t *testing.T) {
	p := harness.Traced(t, "P4", "EINTR changes nothing")
	p.Each(harness.AllForms, func(p *harness.Promise, c harness.Command, form harness.Form) {
		middle := harness.Middle(p)
		want := c.Run(p, c.On(p, middle), form)
		for _, names := range [][]string{{"read"}, {"pread64"}, {"write"}, {"openat"}, {"getdents64"}, {"read", "pread64", "write", "openat", "fsync", "getdents64"}} {
			f := c.On(p, middle)
			n := map[string]int{}
			got := harness.Trace(p, c.Cmd(p, f, form), func(call *harness.Call) {
				if call.Concerns(f) && slices.Contains(names, call.Name) {
					if n[call.Name]++; n[call.Name]%2 == 1 {
						call.Fail(syscall.EINTR)
					}
				}
			}, nil)
			if len(n) > 0 {
				got.Files = c.Written(p, f)
				p.Try(got == want, "%v on %v, EINTR of %v: %v", c, form, names, got)
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
	f := harness.Small(t)
	p.Each(harness.OnPipe, func(p *harness.Promise, c harness.Command, _ harness.Form) {
		want := c.Run(p, f, harness.Pipe)
		for i := range harness.Times(2, 40) {
			got := dribble(p, c, f, harness.Rand(p, i), false)
			p.Try(got == want, "%v: %v", c, got)
		}
	})
}

// TestLateNonBlockingInput makes standard input non-blocking while it is read.
func TestLateNonBlockingInput(t *testing.T) {
	p := harness.Parallel(t, "P4", "standard input that is made non-blocking changes nothing")
	f := harness.Small(t)
	p.Each(harness.OnPipe, func(p *harness.Promise, c harness.Command, _ harness.Form) {
		want := c.Run(p, f, harness.Pipe)
		got := dribble(p, c, f, harness.Rand(p, 0), true)
		p.Try(got == want, "%v: %v", c, got)
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
		text := make([]byte, 1)
		_, err = io.ReadFull(r, text)
		require.NoError(p, err)
		require.NoError(p, syscall.SetNonblock(int(w.Fd()), true))
		w.Close()
		for buf := make([]byte, 5000); ; {
			n, err := r.Read(buf)
			text = append(text, buf[:n]...)
			if err == io.EOF {
				break
			}
			require.NoError(p, err)
			time.Sleep(time.Millisecond)
		}
		got := wait()
		got.Stdout = string(text)
		p.Try(got == want, "%v: %v", c, got)
	})
}
