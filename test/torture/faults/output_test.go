package faults

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

const outputFailure = "output failure is never success"

type errno = syscall.Errno

var (
	full    = []errno{syscall.ENOSPC, syscall.EIO, syscall.EDQUOT}
	noSpace = syscall.ENOSPC.Error()
)

// TestFullDevice writes to a device that is always full.
func TestFullDevice(t *testing.T) {
	t.Parallel()
	p := harness.NewPromise(t, "P1", outputFailure+": /dev/full")
	f := harness.Middle(t)
	p.Each(harness.Printing(harness.AllForms), func(p *harness.Promise, c harness.Command, form harness.Form) {
		device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			p.SkipWithout("/dev/full")
		}
		defer device.Close()
		cmd := c.Cmd(p, f, form)
		cmd.Stdout = device
		p.Check(harness.ProblemOfFailure(c.Program, harness.Execute(p, cmd), noSpace), "%v on %v", c, form)
	})
}

// TestEveryWriteFails fails each write to standard output, and each with all later
// ones.
func TestEveryWriteFails(t *testing.T) {
	t.Parallel()
	p := harness.NewPromise(t, "P1", outputFailure+": the N-th write")
	p.NeedTrace()
	f := harness.Middle(t)
	forms := func(c harness.Command) []harness.Form { return c.Forms[:harness.Pick(1, len(c.Forms))] }
	p.Each(harness.Printing(forms), func(p *harness.Promise, c harness.Command, form harness.Form) {
		stdout := func(call *harness.Call) bool { return call.Stream() == 1 }
		for at := 1; ; at++ {
			errors := full
			if !harness.Long() {
				errors = full[at%len(full):][:1]
			}
			for _, err := range errors {
				for _, onward := range []bool{false, true} {
					fault := harness.Fault{Call: "write", Errno: err, At: at, Onward: onward, Of: stdout}
					got, victim := c.Inject(p, f, form, fault)
					if victim == "" {
						require.Greater(p, at, 1, "%v writes nothing", c)
						return
					}
					p.Check(harness.ProblemOfFailure(c.Program, got, harness.StandardStreams...), "%v on %v, %v", c, form, fault)
				}
			}
		}
	})
}

// outputCalls are the calls that make archives and restored files, and their errors.
var outputCalls = map[string][]errno{
	"write":           full,
	"copy_file_range": full,
	"sendfile":        full,
	"openat":          {syscall.ENOSPC, syscall.EACCES, syscall.EMFILE},
	"mkdirat":         {syscall.ENOSPC, syscall.EACCES},
	"fsync":           {syscall.EIO, syscall.ENOSPC},
	"close":           {syscall.EIO, syscall.EDQUOT},
	"fchmod":          {syscall.EPERM},
	"fchmodat":        {syscall.EPERM},
	"utimensat":       {syscall.EPERM},
	"linkat":          {syscall.EXDEV, syscall.ENOSPC, syscall.EIO},
	"renameat":        {syscall.EXDEV, syscall.EIO},
	"unlinkat":        {syscall.EPERM, syscall.EIO},
}

// TestArchiveAndRestoreFail fails each call by which jlcompact --archive and jlsnap
// --restore write. A failure that matters is reported, and no file is half done.
func TestArchiveAndRestoreFail(t *testing.T) {
	t.Parallel()
	p := harness.NewPromise(t, "P1", outputFailure+": archives, restored files")
	p.NeedTrace()
	p.Each(harness.Writing, func(p *harness.Promise, c harness.Command, form harness.Form) {
		middle := harness.Middle(p)
		want := c.Run(p, c.On(p, middle), form)
		for name, errors := range outputCalls {
			for i, err := range errors {
				for at := 1; harness.Long() || at%len(errors) == i || at == 1; at++ {
					f := c.On(p, middle)
					fault := harness.Fault{Call: name, Errno: err, At: at, Of: func(call *harness.Call) bool {
						return call.Below(f.Path("out")) || call.Below(f.Path("log")) && (call.Name != "openat" || call.Opens())
					}}
					got, victim := c.Inject(p, f, form, fault)
					if victim == "" {
						break
					}
					culprits := append(f.Culprits(victim, form), "s.jsonl", "src", "out")
					p.Check(harness.Problem(c.Program, want, got, culprits...), "%v, %v of %s", c, fault, victim)
					p.Check(halfDone(p, c, f), "%v, %v of %s", c, fault, victim)
				}
			}
		}
	})
}

// TestSpoolFails fails the calls on the temporary file that holds a long pipe.
func TestSpoolFails(t *testing.T) {
	t.Parallel()
	p := harness.NewPromise(t, "P1", outputFailure+": the temporary file in TMPDIR")
	p.NeedTrace()
	for _, program := range []string{"jlrev", "jlpath", "jlcompact"} {
		p.Subtest(program, func(p *harness.Promise) {
			c := harness.Command{Program: program, Args: "FILE"}
			f := *harness.Large(p)
			f.Tmp = harness.Dir(p)
			spool := func(call *harness.Call) bool { return call.Path != f.Tmp && call.Below(f.Tmp) }
			want := c.Run(p, &f, harness.Pipe)
			require.Zero(p, want.Status)
			for _, test := range []struct {
				call  string
				errno errno
				least int // such calls
			}{{"openat", syscall.EACCES, 1}, {"openat", syscall.EMFILE, 1}, {"write", syscall.ENOSPC, 2}, {"write", syscall.EIO, 2}, {"pread64", syscall.EIO, 2}, {"unlinkat", syscall.EIO, 1}} {
				hits := 0
				for at := 1; at <= harness.Pick(2, 1000); at++ {
					fault := harness.Fault{Call: test.call, Errno: test.errno, At: at, Of: spool}
					got, victim := c.Inject(p, &f, harness.Pipe, fault)
					if victim == "" {
						break
					}
					hits++
					p.Check(harness.Problem(program, want, got, f.Culprits(victim, harness.Pipe)...), "%v, %v", c, fault)
				}
				require.GreaterOrEqual(p, hits, test.least, "%s of the temporary file", test.call)
				if test.call != "unlinkat" { // without it, the file stays
					left := harness.List(p, f.Tmp)
					p.Try(len(left) == 0, "%v leaves %q in TMPDIR", c, left)
				}
			}
		})
	}
}

// TestFileSizeLimit limits files to one block of the shell, 512 or 1024 bytes.
func TestFileSizeLimit(t *testing.T) {
	t.Parallel()
	p := harness.NewPromise(t, "P1", outputFailure+": ulimit -f")
	small := harness.Small(t)
	p.Each(harness.FirstForm, func(p *harness.Promise, c harness.Command, form harness.Form) {
		want := c.Run(p, c.On(p, small), form)
		f := c.On(p, small)
		out, err := os.Create(filepath.Join(harness.Dir(p), "out"))
		require.NoError(p, err)
		defer out.Close()
		cmd := c.Wrapped(p, f, form, harness.Shell("ulimit -f 1"))
		cmd.Stdout = out
		got := c.Execute(p, f, cmd)
		got.Stdout = harness.Read(p, out.Name())
		switch {
		case c.Writes:
			p.Check(harness.Problem(c.Program, want, got, "s.jsonl", "src/"), "%v", c)
		case len(want.Stdout) > 1024:
			p.Check(harness.ProblemOfFailure(c.Program, got, syscall.EFBIG.Error()), "%v", c)
		default:
			p.Check(harness.Problem(c.Program, want, got, syscall.EFBIG.Error()), "%v", c)
		}
	})
}

// TestFullDisk prints, archives and restores to a file system of 64 KiB.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	p := harness.NewPromise(t, "P1", outputFailure+": a full file system")
	if os.Geteuid() != 0 {
		p.SkipWithout("root")
	}
	disk := harness.Dir(t)
	mounted := []string{"unshare", "-m", "sh", "-c", `mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@"`, disk, "sh", "-c"}
	if err := exec.Command(mounted[0], append(mounted[1:], "true")...).Run(); err != nil {
		p.SkipWithout("unshare(1) that may mount")
	}
	toFile := append(mounted[:len(mounted):len(mounted)], `"$@" >"$0"/out; status=$?; exit $status`, disk)
	filled := append(mounted[:len(mounted):len(mounted)], `head -c 60K /dev/zero >"$0"/rest; exec "$@"`, disk)
	f := harness.Middle(t)
	for _, c := range harness.Commands {
		if c.Writes {
			continue
		}
		want := c.Run(t, f, c.Forms[0])
		got := harness.Execute(t, c.Wrapped(t, f, c.Forms[0], toFile))
		if len(want.Stdout) > 64<<10 {
			p.Check(harness.ProblemOfFailure(c.Program, got, noSpace), "%v", c)
		} else {
			p.Try(got.Status == want.Status && got.Stderr == "", "%v: %v", c, got)
		}
	}
	for _, args := range [][]string{
		{"jlcompact", "--archive", "--keep", "--to", disk, f.Path(harness.Log)},
		{"jlsnap", "--home", f.Path("home"), "--restore", disk + "/out", f.Path(harness.Log)},
	} {
		got := harness.Execute(t, harness.Wrapped(t, filled, args[0], args[1:]...))
		p.Check(harness.ProblemOfFailure(args[0], got, "s.jsonl", "src/"), "%v", args)
	}
}

// TestReaderGoes closes the pipe before or after the first line is read.
func TestReaderGoes(t *testing.T) {
	t.Parallel()
	p := harness.NewPromise(t, "P5", "a closed pipe ends a program silently, and soon")
	f := harness.Large(t)
	p.Each(harness.Printing(harness.FirstForm), func(p *harness.Promise, c harness.Command, form harness.Form) {
		for range harness.Pick(1, 50) {
			for _, first := range []string{":", "trap '' PIPE"} {
				for _, lines := range []int{0, 1} {
					got, read := readLines(p, c.Wrapped(p, f, form, harness.Shell(first)), lines)
					ended := got.Status == 141 || got.Signal == syscall.SIGPIPE ||
						lines > 0 && (got.Status == 0 || got.Status == 1) && read <= 64<<10 // the pipe held the rest
					p.Try(!got.Hung && got.Stderr == "" && ended, "%v on %v | head -%d after %s: %v", c, form, lines, first, got)
				}
			}
		}
	})
}

// readLines runs a command and closes its output after some lines; if none, before it
// starts. It returns the number of bytes that it has read.
func readLines(t testing.TB, cmd *exec.Cmd, lines int) (harness.Outcome, int) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	cmd.Stdout = w
	if lines == 0 {
		r.Close()
	}
	wait := harness.Start(t, cmd)
	w.Close()
	n := 0
	if lines > 0 {
		b := bufio.NewReaderSize(r, 16)
		for range lines {
			line, _ := b.ReadString('\n')
			n += len(line)
		}
		r.Close()
	}
	return wait(), n
}
