package faults

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

// A growing is a log to which a thousand entries a second are appended, each in two
// writes.
type growing struct {
	text string // at the end
	ends []int  // the length after each write
	id   []int  // of each write: the entry that it completes, or -1
	now  atomic.Int64
	stop chan struct{}
	done sync.WaitGroup
}

// grow starts to append entries to the log of f.
func grow(t testing.TB, f *harness.Fixture, entries int) *growing {
	g := &growing{stop: make(chan struct{}), ends: []int{len(f.Text)}, id: []int{-1}}
	rnd := harness.Rand(t, 0)
	var b strings.Builder
	b.WriteString(f.Text)
	ids := regexp.MustCompile(`"uuid":"([^"]*)"`).FindAllStringSubmatch(f.Text, -1)
	parent := ids[len(ids)-1][1]
	for i := range entries {
		id := fmt.Sprintf("%08x-%04x-4000-9000-%012x", i, i&0xffff, i)
		entry := harness.Node(1_000_000+i, id, parent, harness.Text(fmt.Sprint(i)))
		cut := b.Len() + 1 + rnd.IntN(len(entry)-1)
		b.WriteString(entry)
		g.plan(cut, -1)
		g.plan(b.Len(), i)
		parent = id
	}
	g.text = b.String()
	log, err := os.OpenFile(f.Path(harness.Log), os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	g.done.Go(func() {
		defer log.Close()
		for i := 1; i < len(g.ends); i++ {
			g.now.Store(int64(i)) // first, so that no reader sees more
			if _, err := log.WriteString(g.text[g.ends[i-1]:g.ends[i]]); err != nil {
				t.Error(err)
				return
			}
			select {
			case <-g.stop:
				return
			case <-time.After(time.Millisecond / 2):
			}
		}
	})
	return g
}

// plan plans a write up to an offset. No write crosses the edge of a page, because a
// reader may see a file grow page by page.
func (g *growing) plan(to, id int) {
	const page = 4096
	for edge := (g.ends[len(g.ends)-1]/page + 1) * page; edge < to; edge += page {
		g.ends, g.id = append(g.ends, edge), append(g.id, -1)
	}
	g.ends, g.id = append(g.ends, to), append(g.id, id)
}

// likely returns the writes from first to last, in the order of their distance from
// the newest one that shows in out.
func (g *growing) likely(out string, first, last int) []int {
	var all []int
	newest := max(first, 0)
	for i := newest; i <= last; i++ {
		all = append(all, i)
		if g.id[i] >= 0 && strings.Contains(out, fmt.Sprintf("-9000-%012x\"", g.id[i])) {
			newest = i
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return max(a-newest, newest-a) - max(b-newest, newest-b) })
	return all
}

// TestGrowing runs the programs on a log that grows. Each prints what it prints for
// the log as it was after some write during the run.
func TestGrowing(t *testing.T) {
	p := harness.Parallel(t, "P21", "a log that grows is answered for as it was at some time")
	forms := func(c harness.Command) []harness.Form {
		if !c.ReadsLog() || c.ShowsFiles() {
			return nil
		}
		return []harness.Form{harness.Plain, harness.Stdin}
	}
	p.Each(harness.Printing(forms), func(p *harness.Promise, c harness.Command, form harness.Form) {
		runs := harness.Pick(12, 150)
		live, f := harness.Small(p).Copy(p), harness.Small(p).Copy(p)
		g := grow(p, live, runs*200)
		defer g.done.Wait()
		defer close(g.stop)
		for range runs {
			first := int(g.now.Load()) - 1 // the current write may not be done
			got := c.Run(p, live, form)
			last := int(g.now.Load())
			if last == len(g.ends)-1 {
				break // all is written: the machine is slow
			}
			found := slices.ContainsFunc(g.likely(got.Stdout, first, last), func(i int) bool {
				require.NoError(p, os.WriteFile(f.Path(harness.Log), []byte(g.text[:g.ends[i]]), 0o644))
				want := c.Run(p, f, form)
				return want.Stdout == got.Stdout && want.Status == got.Status
			})
			p.Try(found, "%v on %v, between %d and %d bytes: %v", c, form, g.ends[max(first, 0)], g.ends[last], got)
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
				err = os.Truncate(path, info.Size()/2)
			}
			return err
		}},
		{"cut to nothing", func(path string) error { return os.Truncate(path, 0) }},
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
		old := harness.Read(p, path)
		write := func(text string) {
			require.NoError(p, os.RemoveAll(path))
			require.NoError(p, os.WriteFile(path, []byte(text), 0o644))
		}
		answers := map[string]harness.Outcome{}
		answer := func(text string) harness.Outcome {
			got, ok := answers[text]
			if !ok {
				write(text)
				got = c.Run(p, f, form)
				answers[text] = got
			}
			return got
		}
		for _, ch := range changes(other) {
			for at := 1; ; at++ {
				if at > 11 && !harness.Long() {
					at += 30 // the entries of a path are read one by one
				}
				write(old)
				n, last := 0, ""
				got := harness.Trace(p, c.Cmd(p, f, form), func(call *harness.Call) {
					if call.Path == path {
						if n++; n == at {
							last = call.Name
							if err := ch.do(path); err != nil {
								p.Error(err)
							}
						}
					}
				}, nil)
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
	for _, text := range texts {
		if want := answer(text); want.Stdout == got.Stdout && want.Status == got.Status {
			return ""
		}
	}
	return "the answer is that of no state: " + got.String()
}

// TestArchivedWhileItChanges changes a log before the N-th call of its archiver: for
// every third N, or for all in a long run. What the log has become is then in the log
// or in its archive. Before the call that removes the log there is nothing to expect,
// because no program can look again between.
func TestArchivedWhileItChanges(t *testing.T) {
	p := harness.Traced(t, "P22", "a log that changes while it is archived: no byte of it is lost")
	more := harness.Node(900, "a", "", harness.Text("Why do the moons drift?")) + harness.Node(901, "b", "a", harness.Text("Because of Euler."))
	all := append(changes(more), change{"appended to", func(path string) error {
		log, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = log.WriteString(more)
			log.Close()
		}
		return err
	}})
	for _, w := range archivers {
		for i, ch := range all {
			p.Subtest(w.String()+" "+ch.name, func(p *harness.Promise) {
				step := harness.Pick(3, 1)
				for at := 1 + i%step; ; at += step {
					f := w.fixture(p, harness.Tiny(p))
					log := f.Path(harness.Log)
					n, last, now, unknown := 0, "", "", false
					got := harness.Trace(p, w.Cmd(p, f, harness.Plain), func(call *harness.Call) {
						if call.Below(f.Dir) {
							if n++; n == at {
								last = call.String()
								unknown = ch.do(log) != nil || call.Name == "unlinkat" && call.Path == log
								text, _ := os.ReadFile(log)
								now = string(text)
							}
						}
					}, nil)
					if last == "" {
						return
					}
					problem := harness.ProblemOfEnd(w.Program, got)
					if got.Status == 2 && problem == "" {
						problem = harness.ProblemOfMessages(w.Program, got.Stderr, "s.jsonl", "out")
					} else if got.Status == 1 {
						problem = "status 1"
					}
					if problem == "" && !unknown {
						problem = lost(p, w, f, now, ch.name == "removed")
					}
					p.Check(problem, "%v: %s before %s", w, ch.name, last)
					require.NoError(p, os.RemoveAll(f.Dir))
				}
			})
		}
	}
}

// lost says what is lost of a log that became now while it was archived.
func lost(t testing.TB, w writer, f *harness.Fixture, now string, removed bool) string {
	text, err := os.ReadFile(f.Path(harness.Log))
	archive := target(w.Command, f)
	_, missing := os.Lstat(archive)
	packed := ""
	if missing == nil {
		packed = harness.Unzstd(t, archive)
	}
	switch {
	case missing == nil && packed != f.Text && packed != now:
		return "the archive is neither the old log nor the new one"
	case removed:
		return ""
	case err == nil && string(text) != now:
		return "the log has changed again"
	case err != nil && (missing != nil || packed != now):
		return "the new log is lost"
	}
	return ""
}
