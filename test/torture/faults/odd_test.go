package faults

import (
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

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
		want := c.Run(t, c.On(t, small), harness.Plain)
		archives := strings.Contains(c.Args, "--archive")
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
	if exec.Command("script", "-qec", "true", "/dev/null").Run() != nil {
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
