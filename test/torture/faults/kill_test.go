package torture

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

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

// TestKilledAtEveryCall kills at the N-th system call that is about a file of the
// world, for all N.
func TestKilledAtEveryCall(t *testing.T) {
	t.Parallel()
	p := promise(t, "P6", "killed at any call: old or new is whole, the next run goes on")
	p.needTrace()
	like := tiny(t).lean(t)
	if thorough() {
		like = middle(t).lean(t)
	}
	for _, d := range deeds {
		t.Run(strings.ReplaceAll(d.String(), " ", "_"), func(t *testing.T) {
			t.Parallel()
			p := p.in(t)
			w := d.world(t, like)
			want := d.run(t, w, plain)
			require.Zero(t, want.status, want)
			for at := 1; ; at++ {
				w := d.world(t, like)
				n, last := 0, ""
				got := runTraced(t, d.command(t, w, plain), func(c *call) {
					if !c.made && c.below(w.dir) {
						if n++; n == at {
							last = c.String()
							c.kill()
						}
					}
				})
				if last == "" {
					require.Zero(t, got.status)
					require.Greater(t, at, 20, "calls of %v", d)
					return
				}
				require.Equal(t, syscall.SIGKILL, got.signal)
				p.tryWell(cmp.Or(d.oldOrNew(t, w, like), d.goesOn(t, w, want)), "%v killed at %s", d, last)
				require.NoError(t, os.RemoveAll(w.dir))
			}
		})
	}
}

// TestKilledAtAnyTime kills at random times.
func TestKilledAtAnyTime(t *testing.T) {
	t.Parallel()
	p := promise(t, "P6", "killed at any time: the same")
	like := middle(t).lean(t)
	for i, d := range deeds {
		t.Run(strings.ReplaceAll(d.String(), " ", "_"), func(t *testing.T) {
			t.Parallel()
			p := p.in(t)
			rnd := rand.New(rand.NewPCG(6, uint64(i)))
			w := d.world(t, like)
			begin := time.Now()
			want := d.run(t, w, plain)
			whole := time.Since(begin)
			require.Zero(t, want.status, want)
			for range often(20, 500) {
				w := d.world(t, like)
				cmd := d.command(t, w, plain)
				wait := start(t, cmd)
				time.Sleep(time.Duration(rnd.Int64N(int64(whole))))
				_ = cmd.Process.Kill()
				wait()
				p.tryWell(cmp.Or(d.oldOrNew(t, w, like), d.goesOn(t, w, want)), "%v", d)
				require.NoError(t, os.RemoveAll(w.dir))
			}
		})
	}
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

// TestOrder: what is to last does before it replaces or removes anything.
func TestOrder(t *testing.T) {
	t.Parallel()
	p := promise(t, "P7", "durable before it replaces or removes")
	p.needTrace()
	var all []int
	for _, d := range deeds {
		w := d.world(t, tiny(t))
		events := d.changes(t, w)
		source, targets := "", []string{w.target(d.invocation)}
		switch {
		case d.program == "jlsnap":
			targets = nil
			for name := range restored {
				targets = append(targets, filepath.Join(w.out, name))
			}
		case !strings.Contains(d.args, "--keep"):
			source = w.forms[plain]
		}
		p.tryWell(wrongOrder(events, source, targets...), "%v: %v", d, events)

		// That is told by each fsync that the order needs: without it, it is wrong.
		needed := 0
		for i, e := range events {
			without := slices.Delete(slices.Clone(events), i, i+1)
			if e.name == "fsync" && wrongOrder(without, source, targets...) != "" {
				needed++
			}
		}
		require.Positive(t, needed, "%v", d)
		all = append(all, needed)
	}
	p.figure("fsyncs without which it would be told: %v", all)
}

// TestFlippedBeforeVerify changes one bit of what was written, on the disk, before
// it is read back.
func TestFlippedBeforeVerify(t *testing.T) {
	t.Parallel()
	p := promise(t, "P9", "an archive is verified before the source is touched")
	p.needTrace()
	like := tiny(t).lean(t)
	for i, d := range deeds[:3] {
		t.Run(strings.ReplaceAll(d.String(), " ", "_"), func(t *testing.T) {
			t.Parallel()
			p := p.in(t)
			rnd := rand.New(rand.NewPCG(9, uint64(i)))
			for range often(70, 2000) {
				w := d.world(t, like)
				bit := -1
				got := runTraced(t, d.command(t, w, plain), func(c *call) {
					if bit < 0 && c.made && c.name == "fsync" && strings.Contains(c.path, "/.jlcompact-") {
						text, err := os.ReadFile(c.path)
						if err == nil {
							bit = rnd.IntN(8 * len(text))
							text[bit/8] ^= 1 << (bit % 8)
							err = os.WriteFile(c.path, text, 0o600)
						}
						if err != nil {
							t.Error(err)
						}
					}
				})
				require.GreaterOrEqual(t, bit, 0, "nothing is synced aside")
				text, err := os.ReadFile(w.forms[plain])
				wrong := judgeFailed(d.program, got, "read back")
				switch {
				case wrong != "":
				case err != nil || string(text) != w.text:
					wrong = "the log is not what it was"
				case len(list(t, filepath.Dir(w.target(d.invocation)))) != 0 && list(t, filepath.Dir(w.target(d.invocation)))[0] != "s.jsonl":
					wrong = fmt.Sprintf("it leaves %v", list(t, filepath.Dir(w.target(d.invocation))))
				}
				p.tryWell(wrong, "%v, bit %d", d, bit)
				require.NoError(t, os.RemoveAll(w.dir))
			}
		})
	}
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

// TestPrivate watches the modes of what is written, with a umask that takes nothing
// away: created by O_EXCL and 0600, and never more open than its source.
func TestPrivate(t *testing.T) {
	t.Parallel()
	p := promise(t, "P29", "new files are 0600 at birth, and never more open than their source")
	p.needTrace()
	created := func(c *call) string {
		flags, mode := c.args[2], fs.FileMode(c.args[3])&0o7777
		switch {
		case flags&syscall.O_EXCL == 0:
			return "created without O_EXCL"
		case mode != 0o600:
			return fmt.Sprintf("created with mode %v", mode)
		}
		return ""
	}
	for _, d := range deeds {
		for _, mode := range []fs.FileMode{0o600, 0o400, 0o640, 0o644, 0o666} {
			w := d.world(t, tiny(t))
			require.NoError(t, os.Chmod(w.forms[plain], mode))
			for _, backup := range restored {
				require.NoError(t, os.Chmod(filepath.Join(w.home, "file-history", w.id, backup), mode))
			}
			births, wrong := 0, ""
			source := w.forms[plain]
			got := runTraced(t, d.wrapped(t, w, plain, shell("umask 0")), func(c *call) {
				if !c.below(w.dir) || wrong != "" {
					return
				}
				if !c.made && c.writing() {
					births++
					if why := created(c); why != "" {
						wrong = c.path + " " + why
					}
				}
				if !c.made {
					return
				}
				for _, dir := range []string{w.out, filepath.Dir(source)} {
					_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
						if err != nil || !e.Type().IsRegular() || path == source {
							return nil
						}
						info, err := e.Info()
						if err != nil {
							return nil
						}
						if old := d.before != nil && info.Size() == int64(len(older)); !old && info.Mode().Perm()&^(mode|0o600) != 0 {
							wrong = fmt.Sprintf("%s has mode %v after %v", path, info.Mode(), c)
						}
						return nil
					})
				}
			})
			require.Zero(t, got.status, got)
			require.Positive(t, births)
			p.tryWell(wrong, "%v of %v", d, mode)
			for _, line := range strings.Split(d.listing(t, w), "\n") {
				if f := strings.Fields(line); len(f) > 2 && f[0] != "s.jsonl" && f[1][0] == '-' {
					p.try(f[1] == mode.String(), "%v: %s is not %v", d, line, mode)
				}
			}
		}
	}
	own := *large(t)
	w := &own
	w.tmp = space(t)
	births, wrong := 0, ""
	got := runTraced(t, invocation{program: "jlrev", args: "FILE"}.command(t, w, pipe), func(c *call) {
		if !c.made && c.writing() {
			births++
			wrong = created(c)
		}
	})
	require.Zero(t, got.status)
	p.try(births == 1 && wrong == "", "the spool of jlrev: %d files, %s", births, wrong)
}
