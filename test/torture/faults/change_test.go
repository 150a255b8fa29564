package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A growing is a log that is being written, some thousand entries in a second, each
// in two pieces, as a crash or a full disk would show them.
type growing struct {
	path   string
	text   string // all that will ever be in it
	bounds []int  // how long it is after each write
	ends   []int  // by write: the number of the entry that it completes, -1 if none
	at     atomic.Int64
	stop   chan struct{}
	done   sync.WaitGroup
}

// grow begins to write entries behind those of w.
func grow(t testing.TB, w *world, entries int) *growing {
	t.Helper()
	g := &growing{path: filepath.Join(space(t), "s.jsonl"), stop: make(chan struct{})}
	require.NoError(t, os.WriteFile(g.path, []byte(w.text), 0o644))
	rnd := rand.New(rand.NewPCG(21, 21))
	all := strings.Builder{}
	all.WriteString(w.text)
	g.bounds, g.ends = []int{all.Len()}, []int{-1}
	ids := regexp.MustCompile(`"uuid":"([^"]*)"`).FindAllStringSubmatch(w.text, -1)
	parent := ids[len(ids)-1][1]
	for i := range entries {
		id := fmt.Sprintf("%08x-%04x-4000-9000-%012x", i, i&0xffff, i)
		entry := fmt.Sprintf(`{"parentUuid":"%s","isSidechain":false,"sessionId":"%s","type":"%s","message":{"role":"user","content":"%d"},"uuid":"%s","timestamp":"%s"}`+"\n",
			parent, w.id, []string{"user", "assistant"}[i%2], i, id, time.Date(2027, 1, 1, 0, 0, i, 0, time.UTC).Format(time.RFC3339))
		cut := all.Len() + 1 + rnd.IntN(len(entry)-1)
		all.WriteString(entry)
		g.write(cut, -1)
		g.write(all.Len(), i)
		parent = id
	}
	g.text = all.String()
	f, err := os.OpenFile(g.path, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	g.done.Go(func() {
		defer f.Close()
		for i := 1; i < len(g.bounds); i++ {
			g.at.Store(int64(i)) // before: what a reader may see is never more
			if _, err := f.WriteString(g.text[g.bounds[i-1]:g.bounds[i]]); err != nil {
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

// write plans a write up to a place. None goes over the edge of a page: a file may be
// seen to grow page by page.
func (g *growing) write(to, end int) {
	const page = 4096
	for edge := (g.bounds[len(g.bounds)-1]/page + 1) * page; edge < to; edge += page {
		g.bounds, g.ends = append(g.bounds, edge), append(g.ends, -1)
	}
	g.bounds, g.ends = append(g.bounds, to), append(g.ends, end)
}

func (g *growing) end() {
	close(g.stop)
	g.done.Wait()
}

// TestGrowing runs the programs on a log that grows: each prints what it would of
// the log as it was at some time of the run.
func TestGrowing(t *testing.T) {
	t.Parallel()
	p := promise(t, "P21", "a log that grows is answered for as it was at some time")
	each(p, readers(func(v invocation) []kind {
		if !strings.Contains(v.args, "FILE") || v.args == "--home HOME FILE" {
			return nil // the rows of jlrel have sizes and times
		}
		return []kind{plain, stdin}
	}), func(p *promised, v invocation, k kind) {
		runs := often(12, 150)
		g := grow(p.t, small(p.t), runs*200)
		defer g.end()
		w := *small(p.t)
		w.dir = filepath.Dir(g.path)
		w.forms = map[kind]string{plain: g.path}
		// What it prints of the log as it was after some write.
		prefix := filepath.Join(space(p.t), "s.jsonl")
		at := func(i int) outcome {
			w := w
			w.dir = filepath.Dir(prefix)
			w.forms = map[kind]string{plain: prefix}
			require.NoError(p.t, os.WriteFile(prefix, []byte(g.text[:g.bounds[i]]), 0o644))
			return v.run(p.t, &w, k)
		}
		for range runs {
			first := int(g.at.Load()) - 1 // the last write may not be done
			got := v.run(p.t, &w, k)
			last := int(g.at.Load())
			if last == len(g.bounds)-1 {
				break // it ceased to grow: the machine is slow
			}
			found := -1
			for _, i := range likely(g, got.stdout, first, last) {
				if want := at(i); want.stdout == got.stdout && want.status == got.status {
					found = i
					break
				}
			}
			p.try(found >= 0, "%v on %v, between %d and %d bytes: %v", v, k, g.bounds[max(first, 0)], g.bounds[last], got)
		}
	})
}

// likely returns which writes to look at, from first to last: those near the newest
// entry that is in out come first.
func likely(g *growing, out string, first, last int) []int {
	var all []int
	for i := max(first, 0); i <= last; i++ {
		all = append(all, i)
	}
	newest := max(first, 0)
	for i := last; i >= max(first, 1); i-- {
		if end := g.ends[i]; end >= 0 && strings.Contains(out, fmt.Sprintf("-9000-%012x\"", end)) {
			newest = i
			break
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return max(a-newest, newest-a) - max(b-newest, newest-b) })
	return all
}

// A change is what another process does to a log while it is read.
type change struct {
	name string
	do   func(path string) error
}

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

// TestChangedMeanwhile changes the log in one way or another just before the N-th
// call that is about it, for all N: the answer is that of the log as it was, as it
// is, or of a beginning of it that was read by then; or trouble is told.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	p := promise(t, "P22", "a log that is cut, replaced or removed: an answer of one state, or told")
	p.needTrace()
	other, _ := session(7, 16)
	each(p, readers(func(v invocation) []kind {
		if v.args == "--home HOME FILE" {
			return nil // the rows of jlrel have sizes and times
		}
		return slices.DeleteFunc(slices.Clone(v.kinds), func(k kind) bool {
			return k == pipe || k == home || !thorough() && k != plain && strings.Contains(v.args, "-")
		})
	}), func(p *promised, v invocation, k kind) {
		w := sharedWorld(p.t, 16).again(p.t)
		path := w.forms[k]
		if k == stdin {
			path = w.forms[plain]
		}
		whole, err := os.ReadFile(path)
		require.NoError(p.t, err)
		// What it answers for a text.
		seen := map[string]outcome{}
		of := func(text string) outcome {
			got, ok := seen[text]
			if !ok {
				require.NoError(p.t, os.RemoveAll(path))
				require.NoError(p.t, os.WriteFile(path, []byte(text), 0o644))
				got = v.run(p.t, w, k)
				seen[text] = got
			}
			return got
		}
		for _, ch := range changes(other) {
			for at := 1; ; at += step(at) {
				require.NoError(p.t, os.RemoveAll(path))
				require.NoError(p.t, os.WriteFile(path, whole, 0o644))
				n, last := 0, ""
				got := runTraced(p.t, v.command(p.t, w, k), func(c *call) {
					if !c.made && c.path == path {
						if n++; n == at {
							last = c.name
							if err := ch.do(path); err != nil {
								p.t.Error(err)
							}
						}
					}
				})
				if last == "" {
					break
				}
				now, err := os.ReadFile(path)
				require.True(p.t, err == nil || os.IsNotExist(err))
				p.tryWell(wrongChange(v, got, of, string(whole), string(now)), "%v on %v: %s before %s, call %d", v, k, ch.name, last, at)
			}
		}
	})
}

// step returns how many calls to go on: the entries of a path are read one by one.
func step(at int) int {
	if at < 11 || thorough() {
		return 1
	}
	return 31
}

// wrongChange says what is wrong with the outcome of a run while an old text became
// a new one; of is what a run in peace answers for a text.
func wrongChange(v invocation, got outcome, of func(string) outcome, old, new string) string {
	const page = 4096 // what is read at once is a multiple of it
	switch {
	case got.hung || got.signal != 0 || crashed.MatchString(got.stderr):
		return "it did not end well: " + got.String()
	case got.status == 2:
		entries := v.program == "jlrev" || v.program == "jlpath" && !strings.Contains(v.args, "--session")
		if entries && !allLinesIn(got.stdout, of(old).stdout) && !allLinesIn(got.stdout, of(new).stdout) {
			return "mixed, though told: " + got.String()
		}
		return judgeMessages(v.program, got.stderr)
	}
	texts := []string{old, new}
	for n := page; n < len(old); n += page {
		texts = append(texts, old[:n])
	}
	for _, text := range texts {
		if is := of(text); is.stdout == got.stdout && is.status == got.status {
			return ""
		}
	}
	return "an answer of neither: " + got.String()
}

// TestArchivedWhileItChanges changes a log just before the N-th call of the run
// that archives it, for all N (one in three, but in a long run) other than that of
// the call that removes the log, as nothing can be between that and the last look:
// what the log has become is in the log, or in its archive.
func TestArchivedWhileItChanges(t *testing.T) {
	t.Parallel()
	p := promise(t, "P22", "a log that changes while it is archived: no byte of it is lost")
	p.needTrace()
	like := tiny(t).lean(t)
	all := append(changes(threeEntries), change{"appended to", func(path string) error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = f.WriteString(threeEntries)
			f.Close()
		}
		return err
	}})
	for _, d := range deeds[:3] {
		for i, ch := range all {
			t.Run(strings.ReplaceAll(d.String()+" "+ch.name, " ", "_"), func(t *testing.T) {
				t.Parallel()
				p := p.in(t)
				each := often(3, 1)
				for at := 1 + i%each; ; at += each {
					w := d.world(t, like)
					log, last := w.forms[plain], ""
					var now []byte // what the log has become
					n, gone := 0, false
					got := runTraced(t, d.command(t, w, plain), func(c *call) {
						if c.made || !c.below(w.dir) {
							return
						}
						if n++; n == at {
							last = c.String()
							gone = ch.do(log) != nil || c.name == "unlinkat" && c.path == log
							now, _ = os.ReadFile(log)
						}
					})
					if last == "" {
						return
					}
					wrong := ""
					is, err := os.ReadFile(log)
					switch {
					case got.hung || got.signal != 0 || crashed.MatchString(got.stderr):
						wrong = "it did not end well: " + got.String()
					case got.status == 2:
						wrong = judgeMessages(d.program, got.stderr, "s.jsonl", "out")
					case got.status != 0:
						wrong = got.String()
					}
					target := w.target(d.invocation)
					_, packed := os.Lstat(target)
					switch {
					case wrong != "" || gone:
					case packed == nil && !slices.Contains([]string{w.text, string(now)}, unpacked(t, strings.TrimSuffix(target, ".zst"), false)):
						wrong = "an archive of neither"
					case ch.name == "removed":
					case err == nil && string(is) != string(now):
						wrong = "the log is neither"
					case err != nil && (packed != nil || unpacked(t, strings.TrimSuffix(target, ".zst"), false) != string(now)):
						wrong = "what it has become is lost"
					}
					p.tryWell(wrong, "%v: %s before %s", d, ch.name, last)
					require.NoError(t, os.RemoveAll(w.dir))
				}
			})
		}
	}
}
