package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"jlrel": main})
}

func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

// TestUnreadable runs what root cannot see: as root, in a process of nobody's.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() != 0 {
		runScripts(t, "testdata/unreadable")
		return
	}
	if _, err := exec.LookPath("setpriv"); err != nil {
		t.Skip("root may read everything, and setpriv(1) is missing")
	}
	// Nobody may not look into this directory, so what is needed lies elsewhere.
	dir, err := os.MkdirTemp("", "jlrel")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	here := dir + "/cmd/jlrel"
	require.NoError(t, os.CopyFS(here+"/testdata/unreadable", os.DirFS("testdata/unreadable")))
	require.NoError(t, os.CopyFS(dir+"/testdata/claude", os.DirFS("../../testdata/claude")))
	self, err := os.Executable()
	require.NoError(t, err)
	program, err := os.ReadFile(self)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(here+"/test", program, 0o755))
	covered := dir + "/covered" // where programs write what was covered, if it is asked for
	require.NoError(t, os.Mkdir(covered, 0o777))
	out, err := exec.Command("chmod", "-R", "a+rwX", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)

	cmd := exec.Command("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
		here+"/test", "-test.run=^TestUnreadable$", "-test.v")
	cmd.Dir = here
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "HOME="+dir, "GOCOVERDIR="+covered)
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: TestUnreadable/unreadable")
}

func runScripts(t *testing.T, dir string) {
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status,
			"age":    age,
			"fifo":   fifo,
			"null":   null,
			"pack":   pack,
		},
		Condition: condition,
	})
}

// setup puts the home of the recipes beside the files of a script, gives all the same
// time, so that rows can be compared, and keeps the home of the user out of it.
func setup(env *testscript.Env) error {
	if err := os.CopyFS(env.WorkDir+"/claude", os.DirFS("../../testdata/claude")); err != nil {
		return err
	}
	env.Setenv("TZ", "Asia/Kolkata") // no row may show it
	env.Setenv("CLAUDE_CONFIG_DIR", "")
	return ageAll(env.WorkDir, time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC))
}

func ageAll(dir string, at time.Time) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		name := dir + "/" + e.Name()
		if e.IsDir() {
			err = errors.Join(err, ageAll(name, at))
		} else {
			err = errors.Join(err, os.Chtimes(name, at, at))
		}
	}
	return err
}

func condition(cond string) (bool, error) {
	switch cond {
	case "root":
		return os.Geteuid() == 0, nil
	case "cover": // the program writes what it covered
		return testing.CoverMode() != "", nil
	case "strace": // installed, and allowed to trace
		return exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run() == nil, nil
	}
	return false, errors.New("unknown condition")
}

// status N PROGRAM [ARG]... runs a program that must exit with N, and not by a
// panic, whose status is 2 as well.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program [arg...]")
	}
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
	if strings.Contains(ts.ReadFile("stderr"), "goroutine ") {
		ts.Fatalf("it crashed")
	}
}

// age TIME FILE... sets the times of files.
func age(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: age time file...")
	}
	at, err := time.Parse(time.RFC3339, args[0])
	ts.Check(err)
	for _, name := range args[1:] {
		ts.Check(os.Chtimes(ts.MkAbs(name), at, at))
	}
}

// fifo FILE... makes named pipes.
func fifo(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		ts.Check(syscall.Mkfifo(ts.MkAbs(name), 0o666))
	}
}

// null FROM TO copies a file with a newline for each NUL.
func null(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: null from to")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.ReplaceAll(ts.ReadFile(args[0]), "\x00", "\n")), 0o666))
}

// pack FROM TO writes a copy of a file that is compressed with zstd.
func pack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: pack from to")
	}
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out)
	ts.Check(err)
	_, err = w.Write([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(w.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out.Bytes(), 0o666))
}
