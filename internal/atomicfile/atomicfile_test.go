package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/calls"
	"jl/test/env"
	"jl/test/scripttest"
)

func TestMain(m *testing.M) {
	env.OnDisk()
	scripttest.Main(m, "atomicwrite", main)
}

// main writes "new" into the file DIR/f: atomicwrite new|over DIR [wait]. With wait, it
// prints a line when the temporary file exists and goes on when standard input ends.
func main() {
	if err := write(os.Args[1] == "over", os.Args[2], len(os.Args) > 3); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func write(over bool, dir string, wait bool) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	set := New(".temp-")
	defer set.RemoveOnSignal()()
	if _, err := set.RemoveStale(root, nil); err != nil {
		return err
	}
	f, err := set.Create(root, "f")
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.WriteString("new"); err != nil {
		return err
	}
	if wait {
		fmt.Println("ready")
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
	if over {
		return f.CommitOver()
	}
	return f.CommitNew()
}

// list returns the names in a directory, sorted, with those of a temporary file as one, "temp".
func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, e := range entries {
		name := e.Name()
		if e.Type() == fs.ModeSymlink {
			continue
		}
		if strings.HasPrefix(name, ".temp-") {
			name = "temp"
		}
		names = append(names, name)
	}
	return names
}

// open returns a new directory.
func open(t *testing.T) (string, *os.Root) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return dir, root
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(b)
}

func TestCommit(t *testing.T) {
	dir, root := open(t)
	set := New(".temp-")
	for i, commit := range []func(*File) error{(*File).CommitNew, (*File).CommitOver} {
		f, err := set.Create(root, "f")
		require.NoError(t, err)
		text := strings.Repeat("x", 100_000+i)
		_, err = f.WriteString(text)
		require.NoError(t, err)
		info, err := f.Stat()
		require.NoError(t, err)
		require.Equal(t, fs.FileMode(0o600), info.Mode())
		require.Len(t, list(t, dir), i+1)

		past := time.Unix(1_600_000_000, 0)
		require.NoError(t, f.SetTimes(past, past))
		require.NoError(t, commit(f))
		f.Abort() // does nothing
		require.Equal(t, []string{"f"}, list(t, dir))
		require.Equal(t, text, read(t, dir, "f"))
		named, err := os.Lstat(filepath.Join(dir, "f"))
		require.NoError(t, err)
		require.True(t, os.SameFile(info, named))
		require.True(t, named.ModTime().Equal(past))
		require.Empty(t, set.live)
	}
}

func TestAbort(t *testing.T) {
	dir, root := open(t)
	set := New(".temp-")
	f, err := set.Create(root, "f")
	require.NoError(t, err)
	f.Abort()
	f.Abort()
	require.Empty(t, list(t, dir))
	require.Empty(t, set.live)
}

// TestNameTaken commits to a name that something has: CommitNew replaces nothing,
// CommitOver replaces a file or a link, which it does not follow. A file that could not
// be committed can be committed in another way.
func TestNameTaken(t *testing.T) {
	tests := []struct {
		name string
		make func(dir string) error
		over error
	}{
		{"file", func(dir string) error { return os.WriteFile(filepath.Join(dir, "f"), []byte("old"), 0o600) }, nil},
		{"link", func(dir string) error { return os.Symlink("other", filepath.Join(dir, "f")) }, nil},
		{"link that leads out", func(dir string) error { return os.Symlink("/etc/passwd", filepath.Join(dir, "f")) }, nil},
		{"dangling link", func(dir string) error { return os.Symlink("nowhere", filepath.Join(dir, "f")) }, nil},
		{"pipe", func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "f"), 0o600) }, nil},
		{"directory", func(dir string) error { return os.Mkdir(filepath.Join(dir, "f"), 0o700) }, fs.ErrExist},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, root := open(t)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "other"), []byte("other"), 0o600))
			require.NoError(t, test.make(dir))
			before, err := os.Lstat(filepath.Join(dir, "f"))
			require.NoError(t, err)

			f, err := New(".temp-").Create(root, "f")
			require.NoError(t, err)
			defer f.Abort()
			require.ErrorIs(t, f.CommitNew(), fs.ErrExist)
			now, err := os.Lstat(filepath.Join(dir, "f"))
			require.NoError(t, err)
			require.Equal(t, before, now)

			require.ErrorIs(t, f.CommitOver(), test.over)
			f.Abort()
			require.Equal(t, []string{"f", "other"}, list(t, dir))
			require.Equal(t, "other", read(t, dir, "other"))
			if test.over == nil {
				require.Empty(t, read(t, dir, "f"))
			}
		})
	}
}

// TestFails has steps fail without a tracer.
func TestFails(t *testing.T) {
	dir, root := open(t)
	set := New(".temp-")

	_, err := New(strings.Repeat("x", 300)).Create(root, "f")
	require.ErrorIs(t, err, syscall.ENAMETOOLONG)
	_, err = New("sub/.temp-").Create(root, "f")
	require.ErrorIs(t, err, fs.ErrNotExist)

	for _, name := range []string{"sub/f", "../f", "/f", strings.Repeat("x", 300)} {
		f, err := set.Create(root, name)
		require.NoError(t, err)
		require.Error(t, f.CommitNew(), name)
		require.Error(t, f.CommitOver(), name)
		f.Abort()
		require.Empty(t, list(t, dir))
	}

	f, err := set.Create(root, "f")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.ErrorIs(t, f.CommitNew(), fs.ErrClosed) // it cannot be synced
	f.Abort()
	require.Empty(t, list(t, dir))

	f, err = set.Create(root, "f")
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(dir, f.temp)))
	require.ErrorIs(t, f.CommitNew(), fs.ErrNotExist)
	require.ErrorIs(t, f.CommitOver(), fs.ErrNotExist)
	f.Abort()
	require.Empty(t, list(t, dir))

	require.NoError(t, os.Remove(dir))
	_, err = set.Create(root, "f")
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Empty(t, set.live)
}

// TestRemoveStale: a regular file that a mark names and that has no lock is removed with the mark, and
// nothing else, whatever its name is.
func TestRemoveStale(t *testing.T) {
	dir, root := open(t)
	const random = "-0123456789abcdef"
	path := func(name string) string { return filepath.Join(dir, name) }
	file := func(name string) {
		require.NoError(t, os.WriteFile(path(name), []byte("half"), 0o400))
	}
	link := func(to, name string) { require.NoError(t, os.Symlink(to, path(name))) }
	marked := func(mark string) string {
		link(mark+random, mark)
		file(mark + random)
		return mark + random
	}
	stale := []string{marked(".temp-1"), marked(".temp-4294967295")}
	link(".temp-6"+random, ".temp-6") // whose file is gone

	held, operand := marked(".temp-2"), marked(".temp-3")
	stay := []string{".temp-2", held, ".temp-3", operand}
	for _, name := range []string{".temp-5", ".temp-5" + random, ".temp-", ".temp-x", "temp-1", ".TEMP-1", ".temp-71"} {
		file(name)
		stay = append(stay, name)
	}
	for to, name := range map[string]string{
		".temp-5" + random: ".temp-8", ".temp-71": ".temp-7", ".temp-9-0123456789abcdeg": ".temp-9", "../.temp-10" + random: ".temp-10",
		"nowhere": ".temp-11", ".temp-\u0661" + random: ".temp-\u0661", ".temp-12" + random: ".temp-12", ".temp-13" + random: ".temp-13",
	} {
		link(to, name)
		stay = append(stay, name)
	}
	file(".temp-\u0661" + random)
	require.NoError(t, os.Mkdir(path(".temp-12"+random), 0o700))
	require.NoError(t, syscall.Mkfifo(path(".temp-13"+random), 0o600))
	stay = append(stay, ".temp-\u0661"+random, ".temp-12"+random, ".temp-13"+random)

	f, err := os.Open(path(held))
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, Lock(f))
	again, err := os.Open(path(held))
	require.NoError(t, err)
	defer again.Close()
	require.Equal(t, syscall.EWOULDBLOCK, Lock(again))
	info, err := os.Stat(path(operand))
	require.NoError(t, err)

	mine, err := New(".temp-").Create(root, "f")
	require.NoError(t, err)
	defer mine.Abort()
	removed, err := New(".temp-").RemoveStale(root, func(file fs.FileInfo) bool { return os.SameFile(file, info) })
	require.NoError(t, err)
	require.ElementsMatch(t, stale, removed)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	require.ElementsMatch(t, append(stay, mine.mark, mine.temp), names)
}

// TestAtOnce has runs write into one directory and remove stale files there all the time:
// no run is in another's way.
func TestAtOnce(t *testing.T) {
	dir, root := open(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 100 {
				set := New(".temp-")
				_, err := set.RemoveStale(root, nil)
				f, e := set.Create(root, fmt.Sprint(i%4))
				err = errors.Join(err, e)
				if e == nil {
					_, e = fmt.Fprint(f, strings.Repeat("x", 1000*n))
					_, stale := set.RemoveStale(root, nil)
					err = errors.Join(err, e, stale, f.CommitOver())
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, []string{"0", "1", "2", "3"}, list(t, dir))
}

// A waiting is a process that has made its temporary file.
type waiting struct {
	*exec.Cmd
	stdin io.Closer
}

func startWaiting(t *testing.T, command ...string) waiting {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	ready, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", ready)
	return waiting{cmd, stdin}
}

// TestOtherProcess: what one process writes, another leaves alone until it is killed.
func TestOtherProcess(t *testing.T) {
	dir := t.TempDir()
	first := startWaiting(t, "atomicwrite", "over", dir, "wait")
	second := startWaiting(t, "atomicwrite", "over", dir, "wait")
	require.Equal(t, []string{"temp", "temp"}, list(t, dir))
	require.NoError(t, first.stdin.Close())
	require.NoError(t, first.Wait())
	require.Equal(t, []string{"temp", "f"}, list(t, dir))
	require.NoError(t, second.Process.Kill())
	require.Error(t, second.Wait())
	require.Equal(t, []string{"temp", "f"}, list(t, dir))
	require.NoError(t, exec.Command("atomicwrite", "over", dir).Run())
	require.Equal(t, []string{"f"}, list(t, dir))
}

// TestSignals: a signal that ends the process removes its temporary file, and leaves
// those of other processes.
func TestSignals(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			dir := t.TempDir()
			other := startWaiting(t, "atomicwrite", "new", dir, "wait")
			p := startWaiting(t, "atomicwrite", "new", dir, "wait")
			require.Len(t, list(t, dir), 2)
			require.NoError(t, p.Process.Signal(sig))
			_ = p.Wait()
			status := p.ProcessState.Sys().(syscall.WaitStatus)
			require.True(t, status.Signaled(), status)
			require.Equal(t, sig, status.Signal())
			require.Equal(t, []string{"temp"}, list(t, dir))
			require.NoError(t, other.stdin.Close())
			require.NoError(t, other.Wait())
			require.Equal(t, []string{"f"}, list(t, dir))
		})
	}
}

// TestIgnoredSignal: under nohup(1), SIGHUP does nothing.
func TestIgnoredSignal(t *testing.T) {
	dir := t.TempDir()
	p := startWaiting(t, "sh", "-c", `trap "" HUP; exec atomicwrite new "$0" wait`, dir)
	require.NoError(t, p.Process.Signal(syscall.SIGHUP))
	require.NoError(t, p.stdin.Close())
	require.NoError(t, p.Wait())
	require.Equal(t, []string{"f"}, list(t, dir))
}

// TestEveryCall kills a run before each of its calls, or has that call fail: the name refers
// to the old file, to nothing or to the new one, and the next run completes the work.
func TestEveryCall(t *testing.T) {
	injected := 0
	// check looks at what a run left in dir, which ended with an error or was killed.
	check := func(dir, how, where string) {
		injected++
		got, err := os.ReadFile(filepath.Join(dir, "f"))
		switch {
		case how == "over":
			require.NoError(t, err, where)
			require.Contains(t, []string{"old", "new"}, string(got), where)
		case err == nil:
			require.Equal(t, "new", string(got), where)
			require.NoError(t, os.Remove(filepath.Join(dir, "f")))
		default:
			require.ErrorIs(t, err, fs.ErrNotExist, where)
		}
		require.NoError(t, write(how == "over", dir, false), where)
		require.Equal(t, []string{"f"}, list(t, dir), where)
		require.Equal(t, "new", read(t, dir, "f"), where)
	}
	begin := func(how string) (dir string) {
		dir = t.TempDir()
		if how == "over" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), []byte("old"), 0o600))
		}
		return dir
	}
	for _, how := range []string{"new", "over"} {
		dir, made := begin(how), map[string]int{}
		calls.Run(t, func() { _ = write(how == "over", dir, false) }, func(call string) syscall.Errno {
			made[call]++
			left := t.TempDir()
			require.NoError(t, os.CopyFS(left, os.DirFS(dir)))
			check(left, how, fmt.Sprintf("%s, killed at %s %d", how, call, made[call]))
			return 0
		})
		require.Equal(t, "new", read(t, dir, "f"))
		for call, times := range made {
			for _, errno := range []syscall.Errno{syscall.EIO, syscall.EPERM, syscall.ENOSPC} {
				for n := 1; n <= times; n++ {
					dir, fault := begin(how), calls.Fault{Calls: []string{call}, Errno: errno, At: n}
					var err error
					calls.Run(t, func() { err = write(how == "over", dir, false) }, fault.Before)
					where := fmt.Sprintf("%s, %s %d: %v", how, call, n, errno)
					require.Equal(t, 1, fault.Injected, where)
					if call != "unlinkat" {
						require.NotContains(t, list(t, dir), "temp", where)
					}
					if err != nil {
						check(dir, how, where)
						continue
					}
					injected++
					require.Equal(t, "new", read(t, dir, "f"), where)
				}
			}
		}
	}
	t.Logf("%d times", injected)
	require.Greater(t, injected, 100)
}
