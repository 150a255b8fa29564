package faults

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

const outputFailure = "output failure is never success"

// TestFullOutput redirects standard output to where there is little room.
func TestFullOutput(t *testing.T) {
	script := func(s string) []string { return []string{"sh", "-c", s, "sh"} }
	const redirect = `"$@" >%[1]s/out; status=$?; cat %[1]s/out; exit $status`
	for _, test := range []struct {
		where   string
		forms   func(harness.Command) []harness.Form
		wrapper []string // %[1]s stands for a directory
		room    int      // bytes
		errno   errno
	}{
		{"/dev/full", harness.Printing(harness.AllForms), script(`exec "$@" >/dev/full`), 0, syscall.ENOSPC},
		{"ulimit -f", harness.FirstForm, script("ulimit -f 1; " + redirect), 1024, syscall.EFBIG},
		{"a full file system", harness.Printing(harness.FirstForm), append([]string{"unshare", "-m"}, script("mount -t tmpfs -o size=64k tmpfs %[1]s && "+redirect)...), 64 << 10, syscall.ENOSPC},
	} {
		t.Run(test.where, func(t *testing.T) {
			p := harness.Parallel(t, "P1", outputFailure+": "+test.where)
			if test.wrapper[0] == "unshare" && !mayMount() {
				p.SkipWithout("unshare(1) that may mount")
			}
			p.Each(test.forms, func(p *harness.Promise, c harness.Command, form harness.Form) {
				f := harness.Middle(p)
				want := c.Run(p, c.On(p, f), form)
				f = c.On(p, f)
				wrapper := slices.Clone(test.wrapper)
				if test.room > 0 {
					i := len(wrapper) - 2
					wrapper[i] = fmt.Sprintf(wrapper[i], harness.Dir(p))
				}
				got := c.Execute(p, f, c.Wrapped(p, f, form, wrapper))
				culprits := []string{test.errno.Error()}
				if c.Writes {
					culprits = []string{"s.jsonl", "src/"}
				}
				if !c.Writes && len(want.Stdout) > test.room {
					p.Check(harness.ProblemOfFailure(c.Program, got, culprits...), "%v on %v", c, form)
				} else {
					p.Check(harness.Problem(c.Program, want, got, culprits...), "%v on %v", c, form)
				}
			})
		})
	}

	// Commands that write files need a file system with files.
	p := harness.NewPromise(t, "P1", outputFailure+": a full file system")
	f, disk := harness.Middle(t), harness.Dir(t)
	full := []string{"unshare", "-m", "sh", "-c", `mount -t tmpfs -o size=64k tmpfs "$0" && head -c 60K /dev/zero >"$0"/rest; exec "$@"`, disk}
	for _, args := range [][]string{
		{"jlcompact", "--archive", "--keep", "--to", disk, f.Path(harness.Log)},
		{"jlsnap", "--home", f.Path("home"), "--restore", disk + "/out", f.Path(harness.Log)},
	} {
		if mayMount() {
			got := harness.Execute(t, harness.Wrapped(t, full, args[0], args[1:]...))
			p.Check(harness.ProblemOfFailure(args[0], got, "s.jsonl", "src/"), "%v", args)
		}
	}
}

func mayMount() bool {
	return exec.Command("unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", os.TempDir()).Run() == nil
}

var fullErrors = []errno{syscall.ENOSPC, syscall.EIO, syscall.EDQUOT}

// TestEveryWriteFails fails each write to standard output, and each with all later
// ones, and its close, which is where some file systems say that a write has failed.
func TestEveryWriteFails(t *testing.T) {
	p := harness.Traced(t, "P1", outputFailure+": the N-th write, or the close")
	stdout := sweep{every: true, fatal: true, names: harness.StandardStreams, errors: map[string][]errno{"write": fullErrors, "close": fullErrors}, of: func(*harness.Fixture) func(*harness.Call) bool {
		return func(call *harness.Call) bool { return call.Stream() == 1 }
	}}
	forms := func(c harness.Command) []harness.Form { return c.Forms[:harness.Pick(1, len(c.Forms))] }
	p.Each(harness.Printing(forms), func(p *harness.Promise, c harness.Command, form harness.Form) {
		calls := stdout.run(p, c, form, harness.Middle(p))
		require.True(p, calls["write"] > 0 && calls["close"] > 0, "%v", calls)
	})
}

// outputCalls are the calls that make archives and restored files, and their errors.
var outputCalls = map[string][]errno{
	"write":           fullErrors,
	"copy_file_range": fullErrors,
	"sendfile":        fullErrors,
	"openat":          {syscall.ENOSPC, syscall.EACCES, syscall.EMFILE},
	"mkdirat":         {syscall.ENOSPC, syscall.EACCES},
	"fsync":           {syscall.EIO, syscall.ENOSPC},
	"ftruncate":       {syscall.EIO, syscall.ENOSPC},
	"close":           {syscall.EIO, syscall.EDQUOT},
	"fchmod":          {syscall.EPERM},
	"fchmodat":        {syscall.EPERM},
	"utimensat":       {syscall.EPERM},
	"linkat":          {syscall.EXDEV, syscall.ENOSPC, syscall.EIO},
	"renameat":        {syscall.EXDEV, syscall.EIO},
	"symlinkat":       {syscall.ENOSPC, syscall.EACCES},
	"unlinkat":        {syscall.EPERM, syscall.EIO},
}

// TestArchiveAndRestoreFail fails each call by which jlcompact --archive and jlsnap
// --restore write. A failure that matters is reported, and no file is half done.
func TestArchiveAndRestoreFail(t *testing.T) {
	p := harness.Traced(t, "P1", outputFailure+": archives, restored files")
	output := sweep{every: true, names: []string{"s.jsonl", "src", "out"}, errors: outputCalls, of: func(f *harness.Fixture) func(*harness.Call) bool {
		return func(call *harness.Call) bool {
			return call.Below(f.Path("out")) || call.Below(f.Path("log")) && (call.Name != "openat" || call.Opens())
		}
	}}
	p.Each(harness.Writing, func(p *harness.Promise, c harness.Command, form harness.Form) {
		output.run(p, c, form, harness.Middle(p))
	})
}

// TestSpoolFails fails the calls on the temporary file that holds a long pipe.
func TestSpoolFails(t *testing.T) {
	p := harness.Traced(t, "P1", outputFailure+": the temporary file in TMPDIR")
	spool := func(f *harness.Fixture) func(*harness.Call) bool {
		return func(call *harness.Call) bool { return call.Path != f.Tmp && call.Below(f.Tmp) }
	}
	programs := []string{"jlrev", "jlcompact", "jlpath"}
	for _, program := range programs[:len(programs)/harness.Each(2)] {
		p.Subtest(program, func(p *harness.Promise) {
			c := harness.Command{Program: program, Args: "FILE"}
			f := *harness.Large(p)
			f.Tmp = harness.Dir(p)
			calls := sweep{of: spool, errors: map[string][]errno{"openat": {syscall.EACCES}, "write": {syscall.ENOSPC, syscall.EIO}, "pread64": {syscall.EIO}}}.run(p, c, harness.Pipe, &f)
			require.True(p, calls["openat"] > 0 && calls["write"] > 1 && calls["pread64"] > 1, "%v", calls)
			p.Try(len(harness.List(p, f.Tmp)) == 0, "%v leaves %q in TMPDIR", c, harness.List(p, f.Tmp))
			sweep{of: spool, errors: map[string][]errno{"unlinkat": {syscall.EIO}}}.run(p, c, harness.Pipe, &f) // leaves the file
		})
	}
}

// TestReaderGoes closes the pipe before or after the first line is read.
func TestReaderGoes(t *testing.T) {
	p := harness.Parallel(t, "P5", "a closed pipe ends a program silently, and soon")
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
