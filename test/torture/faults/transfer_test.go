package torture

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
)

var (
	inbound  = []string{"read", "pread64"}
	outbound = []string{"write", "pwrite64", "copy_file_range", "sendfile", "splice"}
)

// TestShortTransfers lets reads and writes transfer less than they were asked to,
// as the kernel may: the calls are made, with a smaller count.
func TestShortTransfers(t *testing.T) {
	t.Parallel()
	p := promise(t, "P3", "short transfers change nothing")
	p.needTrace()
	type mode struct {
		name  string
		w     *world
		calls []string
		limit func(*rand.Rand) uint64
		slow  bool // not for all invocations, but in a long run
	}
	just := func(n uint64) func(*rand.Rand) uint64 { return func(*rand.Rand) uint64 { return n } }
	both := slices.Concat(inbound, outbound)
	modes := []mode{
		{"r1", tiny(t), inbound, just(1), true},
		{"r7", tiny(t), inbound, just(7), true},
		{"w1", tiny(t), outbound, just(1), true},
		{"w7", tiny(t), outbound, just(7), true},
	}
	for seed := range often(2, 40) {
		modes = append(modes, mode{fmt.Sprintf("random %d", seed), small(t), both, func(rnd *rand.Rand) uint64 { return 1 + rnd.Uint64N(uint64(100+400*seed)) }, false})
	}
	each(p, allKinds, func(p *promised, v invocation, k kind) {
		for i, m := range modes {
			if m.slow && !thorough() && (strings.Contains(v.args, "-") && !v.writes || k == gz || k == stdin) {
				continue
			}
			want := v.run(p.t, v.on(p.t, m.w), k)
			w := v.on(p.t, m.w)
			rnd := rand.New(rand.NewPCG(3, uint64(i)))
			short := 0
			got := runTraced(p.t, v.command(p.t, w, k), func(c *call) {
				c.once = true
				if !c.made && c.ours(w) && slices.Contains(m.calls, c.name) {
					short++
					c.limit(m.limit(rnd))
				}
			})
			got.files = v.listing(p.t, w)
			require.False(p.t, short == 0 && m.calls[0] == "read", "%v on %v reads nothing", v, k)
			p.try(got == want, "%v on %v, %s: %v", v, k, m.name, got)
		}
	})
}

// TestDribble has standard input come in small pieces, and with pauses.
func TestDribble(t *testing.T) {
	t.Parallel()
	p := promise(t, "P3", "a pipe that dribbles changes nothing")
	w := small(t)
	each(p, onPipe, func(p *promised, v invocation, _ kind) {
		want := v.run(p.t, w, pipe)
		for seed := range often(2, 40) {
			rnd := rand.New(rand.NewPCG(4, uint64(seed)))
			r, feed, err := os.Pipe()
			require.NoError(p.t, err)
			cmd := v.command(p.t, w, pipe)
			cmd.Stdin = r
			wait := start(p.t, cmd)
			r.Close()
			for rest := w.text; rest != ""; {
				n := min(len(rest), 1+rnd.IntN(100))
				_, err := io.WriteString(feed, rest[:n])
				require.NoError(p.t, err)
				rest = rest[n:]
				if rnd.IntN(50) == 0 {
					time.Sleep(time.Millisecond)
				}
			}
			feed.Close()
			got := wait()
			p.try(got == want, "%v: %v", v, got)
		}
	})
}

func onPipe(v invocation) []kind {
	if slices.Contains(v.kinds, pipe) {
		return []kind{pipe}
	}
	return nil
}

// TestInterrupted has every other call fail with EINTR, as when a signal is
// handled.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	p := promise(t, "P4", "EINTR changes nothing")
	p.needTrace()
	each(p, allKinds, func(p *promised, v invocation, k kind) {
		w := middle(p.t)
		want := v.run(p.t, v.on(p.t, w), k)
		for _, names := range [][]string{{"read"}, {"pread64"}, {"write"}, {"openat"}, {"getdents64"}, {"read", "pread64", "write", "openat", "fsync", "getdents64"}} {
			w := v.on(p.t, w)
			n, hits := map[string]int{}, 0
			got := runTraced(p.t, v.command(p.t, w, k), func(c *call) {
				c.once = true
				if !c.made && c.ours(w) && slices.Contains(names, c.name) {
					if n[c.name]++; n[c.name]%2 == 1 {
						c.fail(syscall.EINTR)
						hits++
					}
				}
			})
			if hits > 0 {
				got.files = v.listing(p.t, w)
				p.try(got == want, "%v on %v, EINTR of %v: %v", v, k, names, got)
			}
		}
	})
}

// TestLateNonBlockingOutput: another process that has the pipe makes it
// non-blocking when the program has begun to write, and its reader is slow.
func TestLateNonBlockingOutput(t *testing.T) {
	t.Parallel()
	p := promise(t, "P4", "standard output that is made non-blocking changes nothing")
	w := middle(t)
	each(p, readers(firstKind), func(p *promised, v invocation, k kind) {
		want := v.run(p.t, w, k)
		if len(want.stdout) <= 64<<10 {
			return // it would all be in the pipe
		}
		r, out, err := os.Pipe()
		require.NoError(p.t, err)
		defer r.Close()
		cmd := v.command(p.t, w, k)
		cmd.Stdout = out
		wait := start(p.t, cmd)
		first := make([]byte, 1)
		_, err = io.ReadFull(r, first)
		require.NoError(p.t, err)
		require.NoError(p.t, syscall.SetNonblock(int(out.Fd()), true))
		out.Close()
		text := string(first)
		for buf := make([]byte, 5000); ; {
			n, err := r.Read(buf)
			text += string(buf[:n])
			if err == io.EOF {
				break
			}
			require.NoError(p.t, err)
			time.Sleep(time.Millisecond)
		}
		got := wait()
		got.stdout = text
		p.try(got == want, "%v: %v", v, got)
	})
}

// TestLateNonBlockingInput: the same with the pipe that is read.
func TestLateNonBlockingInput(t *testing.T) {
	t.Parallel()
	p := promise(t, "P4", "standard input that is made non-blocking changes nothing")
	w := small(t)
	each(p, onPipe, func(p *promised, v invocation, _ kind) {
		want := v.run(p.t, w, pipe)
		r, feed, err := os.Pipe()
		require.NoError(p.t, err)
		cmd := v.command(p.t, w, pipe)
		cmd.Stdin = r
		wait := start(p.t, cmd)
		half := strings.Index(w.text, "\n") + 10
		_, err = io.WriteString(feed, w.text[:half])
		require.NoError(p.t, err)
		time.Sleep(50 * time.Millisecond) // for it to come to its next read
		require.NoError(p.t, syscall.SetNonblock(int(r.Fd()), true))
		r.Close()
		_, err = io.WriteString(feed, w.text[half:2*half])
		require.NoError(p.t, err)
		time.Sleep(50 * time.Millisecond)
		_, err = io.WriteString(feed, w.text[2*half:])
		require.NoError(p.t, err)
		feed.Close()
		got := wait()
		p.try(got == want, "%v: %v", v, got)
	})
}
