package torture

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A deed is something the programs do to files, which a kill must not leave half
// done.
type deed struct {
	invocation
	again  string // the arguments of a run that does what is left
	before func(t testing.TB, w *world)
}

var deeds = []deed{
	{invocation{"jlcompact", "--archive FILE", []kind{plain}, true}, "--archive FILE", nil},
	{invocation{"jlcompact", "--archive --to OUT FILE", []kind{plain}, true}, "--archive --to OUT FILE", nil},
	{invocation{"jlcompact", "--archive --keep --to OUT FILE", []kind{plain}, true}, "--archive --keep --to OUT FILE", nil},
	{invocation{"jlsnap", "--home HOME --restore OUT FILE", []kind{plain}, true}, "--home HOME --restore OUT --force FILE", nil},
	{invocation{"jlsnap", "--home HOME --restore OUT --force FILE", []kind{plain}, true}, "--home HOME --restore OUT --force FILE", olderFiles},
}

const older = "what was there before\n"

// olderFiles puts files to where others are to be restored.
func olderFiles(t testing.TB, w *world) {
	t.Helper()
	for name := range restored {
		path := filepath.Join(w.out, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(older), 0o600))
	}
}

// lean returns a copy of w without what no deed needs, as it is copied often.
func (w *world) lean(t testing.TB) *world {
	t.Helper()
	w = w.again(t)
	for _, dir := range []string{filepath.Dir(w.forms[gz]), filepath.Dir(w.forms[archive]), filepath.Join(w.home, "projects"), filepath.Join(w.home, "todos"), filepath.Join(w.home, "debug")} {
		require.NoError(t, os.RemoveAll(dir))
	}
	return w
}

// world returns a world for one trial.
func (d deed) world(t testing.TB, like *world) *world {
	t.Helper()
	w := like.again(t)
	if d.before != nil {
		d.before(t, w)
	}
	return w
}

// oldOrNew says what is neither.
func (d deed) oldOrNew(t testing.TB, w, like *world) string {
	t.Helper()
	if d.program != "jlsnap" {
		return w.half(t, like, d.invocation)
	}
	if d.before == nil {
		return w.halfRestored(t)
	}
	for name, backup := range restored {
		is, err := os.ReadFile(filepath.Join(w.out, name))
		if err != nil {
			return "neither the old nor the new " + name
		}
		new, err := os.ReadFile(filepath.Join(w.home, "file-history", w.id, backup))
		require.NoError(t, err)
		if string(is) != older && !bytes.Equal(is, new) {
			return "half of " + name
		}
	}
	return ""
}

// goesOn runs d again after a kill, and says what is not as if there had been none:
// want is the outcome of a run in peace.
func (d deed) goesOn(t testing.TB, w *world, want outcome) string {
	t.Helper()
	v := d.invocation
	v.args = d.again
	switch got := v.run(t, w, plain); {
	case got.status == 2 && strings.Contains(d.args, "--to") && strings.Contains(got.stderr, ": no such file or directory") && got.files == want.files:
		// All was done but to end: in another directory the archive of a log that is
		// gone might be of another one.
	case got.status != 0 || got.stderr != "":
		return "the next run fails: " + got.String()
	case got.files != want.files:
		return fmt.Sprintf("the next run leaves %q for %q", got.files, want.files)
	}
	return ""
}

// An event is a call that changed something, or made it last.
type event struct{ name, path, to string }

// changes traces d and returns its events.
func (d deed) changes(t testing.TB, w *world) []event {
	t.Helper()
	var all []event
	got := runTraced(t, d.command(t, w, plain), func(c *call) {
		if c.made && c.ret >= 0 && c.below(w.dir) && slices.Contains([]string{"write", "copy_file_range", "sendfile", "fchmod", "utimensat", "fsync", "linkat", "renameat", "renameat2", "unlinkat"}, c.name) {
			all = append(all, event{c.name, c.path, c.to})
		}
	})
	require.Zero(t, got.status, got)
	return all
}

// wrongOrder says which of the events, of making target in place of source, would
// lose data with the power: a name that is given to what does not last, or the
// source removed before the name of what takes its place lasts. What is removed for
// good, source, may be "".
func wrongOrder(events []event, source string, targets ...string) string {
	lasts := map[string]bool{} // the bytes of a file, the names in a directory
	put := map[string]bool{}
	for _, e := range events {
		switch e.name {
		case "fsync":
			lasts[e.path] = true
		case "write", "copy_file_range", "sendfile", "fchmod", "utimensat":
			lasts[e.path] = false
		case "linkat", "renameat", "renameat2":
			if !lasts[e.path] {
				return fmt.Sprintf("%s gets its name before its bytes last", e.to)
			}
			lasts[filepath.Dir(e.to)] = false
			put[e.to] = true
		case "unlinkat":
			if e.path == source {
				for _, target := range targets {
					if !put[target] || !lasts[filepath.Dir(target)] {
						return fmt.Sprintf("%s is removed before %s lasts", source, target)
					}
				}
			}
			lasts[filepath.Dir(e.path)] = false
		}
	}
	for _, target := range targets {
		if !put[target] {
			return target + " does not get its name"
		}
		if source != "" && !lasts[filepath.Dir(target)] {
			return target + " does not last at the end"
		}
	}
	return ""
}

// list returns the names in a directory.
func list(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// This copy goes with the next changes.
