package harness

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Names are the programs.
var Names = []string{"jlrev", "jltree", "jlleaf", "jlpath", "jlsnap", "jlrel", "jlcompact"}

// Root is the top of the repository, seen from the tests.
const Root = "../../.."

// patience is how long a run may take before it counts as hung.
const patience = time.Minute

var scratch struct {
	once sync.Once
	err  error
	dir  string // the tests write here; other users may enter it
	bin  string // holds the programs
}

func prepare() (err error) {
	dir, err := os.MkdirTemp("", "torture-")
	if err != nil {
		return err
	}
	if scratch.dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	if err := os.Chmod(scratch.dir, 0o755); err != nil {
		return err
	}
	if bin := os.Getenv("TORTURE_BIN"); bin != "" {
		scratch.bin, err = filepath.Abs(bin)
		return err
	}
	// Go caches test results by the files that a test opens. It does not see what the
	// build reads, so look at the sources here.
	for _, dir := range []string{Root + "/cmd", Root + "/internal"} {
		err = cmp.Or(err, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				_, err = os.Stat(path)
			}
			return err
		}))
	}
	scratch.bin = filepath.Join(scratch.dir, "bin")
	return cmp.Or(err, Build(Root, scratch.bin, []string{"CGO_ENABLED=0"}, Names))
}

// Build builds programs from the repository at root into a directory.
func Build(root, dir string, env, names []string, flags ...string) error {
	args := slices.Concat([]string{"build", "-o", dir + "/"}, flags)
	for _, name := range names {
		args = append(args, "./cmd/"+name)
	}
	build := exec.Command("go", args...)
	build.Dir, build.Env = root, append(os.Environ(), env...)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	return nil
}

// Bin returns the path of a program.
func Bin(t testing.TB, name string) string {
	scratch.once.Do(func() { scratch.err = prepare() })
	require.NoError(t, scratch.err)
	return filepath.Join(scratch.bin, name)
}

// Dir returns a new directory. Unlike that of t.TempDir, other users may enter it.
func Dir(t testing.TB) string {
	Bin(t, "")
	dir, err := os.MkdirTemp(scratch.dir, "d-")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// Program returns a command that runs a program in an environment that is the same
// everywhere.
func Program(t testing.TB, name string, args ...string) *exec.Cmd {
	return Wrapped(t, nil, name, args...)
}

// Wrapped returns a command that runs a program by another one: wrapper is that one
// and its arguments, and it executes the arguments that follow.
func Wrapped(t testing.TB, wrapper []string, name string, args ...string) *exec.Cmd {
	argv := slices.Concat(wrapper, []string{Bin(t, name)}, args)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = scratch.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "TMPDIR=" + os.TempDir(), "LC_ALL=C"}
	return cmd
}

// Shell returns a wrapper: a shell that runs first and then executes the program.
func Shell(first string) []string {
	return []string{"/bin/sh", "-c", first + `; exec "$@"`, "sh"}
}

// Run runs a program in a directory.
func Run(t testing.TB, dir, name string, args ...string) Outcome {
	cmd := Program(t, name, args...)
	cmd.Dir = dir
	return Execute(t, cmd)
}

// RunPipe runs a program whose standard input is a pipe that holds text.
func RunPipe(t testing.TB, text, name string, args ...string) Outcome {
	cmd := Program(t, name, args...)
	cmd.Stdin = strings.NewReader(text)
	return Execute(t, cmd)
}

// An Outcome is how a run ended.
type Outcome struct {
	Status         int            // -1 if a signal ended it
	Signal         syscall.Signal // that signal, or 0
	Hung           bool           // it took too long and was killed
	Stdout, Stderr string
	Files          string // what the command wrote, as Listing returns it
}

func (o Outcome) String() string {
	end := fmt.Sprintf("status %d", o.Status)
	if o.Hung {
		end = "hung"
	} else if o.Signal != 0 {
		end = o.Signal.String()
	}
	return fmt.Sprintf("%s, %d bytes %q, stderr %q, files %q", end, len(o.Stdout), Shorten(o.Stdout), Shorten(o.Stderr), Shorten(o.Files))
}

// Shorten returns the beginning of s, for a message.
func Shorten(s string) string {
	const most = 300
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// Execute runs a command. It kills a command that hangs.
func Execute(t testing.TB, cmd *exec.Cmd) Outcome {
	return start(t, cmd, patience)()
}

// Start starts a command. It returns a function that waits for the end. A command
// that hangs, or outlives the test, is killed.
func Start(t testing.TB, cmd *exec.Cmd) func() Outcome {
	wait := start(t, cmd, patience)
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return wait
}

func start(t testing.TB, cmd *exec.Cmd, limit time.Duration) func() Outcome {
	output := capture(cmd)
	require.NoError(t, cmd.Start())
	timer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	return func() Outcome {
		err := cmd.Wait()
		o := outcomeOf(cmd.ProcessState)
		o.Hung = !timer.Stop()
		if _, ok := errors.AsType[*exec.ExitError](err); !ok && !errors.Is(err, syscall.EPIPE) {
			require.NoError(t, err)
		}
		output(&o)
		return o
	}
}

// capture collects what a command prints on the streams that are not set. The
// function that it returns puts that into an outcome.
func capture(cmd *exec.Cmd) func(*Outcome) {
	var stdout, stderr bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &stdout
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &stderr
	}
	cmd.WaitDelay = 5 * time.Second // a child that it left may hold the streams open
	return func(o *Outcome) { o.Stdout, o.Stderr = stdout.String(), stderr.String() }
}

func outcomeOf(state *os.ProcessState) Outcome {
	o := Outcome{Status: state.ExitCode()}
	if s, ok := state.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		o.Signal = s.Signal()
	}
	return o
}

// measureVariable in its environment makes a test binary another program: it runs its
// arguments, and reports on descriptor 3 how that ended and what it cost. The test
// itself cannot measure a child, whose peak is at least that of its parent.
const measureVariable = "TORTURE_MEASURE"

func measureChild() {
	_ = os.Unsetenv(measureVariable)
	syscall.CloseOnExec(3)
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	_ = cmd.Run()
	o, peak := outcomeOf(cmd.ProcessState), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "linux" {
		peak *= 1024
	}
	fmt.Fprintln(os.NewFile(3, "report"), o.Status, int(o.Signal), peak, int64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()))
	os.Exit(0)
}

// A Cost is how a run ended and what it cost.
type Cost struct {
	Outcome
	Peak int64 // bytes of memory
	CPU  time.Duration
}

// Measure runs a command, which may take long, and measures it.
func Measure(t testing.TB, cmd *exec.Cmd) Cost {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd.Args, cmd.Path = append([]string{exe, cmd.Path}, cmd.Args[1:]...), exe
	cmd.Env = append(cmd.Env, measureVariable+"=1")
	cmd.ExtraFiles = []*os.File{w}
	c := Cost{Outcome: start(t, cmd, 15*time.Minute)()}
	require.NoError(t, w.Close())
	_, err = fmt.Fscan(r, &c.Status, &c.Signal, &c.Peak, &c.CPU)
	require.True(t, err == nil || c.Hung, "%v", c.Outcome)
	return c
}

// MemoryGroup returns a wrapper that runs a program in a control group with so many
// bytes of memory, the page cache included.
func MemoryGroup(t testing.TB, bytes int64) ([]string, error) {
	for _, c := range []struct{ parent, limit string }{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"}} {
		group, err := os.MkdirTemp(c.parent, "torture-")
		if err != nil {
			continue
		}
		t.Cleanup(func() { _ = os.Remove(group) })
		if limit := filepath.Join(group, c.limit); Exists(limit) {
			return Shell("echo $$ >" + group + "/cgroup.procs || exit 125"), os.WriteFile(limit, fmt.Append(nil, bytes), 0)
		}
	}
	return nil, errors.New("no control group")
}
