package log_test

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/forest"
	"jl/internal/log"
	"jl/test/drawn"
)

var logs = flag.Int("logs", 200, "how many random logs the tests of paths draw; a fifth of them with -short")

// seeds returns the number of random logs to draw.
func seeds() uint64 {
	if testing.Short() {
		return uint64(*logs / 5)
	}
	return uint64(*logs)
}

func refIDs(entries []*refEntry) string {
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.UUID)
	}
	return strings.Join(ids, " ")
}

func draw(lines []string) string { return drawn.Log(strings.Join(lines, "\n")) }

// wantPaths returns by leaf the paths of a log, the default path, that to the true beginning, and the ends.
func wantPaths(t testing.TB, lines []string) map[string]string {
	l := newRefLog(draw(lines))
	ends := l.ends()
	paths := map[string]string{"ends": refIDs(ends)}
	if len(ends) > 0 {
		paths["default"], paths["through"] = refIDs(l.path(ends[0], false)), refIDs(l.path(ends[0], true))
	}
	for i, e := range l.entries {
		paths[e.UUID] = refIDs(l.path(e, false))
		if i%throughEach == 0 {
			paths["through "+e.UUID] = refIDs(l.path(e, true))
		}
	}
	return paths
}

func readLines(t testing.TB, lines []string) *log.Log {
	source := strings.NewReader(draw(lines))
	got, err := log.Read(source, source.Size(), log.Reading{}, nil)
	require.NoError(t, err)
	return got
}

// gotPaths returns the same from the package, and nothing if the ids of the log form no chain.
func gotPaths(t testing.TB, lines []string) map[string]string {
	got, paths := mainPaths(t, lines)
	if paths == nil {
		return nil
	}
	for n := range got.Count {
		paths[got.ID(n)] = refIDsOf(got, got.Path(n, log.Options{}).Nodes)
		if n%throughEach == 0 {
			paths["through "+got.ID(n)] = refIDsOf(got, got.Path(n, log.Options{Through: true}).Nodes)
		}
	}
	require.NoError(t, got.Err())
	return paths
}

// throughEach says of how many entries one has its path to the true beginning compared.
const throughEach = 4

// mainPaths returns the log, and, unless its ids form no chain, the paths to its leaf and the ends.
func mainPaths(t testing.TB, lines []string) (*log.Log, map[string]string) {
	got := readLines(t, lines)
	if got.Unchained {
		return got, nil
	}
	var ends []log.Node
	branches, _ := got.Ends()
	for _, b := range branches {
		ends = append(ends, b.Leaf)
	}
	paths := map[string]string{"ends": refIDsOf(got, ends)}
	if len(ends) > 0 {
		paths["default"] = refIDsOf(got, got.Path(log.None, log.Options{}).Nodes)
		paths["through"] = refIDsOf(got, got.Path(log.None, log.Options{Through: true}).Nodes)
	}
	return got, paths
}

func refIDsOf(t *log.Log, nodes []log.Node) string {
	var ids []string
	for _, n := range nodes {
		ids = append(ids, t.ID(n))
	}
	return strings.Join(ids, " ")
}

// check reports a log for which want and got differ, after it dropped the lines that this does
// not need.
func check(t testing.TB, lines []string, want, got func(t testing.TB, lines []string) map[string]string) {
	differs := func(lines []string) (at string) {
		want, got := want(t, lines), got(t, lines)
		for k := range want {
			if got != nil && want[k] != got[k] {
				return k
			}
		}
		return ""
	}
	at := differs(lines)
	if at == "" {
		return
	}
	for i := 0; i < len(lines); i++ {
		fewer := slices.Delete(slices.Clone(lines), i, i+1)
		if where := differs(fewer); where != "" {
			lines, at, i = fewer, where, -1
		}
	}
	t.Errorf("%s: want %s, got %s\n%s", at, want(t, lines)[at], got(t, lines)[at], strings.Join(lines, "\n"))
}

// The paths and ends of logs as a client writes them, and of damaged ones, are those of the reference.
func TestReferencePaths(t *testing.T) {
	for seed := range seeds() {
		check(t, randomLog(seed), wantPaths, gotPaths)
	}
}

func FuzzPathsAgainstReference(f *testing.F) {
	f.Add(uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64) { check(t, randomLog(seed), wantPaths, gotPaths) })
}

// printed returns the lines of a path.
func printed(lines []string, path string) (out []string) {
	at := map[string]int{}
	for i, line := range lines {
		id := strings.Fields(line)[0]
		if was, ok := at[id]; !ok || lines[was] != line { // the last one counts, but a copy is no news
			at[id] = i
		}
	}
	for _, id := range strings.Fields(path) {
		out = append(out, lines[at[id]])
	}
	return out
}

// The path of such a log has itself as its default path, and so has the path across compactions as that, and the path
// to an entry that converses on the main line and is not a boundary. If lines stand where the client did not write them, one path of
// 1,000 may differ.
func TestPathOfPathIsPath(t *testing.T) {
	var tried, differ [2]int // the second of logs with lines that were moved
	for seed := range seeds() {
		lines, moved := damagedLog(seed)
		order := 0
		if moved {
			order = 1
		}
		paths, l := gotPaths(t, lines), newRefLog(draw(lines))
		done := map[string]bool{} // many entries have one path
		for name, path := range paths {
			as := "default"
			switch e := l.at[name]; {
			case name == "ends" || strings.HasPrefix(name, "through ") || e != nil && (!e.talks() || e.IsSidechain || e.boundary()):
				continue
			case name == "through":
				as = name
			}
			if done[as+" "+path] {
				continue
			}
			done[as+" "+path] = true
			_, again := mainPaths(t, printed(lines, path))
			if again == nil {
				continue
			}
			if tried[order]++; again[as] != path {
				differ[order]++
				t.Logf("%d: %s: %s, then %s\n%s", seed, name, path, again[as], strings.Join(lines, "\n"))
			}
		}
	}
	t.Logf("%d of %d differ", differ, tried)
	require.Zero(t, differ[0])
	require.LessOrEqual(t, differ[1], tried[1]/1000)
	require.Greater(t, tried[0], int(seeds()))
}

// A path that goes on across compactions has all that it has without.
func TestThroughOnlyAdds(t *testing.T) {
	for seed := range seeds() {
		paths := gotPaths(t, randomLog(seed))
		through := strings.Fields(paths["through"])
		for id := range strings.FieldsSeq(paths["default"]) {
			require.Contains(t, through, id, "seed %d", seed)
		}
	}
}

// All ends of a sound log together have each user and assistant entry, but sidechains.
func TestEndsHaveAllThatIsSaid(t *testing.T) {
	for seed := range seeds() {
		lines := soundLog(seed).lines
		got := readLines(t, lines)
		branches, _ := got.Ends()
		on := map[log.Node]bool{}
		for _, b := range branches {
			for _, n := range got.Path(b.Leaf, log.Options{Through: true}).Nodes {
				on[n] = true
			}
		}
		main := slices.ContainsFunc(forest.All(got.Count), func(n log.Node) bool { return got.Tree.Is(n, log.Talks) && !got.Tree.Is(n, log.Sidechain) })
		for n := range got.Count {
			if got.Kinds[n].Message() && !(main && got.Tree.Is(n, log.Sidechain)) {
				require.True(t, on[n], "seed %d: %s\n%s", seed, got.ID(n), strings.Join(lines, "\n"))
			}
		}
	}
}
