// Package faults tests what the system does to the programs: full disks, failing and
// short system calls, kills, closed pipes, files that change while they are read, and
// files of odd types.
package faults

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/torture/harness"
)

func TestMain(m *testing.M) {
	env.OnDisk()
	harness.Main(m)
}

// A writer is a command that writes files. A fault must not leave one half done.
type writer struct {
	harness.Command
	again string // the arguments of a run that completes what a killed one began
	over  bool   // it overwrites other files
}

func writing(program, args string) harness.Command {
	form := harness.Plain
	if strings.Contains(args, "--extract") {
		form = harness.Archive
	}
	return harness.Command{Program: program, Args: args, Forms: []harness.Form{form}, Writes: true}
}

// writers are the replacers, which come first, those that replace an archive as well, and the restorers.
var writers = []writer{
	{Command: writing("jlcompact", "--archive FILE")},
	{Command: writing("jlcompact", "--archive --to OUT FILE")},
	{Command: writing("jlcompact", "--archive --keep --to OUT FILE")},
	{Command: writing("jlcompact", "--extract FILE")},
	{Command: writing("jlcompact", "--extract --to OUT FILE")},
	{Command: writing("jlcompact", "--extract --keep --to OUT FILE")},
	{Command: writing("jlcompact", "--archive --update FILE"), over: true},
	{Command: writing("jlcompact", "--archive --update --keep --to OUT FILE"), over: true},
	{Command: writing("jlsnap", "--home HOME --restore OUT FILE"), again: "--home HOME --restore OUT --force FILE"},
	{Command: writing("jlsnap", "--home HOME --restore OUT --force FILE"), over: true},
}

// replacers make another file of FILE.
var replacers = writers[:6]

const older = "what was there before\n"

// fixture returns a copy of f for one run.
func (w writer) fixture(t testing.TB, f *harness.Fixture) *harness.Fixture {
	f = w.On(t, f)
	if w.over && w.Replaces() {
		require.NoError(t, os.MkdirAll(filepath.Dir(target(w.Command, f)), 0o700))
		require.NoError(t, os.WriteFile(target(w.Command, f), []byte(harness.Zstd(beginning(f))), 0o600))
	} else if w.over {
		for name := range harness.Restored {
			harness.Write(t, f.Path("out"), map[string]string{name: older})
		}
	}
	return f
}

// beginning returns what an archive that --update replaces holds.
func beginning(f *harness.Fixture) string {
	return f.Text[:strings.LastIndexByte(f.Text[:len(f.Text)/2], '\n')+1]
}

// source returns the FILE that a replacer replaces, the first if there are several.
func source(c harness.Command, f *harness.Fixture) string {
	if f.Operands != nil {
		return f.Path(f.Operands[0])
	}
	return f.File(c.Forms[0])
}

// crowd gives FILE n copies. It returns a fixture whose operands they are, and one for each
// copy alone.
func crowd(t testing.TB, c harness.Command, f *harness.Fixture, n int) (all *harness.Fixture, each []*harness.Fixture) {
	file := source(c, f)
	dir, err := filepath.Rel(f.Dir, filepath.Dir(file))
	require.NoError(t, err)
	whole := *f
	for i := range n {
		name := filepath.Join(dir, fmt.Sprint(i)+filepath.Base(file))
		harness.Write(t, f.Dir, map[string]string{name: harness.Read(t, file)})
		one := *f
		one.Operands = []string{name}
		whole.Operands, each = append(whole.Operands, name), append(each, &one)
	}
	return &whole, each
}

// target returns the file that a replacer makes.
func target(c harness.Command, f *harness.Fixture) string {
	target := source(c, f) + ".zst"
	if c.Forms[0] == harness.Archive {
		target = strings.TrimSuffix(source(c, f), ".zst")
	}
	if strings.Contains(c.Args, "--to") {
		return f.Path("out", filepath.Base(target))
	}
	return target
}

// halfDone says what a command left half done. It returns "" if everywhere the old
// file or the new one is whole.
func halfDone(t testing.TB, c harness.Command, f *harness.Fixture) string {
	if c.Program == "jlsnap" {
		return halfRestored(t, f, strings.Contains(c.Args, "--force"))
	}
	kept, update := harness.Exists(source(c, f)), strings.Contains(c.Args, "--update")
	switch {
	case !kept && strings.Contains(c.Args, "--keep"):
		return "FILE is gone"
	case !kept && !harness.Exists(target(c, f)):
		return "neither FILE nor its replacement exists"
	}
	for _, path := range []string{source(c, f), target(c, f)} {
		if !harness.Exists(path) {
			continue
		}
		text, err := harness.Read(t, path), error(nil)
		if strings.HasSuffix(path, ".zst") {
			text, err = harness.Unpack(text)
		}
		old := update && kept && path == target(c, f) && text == beginning(f)
		if err != nil || text != f.Text && !old {
			return fmt.Sprintf("%s is not whole: %v", path, err)
		}
	}
	return ""
}

func halfRestored(t testing.TB, f *harness.Fixture, over bool) string {
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

type errno = syscall.Errno

// A sweep fails system calls of a command, one in each run.
type sweep struct {
	errors map[string][]errno                                // of each call
	of     func(f *harness.Fixture) func(*harness.Call) bool // which calls of these names
	every  bool                                              // a short run tries every call, too
	fatal  bool                                              // no failure may go without notice
	names  []string                                          // further names of what fails
}

// attempts returns the faults to try if there are n calls of a name. A short run tries
// the first two, the last and one between, unless it tries every call.
func (s sweep) attempts(name string, n int) []harness.Fault {
	var all []harness.Fault
	add := func(at int, onward bool, errors ...errno) {
		for _, err := range errors {
			all = append(all, harness.Fault{Call: name, At: at, Onward: onward, Errno: err})
		}
	}
	errors, chosen := s.errors[name], []int{1, 2, (n + 1) / 2, n}
	switch {
	case harness.Long():
		for at := 1; at <= n; at += 1 + n/100 {
			add(at, false, errors...)
			add(at, true, errors...)
		}
	case s.every:
		for at := 1; at <= n; at++ {
			add(at, false, errors[at%len(errors)])
			add(at, true, errors[at%len(errors)])
		}
	default:
		for i, at := range chosen {
			if at >= 1 && at <= n && !slices.Contains(chosen[:i], at) {
				add(at, i%2 == 1, errors[i%len(errors)])
			}
		}
	}
	return all
}

// run tries all attempts with a command on fixtures like f. It returns how many calls
// of each name the command makes without a fault.
func (s sweep) run(p *harness.Promise, c harness.Command, form harness.Form, like *harness.Fixture) map[string]int {
	f, calls := c.On(p, like), map[string]int{}
	is := s.of(f)
	want := harness.Trace(p, c.Cmd(p, f, form), func(call *harness.Call) {
		if is(call) {
			calls[call.Name]++
		}
	}, nil)
	want.Files = c.Written(p, f)
	require.Contains(p, []int{0, 1}, want.Status)
	for _, name := range slices.Sorted(maps.Keys(s.errors)) {
		for _, fault := range s.attempts(name, calls[name]) {
			f := c.On(p, like)
			fault.Of = s.of(f)
			got, victim := c.Inject(p, f, form, fault)
			if victim == "" && fault.At > 1 { // a run may need one call less
				fault.At--
				f = c.On(p, like)
				fault.Of = s.of(f)
				got, victim = c.Inject(p, f, form, fault)
			}
			culprits := append(f.Culprits(victim, form), s.names...)
			if fault.Onward { // later calls failed too
				culprits = append(culprits, "home", "log", "archive", "packed")
			}
			if name == "newfstatat" {
				culprits = append(culprits, filepath.Base(filepath.Dir(victim))) // the directory being listed
			}
			switch {
			case victim == "":
			case s.fatal:
				p.Check(harness.ProblemOfFailure(c.Program, got, culprits...), "%v on %v, %v of %s", c, form, fault, victim)
			default:
				p.Check(harness.Problem(c.Program, want, got, culprits...), "%v on %v, %v of %s", c, form, fault, victim)
			}
			if victim != "" && c.Writes {
				p.Check(halfDone(p, c, f), "%v, %v of %s", c, fault, victim)
			}
		}
	}
	return calls
}
