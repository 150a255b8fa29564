package faults

import (
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/torture/harness"
)

const inputFailure = "input failure is never success"

// inputCalls are the calls that read input, and their errors.
var inputCalls = map[string][]errno{
	"read":       {syscall.EIO, syscall.ESTALE},
	"pread64":    {syscall.EIO, syscall.ESTALE},
	"openat":     {syscall.EACCES, syscall.EMFILE, syscall.EIO},
	"newfstatat": {syscall.EIO, syscall.EACCES},
	"statx":      {syscall.EIO},
	"fstat":      {syscall.EIO},
	"lseek":      {syscall.EIO},
	"fgetxattr":  {syscall.EIO},
	"getdents64": {syscall.EIO},
	"readlinkat": {syscall.EIO},
	"close":      {syscall.EIO},
}

// TestEveryReadFails fails the N-th call of each kind that reads the input: the log,
// the home, the files in it.
func TestEveryReadFails(t *testing.T) {
	env.Long(t)
	p := harness.Traced(t, "P2", inputFailure)
	input := func(f *harness.Fixture) func(*harness.Call) bool {
		return func(call *harness.Call) bool { return (call.Below(f.Dir) || call.Stream() == 0) && !call.Opens() }
	}
	p.Each(harness.AllForms, func(p *harness.Promise, c harness.Command, form harness.Form) {
		s := sweep{errors: inputCalls, of: input}
		if c.Program == "jlsnap" {
			s.names = []string{"src/"} // the file whose backup fails
		}
		for name := range s.run(p, c, form, harness.Middle(p)) {
			if inputCalls[name] == nil && outputCalls[name] == nil && name != "flock" && name != "fchown" {
				p.Errorf("%v makes a call for which there is no fault: %s", c, name)
			}
		}
	})
}

// TestNoSuchFile fails to open the operand.
func TestNoSuchFile(t *testing.T) {
	p := harness.Traced(t, "P2", inputFailure+": no such operand")
	first := func(c harness.Command) []harness.Form {
		if c.ReadsLog() {
			return c.Forms[:1]
		}
		return nil
	}
	p.Each(first, func(p *harness.Promise, c harness.Command, form harness.Form) {
		for _, err := range []errno{syscall.ENOENT, syscall.EACCES, syscall.EMFILE, syscall.ENXIO} {
			f := c.On(p, harness.Small(p))
			fault := harness.Fault{Call: "openat", Errno: err, At: 1, Onward: true, Of: func(call *harness.Call) bool { return call.Path == f.File(form) }}
			got, _ := c.Inject(p, f, form, fault)
			p.Check(harness.ProblemOfFailure(c.Program, got, "s.jsonl"), "%v, %v", c, fault)
		}
	})
}

// TestOneAmongMany gives many logs to the programs, some of which cannot be read. The
// programs name those and answer for the others.
func TestOneAmongMany(t *testing.T) {
	p := harness.Parallel(t, "P23", "unreadable ones among many are named, the rest is done")
	f := harness.Small(t).Copy(t)
	f.Leaf = "00" // of no entry
	names, logs := make([]string, 100), map[string]string{}
	for i := range names {
		names[i] = fmt.Sprintf("many/%d.jsonl", i)
		logs[names[i]], _ = harness.Session(uint64(i), 1)
	}
	harness.Write(t, f.Dir, logs)
	bad := map[string]string{} // what the system says about a file
	spoil := func(i int, reason string, create func(t testing.TB, path string) error) {
		require.NoError(t, os.Remove(f.Path(names[i])))
		require.NoError(t, create(t, f.Path(names[i])))
		bad[names[i]] = reason
	}
	spoil(3, "", oddFiles["directory"])
	spoil(20, syscall.ENOENT.Error(), oddFiles["dangling"])
	spoil(40, syscall.ENOENT.Error(), func(testing.TB, string) error { return nil })
	spoil(41, syscall.ELOOP.Error(), oddFiles["loop"])
	spoil(60, "", oddFiles["socket"])
	var user *syscall.SysProcAttr
	if os.Geteuid() == 0 { // who may read everything
		user = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		cmd := harness.Program(t, "jlrev", "--version")
		if cmd.SysProcAttr = user; cmd.Run() != nil {
			p.SkipWithout("way for nobody to run the programs")
		}
	}
	for _, i := range []int{80, 99} {
		spoil(i, syscall.EACCES.Error(), func(_ testing.TB, path string) error { return os.WriteFile(path, []byte("{}\n"), 0) })
	}
	good := slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, is := bad[name]; return is })
	for _, c := range harness.Commands {
		if !c.ReadsLog() || c.Writes {
			continue
		}
		run := func(operands []string) harness.Outcome {
			f := *f
			f.Operands = operands
			cmd := c.Cmd(t, &f, harness.Plain)
			cmd.SysProcAttr = user
			return harness.Execute(t, cmd)
		}
		want, got, problem := run(good), run(names), ""
		if got.Status != 2 || got.Stdout != want.Stdout {
			problem = fmt.Sprintf("want status 2 and %d bytes", len(want.Stdout))
		}
		for name, reason := range bad {
			if !regexp.MustCompile(regexp.QuoteMeta(name) + ".*" + reason).MatchString(got.Stderr) {
				problem = fmt.Sprintf("%s is not named: %s", name, reason)
			}
		}
		p.Check(problem, "%v: %v", c, got)
		p.Check(harness.ProblemOfMessages(c.Program, got.Stderr, names[3]), "%v", c)
	}
	p.Remark("%d of %d unreadable", len(bad), len(names))
}

// oddFiles create what may stand where a file is expected.
var oddFiles = map[string]func(t testing.TB, path string) error{
	"fifo":      func(_ testing.TB, path string) error { return syscall.Mkfifo(path, 0o666) },
	"zero":      func(_ testing.TB, path string) error { return os.Symlink("/dev/zero", path) },
	"tty":       func(_ testing.TB, path string) error { return os.Symlink("/dev/ptmx", path) },
	"socket":    listen,
	"directory": func(_ testing.TB, path string) error { return os.Mkdir(path, 0o755) },
	"loop":      func(_ testing.TB, path string) error { return os.Symlink(filepath.Base(path), path) },
	"dangling":  func(_ testing.TB, path string) error { return os.Symlink("nowhere", path) },
}

var oddNames = slices.Sorted(maps.Keys(oddFiles))

// listen puts a socket at path until the test ends.
func listen(t testing.TB, path string) error {
	dir, err := os.MkdirTemp("", "") // the path of a socket must be short
	if err != nil {
		return err
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	short := filepath.Join(dir, "s")
	l, err := net.Listen("unix", short)
	if err != nil {
		return err
	}
	t.Cleanup(func() { l.Close() })
	return os.Rename(short, path)
}

// TestOddFilesInHome puts odd files in all places of a home, but leaves the log. The
// programs neither wait for them nor read them without end.
func TestOddFilesInHome(t *testing.T) {
	p := harness.Parallel(t, "P24", "no odd file in a home is waited for")
	for _, odd := range oddNames {
		p.Subtest(odd, func(p *harness.Promise) {
			f := harness.Small(p).Copy(p)
			var places []string
			require.NoError(p, filepath.WalkDir(f.Path("home"), func(path string, e os.DirEntry, err error) error {
				if err == nil && e.IsDir() {
					places = append(places, filepath.Join(path, "0dd"), filepath.Join(path, "00000000-0000-4000-8000-000000000000.jsonl"))
				} else if filepath.Base(path) != harness.SessionID+".jsonl" {
					places = append(places, path)
				}
				return err
			}))
			for _, path := range places {
				require.NoError(p, os.RemoveAll(path))
				require.NoError(p, oddFiles[odd](p, path))
			}
			for _, c := range harness.Commands {
				if c.Program != "jlrel" && (c.Program != "jlsnap" || !strings.Contains(c.Args, "HOME")) {
					continue
				}
				got := harness.Execute(p, c.Cmd(p, f, c.Forms[0]))
				problem := harness.ProblemOfEnd(c.Program, got)
				if got.Status == 2 {
					problem = harness.ProblemOfMessages(c.Program, got.Stderr)
				} else if c.Program == "jlsnap" && c.Writes {
					problem = "nothing can be restored, but the status is not 2"
				}
				p.Check(problem, "%v: %v", c, got)
			}
		})
	}
}

// TestOddOperands gives odd files as operands. A FIFO is read as cat(1) does; what
// cannot be read is named; nothing odd is archived. Endless files are left out.
func TestOddOperands(t *testing.T) {
	p := harness.Parallel(t, "P24", "odd operands are read as the contract says, or named")
	small := harness.Small(t)
	dir := harness.Dir(t)
	for _, odd := range oddNames {
		require.NoError(t, oddFiles[odd](t, filepath.Join(dir, odd)))
	}
	for _, c := range harness.Commands {
		if !c.ReadsLog() {
			continue
		}
		want := c.Run(t, c.On(t, small), c.Forms[0])
		archives := c.Replaces()
		for _, odd := range oddNames {
			f := *c.On(t, small)
			f.Operands = []string{filepath.Join(dir, odd)}
			switch {
			case !archives && odd == "fifo" && c.ShowsFiles(): // a name of a session, not a log to read
				got := harness.Execute(t, c.Cmd(t, &f, harness.Plain))
				p.Try(!got.Hung && got.Status != 0, "%v with a fifo: %v", c, got)
			case !archives && odd == "fifo":
				got := runOnFIFO(t, c, small)
				if c.Program == "jlrel" && got.Status == 2 {
					p.Check(harness.Problem(c.Program, want, got, "s.jsonl"), "%v with a fifo", c)
				} else {
					got.Stderr = want.Stderr
					p.Try(got == want, "%v with a fifo: %v", c, got)
				}
			case archives || odd != "zero" && odd != "tty":
				got := harness.Execute(t, c.Cmd(t, &f, harness.Plain))
				p.Check(harness.ProblemOfFailure(c.Program, got, odd), "%v with a %s", c, odd)
			}
		}
	}
	for _, args := range [][]string{
		{"jlcompact", "--archive", "--keep", "--to", "fifo", small.Path(harness.Log)},
		{"jlcompact", "--archive", "--keep", "--to", "socket", small.Path(harness.Log)},
		{"jlsnap", "--home", small.Path("home"), "--restore", "fifo", small.Path(harness.Log)},
		{"jlsnap", "--home", small.Path("home"), "--restore", "socket", small.Path(harness.Log)},
		{"jlsnap", "--home", small.Path("home"), "--restore", "loop", small.Path(harness.Log)},
		{"jlsnap", "--home", "fifo", "--files", small.Path(harness.Log)},
		{"jlrel", "--home", "fifo", harness.SessionID},
		{"jlrel", "--home", "zero", "--list"},
		{"jlrel", "--home", "socket", "--orphans"},
	} {
		got := harness.Run(t, dir, args[0], args[1:]...)
		p.Check(harness.ProblemOfFailure(args[0], got, "fifo", "zero", "socket", "loop", "src/"), "%v", args)
	}
}

// runOnFIFO runs a command on a copy of a fixture whose log is a FIFO.
func runOnFIFO(t testing.TB, c harness.Command, like *harness.Fixture) harness.Outcome {
	f := like.Copy(t)
	fifo := f.Path(harness.Log)
	require.NoError(t, os.Remove(fifo))
	require.NoError(t, syscall.Mkfifo(fifo, 0o666))
	done := make(chan struct{})
	go func() {
		defer close(done)
		if w, err := os.OpenFile(fifo, os.O_WRONLY, 0); err == nil {
			_, _ = w.WriteString(f.Text)
			w.Close()
		}
	}()
	got := c.Run(t, f, harness.Plain)
	// If the command did not open the FIFO, this lets the writer go.
	if r, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
		r.Close()
	}
	<-done
	return got
}

// TestTerminal reads a terminal until the end of input is typed.
func TestTerminal(t *testing.T) {
	p := harness.Parallel(t, "P24", "a terminal is read until its end is typed")
	if exec.Command("script", "-qec", "true", os.DevNull).Run() != nil {
		p.SkipWithout("script(1) that has -e and -c")
	}
	for _, name := range harness.Names {
		if name == "jlrel" {
			continue // it needs a home
		}
		cmd := exec.Command("script", "-qec", harness.Bin(t, name), "/dev/null")
		cmd.Stdin = strings.NewReader(harness.Node(1, "a", "", "") + "\x04")
		got := harness.Execute(t, cmd)
		got.Stderr += got.Stdout // script shows both on its terminal
		p.Try(!got.Died(), "%s: %v", name, got)
	}
}
