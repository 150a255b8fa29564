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
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
	"jl/internal/frames"
	"jl/internal/source"
	"jl/test/calls"
	"jl/test/env"
	"jl/test/scripttest"
)

func TestMain(m *testing.M) {
	env.OnDisk()
	scripttest.Main(m, "archive", main)
}

// main is a program that archives its operands.
func main() { cli.Main("archive", "", run) }

type flags struct {
	Extract bool
	To      string
	Level   int
	Keep    bool
	Update  bool
	Told    bool     // what is removed is reported
	Files   []string `arg:"" optional:""`
}

func run(c *cli.Command, f *flags) {
	o := Options{Extract: f.Extract, To: f.To, Level: f.Level, Keep: f.Keep, Update: f.Update, Terminal: c.Terminal(), Removed: func(name string) {
		if f.Told {
			c.Note(cli.File(name), "removed: a killed run left it")
		}
	}}
	if err := Replace(f.Files, o, func(name string, err error) { c.Fail(cli.File(name), err) }); err != nil {
		c.Fail(cli.File(f.To), err)
	}
}

// A scene is a directory with a FILE to replace: a log, or the archive of one.
type scene struct {
	dir, file, target string
	extract           bool
	old               []byte // the beginning of the log that an archive at target holds
	text              []byte // the log
	bytes             []byte // of FILE
	was               fs.FileInfo
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
	s := &scene{dir: dir, file: filepath.Join(dir, "s.jsonl"), target: filepath.Join(dir, "s.jsonl.zst"), text: text, bytes: text}
	s.reset(t, mode)
	return s
}

// A deed is a way to replace a file.
type deed string

// deeds are both ways.
var deeds = []deed{"archive", "extract"}

// scene returns a scene for the deed.
func (d deed) scene(t *testing.T, text []byte, mode fs.FileMode) *scene {
	t.Helper()
	s := newScene(t, text, mode)
	if d == "extract" {
		require.NoError(t, os.Remove(s.file))
		s.file, s.target, s.extract, s.bytes = s.target, s.file, true, pack(t, text)
		s.reset(t, mode)
	}
	if d == "update" {
		s.old = text[:len(text)*2/3]
		s.reset(t, mode)
	}
	return s
}

// pack returns an archive of text.
func pack(t testing.TB, text []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	z, err := frames.NewWriter(&packed, 0)
	require.NoError(t, err)
	_, err = z.Write(text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return packed.Bytes()
}

// args returns the arguments of a run that replaces FILE.
func (s *scene) args(more ...string) []string {
	if s.extract {
		more = append(more, "--extract")
	}
	if s.old != nil {
		more = append(more, "--update")
	}
	return append(more, s.file)
}

// run replaces FILE.
func (s *scene) run(more ...string) outcome { return inProcess(s.args(more...)...) }

// watched replaces FILE. It calls before for each system call, as [calls.Run] does.
func (s *scene) watched(t *testing.T, before func(call string) syscall.Errno) (got outcome) {
	t.Helper()
	calls.Run(t, func() { got = s.run() }, before)
	return got
}

// meanwhile replaces FILE, and calls do when the n-th system call of a name has returned.
func (s *scene) meanwhile(t *testing.T, call string, n int, do func()) outcome {
	t.Helper()
	return s.watched(t, calls.After(call, n, do))
}

// reset leaves nothing in the directory but FILE, as it was.
func (s *scene) reset(t *testing.T, mode fs.FileMode) {
	t.Helper()
	for _, name := range s.list(t) {
		require.NoError(t, os.Remove(filepath.Join(s.dir, name)))
	}
	require.NoError(t, os.WriteFile(s.file, s.bytes, 0o600))
	require.NoError(t, os.Chmod(s.file, mode))
	require.NoError(t, os.Chtimes(s.file, longAgo.Add(time.Hour), longAgo))
	var err error
	s.was, err = os.Lstat(s.file)
	require.NoError(t, err)
	if s.old != nil {
		require.NoError(t, os.WriteFile(s.target, pack(t, s.old), 0o600))
	}
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

// unpack returns what a file holds, decompressed if it is named like an archive.
func unpack(name string) ([]byte, error) {
	if !strings.HasSuffix(name, suffix) {
		return os.ReadFile(name)
	}
	src, err := source.Open(name, nil, nil)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	return io.ReadAll(src)
}

// oldOrNew requires that FILE or its replacement exists, and that each that exists is
// whole.
func (s *scene) oldOrNew(t *testing.T) {
	t.Helper()
	want := sha256.Sum256(s.text)
	whole := 0
	if text, err := unpack(s.file); !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
		require.Equal(t, want, sha256.Sum256(text), "FILE")
		info, err := os.Lstat(s.file)
		require.NoError(t, err)
		require.True(t, os.SameFile(s.was, info))
		require.Equal(t, s.was.Mode(), info.Mode())
		require.True(t, s.was.ModTime().Equal(info.ModTime()))
		whole++
	}
	text, err := unpack(s.target)
	old := s.old != nil && string(text) == string(s.old)
	if !errors.Is(err, fs.ErrNotExist) && !old {
		require.NoError(t, err)
		require.Equal(t, want, sha256.Sum256(text), "the replacement")
		whole++
	}
	require.Positive(t, whole, "neither")
	require.True(t, s.old == nil || err == nil, "neither archive")
}

// replaced requires that there is nothing but the replacement, with the metadata of FILE.
func (s *scene) replaced(t *testing.T) {
	t.Helper()
	require.Equal(t, []string{filepath.Base(s.target)}, s.list(t))
	s.oldOrNew(t)
	info, err := os.Lstat(s.target)
	require.NoError(t, err)
	require.Equal(t, s.was.Mode(), info.Mode())
	require.True(t, s.was.ModTime().Equal(info.ModTime()), "%v %v", s.was.ModTime(), info.ModTime())
	require.Equal(t, stat(s.was).Uid, stat(info).Uid)
	require.Equal(t, stat(s.was).Gid, stat(info).Gid)
}

// untouched requires that there is nothing but FILE, as it was.
func (s *scene) untouched(t *testing.T) {
	t.Helper()
	require.Equal(t, []string{filepath.Base(s.file)}, s.list(t))
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

// archive runs the program, which TestMain puts into PATH, in a process.
func archive(t *testing.T, args ...string) outcome {
	t.Helper()
	return runCommand(t, exec.Command("archive", args...))
}

// silent is the outcome of a run that did all that it was told.
var silent = outcome{}

// message is what any other run prints.
var message = regexp.MustCompile(`^archive: [^\n]*: [a-z][^\n]*\n$`)

func needStrace(t *testing.T) {
	t.Helper()
	env.NeedsStrace(t)
}

// inProcess runs the program without a process.
func inProcess(args ...string) outcome {
	var out, errs strings.Builder
	status := cli.Run("archive", "", args, cli.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs}, run)
	return outcome{status, out.String(), errs.String()}
}
