package faults

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/torture/harness"
)

// answers returns a function that returns what a command prints for a text in the
// place of a file, which it runs at most once for each text.
func answers(t testing.TB, c harness.Command, f *harness.Fixture, form harness.Form) func(text string) harness.Outcome {
	known := map[string]harness.Outcome{}
	return func(text string) harness.Outcome {
		if _, ok := known[text]; !ok {
			replace(t, f.File(form), text)
			known[text] = c.Run(t, f, form)
		}
		return known[text]
	}
}

func replace(t testing.TB, path, text string) {
	require.NoError(t, os.RemoveAll(path))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// openNow opens a file for writing. If the program that the test has stopped holds a lease
// on the file, openNow does not wait, and returns EAGAIN.
func openNow(path string, flag int) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK|flag, 0)
}

func truncate(path string, size int64) error {
	f, err := openNow(path, 0)
	if err == nil {
		err = f.Truncate(size)
		f.Close()
	}
	return err
}

func appendTo(path, text string) error {
	log, err := openNow(path, os.O_APPEND)
	if err == nil {
		_, err = log.WriteString(text)
		log.Close()
	}
	return err
}

// sameAnswer reports whether a command printed the same and ended alike.
func sameAnswer(a, b harness.Outcome) bool { return a.Stdout == b.Stdout && a.Status == b.Status }

// TestGrowing appends to the log before each call that concerns it, from the N-th on,
// an entry in two pieces. The program prints what it prints for the log as it was at
// some time of the run.
func TestGrowing(t *testing.T) {
	p := harness.Traced(t, "P21", "a log that grows is answered for as it was at some time")
	forms := func(c harness.Command) []harness.Form {
		if !c.ReadsLog() || c.ShowsFiles() {
			return nil
		}
		return []harness.Form{harness.Plain, harness.Stdin}
	}
	p.Each(harness.Printing(forms), func(p *harness.Promise, c harness.Command, form harness.Form) {
		rnd := harness.Rand(p, 0)
		f := harness.Small(p).Copy(p)
		states, parent := []string{f.Text}, f.Leaf
		for i := range 20 {
			id := fmt.Sprintf("%012d", i)
			entry := harness.Node(1_000_000+i, id, parent, harness.Text(id))
			whole := states[len(states)-1] + entry
			states, parent = append(states, whole[:len(whole)-1-rnd.IntN(len(entry)-1)], whole), id
		}
		answer := answers(p, c, f, form)
		for first := 0; first < harness.Times(12, 150); first += harness.Each(3) {
			replace(p, f.Path(harness.Log), f.Text)
			n, now := 0, 0
			got := harness.Trace(p, c.Cmd(p, f, form), func(call *harness.Call) {
				if call.Path != f.Path(harness.Log) {
					return
				}
				if n++; n > first && now < len(states)-1 {
					now++
					if err := appendTo(call.Path, states[now][len(states[now-1]):]); err != nil {
						p.Error(err)
					}
				}
			}, nil)
			found := slices.ContainsFunc(states[:now+1], func(text string) bool { return sameAnswer(got, answer(text)) })
			p.Try(found, "%v on %v, growing %d times after call %d: %v", c, form, now, first, got)
		}
	})
}

// A change is what another process does to a log while a program reads it.
type change struct {
	name string
	do   func(path string) error
}

// changes are cuts, removal, and replacement by another text.
func changes(other string) []change {
	return []change{
		{"cut to half", func(path string) error {
			info, err := os.Stat(path)
			if err == nil {
				err = truncate(path, info.Size()/2)
			}
			return err
		}},
		{"cut to nothing", func(path string) error { return truncate(path, 0) }},
		{"replaced", func(path string) error {
			if err := os.WriteFile(path+".new", []byte(other), 0o644); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		}},
		{"removed", os.Remove},
	}
}

// TestChangedMeanwhile changes the log before the N-th call that concerns it. The
// program answers for the old log, the new one, or a beginning of the old; or it
// reports trouble.
func TestChangedMeanwhile(t *testing.T) {
	env.Long(t)
	p := harness.Traced(t, "P22", "a log that is cut, replaced or removed: an answer of one state, or trouble")
	other, _ := harness.Session(7, 16)
	forms := func(c harness.Command) []harness.Form {
		return slices.DeleteFunc(slices.Clone(c.Forms), func(form harness.Form) bool {
			return c.ShowsFiles() || form == harness.Pipe || form == harness.Home || !harness.Long() && form != harness.Plain && strings.Contains(c.Args, "-")
		})
	}
	p.Each(harness.Printing(forms), func(p *harness.Promise, c harness.Command, form harness.Form) {
		f := harness.Shared(p, 16).Copy(p)
		path := f.File(form)
		old, answer := harness.Read(p, path), answers(p, c, f, form)
		for _, ch := range changes(other) {
			for at := 1; ; at++ {
				if at > 11 && !harness.Long() {
					at += 30 // the entries of a path are read one by one
				}
				replace(p, path, old)
				var err error
				got, last := harness.TraceUntil(p, c.Cmd(p, f, form), at, func(call *harness.Call) bool { return call.Path == path }, func(*harness.Call) { err = ch.do(path) })
				require.NoError(p, err)
				if last == "" {
					break
				}
				now, err := os.ReadFile(path)
				require.True(p, err == nil || os.IsNotExist(err))
				p.Check(mixed(c, got, answer, old, string(now)), "%v on %v: %s before %s, call %d", c, form, ch.name, last, at)
			}
		}
	})
}

// mixed says what is wrong with the outcome of a run during which an old text became
// a new one. answer returns the outcome for a text that does not change.
func mixed(c harness.Command, got harness.Outcome, answer func(string) harness.Outcome, old, new string) string {
	const page = 4096
	switch {
	case got.Died():
		return "hung or crashed: " + got.String()
	case got.Status == 2:
		entries := c.Program == "jlrev" || c.Program == "jlpath" && !strings.Contains(c.Args, "--session")
		if entries && !harness.AllLinesIn(got.Stdout, answer(old).Stdout) && !harness.AllLinesIn(got.Stdout, answer(new).Stdout) {
			return "trouble, but the output is mixed: " + got.String()
		}
		return harness.ProblemOfMessages(c.Program, got.Stderr)
	}
	texts := []string{old, new}
	for n := page; n < len(old); n += page {
		texts = append(texts, old[:n])
	}
	if slices.ContainsFunc(texts, func(text string) bool { return sameAnswer(got, answer(text)) }) {
		return ""
	}
	return "the answer is that of no state: " + got.String()
}

// TestReplacedWhileItChanges changes a FILE before the N-th call of the program that
// replaces it: for every third N, or for all in a long run. What FILE has become is then
// in FILE or in its replacement. Before the call that removes FILE, there is nothing to
// expect of a change by another name, because no program can look again between; but an
// attempt to open FILE is reported.
func TestReplacedWhileItChanges(t *testing.T) {
	env.Long(t)
	p := harness.Traced(t, "P22", "a log or archive that changes while it is replaced: no byte of it is lost")
	more := harness.Node(900, "a", "", harness.Text("Why do the moons drift?")) + harness.Node(901, "b", "a", harness.Text("Because of Euler."))
	for _, w := range replacers {
		text := more
		if w.Forms[0] == harness.Archive {
			text = harness.Zstd(more)
		}
		all := append(changes(text), change{"appended to", func(path string) error { return appendTo(path, text) }})
		for i, ch := range all {
			p.Subtest(w.String()+" "+ch.name, func(p *harness.Promise) {
				step := harness.Pick(3, 1)
				for at := 1 + i%step; ; at += step {
					f := w.fixture(p, harness.Tiny(p))
					file := source(w.Command, f)
					was, now, unknown, leased, late := harness.Read(p, file), "", false, false, false
					got, last := harness.TraceUntil(p, w.Cmd(p, f, w.Forms[0]), at, func(call *harness.Call) bool { return call.Below(f.Dir) }, func(call *harness.Call) {
						err, removes := ch.do(file), call.Name == "unlinkat" && call.Path == file
						leased = errors.Is(err, syscall.EAGAIN)
						unknown = err != nil && !leased || removes
						late = removes && leased
						text, _ := os.ReadFile(file)
						now = string(text)
					})
					if last == "" {
						return
					}
					problem := harness.ProblemOfEnd(w.Program, got, "s.jsonl", "out")
					if problem == "" && !unknown {
						problem = lost(w, f, was, now, ch.name == "removed")
					}
					if leased && (got.Status != 2 || late != strings.Contains(got.Stderr, "what that writes is lost")) {
						problem = "nobody is told that FILE was opened: " + got.String()
					}
					p.Check(problem, "%v: %s before %s", w, ch.name, last)
					require.NoError(p, os.RemoveAll(f.Dir))
				}
			})
		}
	}
}

// lost says what is lost of a FILE that was and became now while it was replaced.
func lost(w writer, f *harness.Fixture, was, now string, removed bool) string {
	text, err := os.ReadFile(source(w.Command, f))
	made, missing := os.ReadFile(target(w.Command, f))
	// is reports whether the replacement holds what FILE held.
	is := func(file string) bool {
		archive, plain := string(made), file
		if w.Forms[0] == harness.Archive {
			archive, plain = file, string(made)
		}
		held, err := harness.Unpack(archive)
		return err == nil && held == plain
	}
	switch {
	case missing == nil && !is(was) && !is(now):
		return "the replacement is neither that of the old FILE nor of the new one"
	case removed:
		return ""
	case err == nil && string(text) != now:
		return "FILE has changed again"
	case err != nil && (missing != nil || !is(now)):
		return "the new FILE is lost"
	}
	return ""
}
