package main

import (
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/program"
	"jl/test/scripttest"
)

func TestMain(m *testing.M) { program.Main(m, "jlrel", main) }

func TestProgram(t *testing.T) { program.Test(t, about, new(flags), setup) }

// TestUnreadable runs the scripts about files that the user may not read. Root may read
// every file, so root runs them in a process of the user nobody.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() != 0 {
		scripttest.Run(t, "testdata/unreadable", setup)
		return
	}
	env.Needs(t, "setpriv", "chmod")
	// The user nobody may not read this directory, so the test runs in a copy of it.
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
	require.NoError(t, os.WriteFile(here+"/jlrel.test", program, 0o755))
	covered := dir + "/covered" // where programs write their coverage, if the test measures it
	require.NoError(t, os.Mkdir(covered, 0o777))
	out, err := exec.Command("chmod", "-R", "a+rwX", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)

	cmd := exec.Command("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
		here+"/jlrel.test", "-test.run=^TestUnreadable$", "-test.v")
	cmd.Dir = here
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "GOCOVERDIR="+covered)
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: TestUnreadable/unreadable")
}

// setup copies the home of the README into the directory of a script, gives all files
// one modification time, so that scripts can compare rows, and hides the user's own home.
func setup(e *scripttest.Env) error {
	if err := os.CopyFS(e.WorkDir+"/claude", os.DirFS("../../testdata/claude")); err != nil {
		return err
	}
	e.Setenv("TZ", "Asia/Kolkata") // rows are in UTC all the same
	e.Setenv("CLAUDE_CONFIG_DIR", "")
	return ageAll(e.WorkDir, time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC))
}

// ageAll sets the modification time of all files below dir.
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
