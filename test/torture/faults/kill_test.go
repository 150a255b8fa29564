package faults

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/torture/harness"
)

// afterKill says what is wrong after a writer was killed: a file is half done, or the
// next run does not complete the work. want is the outcome of a run without a kill.
func (w writer) afterKill(t testing.TB, f *harness.Fixture, want harness.Outcome) string {
	c := w.Command
	if half := halfDone(t, c, f); half != "" {
		return half
	}
	c.Args = cmp.Or(w.again, c.Args)
	switch got := c.Run(t, f, c.Forms[0]); {
	case got.Status == 2 && strings.Contains(c.Args, "--to") && strings.Contains(got.Stderr, syscall.ENOENT.Error()) && got.Files == want.Files:
		// The work was complete. FILE is gone, and a file in another directory might be
		// that of another FILE.
	case got.Status != 0 || !leftover.MatchString(got.Stderr):
		return "the next run fails: " + got.String()
	case got.Files != want.Files:
		return fmt.Sprintf("the next run leaves %q, want %q", got.Files, want.Files)
	}
	return ""
}

// leftover matches what a run says about what a killed run left.
var leftover = regexp.MustCompile(`^(jl[a-z]+: \S+: removed: a killed run left it\n)*$`)

// eachWriter runs do in a parallel subtest for each writer, with the outcome of a run
// without a fault and its duration.
func eachWriter(p *harness.Promise, like *harness.Fixture, do func(p *harness.Promise, w writer, want harness.Outcome, took time.Duration)) {
	for _, w := range writers {
		p.Subtest(w.String(), func(p *harness.Promise) {
			f := w.fixture(p, like)
			begin := time.Now()
			want := w.Run(p, f, w.Forms[0])
			took := time.Since(begin)
			require.Zero(p, want.Status, want)
			do(p, w, want, took)
		})
	}
}

// TestKilledAtEveryCall kills each writer before each system call that concerns its
// files; with -short before every 11th, not all of them before the same.
func TestKilledAtEveryCall(t *testing.T) {
	p := harness.Traced(t, "P6", "killed at any call: old or new is whole, the next run goes on")
	like := harness.Tiny(t)
	if harness.Long() {
		like = harness.Middle(t)
	}
	eachWriter(p, like, func(p *harness.Promise, w writer, want harness.Outcome, _ time.Duration) {
		for at := 1 + len(w.Args)%harness.Each(11); ; at += harness.Each(11) {
			f := w.fixture(p, like)
			got, last := harness.TraceUntil(p, w.Cmd(p, f, w.Forms[0]), at, func(call *harness.Call) bool { return call.Below(f.Dir) }, (*harness.Call).Kill)
			if last == "" {
				require.Zero(p, got.Status)
				require.Greater(p, at, 20, "%v makes few calls", w)
				return
			}
			require.Equal(p, syscall.SIGKILL, got.Signal)
			p.Check(w.afterKill(p, f, want), "%v killed at %s", w, last)
			require.NoError(p, os.RemoveAll(f.Dir))
		}
	})
}

// TestKilledInCrowd kills each replacer of several FILEs before every seventh system call
// that concerns them, or before each in a long run.
func TestKilledInCrowd(t *testing.T) {
	env.Long(t)
	p := harness.Traced(t, "P6", "killed at any call while it replaces several files: each is whole, the next run goes on")
	for i, w := range replacers {
		p.Subtest(w.String(), func(p *harness.Promise) {
			for at := 1 + i%7; ; at += harness.Pick(7, 1) {
				f := w.fixture(p, harness.Tiny(p))
				all, each := crowd(p, w.Command, f, 5)
				got, last := harness.TraceUntil(p, w.Cmd(p, all, w.Forms[0]), at, func(call *harness.Call) bool { return call.Below(f.Dir) }, (*harness.Call).Kill)
				if last == "" {
					require.Zero(p, got.Status, got)
					return
				}
				problem := ""
				for _, one := range each {
					problem = cmp.Or(problem, halfDone(p, w.Command, one))
				}
				again := w.Run(p, all, w.Forms[0])
				if again.Status != 0 && !strings.Contains(w.Args, "--to") { // see afterKill
					problem = cmp.Or(problem, "the next run fails: "+again.String())
				}
				for _, one := range each {
					if !harness.Exists(target(w.Command, one)) {
						problem = cmp.Or(problem, "the next run does not make "+target(w.Command, one))
					}
					problem = cmp.Or(problem, halfDone(p, w.Command, one))
				}
				if strings.Contains(again.Files, ".jlcompact-") {
					problem = cmp.Or(problem, "the next run leaves "+again.Files)
				}
				p.Check(problem, "%v killed at %s", w, last)
				require.NoError(p, os.RemoveAll(f.Dir))
			}
		})
	}
}

// TestKilledAtAnyTime kills each writer after random times.
func TestKilledAtAnyTime(t *testing.T) {
	env.Long(t)
	p := harness.Parallel(t, "P6", "killed at any time: the same")
	like := harness.Middle(t)
	eachWriter(p, like, func(p *harness.Promise, w writer, want harness.Outcome, took time.Duration) {
		rnd := harness.Rand(p, 0)
		for range harness.Times(20, 500) {
			f := w.fixture(p, like)
			cmd := w.Cmd(p, f, w.Forms[0])
			wait := harness.Start(p, cmd)
			time.AfterFunc(time.Duration(rnd.Int64N(int64(took))), func() { _ = cmd.Process.Kill() })
			wait()
			p.Check(w.afterKill(p, f, want), "%v", w)
			require.NoError(p, os.RemoveAll(f.Dir))
		}
	})
}

// durable are the calls that change a file or directory, or make a change durable.
var durable = []string{"write", "copy_file_range", "sendfile", "ftruncate", "fchmod", "utimensat", "fsync", "linkat", "renameat", "renameat2", "unlinkat"}

// wrongOrder says which of the calls that make the targets in place of the source
// would lose data if the power failed: one that names a file whose bytes are not yet
// durable, or removes the source before a target's name is. The source may be "".
func wrongOrder(calls []harness.Call, source string, targets []string) string {
	synced := map[string]bool{} // the bytes of files and the names in directories
	named := map[string]bool{}
	for _, c := range calls {
		switch c.Name {
		case "fsync":
			synced[c.Path] = true
		case "linkat", "renameat", "renameat2":
			if !synced[c.Path] {
				return c.To + " gets its name before its bytes are durable"
			}
			synced[filepath.Dir(c.To)] = false
			named[c.To] = true
		case "unlinkat":
			for _, target := range targets {
				if c.Path == source && (!named[target] || !synced[filepath.Dir(target)]) {
					return source + " is removed before " + target + " is durable"
				}
			}
			synced[filepath.Dir(c.Path)] = false
		default:
			synced[c.Path] = false
		}
	}
	for _, target := range targets {
		if !named[target] || source != "" && !synced[filepath.Dir(target)] {
			return target + " is not durable at the end"
		}
	}
	return ""
}

// TestOrder traces the writers: what replaces a file is durable before the file goes.
func TestOrder(t *testing.T) {
	p := harness.Traced(t, "P7", "durable before it replaces or removes")
	var needed []int
	for _, w := range writers {
		f := w.fixture(t, harness.Tiny(t))
		var calls []harness.Call
		got := harness.Trace(t, w.Cmd(t, f, w.Forms[0]), nil, func(c *harness.Call) {
			if c.Ret >= 0 && c.Below(f.Dir) && slices.Contains(durable, c.Name) {
				calls = append(calls, *c)
			}
		})
		require.Zero(t, got.Status, got)
		from, targets := "", []string{target(w.Command, f)}
		if w.Program == "jlsnap" {
			targets = nil
			for name := range harness.Restored {
				targets = append(targets, f.Path("out", name))
			}
		} else if !strings.Contains(w.Args, "--keep") {
			from = source(w.Command, f)
		}
		p.Check(wrongOrder(calls, from, targets), "%v: %v", w, calls)

		// The check can fail: without the fsyncs of some files or directories, the
		// order is wrong. One file may be synced twice.
		synced := map[string]bool{}
		for _, c := range calls {
			if c.Name == "fsync" {
				synced[c.Path] = true
			}
		}
		n := 0
		for path := range synced {
			without := slices.DeleteFunc(slices.Clone(calls), func(c harness.Call) bool { return c.Name == "fsync" && c.Path == path })
			if wrongOrder(without, from, targets) != "" {
				n++
			}
		}
		require.Positive(t, n, "%v", w)
		needed = append(needed, n)
	}
	p.Remark("files and directories that each command has to sync: %v", needed)
}

// TestFlippedBeforeVerify flips one bit of a new file on the disk before jlcompact reads
// it back.
func TestFlippedBeforeVerify(t *testing.T) {
	env.Long(t)
	p := harness.Traced(t, "P9", "an archive, or what is extracted, is verified before FILE is touched")
	for _, w := range replacers {
		p.Subtest(w.String(), func(p *harness.Promise) {
			rnd := harness.Rand(p, 0)
			for range harness.Times(70, 2000) {
				f := w.fixture(p, harness.Tiny(p))
				bit := -1
				got := harness.Trace(p, w.Cmd(p, f, w.Forms[0]), nil, func(c *harness.Call) {
					if bit < 0 && c.Name == "fsync" && strings.Contains(c.Path, "/.jlcompact-") {
						text, err := os.ReadFile(c.Path)
						if err == nil {
							bit = rnd.IntN(8 * len(text))
							text[bit/8] ^= 1 << (bit % 8)
							err = os.WriteFile(c.Path, text, 0o600)
						}
						if err != nil {
							p.Error(err)
						}
					}
				})
				require.GreaterOrEqual(p, bit, 0, "no temporary file is synced")
				problem := harness.ProblemOfFailure(w.Program, got, "s.jsonl")
				left := slices.DeleteFunc(harness.List(p, filepath.Dir(target(w.Command, f))), func(name string) bool { return name == filepath.Base(source(w.Command, f)) })
				if half := halfDone(p, w.Command, f); half != "" {
					problem = half
				} else if len(left) > 0 {
					problem = fmt.Sprintf("it leaves %v", left)
				}
				p.Check(problem, "%v, bit %d", w, bit)
				require.NoError(p, os.RemoveAll(f.Dir))
			}
		})
	}
}

// TestPrivate watches the modes of new files under a umask that allows everything.
func TestPrivate(t *testing.T) {
	p := harness.Traced(t, "P29", "new files are 0600 at birth, and never more open than their source")
	births, problem := 0, ""
	birth := func(c *harness.Call) {
		if c.Opens() {
			births++
			if flags, mode := c.Args[2], c.Args[3]&0o7777; flags&syscall.O_EXCL == 0 || mode != 0o600 {
				problem = fmt.Sprintf("%s is created with flags %#x and mode %#o", c.Path, flags, mode)
			}
		}
	}
	for _, w := range writers {
		modes := []fs.FileMode{0o600, 0o644, 0o400, 0o640, 0o666}
		for _, mode := range modes[:len(modes)/harness.Each(2)] {
			f := w.fixture(t, harness.Tiny(t))
			sources := []string{f.File(w.Forms[0])}
			for name := range harness.Restored {
				sources = append(sources, f.Backup(name))
			}
			for _, source := range sources {
				require.NoError(t, os.Chmod(source, mode))
			}
			births, problem = 0, ""
			got := harness.Trace(t, w.Wrapped(t, f, w.Forms[0], harness.Shell("umask 0")), birth, func(c *harness.Call) {
				for line := range strings.Lines(w.Written(t, f)) {
					if file := strings.Fields(line); !strings.Contains(line, olderSum) && tooOpen(file[1], mode|0o600) {
						problem = line + " after " + c.String()
					}
				}
			})
			require.Zero(t, got.Status, got)
			require.Positive(t, births)
			p.Check(problem, "%v of %v", w, mode)
			for line := range strings.Lines(w.Written(t, f)) {
				if file := strings.Fields(line); file[1][0] == '-' {
					p.Try(file[1] == mode.String(), "%v: %s has not mode %v", w, line, mode)
				}
			}
		}
	}
	f := *harness.Large(t)
	f.Tmp = harness.Dir(t)
	births, problem = 0, ""
	got := harness.Trace(t, harness.Command{Program: "jlrev", Args: "FILE"}.Cmd(t, &f, harness.Pipe), birth, nil)
	require.Zero(t, got.Status)
	p.Try(births == 1 && problem == "", "jlrev creates %d temporary files; %s", births, problem)
}

// olderSum is the hash of a file that is to be overwritten.
var olderSum = fmt.Sprintf("%x", sha256.Sum256([]byte(older)))

// tooOpen reports whether a file, but not a directory, has permissions beyond a mode.
func tooOpen(is string, mode fs.FileMode) bool {
	for i, c := range mode.String() {
		if is[0] == '-' && c == '-' && is[i] != '-' {
			return true
		}
	}
	return false
}
