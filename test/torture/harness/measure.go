package harness

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// measureVariable in its environment makes a test binary another program: it runs its
// arguments, for as long as the variable says, and reports on descriptor 3 how that
// ended and what it cost. The test itself cannot measure a child, whose peak is at
// least that of its parent.
const measureVariable = "TORTURE_MEASURE"

func measureChild(duration string) {
	limit, err := time.ParseDuration(duration)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(127)
	}
	_ = os.Unsetenv(measureVariable)
	syscall.CloseOnExec(3)
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(127)
	}
	timer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	hung := !timer.Stop()
	o, peak := outcomeOf(cmd.ProcessState), int64(0)
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = int64(u.Maxrss)
		if runtime.GOOS == "linux" {
			peak *= 1024
		}
	}
	fmt.Fprintln(os.NewFile(3, "report"), o.Status, int(o.Signal), hung, peak, int64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()))
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
	const limit = 15 * time.Minute
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd.Args = append([]string{exe, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = exe
	cmd.Env = append(cmd.Env, measureVariable+"="+limit.String())
	cmd.ExtraFiles = []*os.File{w}
	c := Cost{Outcome: start(t, cmd, limit+10*time.Second)()}
	require.NoError(t, w.Close())
	report, err := io.ReadAll(r)
	require.NoError(t, err)
	var signal int
	var hung bool
	_, err = fmt.Sscan(string(report), &c.Status, &signal, &hung, &c.Peak, &c.CPU)
	require.NoError(t, err, "%v", c.Outcome)
	c.Signal, c.Hung = syscall.Signal(signal), c.Hung || hung
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
		f, err := os.OpenFile(filepath.Join(group, c.limit), os.O_WRONLY, 0)
		if err != nil {
			continue
		}
		_, err = f.WriteString(strconv.FormatInt(bytes, 10))
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		return Shell("echo $$ >" + group + "/cgroup.procs || exit 125"), nil
	}
	return nil, errors.New("no control group")
}
