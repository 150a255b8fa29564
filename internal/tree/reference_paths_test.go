package tree_test

import (
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/tree"
	"jl/test/drawn"
)

// newRefLogOf returns the reference of a log of which lines are the drawing.
func newRefLogOf(lines []string) *refLog {
	return newRefLog(slices.Collect(strings.Lines(drawn.Log(strings.Join(lines, "\n")))))
}

func refIDs(nodes []*refNode) string {
	var ids []string
	for _, n := range nodes {
		ids = append(ids, n.UUID)
	}
	return strings.Join(ids, " ")
}

// wantPaths returns by leaf the paths of a log, the default path, and the ends.
func wantPaths(lines []string) map[string]string {
	l := newRefLogOf(lines)
	ends := l.ends()
	paths := map[string]string{"ends": refIDs(ends), "default": ""}
	if len(ends) > 0 {
		paths["default"] = refIDs(l.path(ends[0]))
	}
	for _, n := range l.nodes {
		paths[n.UUID] = refIDs(l.path(n))
	}
	return paths
}

// gotPaths returns the same from the package.
func gotPaths(t testing.TB, lines []string, o tree.Options) map[string]string {
	log := strings.NewReader(drawn.Log(strings.Join(lines, "\n")))
	got, err := tree.Read(log, log.Size(), tree.Reading{}, nil)
	require.NoError(t, err)
	ids := func(nodes []tree.Node) string {
		var ids []string
		for _, n := range nodes {
			ids = append(ids, got.ID(n))
		}
		return strings.Join(ids, " ")
	}
	paths := map[string]string{"ends": ids(got.Ends()), "default": ids(got.Path(tree.None, o).Nodes)}
	for _, n := range got.Nodes() {
		paths[got.ID(n)] = ids(got.Path(n, o).Nodes)
	}
	require.NoError(t, got.Err())
	return paths
}

// check reports a log for which want and got differ, after it dropped the lines that this does
// not need.
func check(t testing.TB, lines []string, compare func(t testing.TB, lines []string) (want, got map[string]string)) {
	differs := func(lines []string) (at string) {
		want, got := compare(t, lines)
		for k := range want {
			if want[k] != got[k] {
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
	want, got := compare(t, lines)
	t.Errorf("%s: want %s, got %s\n%s", at, want[at], got[at], strings.Join(lines, "\n"))
}

func comparePaths(t testing.TB, lines []string) (want, got map[string]string) {
	return wantPaths(lines), gotPaths(t, lines, tree.Options{})
}

// The paths and ends of any log are those of the reference.
func TestReferencePaths(t *testing.T) {
	for seed := range uint64(*logs) {
		check(t, randomLog(seed, int(seed%kinds)), comparePaths)
	}
}

func FuzzDefaultPathAgainstReference(f *testing.F) {
	f.Add(uint64(0), byte(0))
	f.Fuzz(func(t *testing.T, seed uint64, kind byte) { check(t, randomLog(seed, int(kind%kinds)), comparePaths) })
}

var logs = flag.Int("logs", 3000, "how many random logs the tests of paths draw")

// againPaths returns by leaf the paths of a log, the default path among them, and the default paths of
// these paths as logs. It leaves out links and sidechains, what is on cycles or below one, and an anchor
// that is no leaf.
func againPaths(t testing.TB, lines []string) (want, got map[string]string) {
	l, paths := newRefLogOf(lines), gotPaths(t, lines, tree.Options{})
	want, got = map[string]string{}, map[string]string{}
	add := func(leaf string) { want[leaf], got[leaf] = paths[leaf], again(t, l, lines, paths[leaf]) }
	add("default")
	for _, n := range l.nodes {
		if l.isMain(n) && n.root() != nil && (n != l.anchor || slices.Contains(l.leaves(), n)) {
			add(n.UUID)
		}
	}
	return want, got
}

// again returns the default path of a path of l as a log.
func again(t testing.TB, l *refLog, lines []string, path string) string {
	var printed []string
	for _, id := range strings.Fields(path) {
		printed = append(printed, lines[l.byID[id].place])
	}
	return gotPaths(t, printed, tree.Options{})["default"]
}

// A path as a log has itself as its default path, whatever leaf it ends at.
func TestPathOfPathIsPath(t *testing.T) {
	for seed := range uint64(*logs / 3) {
		check(t, randomLog(seed, int(seed%2)), againPaths)
	}
}

// A path of any log does too, but for very few in which lists of what was kept contradict the parents
// or the order of lines.
func TestPathOfAnyLogIsItsOwn(t *testing.T) {
	defaults, given := 0, 0
	for seed := range uint64(*logs) {
		want, got := againPaths(t, randomLog(seed, odd+int(seed%2)))
		if want["default"] != got["default"] {
			defaults++
		}
		if !maps.Equal(want, got) {
			given++
		}
	}
	t.Logf("of %d logs, the default path of %d differs, and that to a given leaf of %d", *logs, defaults, given)
	require.Zero(t, defaults)
	require.LessOrEqual(t, given, 1+*logs/1000)
}

// lostThrough returns by leaf what the path lacks, or has twice, if it goes on across compactions.
func lostThrough(t testing.TB, lines []string) (want, got map[string]string) {
	want, got = map[string]string{}, map[string]string{}
	through := gotPaths(t, lines, tree.Options{Through: true})
	for leaf, path := range gotPaths(t, lines, tree.Options{}) {
		left := strings.Fields(through[leaf])
		lost := slices.DeleteFunc(strings.Fields(path), func(id string) bool {
			i := slices.Index(left, id)
			if i >= 0 {
				left = slices.Delete(left, i, i+1)
			}
			return i >= 0
		})
		twice := slices.DeleteFunc(left, func(id string) bool { return !slices.Contains(strings.Fields(path), id) })
		want[leaf], got[leaf] = "", strings.Join(slices.Concat(lost, twice), " ")
	}
	return want, got
}

// A path that goes on across compactions has all that it has without.
func TestThroughOnlyAdds(t *testing.T) {
	for seed := range uint64(*logs / 3) {
		check(t, randomLog(seed, int(seed%kinds)), lostThrough)
	}
}
