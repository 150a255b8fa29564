package faults

import (
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

// A step is what one system call did to a tree of files.
type step struct {
	call   string
	names  map[string]uint64 // the inode that a path refers to from now on; 0 for none
	texts  map[uint64]string // what an inode holds from now on
	synced string            // the file or directory that the call synced, or ""
}

// A disk is what a disk may hold if the power fails now. Of a name or a file that has been
// synced, it holds what was synced; of any other, that or anything later, whatever it
// holds of the others. So the model allows more than any file system does.
type disk struct {
	names map[string][]uint64 // by path: the first is on the disk, the later ones may be
	texts map[uint64][]string // by inode, likewise
}

func last[T any](all []T) T { return all[len(all)-1] }

// apply makes a step.
func (d *disk) apply(s step) {
	for path, ino := range s.names {
		if d.names[path] == nil {
			d.names[path] = []uint64{0}
		}
		d.names[path] = append(d.names[path], ino)
	}
	for ino, text := range s.texts {
		if d.texts[ino] == nil {
			d.texts[ino] = []string{""}
		}
		d.texts[ino] = append(d.texts[ino], text)
	}
	if s.synced == "" {
		return
	}
	if all, ok := d.names[s.synced]; ok && d.texts[last(all)] != nil {
		d.texts[last(all)] = []string{last(d.texts[last(all)])}
		return
	}
	for path, all := range d.names {
		if filepath.Dir(path) == s.synced {
			d.names[path] = []uint64{last(all)}
		}
	}
}

// versions returns what a file that was not synced may hold: what it held before, all that
// was written, or only the first half of it, with or without zeros in the place of the
// rest.
func versions(texts []string) []string {
	if len(texts) == 1 {
		return texts
	}
	text := last(texts)
	half := text[:len(text)/2]
	return append(slices.Clone(texts), half, half+strings.Repeat("\x00", len(text)-len(half)), strings.Repeat("\x00", len(text)))
}

// A state is one that the disk may be in.
type state struct {
	names map[string]uint64
	texts map[uint64]string
}

// read returns what the file at path holds, and whether there is one.
func (s state) read(path string) (string, bool) {
	for dir := filepath.Dir(path); dir != "/"; dir = filepath.Dir(dir) {
		if ino, known := s.names[dir]; known && ino == 0 {
			return "", false
		}
	}
	return s.texts[s.names[path]], s.names[path] != 0
}

// A check says what is wrong with a state, if the program may have left it or, if done,
// ended with it.
type check struct {
	paths []string // that problem reads
	wrong func(s state, done bool) string
}

// problem checks all states that the disk may be in, and returns the first problem. It
// also returns the number of states that differ in what is read.
func (d *disk) problem(c check, done bool) (problem string, states int) {
	s := state{map[string]uint64{}, map[uint64]string{}}
	used, held := map[string]bool{}, map[uint64]bool{}
	for _, path := range c.paths {
		for ; path != "/"; path = filepath.Dir(path) {
			for _, ino := range d.names[path] {
				used[path], held[ino] = true, d.texts[ino] != nil
			}
		}
	}
	maps.DeleteFunc(held, func(_ uint64, isFile bool) bool { return !isFile })
	paths, inodes := slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Keys(held))
	var choose func(n int)
	choose = func(n int) {
		switch {
		case problem != "":
		case n < len(paths):
			for _, ino := range d.names[paths[n]] {
				s.names[paths[n]] = ino
				choose(n + 1)
			}
		case n < len(paths)+len(inodes):
			ino := inodes[n-len(paths)]
			for _, text := range versions(d.texts[ino]) {
				s.texts[ino] = text
				choose(n + 1)
			}
		default:
			states++
			problem = c.wrong(s, done)
		}
	}
	choose(0)
	return problem, states
}

// replay makes the steps, lets the power fail before the first and after each, and returns
// the first problem.
func replay(first *disk, steps []step, c check) (problem string, states int) {
	d := &disk{maps.Clone(first.names), maps.Clone(first.texts)}
	for i := range len(steps) + 1 {
		call := "the beginning"
		if i > 0 {
			d.apply(steps[i-1])
			call = steps[i-1].call
		}
		wrong, n := d.problem(c, i == len(steps))
		if states += n; wrong != "" {
			return wrong + ", if the power fails after " + call, states
		}
	}
	return "", states
}

// A recorder finds the steps of a program by looking at a tree after each of its calls.
type recorder struct {
	t     testing.TB
	dirs  []string // whose files the program replaces
	names map[string]uint64
	texts map[uint64]string
	held  map[uint64]*os.File // open, so that their inodes are not used again
	steps []step
}

// look adds to the steps what a call has done.
func (r *recorder) look(c harness.Call) {
	s := step{call: c.String(), names: map[string]uint64{}, texts: map[uint64]string{}}
	if c.Name == "fsync" {
		s.synced = c.Path
	}
	gone := maps.Clone(r.names)
	for _, dir := range r.dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if os.IsNotExist(err) {
				return nil
			}
			require.NoError(r.t, err)
			ino, err := r.inode(path, e)
			if os.IsNotExist(err) {
				return nil // another thread has just removed it
			}
			require.NoError(r.t, err)
			delete(gone, path)
			if r.names[path] != ino {
				r.names[path], s.names[path] = ino, ino
			}
			if e.Type().IsRegular() {
				if text := r.read(ino); r.texts[ino] != text || s.names[path] != 0 && r.texts[ino] == "" {
					r.texts[ino], s.texts[ino] = text, text
				}
			}
			return nil
		})
		require.NoError(r.t, err)
	}
	for path := range gone {
		delete(r.names, path)
		s.names[path] = 0
	}
	if s.synced != "" || len(s.names)+len(s.texts) > 0 {
		r.steps = append(r.steps, s)
	}
}

// inode returns the inode that path refers to. If that is a regular file, it is held.
func (r *recorder) inode(path string, e fs.DirEntry) (uint64, error) {
	if !e.Type().IsRegular() {
		info, err := e.Info()
		if err != nil {
			return 0, err
		}
		return info.Sys().(*syscall.Stat_t).Ino, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	require.NoError(r.t, err)
	ino := info.Sys().(*syscall.Stat_t).Ino
	if r.held[ino] != nil {
		return ino, f.Close()
	}
	r.held[ino] = f
	r.t.Cleanup(func() { f.Close() })
	return ino, nil
}

// read returns what a held file holds.
func (r *recorder) read(ino uint64) string {
	info, err := r.held[ino].Stat()
	require.NoError(r.t, err)
	text, err := io.ReadAll(io.NewSectionReader(r.held[ino], 0, info.Size()))
	require.NoError(r.t, err)
	return string(text)
}

// record runs a writer. It returns the disk at the beginning, and the steps.
func record(t testing.TB, w writer, f *harness.Fixture) (*disk, []step) {
	r := recorder{t: t, names: map[string]uint64{}, texts: map[uint64]string{}, held: map[uint64]*os.File{}}
	r.dirs = []string{f.Path("out")}
	if w.Replaces() {
		r.dirs = append(r.dirs, filepath.Dir(source(w.Command, f)))
	}
	cmd := w.Cmd(t, f, w.Forms[0]) // makes out, if the program does not
	r.look(harness.Call{})
	first := &disk{map[string][]uint64{}, map[uint64][]string{}}
	for path, ino := range r.names {
		first.names[path] = []uint64{ino}
	}
	for ino, text := range r.texts {
		first.texts[ino] = []string{text}
	}
	r.steps = nil
	got := harness.Trace(t, cmd, nil, func(c *harness.Call) {
		if c.Ret >= 0 && c.Below(f.Dir) {
			r.look(*c)
		}
	})
	require.Zero(t, got.Status, got)
	return first, r.steps
}

// survives returns a check of the states that a writer may leave: everywhere, the old file
// or the new one is whole. When the program is done, what has replaced FILE is there.
func (w writer) survives(t testing.TB, f *harness.Fixture) check {
	if !w.Replaces() {
		var paths []string
		for name := range harness.Restored {
			paths = append(paths, f.Path("out", name))
		}
		return check{paths, func(s state, _ bool) string {
			for name := range harness.Restored {
				text, exists := s.read(f.Path("out", name))
				if old := w.over && text == older; (exists || w.over) && !old && text != harness.Read(t, f.Backup(name)) {
					return name + " is neither old nor new"
				}
			}
			return ""
		}}
	}
	was, replaced := harness.Read(t, source(w.Command, f)), ""
	if w.over {
		replaced = harness.Read(t, target(w.Command, f))
	}
	whole := map[string]bool{f.Text: w.Forms[0] == harness.Archive} // by what the new file holds
	return check{[]string{source(w.Command, f), target(w.Command, f)}, func(s state, done bool) string {
		old, kept := s.read(source(w.Command, f))
		text, made := s.read(target(w.Command, f))
		if w.over && text == replaced {
			made = false
		}
		if _, known := whole[text]; !known {
			held, err := harness.Unpack(text)
			whole[text] = w.Forms[0] != harness.Archive && err == nil && held == f.Text
		}
		switch {
		case kept && old != was:
			return "FILE is not whole"
		case made && !whole[text]:
			return "the new file is not whole"
		case !made && done:
			return "the new file is not there at the end"
		case !kept && (!made || strings.Contains(w.Args, "--keep")):
			return "FILE is gone"
		}
		return ""
	}}
}

// TestPowerFails records what each writer does, and lets the power fail after each system
// call, on a disk that has kept anything or nothing of what was not synced. The replacers
// get several FILEs as well.
func TestPowerFails(t *testing.T) {
	p := harness.Traced(t, "P7", "power fails after any call: old or new is whole in each state that the disk may be in")
	states := 0
	for i, w := range slices.Concat(writers, replacers) {
		f := w.fixture(t, harness.Tiny(t))
		each := []*harness.Fixture{f}
		if i >= len(writers) {
			f, each = crowd(t, w.Command, f, 4)
		}
		var checks []check
		for _, one := range each {
			checks = append(checks, w.survives(t, one)) // reads FILE
		}
		first, steps := record(t, w, f)
		for _, c := range checks {
			problem, n := replay(first, steps, c)
			states += n
			p.TryAll(len(steps)+1, problem == "", "%v: %s", w, problem)
		}

		// The check can fail: without a sync of what must be synced, it does.
		synced := map[string]bool{}
		for _, s := range steps {
			synced[s.synced] = true
		}
		caught := 0
		for path := range synced {
			without := slices.Clone(steps)
			for i := range without {
				if path != "" && without[i].synced == path {
					without[i].synced = ""
				}
			}
			if slices.ContainsFunc(checks, func(c check) bool { problem, _ := replay(first, without, c); return problem != "" }) {
				caught++
			}
		}
		require.GreaterOrEqual(t, caught, len(each), "%v", w)
	}
	p.Remark("%d states", states)
}

// TestDisk replays sequences that are known to be safe, or not.
func TestDisk(t *testing.T) {
	const oldText, newText = "what was there", "what is new"
	create := step{call: "create", names: map[string]uint64{"/d/temp": 2}, texts: map[uint64]string{2: ""}}
	write := step{call: "write", texts: map[uint64]string{2: newText}}
	rename := step{call: "rename", names: map[string]uint64{"/d/temp": 0, "/d/f": 2}}
	link := step{call: "link", names: map[string]uint64{"/d/new": 2}}
	unlink := step{call: "unlink", names: map[string]uint64{"/d/f": 0}}
	sync, syncDir := step{call: "fsync", synced: "/d/temp"}, step{call: "fsync", synced: "/d"}
	for _, test := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"renamed over", []step{create, write, sync, rename, syncDir}, ""},
		{"renamed over without a sync", []step{create, write, rename, syncDir}, "f is neither, if the power fails after rename"},
		{"written after the sync", []step{create, sync, write, rename, syncDir}, "f is neither, if the power fails after rename"},
		{"linked", []step{create, write, sync, link, syncDir, unlink, syncDir}, ""},
		{"linked without a sync of the directory", []step{create, write, sync, link, unlink, syncDir}, "all is gone, if the power fails after unlink"},
		{"linked without a sync", []step{create, write, link, syncDir, unlink}, "new is neither, if the power fails after link"},
	} {
		t.Run(test.name, func(t *testing.T) {
			first := &disk{map[string][]uint64{"/d/f": {1}}, map[uint64][]string{1: {oldText}}}
			problem, states := replay(first, test.steps, check{[]string{"/d/f", "/d/new"}, func(s state, _ bool) string {
				any := false
				for _, name := range []string{"f", "new"} {
					text, exists := s.read("/d/" + name)
					if exists && text != oldText && text != newText {
						return name + " is neither"
					}
					any = any || exists
				}
				if !any {
					return "all is gone"
				}
				return ""
			}})
			require.Equal(t, test.want, problem)
			require.Greater(t, states, len(test.steps))
		})
	}
}
