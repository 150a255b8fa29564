package archive

import (
	"bytes"
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
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
	"jl/internal/source"
	"jl/test/scripttest"
)

func TestMain(m *testing.M) { scripttest.Main(m, "archive", main) }

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
		c.Fail(cli.File(f.To), err)
		return
	}
	defer a.Close()
	for _, name := range f.Files {
		if err := a.Archive(name); err != nil {
			c.Fail(cli.File(name), err)
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
	cmd.Env = append(os.Environ(), scripttest.OneThread, "GOMAXPROCS=1")
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

// meanwhile runs the program, stops it after its n-th call of a kind, and calls do before
// it goes on. The options are strace's.
func meanwhile(t *testing.T, s *scene, call string, n int, do func(), options ...string) outcome {
	t.Helper()
	logged := filepath.Join(t.TempDir(), "trace")
	options = append([]string{"-f", "-qq", "-o", logged, "-e", "trace=unlinkat," + call,
		"-e", fmt.Sprintf("inject=%s:signal=SIGSTOP:when=%d", call, n)}, options...)
	cmd := exec.Command("strace", append(options, "archive", s.log)...)
	cmd.Env = append(os.Environ(), scripttest.OneThread)
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

// inProcess runs the program without a process.
func inProcess(args ...string) outcome {
	var out, errs strings.Builder
	status := cli.Run("archive", "", args, cli.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, run)
	return outcome{status, out.String(), errs.String()}
}
