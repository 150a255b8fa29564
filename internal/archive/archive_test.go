package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"jl/internal/atomicfile"
	"jl/internal/cli"
	"jl/internal/source"
)

// strace(1) counts the calls of each thread. With JL_TEST_ONE_THREAD the program makes
// all of its calls in one thread, so that the N-th call of that is the N-th of all.
func init() {
	if os.Getenv("JL_TEST_ONE_THREAD") != "" {
		runtime.LockOSThread()
	}
	// The race detector makes each process sleep for a second at its end.
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"archive": main})
}

// main is a program that archives its operands.
func main() { cli.Main("archive", "", run) }

type flags struct {
	To    string
	Level int
	Keep  bool
	Files []string `arg:"" optional:""`
}

func run(c *cli.Command, f *flags) {
	a, err := New(Options{To: f.To, Level: f.Level, Keep: f.Keep, Terminal: c.Terminal(), Count: len(f.Files)})
	if err != nil {
		c.Fail(f.To, err)
		return
	}
	defer a.Close()
	for _, name := range f.Files {
		if err := a.Archive(name); err != nil {
			c.Fail(name, err)
		}
	}
}

// A scene is a directory with a log to archive.
type scene struct {
	dir, log, target string
	text             []byte
	was              fs.FileInfo
}

// logText returns n bytes that compress about as well as a log.
func logText(n int) []byte {
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, "{\"uuid\":\"%016x\",\"message\":\"%s\"}\n", rnd.Uint64(), strings.Repeat("again and ", rnd.IntN(40)))
	}
	return b.Bytes()[:n]
}

// longAgo has digits down to the nanosecond, so that a lost one shows.
var longAgo = time.Unix(1_600_000_000, 123_456_789)

func newScene(t *testing.T, text []byte, mode fs.FileMode) *scene {
	t.Helper()
	dir := t.TempDir()
	s := &scene{dir: dir, log: filepath.Join(dir, "s.jsonl"), target: filepath.Join(dir, "s.jsonl.zst"), text: text}
	s.reset(t, mode)
	return s
}

// reset leaves nothing in the directory but the log, as it was.
func (s *scene) reset(t *testing.T, mode fs.FileMode) {
	t.Helper()
	for _, name := range s.list(t) {
		require.NoError(t, os.Remove(filepath.Join(s.dir, name)))
	}
	require.NoError(t, os.WriteFile(s.log, s.text, 0o600))
	require.NoError(t, os.Chmod(s.log, mode))
	require.NoError(t, os.Chtimes(s.log, longAgo.Add(time.Hour), longAgo))
	var err error
	s.was, err = os.Lstat(s.log)
	require.NoError(t, err)
}

// list returns what is in the directory, sorted.
func (s *scene) list(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(s.dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// unpack returns what an archive holds.
func unpack(name string) ([]byte, error) {
	src, err := source.Open(name, nil, nil)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	return io.ReadAll(src)
}

// oldOrNew requires that the log or its archive exists, and that each that exists is
// whole.
func (s *scene) oldOrNew(t *testing.T) {
	t.Helper()
	want := sha256.Sum256(s.text)
	whole := 0
	if text, err := os.ReadFile(s.log); !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
		require.Equal(t, want, sha256.Sum256(text), "the log")
		info, err := os.Lstat(s.log)
		require.NoError(t, err)
		require.True(t, os.SameFile(s.was, info))
		require.Equal(t, s.was.Mode(), info.Mode())
		require.True(t, s.was.ModTime().Equal(info.ModTime()))
		whole++
	}
	if text, err := unpack(s.target); !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
		require.Equal(t, want, sha256.Sum256(text), "the archive")
		whole++
	}
	require.Positive(t, whole, "neither")
}

// archived requires that there is nothing but the archive, with the metadata of the log.
func (s *scene) archived(t *testing.T) {
	t.Helper()
	require.Equal(t, []string{"s.jsonl.zst"}, s.list(t))
	s.oldOrNew(t)
	info, err := os.Lstat(s.target)
	require.NoError(t, err)
	require.Equal(t, s.was.Mode(), info.Mode())
	require.True(t, s.was.ModTime().Equal(info.ModTime()), "%v %v", s.was.ModTime(), info.ModTime())
	require.Equal(t, stat(s.was).Uid, stat(info).Uid)
	require.Equal(t, stat(s.was).Gid, stat(info).Gid)
}

// untouched requires that there is nothing but the log, as it was.
func (s *scene) untouched(t *testing.T) {
	t.Helper()
	require.Equal(t, []string{"s.jsonl"}, s.list(t))
	s.oldOrNew(t)
}

// outcome is how a run ended.
type outcome struct {
	status         int // -1 if it was killed
	stdout, stderr string
}

func runCommand(t *testing.T, cmd *exec.Cmd) outcome {
	t.Helper()
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		require.NoError(t, err)
	}
	require.NotContains(t, errs.String(), "goroutine ")
	return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// archive runs the program, which TestMain puts into PATH.
func archive(t *testing.T, args ...string) outcome {
	t.Helper()
	return runCommand(t, exec.Command("archive", args...))
}

// silent is the outcome of a run that did all that it was told.
var silent = outcome{}

// message is what any other run prints.
var message = regexp.MustCompile(`^archive: [^\n]*: [a-z][^\n]*\n$`)

// traced runs the program under strace. It returns the trace as well.
func traced(t *testing.T, options, args []string) (outcome, string) {
	t.Helper()
	logged := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command("strace", slices.Concat([]string{"-f", "-qq", "-s0", "-o", logged}, options, []string{"archive"}, args)...)
	cmd.Env = append(os.Environ(), "JL_TEST_ONE_THREAD=1", "GOMAXPROCS=1")
	got := runCommand(t, cmd)
	trace, err := os.ReadFile(logged)
	require.NoError(t, err)
	return got, string(trace)
}

func needStrace(t *testing.T) {
	if err := exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skip("no strace(1) that may trace here: ", err)
	}
}

// sweeps are the ways that a run can go, by what is in the directory besides the log.
var sweeps = []struct {
	name   string
	before func(t *testing.T, s *scene)
	calls  map[string]int // that are interrupted: how many there are, or -1 if that varies
}{
	{
		"fresh", func(*testing.T, *scene) {},
		map[string]int{"write": 4, "fsync": 5, "linkat": 1, "unlinkat": 2, "fchmod": 1, "utimensat": 1, "flock": 2,
			"close": -1, "openat": -1, "lseek": -1, "read": -1, "pread64": -1, "newfstatat": -1, "fstat": -1, "getdents64": -1},
	},
	{
		"leftover",
		func(t *testing.T, s *scene) {
			require.NoError(t, os.WriteFile(filepath.Join(s.dir, ".jlcompact-123"), []byte("half"), 0o600))
		},
		map[string]int{"unlinkat": 3, "flock": 3, "linkat": 1},
	},
	{
		"both exist",
		func(t *testing.T, s *scene) {
			var packed bytes.Buffer
			z, err := source.NewWriter(&packed, 0)
			require.NoError(t, err)
			_, err = z.Write(s.text)
			require.NoError(t, err)
			require.NoError(t, z.Close())
			require.NoError(t, os.WriteFile(s.target, packed.Bytes(), 0o600))
			require.NoError(t, os.Chmod(s.target, s.was.Mode()))
			require.NoError(t, os.Chtimes(s.target, longAgo, longAgo))
		},
		map[string]int{"fsync": 3, "linkat": 0, "unlinkat": 1, "fchmod": 0, "utimensat": 0, "flock": 1, "close": -1, "openat": -1},
	},
}

// TestKillAtEveryCall kills the program at the beginning of its N-th call of each kind,
// for all N: the log or its archive is whole, and a second run completes the work and
// leaves nothing else.
func TestKillAtEveryCall(t *testing.T) {
	needStrace(t)
	var kills atomic.Int32
	t.Cleanup(func() { t.Logf("killed %d times", kills.Load()) })
	for _, sweep := range sweeps {
		for call, known := range sweep.calls {
			t.Run(sweep.name+"/"+call, func(t *testing.T) {
				t.Parallel()
				size := 300_000
				if call == "write" {
					size = 4_400_000 // three frames and the table
				}
				s := newScene(t, logText(size), 0o640)
				n := 1
				for ; ; n++ {
					require.Less(t, n, 200)
					s.reset(t, 0o640)
					sweep.before(t, s)
					got, _ := traced(t, []string{"-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", call, n)},
						[]string{s.log})
					if got == silent {
						s.archived(t)
						break
					}
					require.Equal(t, outcome{status: -1}, got)
					kills.Add(1)
					s.oldOrNew(t)
					require.Equal(t, silent, archive(t, s.log))
					s.archived(t)
				}
				if known >= 0 {
					require.Equal(t, known, n-1)
				}
			})
		}
	}
}

// TestKillAtAnyTime kills the program at random times: 20 times, or as often as
// JL_TEST_KILLS says.
func TestKillAtAnyTime(t *testing.T) {
	kills := 20
	if env := os.Getenv("JL_TEST_KILLS"); env != "" {
		var err error
		kills, err = strconv.Atoi(env)
		require.NoError(t, err)
	}
	s := newScene(t, logText(3_500_000), 0o600)
	whole := time.Hour
	for range 3 {
		s.reset(t, 0o600)
		begin := time.Now()
		require.Equal(t, silent, archive(t, s.log))
		whole = min(whole, time.Since(begin))
		s.archived(t)
	}
	runs, killed, old, both := 0, 0, 0, 0
	for ; killed < kills; runs++ {
		require.Less(t, runs, 10*kills)
		s.reset(t, 0o600)
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.Int64N(int64(whole))))
		cmd := exec.CommandContext(ctx, "archive", s.log) // which kills by SIGKILL
		if cmd.Start() == nil {
			_ = cmd.Wait()
			if cmd.ProcessState.ExitCode() < 0 {
				killed++
			}
		}
		cancel()
		s.oldOrNew(t)
		switch names := s.list(t); {
		case slices.Contains(names, "s.jsonl") && slices.Contains(names, "s.jsonl.zst"):
			both++
		case slices.Contains(names, "s.jsonl"):
			old++
		}
		require.Equal(t, silent, archive(t, s.log))
		s.archived(t)
	}
	t.Logf("killed %d times in %d runs of %v: the log was left %d times, both %d times", killed, runs, whole, old, both)
}

// TestSignals ends the program by a signal while it writes: the temporary file is removed,
// and the log is left alone.
func TestSignals(t *testing.T) {
	needStrace(t)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			s := newScene(t, logText(300_000), 0o640)
			// The second call takes long enough for the signal to be handled before it ends.
			got, trace := traced(t, []string{"-e", "trace=fsync,fchmod", "-e", fmt.Sprintf("inject=fsync:signal=%d:when=1", int(sig)),
				"-e", "inject=fchmod:delay_enter=3000000"}, []string{s.log})
			require.Equal(t, -1, got.status)
			require.Regexp(t, `killed by SIG(INT|TERM|HUP)`, trace)
			s.untouched(t)
		})
	}
}

// TestEveryCallFails makes the N-th call of each kind fail, for all N. Either the failure
// does not matter and the work is done, or the program reports it in one line and with
// status 2, and the log or its archive is whole. Then a second run completes the work.
func TestEveryCallFails(t *testing.T) {
	needStrace(t)
	faults := map[string][]string{
		"write":      {"ENOSPC", "EIO", "EDQUOT"},
		"fsync":      {"EIO", "ENOSPC"},
		"close":      {"EIO"},
		"linkat":     {"EXDEV", "EPERM", "EMLINK", "EIO"},
		"openat":     {"EACCES", "EMFILE", "EIO"},
		"unlinkat":   {"EIO", "EPERM", "EBUSY"},
		"fchmod":     {"EPERM", "EIO"},
		"utimensat":  {"EPERM", "EIO"},
		"read":       {"EIO"},
		"pread64":    {"EIO"},
		"lseek":      {"EIO"},
		"newfstatat": {"EIO", "EACCES"},
		"fstat":      {"EIO"},
		"getdents64": {"EIO"},
		"flock":      {"ENOLCK", "EBADF"}, // without locks the program goes on
	}
	// All of these matter: they write the archive, or make it last.
	grave := []string{"write", "fsync", "linkat", "unlinkat", "fchmod", "utimensat", "pread64", "getdents64"}
	var failures, reported atomic.Int32
	t.Cleanup(func() { t.Logf("%d failures, %d of them reported", failures.Load(), reported.Load()) })
	for _, sweep := range sweeps {
		for call, errs := range faults {
			if sweep.calls[call] == 0 || call == "flock" && sweep.name == "leftover" {
				continue // without locks, a leftover stays
			}
			for _, fault := range errs {
				t.Run(sweep.name+"/"+call+"/"+fault, func(t *testing.T) {
					t.Parallel()
					s := newScene(t, logText(300_000), 0o640)
					for n := 1; ; n++ {
						require.Less(t, n, 200)
						s.reset(t, 0o640)
						sweep.before(t, s)
						got, trace := traced(t, []string{"-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:error=%s:when=%d", call, fault, n)},
							[]string{s.log})
						if !strings.Contains(trace, "(INJECTED)") {
							require.Equal(t, silent, got)
							break
						}
						if got.status == 127 {
							continue // the loader's call
						}
						failures.Add(1)
						s.oldOrNew(t)
						if got.status == 0 {
							require.NotContains(t, grave, call, trace)
							require.Equal(t, silent, got)
							s.archived(t)
							continue
						}
						reported.Add(1)
						require.Equal(t, 2, got.status)
						require.Empty(t, got.stdout)
						require.Regexp(t, message, got.stderr)
						if !slices.Contains(s.list(t), "s.jsonl") {
							// The call failed too late to leave the log alone.
							require.Contains(t, []string{"fsync", "close"}, call)
							require.Contains(t, got.stderr, "archived in ")
						}
						require.Equal(t, silent, archive(t, s.log))
						s.archived(t)
					}
				})
			}
		}
	}
}

// TestFailsForGood makes calls fail from the N-th on, as on a disk that is full or gone:
// the log stays, and at most a temporary file.
func TestFailsForGood(t *testing.T) {
	needStrace(t)
	for _, fault := range []string{"write:error=ENOSPC", "fsync:error=EIO", "unlinkat:error=EIO", "linkat:error=EPERM", "write,fsync,unlinkat,close:error=EIO"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, logText(300_000), 0o640)
			call, _, _ := strings.Cut(fault, ":")
			for n := 1; ; n++ {
				s.reset(t, 0o640)
				got, trace := traced(t, []string{"-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:when=%d+", fault, n)}, []string{s.log})
				if !strings.Contains(trace, "(INJECTED)") {
					require.Equal(t, silent, got)
					break
				}
				if got.status == 127 {
					continue // the loader's call
				}
				s.oldOrNew(t)
				if n < 3 { // the last fsync comes after the log was removed
					require.FileExists(t, s.log)
				}
				if got.status == 0 {
					require.Equal(t, "write,fsync,unlinkat,close", call) // of what was only read
					s.archived(t)
					continue
				}
				require.Equal(t, 2, got.status)
				if !strings.HasPrefix(call, "write") { // which a message needs
					require.Regexp(t, message, got.stderr)
				}
				require.Equal(t, silent, archive(t, s.log))
				s.archived(t)
			}
		})
	}
}

// calledOn finds in a trace made with -y the name of a call, the open file or directory
// that it is given, and a name in that directory.
var calledOn = regexp.MustCompile(`^\d+ +(\w+)\((?:AT_FDCWD[^,]*|\d+<([^>]*)>)(?:, "([^"]*)")?`)

// TestOrder finds the steps in a trace: the contents are on the disk before the archive
// gets its name, and the name before the log is removed. Nothing is opened for writing but
// the temporary file, which no other user can open.
func TestOrder(t *testing.T) {
	needStrace(t)
	s := newScene(t, logText(2_500_000), 0o600)
	to := t.TempDir()
	calls := []string{"-y", "-e", "trace=write,fsync,linkat,unlinkat,fchmod,utimensat,openat,read,rename,renameat,renameat2,creat,open"}
	got, trace := traced(t, calls, []string{"--to", to, s.log})
	require.Equal(t, silent, got)

	var steps []string
	for line := range strings.Lines(trace) {
		m := calledOn.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		call, path := m[1], m[3]
		if !filepath.IsAbs(path) {
			path = filepath.Join(m[2], path)
		}
		switch name := filepath.Base(path); {
		case strings.HasPrefix(name, ".jlcompact-"):
			path = "temp"
		case path == s.log:
			path = "log"
		case filepath.Clean(path) == to:
			path = "to"
		case filepath.Clean(path) == s.dir:
			path = "from"
		default:
			require.NotRegexp(t, `O_WRONLY|O_RDWR|O_CREAT`, line)
			continue
		}
		if call == "openat" && strings.Contains(line, "O_CREAT") {
			require.Contains(t, line, "O_EXCL")
			require.Contains(t, line, ", 0600)")
			call = "create"
		}
		if call == "fchmod" {
			require.Contains(t, line, ", 0600)")
		}
		if step := call + " " + path; len(steps) == 0 || steps[len(steps)-1] != step {
			steps = append(steps, step)
		}
	}
	all := strings.Join(steps, ", ")
	// Reading and writing alternate.
	all = regexp.MustCompile(`(read log, write temp, )+(read log, )?`).ReplaceAllString(all, "pack, ")
	all = regexp.MustCompile(`write temp, `).ReplaceAllString(all, "pack, ")
	all = regexp.MustCompile(`(pack, )+`).ReplaceAllString(all, "pack, ")
	all = regexp.MustCompile(`(read temp, |read log, )+`).ReplaceAllString(all, "read, ")
	// It is opened, and read for leftovers.
	all = strings.TrimPrefix(all, "openat to, ")
	require.Equal(t, "openat from, openat log, create temp, openat log, pack, fsync temp, read, openat log, read, "+
		"fchmod temp, utimensat temp, fsync temp, linkat temp, unlinkat temp, fsync to, unlinkat log, fsync from",
		all)
}

// meanwhile runs the program, stops it after its n-th call of a kind, and calls do before
// it goes on. The options are strace's.
func meanwhile(t *testing.T, s *scene, call string, n int, do func(), options ...string) outcome {
	t.Helper()
	logged := filepath.Join(t.TempDir(), "trace")
	options = append([]string{"-f", "-qq", "-o", logged, "-e", "trace=unlinkat," + call,
		"-e", fmt.Sprintf("inject=%s:signal=SIGSTOP:when=%d", call, n)}, options...)
	cmd := exec.Command("strace", append(options, "archive", s.log)...)
	cmd.Env = append(os.Environ(), "JL_TEST_ONE_THREAD=1")
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Start())
	stopped := regexp.MustCompile(`(?m)^(\d+) +--- stopped by SIGSTOP`)
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		trace, _ := os.ReadFile(logged)
		if m := stopped.FindSubmatch(trace); m != nil {
			pid, err := strconv.Atoi(string(m[1]))
			require.NoError(t, err)
			do()
			require.NoError(t, syscall.Kill(pid, syscall.SIGCONT))
			break
		}
		require.True(t, time.Now().Before(end), "it did not stop")
	}
	if err := cmd.Wait(); err != nil {
		require.IsType(t, (*exec.ExitError)(nil), err)
	}
	return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// TestChangedMeanwhile changes the log at each stage of a run: the log is left alone, and
// no archive of what it was remains.
func TestChangedMeanwhile(t *testing.T) {
	needStrace(t)
	stages := []struct {
		name, call string
		n          int
	}{
		{"written", "fsync", 1}, {"compared", "fchmod", 1}, {"finished", "fsync", 2}, {"synced", "fsync", 3}, {"named", "linkat", 1}, {"lasting", "fsync", 4},
	}
	write := func(t *testing.T, name string, flag int, text string) {
		f, err := os.OpenFile(name, os.O_WRONLY|flag, 0o600)
		require.NoError(t, err)
		_, err = f.WriteString(text)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	changes := []struct {
		name   string
		change func(t *testing.T, s *scene)
	}{
		{"grown", func(t *testing.T, s *scene) { write(t, s.log, os.O_APPEND, "more\n") }},
		{"cut", func(t *testing.T, s *scene) { require.NoError(t, os.Truncate(s.log, 5)) }},
		{"other bytes, same size and time", func(t *testing.T, s *scene) {
			write(t, s.log, 0, "[")
			require.NoError(t, os.Chtimes(s.log, longAgo, longAgo))
		}},
		{"replaced", func(t *testing.T, s *scene) {
			other := filepath.Join(t.TempDir(), "other")
			require.NoError(t, os.WriteFile(other, s.text, 0o640))
			require.NoError(t, os.Chtimes(other, longAgo, longAgo))
			require.NoError(t, os.Rename(other, s.log))
		}},
		{"linked", func(t *testing.T, s *scene) { require.NoError(t, os.Link(s.log, filepath.Join(t.TempDir(), "other"))) }},
		{"opened to all", func(t *testing.T, s *scene) { require.NoError(t, os.Chmod(s.log, 0o666)) }},
		{"gone", func(t *testing.T, s *scene) { require.NoError(t, os.Remove(s.log)) }},
	}
	for _, stage := range stages {
		for _, change := range changes {
			t.Run(stage.name+"/"+change.name, func(t *testing.T) {
				t.Parallel()
				s := newScene(t, logText(300_000), 0o640)
				var want []byte
				got := meanwhile(t, s, stage.call, stage.n, func() {
					change.change(t, s)
					want, _ = os.ReadFile(s.log)
				})
				require.Equal(t, outcome{2, "", "archive: " + s.log + ": changed meanwhile\n"}, got)
				late := stage.name == "synced" || stage.name == "named" || stage.name == "lasting"
				switch {
				case change.name == "gone" && late, change.name == "replaced" && late:
					// The archive may be the only copy.
					require.Contains(t, s.list(t), "s.jsonl.zst")
					text, err := unpack(s.target)
					require.NoError(t, err)
					require.Equal(t, sha256.Sum256(s.text), sha256.Sum256(text))
				case change.name == "gone":
					require.Empty(t, s.list(t))
				default:
					require.Equal(t, []string{"s.jsonl"}, s.list(t))
				}
				is, _ := os.ReadFile(s.log)
				require.True(t, bytes.Equal(want, is))
			})
		}
	}
}

// TestStaleStays changes a log when its archive has its name, and makes the archive
// impossible to remove.
func TestStaleStays(t *testing.T) {
	needStrace(t)
	s := newScene(t, logText(300_000), 0o640)
	got := meanwhile(t, s, "linkat", 1, func() { require.NoError(t, os.Truncate(s.log, 5)) },
		"-e", "inject=unlinkat:error=EIO:when=2") // the first removes the temporary name
	require.Equal(t, outcome{2, "", "archive: " + s.log + ": changed meanwhile, and " + s.target +
		", which holds what it was, not removed: input/output error\n"}, got)
	require.Equal(t, []string{"s.jsonl", "s.jsonl.zst"}, s.list(t))
	text, err := unpack(s.target)
	require.NoError(t, err)
	require.Equal(t, sha256.Sum256(s.text), sha256.Sum256(text))
}

// TestGrowing appends to the log all the time: no byte is lost.
func TestGrowing(t *testing.T) {
	s := newScene(t, logText(3_000_000), 0o600)
	stop, stopped := make(chan bool), make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				stopped <- n
				return
			case <-time.After(300 * time.Microsecond):
				if f, err := os.OpenFile(s.log, os.O_APPEND|os.O_WRONLY, 0); err == nil {
					if m, _ := f.WriteString("more\n"); m == 5 {
						n++
					}
					f.Close()
				}
			}
		}
	}()
	runs := 20
	for range runs {
		got := archive(t, s.log)
		require.Equal(t, outcome{2, "", "archive: " + s.log + ": changed meanwhile\n"}, got)
	}
	close(stop)
	n := <-stopped
	require.Greater(t, n, runs)
	require.Equal(t, []string{"s.jsonl"}, s.list(t))
	text, err := os.ReadFile(s.log)
	require.NoError(t, err)
	require.True(t, string(text) == string(s.text)+strings.Repeat("more\n", n))
	t.Logf("%d runs, %d lines", runs, n)
}

// TestReadBack changes the temporary file before it is read back.
func TestReadBack(t *testing.T) {
	needStrace(t)
	for _, at := range []int64{0, 5, 100, 5000, -1, -5, -9, -12, -20, -30, -40, -60} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			t.Parallel()
			s := newScene(t, logText(3_000_000), 0o640)
			got := meanwhile(t, s, "fsync", 1, func() {
				names, err := filepath.Glob(filepath.Join(s.dir, ".jlcompact-*"))
				require.NoError(t, err)
				require.Len(t, names, 1)
				packed, err := os.ReadFile(names[0])
				require.NoError(t, err)
				i := at
				if i < 0 {
					i += int64(len(packed))
				}
				packed[i] ^= 0x10
				require.NoError(t, os.WriteFile(names[0], packed, 0))
			})
			require.Equal(t, 2, got.status)
			require.Empty(t, got.stdout)
			require.Regexp(t, "^archive: "+s.log+": read back "+s.target+": .*\n$", got.stderr)
			s.untouched(t)
		})
	}
}

// TestTargetAppears takes the name of the archive for another file.
func TestTargetAppears(t *testing.T) {
	needStrace(t)
	s := newScene(t, logText(300_000), 0o640)
	got := meanwhile(t, s, "fsync", 2, func() { require.NoError(t, os.WriteFile(s.target, []byte("mine"), 0o600)) })
	require.Equal(t, outcome{2, "", "archive: " + s.log + ": " + s.target + " exists\n"}, got)
	text, err := os.ReadFile(s.target)
	require.NoError(t, err)
	require.Equal(t, "mine", string(text))
	require.NoError(t, os.Remove(s.target))
	s.untouched(t)

	// Then it replaces the archive by another file.
	got = meanwhile(t, s, "fsync", 4, func() {
		other := filepath.Join(t.TempDir(), "other")
		require.NoError(t, os.WriteFile(other, []byte("mine"), 0o600))
		require.NoError(t, os.Rename(other, s.target))
	})
	require.Equal(t, outcome{2, "", "archive: " + s.log + ": read back " + s.target + ": changed meanwhile\n"}, got)
	require.NoError(t, os.Remove(s.target))
	s.untouched(t)
}

// TestModes looks at the mode of the temporary file: it is 0600 until the file is whole,
// then that of the log.
func TestModes(t *testing.T) {
	needStrace(t)
	for _, mode := range []fs.FileMode{0o600, 0o400, 0o644, 0o640, 0o444, 0o000} {
		t.Run(fmt.Sprintf("%04o", mode), func(t *testing.T) {
			t.Parallel()
			if mode&0o400 == 0 && os.Geteuid() != 0 {
				t.Skip("it cannot be read")
			}
			s := newScene(t, logText(300_000), mode)
			modes := func() (modes []fs.FileMode) {
				names, err := filepath.Glob(filepath.Join(s.dir, ".jlcompact-*"))
				require.NoError(t, err)
				for _, name := range names {
					info, err := os.Lstat(name)
					require.NoError(t, err)
					modes = append(modes, info.Mode())
				}
				return modes
			}
			old := syscall.Umask(0o022)
			syscall.Umask(old)
			for _, at := range []struct {
				call string
				n    int
				mode fs.FileMode
			}{{"flock", 2, 0o600}, {"fsync", 1, 0o600}, {"fsync", 2, mode}} {
				s.reset(t, mode)
				got := meanwhile(t, s, at.call, at.n, func() { require.Equal(t, []fs.FileMode{at.mode}, modes()) })
				require.Equal(t, silent, got)
				s.archived(t)
			}
		})
	}
}

// TestTimes: the archive has the access time that the log had before it was archived.
func TestTimes(t *testing.T) {
	s := newScene(t, logText(1000), 0o400)
	want, _ := stamps(s.was)
	require.True(t, want.Equal(longAgo.Add(time.Hour)))
	require.Equal(t, silent, archive(t, s.log))
	s.archived(t)
	info, err := os.Lstat(s.target)
	require.NoError(t, err)
	got, _ := stamps(info)
	// It may be newer, because archived reads the archive.
	require.False(t, got.Before(want))
}

// TestOwner: a user who can change owners keeps the owner; any other leaves the files of
// others alone.
func TestOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root")
	}
	s := newScene(t, logText(1000), 0o644)
	require.NoError(t, os.Chown(s.log, 12345, 54321))
	var err error
	s.was, err = os.Lstat(s.log)
	require.NoError(t, err)
	require.Equal(t, silent, archive(t, s.log))
	s.archived(t)

	s.reset(t, 0o644)
	require.NoError(t, os.Chmod(s.dir, 0o777))
	path, err := exec.LookPath("archive")
	require.NoError(t, err)
	// Another user cannot search the directories of the tests: open them.
	cmd := exec.Command(path, "s.jsonl")
	cmd.Dir = s.dir
	for dir := range ancestors(s.dir, path) {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		if info.Mode()&0o001 == 0 {
			require.NoError(t, os.Chmod(dir, info.Mode()|0o011))
			defer os.Chmod(dir, info.Mode())
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	require.Equal(t, outcome{2, "", "archive: s.jsonl: its owner cannot be kept: operation not permitted\n"}, runCommand(t, cmd))
	s.untouched(t)
}

// ancestors yields the directories above paths, up to that of temporary files.
func ancestors(paths ...string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, path := range paths {
			for dir := filepath.Dir(path); len(dir) > len(filepath.Clean(os.TempDir())); dir = filepath.Dir(dir) {
				if !yield(dir) {
					return
				}
			}
		}
	}
}

// TestLeftovers: what killed runs left is removed, and nothing else. TestRemoveStale of
// package atomicfile has all the names.
func TestLeftovers(t *testing.T) {
	s := newScene(t, logText(1000), 0o600)
	for _, name := range []string{".jlcompact-1", ".jlcompact-2", ".jlcompact-x"} {
		require.NoError(t, os.WriteFile(filepath.Join(s.dir, name), []byte("half"), 0o400))
	}
	held, err := os.Open(filepath.Join(s.dir, ".jlcompact-2"))
	require.NoError(t, err)
	defer held.Close()
	require.NoError(t, atomicfile.Lock(held))

	require.Equal(t, silent, archive(t, s.log))
	require.Equal(t, []string{".jlcompact-2", ".jlcompact-x", "s.jsonl.zst"}, s.list(t))
	s.oldOrNew(t)
}

// TestInUse: a log that another run has locked is left alone.
func TestInUse(t *testing.T) {
	s := newScene(t, logText(1000), 0o600)
	held, err := os.Open(s.log)
	require.NoError(t, err)
	defer held.Close()
	require.NoError(t, atomicfile.Lock(held))
	require.Equal(t, outcome{2, "", "archive: " + s.log + ": is in use by another jlcompact\n"}, archive(t, s.log))
	s.untouched(t)
}

// TestAtOnce runs the program several times at once: only one run archives a log, and runs
// in one directory are not in each other's way.
func TestAtOnce(t *testing.T) {
	s := newScene(t, logText(3_000_000), 0o600)
	const runs = 4
	for range 5 {
		s.reset(t, 0o600)
		var wg sync.WaitGroup
		got := make([]outcome, runs)
		for i := range runs {
			wg.Go(func() { got[i] = archive(t, s.log) })
		}
		wg.Wait()
		s.archived(t)
		require.Contains(t, got, silent)
		for _, g := range got {
			if g != silent {
				require.Equal(t, 2, g.status)
				require.Regexp(t, message, g.stderr)
			}
		}
	}

	s.reset(t, 0o600)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := filepath.Join(s.dir, fmt.Sprint(i))
			if os.WriteFile(name, s.text, 0o600) == nil {
				if got := archive(t, name); got != silent {
					t.Error(got)
				}
			}
		})
	}
	wg.Wait()
	require.Len(t, s.list(t), 9)
	for i := range 8 {
		text, err := unpack(filepath.Join(s.dir, fmt.Sprint(i)+".zst"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(s.text, text))
	}
}

// inProcess runs the program without a process.
func inProcess(args ...string) outcome {
	var out, errs strings.Builder
	status := cli.Run("archive", "", args, cli.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, run)
	return outcome{status, out.String(), errs.String()}
}

// TestLossless archives all kinds of bytes, of sizes around those that matter, and reads
// the archives with zstd(1) too.
func TestLossless(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 3<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	noise[0] = '{'
	var texts [][]byte
	for _, at := range []int{0, blockSize, 2 * blockSize, 1 << 20, 2 << 20} {
		for n := max(0, at-1); n <= at+1; n++ {
			texts = append(texts, logText(n), noise[:n], bytes.Repeat([]byte{'\n'}, n), make([]byte, n))
		}
	}
	for range 40 {
		texts = append(texts, logText(rnd.IntN(2000)), noise[:rnd.IntN(5000)])
	}
	zstd, _ := exec.LookPath("zstd")
	for i, text := range texts {
		s := newScene(t, text, 0o600)
		require.Equal(t, silent, inProcess("--level", fmt.Sprint(1+i%6), s.log))
		s.archived(t)
		if zstd != "" && i%4 == 0 {
			got, err := exec.Command(zstd, "-dcq", s.target).Output()
			require.NoError(t, err)
			require.True(t, bytes.Equal(text, got))
		}
	}
	t.Logf("%d logs", len(texts))
}

// TestDamagedTarget: an archive with any bit wrong, or truncated anywhere, is not accepted
// as that of the log, although it has the time of the log.
func TestDamagedTarget(t *testing.T) {
	s := newScene(t, logText(400), 0o600)
	require.Equal(t, silent, inProcess("--keep", s.log))
	good, err := os.ReadFile(s.target)
	require.NoError(t, err)
	again := func(packed []byte) outcome {
		require.NoError(t, os.WriteFile(s.target, packed, 0o600))
		require.NoError(t, os.Chtimes(s.target, longAgo, longAgo))
		return inProcess("--keep", s.log)
	}
	refused, same := 0, 0
	check := func(packed []byte) {
		t.Helper()
		got := again(packed)
		is, err := os.ReadFile(s.target)
		require.NoError(t, err)
		require.True(t, bytes.Equal(packed, is))
		if got == silent {
			text, err := unpack(s.target) // the wrong bit does not matter
			require.NoError(t, err)
			require.Equal(t, s.text, text)
			same++
			return
		}
		require.Equal(t, 2, got.status)
		require.Regexp(t, "^archive: "+s.log+": "+s.target+" exists: .*\n$", got.stderr)
		refused++
	}
	for n := range len(good) {
		check(good[:n])
	}
	require.Equal(t, len(good)-1, refused) // without its seek table it is still an archive of the log
	for i := range 8 * len(good) {
		packed := bytes.Clone(good)
		packed[i/8] ^= 1 << (i % 8)
		check(packed)
	}
	require.Equal(t, silent, again(good))
	t.Logf("%d bytes: %d refused, %d accepted", len(good), refused, same)
}

// TestOtherFileSystem archives to another file system, if there is one.
func TestOtherFileSystem(t *testing.T) {
	s := newScene(t, logText(300_000), 0o640)
	to, err := os.MkdirTemp("/dev/shm", "archive")
	if err != nil {
		t.Skip("no other file system: ", err)
	}
	defer os.RemoveAll(to)
	if info, err := os.Lstat(to); err != nil || stat(info).Dev == stat(s.was).Dev {
		t.Skip("no other file system")
	}
	require.Equal(t, silent, archive(t, "--to", to, s.log))
	require.Empty(t, s.list(t))
	s.dir, s.target = to, filepath.Join(to, "s.jsonl.zst")
	s.archived(t)
}

// TestFullDisk archives onto a file system that has no room.
func TestFullDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root")
	}
	s := newScene(t, logText(3_000_000), 0o640)
	to := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", to).Run(); err != nil {
		t.Skip("may not mount: ", err)
	}
	defer exec.Command("umount", to).Run()
	got := archive(t, "--to", to, s.log)
	require.Equal(t, outcome{2, "", "archive: " + s.log + ": write " + to + "/s.jsonl.zst: no space left on device\n"}, got)
	s.untouched(t)
	left, err := os.ReadDir(to)
	require.NoError(t, err)
	require.Empty(t, left)
}
