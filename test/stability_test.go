package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
)

// inManual matches an option or a function of the jq library in a manual.
var inManual = regexp.MustCompile(`\b(?:Fl -?\w[\w-]*|Ic "[^"]+")`)

// gone returns what doc/stability.md keeps until the next major release, and the page of a manual before had and that of now
// has not: options, functions, and members of rows and records.
func gone(before, now string) (missing []string) {
	names := inManual.FindAllString(now, -1)
	for _, name := range inManual.FindAllString(before, -1) {
		if !slices.Contains(names, name) {
			missing = append(missing, name)
		}
	}
	for i, tables := range [...]func(string) map[string]table{rowsIn, recordsIn, functionsIn} {
		is := tables(now)
		for name, old := range tables(before) {
			at := 0
			for _, member := range old.members {
				switch place := slices.Index(is[name].members, member); {
				case place < 0:
					missing = append(missing, name+": "+member)
				case i == 0 && place < at:
					missing = append(missing, name+": "+member+" is not in its place")
				case is[name].optional[member] && !old.optional[member]:
					missing = append(missing, name+": "+member+" is optional")
				default:
					at = place
				}
			}
		}
	}
	return missing
}

// needsClone skips a test that looks at commits, if the source comes from an archive. Such a one may be unpacked inside
// the clone of something else.
func needsClone(t *testing.T) {
	t.Helper()
	env.Needs(t, "git")
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	root, err = filepath.EvalSymlinks(root)
	require.NoError(t, err)
	if top, _ := exec.Command("git", "rev-parse", "--show-toplevel").Output(); strings.TrimSuffix(string(top), "\n") != root {
		t.Skip("the source is not a clone of git")
	}
}

// TestNothingGoes compares the manuals with those of the newest release of the same major number, or, before the first
// one, of the last commit.
func TestNothingGoes(t *testing.T) {
	number, err := os.ReadFile("../internal/cli/VERSION")
	require.NoError(t, err)
	major, _, _ := strings.Cut(string(number), ".")
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"-C", ".."}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	needsClone(t)
	before, err := git("describe", "--tags", "--abbrev=0", "--match", "v"+major+".*")
	if err != nil {
		before = "HEAD"
	}
	names, err := git("ls-tree", "-r", "--full-tree", "--name-only", before, "doc/man")
	require.NoError(t, err)
	require.NotEmpty(t, names, "no manuals to compare with")
	for name := range strings.FieldsSeq(names) {
		page, err := git("show", before+":"+name)
		require.NoError(t, err)
		require.Empty(t, gone(page, manualPage(t, filepath.Base(name))), "%s of %s", name, before)
	}
}

// TestGone changes manuals in each way that a minor release may not, and in ways that it may.
func TestGone(t *testing.T) {
	for _, test := range []struct{ page, old, new, want string }{
		{"jlpath.1", "cacheRead, cwd", "cwd", "usage: cacheRead"},
		{"jlpath.1", "dollars, input, output", "input, dollars, output", "bill: input is not in its place"},
		{"jlpath.1", "text, rank", "text, [rank]", "title: rank is optional"},
		{"jlpath.1", ".It \"recap\"\n", ".It \"memo\"\n", "recap: text"},
		{"jlpath.1", "Fl a", "Fl b", "Fl a"},
		{"jl.jq.7", "session, id, text, status}", "session, id, text}", "todos: status"},
		{"jl.jq.7", "Ic \"chat\"", "Ic \"talk\"", "Ic \"chat\""},
		{"jlrel.1", ".It \"mtime\"\n", ".It \"changed\"\n", "Member: mtime"},
		{"jltree.1", ".Ss Beside", ".Ss Aside", "Beside: all"},
		{"jlpath.1", "text, rank", "text, by, rank, [more]", ""},
		{"jlpath.1", "[gitBranch]", "gitBranch", ""},
	} {
		page := manualPage(t, test.page)
		require.Contains(t, page, test.old)
		missing := gone(page, strings.ReplaceAll(page, test.old, test.new))
		if test.want == "" {
			require.Empty(t, missing)
		} else {
			require.Contains(t, missing, test.want)
		}
	}
}
