// Package faults tests what the system does to the programs: full disks, failing and
// short system calls, kills, closed pipes, files that change while they are read, and
// files of odd types.
package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }

// A writer is a command that writes files. A fault must not leave one half done.
type writer struct {
	harness.Command
	again string // the arguments of a run that completes what a killed one began
	over  bool   // it overwrites other files
}

var plainOnly = []harness.Form{harness.Plain}

// writers are the archivers, which come first, and the restorers.
var writers = []writer{
	{Command: harness.Command{Program: "jlcompact", Args: "--archive FILE"}},
	{Command: harness.Command{Program: "jlcompact", Args: "--archive --to OUT FILE"}},
	{Command: harness.Command{Program: "jlcompact", Args: "--archive --keep --to OUT FILE"}},
	{Command: harness.Command{Program: "jlsnap", Args: "--home HOME --restore OUT FILE"}, again: "--home HOME --restore OUT --force FILE"},
	{Command: harness.Command{Program: "jlsnap", Args: "--home HOME --restore OUT --force FILE"}, over: true},
}

var archivers = writers[:3]

func init() {
	for i := range writers {
		writers[i].Forms, writers[i].Writes = plainOnly, true
	}
}

const older = "what was there before\n"

// fixture returns a copy of f for one run.
func (w writer) fixture(t testing.TB, f *harness.Fixture) *harness.Fixture {
	t.Helper()
	f = w.On(t, f)
	if w.over {
		for name := range harness.Restored {
			path := f.Path("out", name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(older), 0o600))
		}
	}
	return f
}

// target returns the archive that a command makes.
func target(c harness.Command, f *harness.Fixture) string {
	if strings.Contains(c.Args, "--to") {
		return f.Path("out/s.jsonl.zst")
	}
	return f.Path(harness.Log + ".zst")
}

// halfDone says what a command left half done. It returns "" if everywhere the old
// file or the new one is whole.
func halfDone(t testing.TB, c harness.Command, f *harness.Fixture) string {
	t.Helper()
	if c.Program == "jlsnap" {
		return halfRestored(t, f, strings.Contains(c.Args, "--force"))
	}
	text, err := os.ReadFile(f.Path(harness.Log))
	kept := err == nil
	_, err = os.Lstat(target(c, f))
	archived := err == nil
	switch {
	case kept && string(text) != f.Text:
		return "the log has other bytes"
	case !kept && strings.Contains(c.Args, "--keep"):
		return "the log is gone"
	case !kept && !archived:
		return "neither the log nor its archive exists"
	case archived:
		if got := harness.Run(t, f.Dir, "jlrev", target(c, f)); got.Status != 0 || got.Stdout != harness.Reversal(f.Text) {
			return "the archive is not whole: " + got.String()
		}
	}
	return ""
}

func halfRestored(t testing.TB, f *harness.Fixture, over bool) string {
	t.Helper()
	for name := range harness.Restored {
		text, err := os.ReadFile(f.Path("out", name))
		if os.IsNotExist(err) && !over {
			continue
		}
		if err != nil || string(text) != harness.Read(t, f.Backup(name)) && (!over || string(text) != older) {
			return "neither the old nor the new " + name
		}
	}
	return ""
}

// attempts returns faults of n calls. A long run tries all calls, or many of very
// many, with every error, once and onward. A short run tries the first two, the last
// and one between.
func attempts(n int, fault harness.Fault, errors []errno) []harness.Fault {
	var all []harness.Fault
	add := func(at int, err errno, onward bool) {
		fault.At, fault.Errno, fault.Onward = at, err, onward
		all = append(all, fault)
	}
	if harness.Long() {
		for at := 1; at <= n; at += 1 + n/100 {
			for _, err := range errors {
				add(at, err, false)
				add(at, err, true)
			}
		}
		return all
	}
	chosen := []int{1, 2, (n + 1) / 2, n}
	for i, at := range chosen {
		if at >= 1 && at <= n && !slices.Contains(chosen[:i], at) {
			add(at, errors[i%len(errors)], i%2 == 1)
		}
	}
	return all
}

// changedFiles returns the size, mode and time of all files below dir but those
// below any of except.
func changedFiles(t testing.TB, dir string, except ...string) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if slices.Contains(except, path) {
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		info, err := e.Info()
		if err == nil {
			fmt.Fprintln(&b, path, info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return err
	}))
	return b.String()
}
