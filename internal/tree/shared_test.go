package tree

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// If the directory shared exists, it holds answers of the programs themselves, and the
// rules must agree with all of them.
const shared = "../../../shared"

func sharedFile(t *testing.T, elem ...string) []byte {
	t.Helper()
	name := filepath.Join(append([]string{shared}, elem...)...)
	b, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		t.Skipf("%s is not there", name)
	}
	require.NoError(t, err)
	return b
}

// rows returns the rows of a table of tab-separated values, the names of the
// columns first.
func rows(b []byte) (all [][]string) {
	s := bufio.NewScanner(strings.NewReader(string(b)))
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		all = append(all, strings.Split(s.Text(), "\t"))
	}
	return all
}

// answers checks the path by the rules of program against a cell of a table.
func answers(t *testing.T, program, cell, log string) {
	t.Helper()
	if strings.HasPrefix(cell, "ERROR") {
		return
	}
	var rules Rules
	require.NoError(t, rules.UnmarshalText([]byte(strings.ReplaceAll(program, " --", "-"))))
	want := cell
	if cell == "" || strings.HasPrefix(cell, "NONE") {
		want = "-"
	}
	tree := read(t, log, rules)
	require.Equal(t, want, ids(t, tree, tree.Path(None, Options{}).Nodes), program)
}

func TestSharedCases(t *testing.T) {
	table := rows(sharedFile(t, "cases", "claude.tsv"))
	for _, row := range table[1:] {
		t.Run(row[0], func(t *testing.T) {
			log := string(sharedFile(t, "cases", "claude", row[0]+".jsonl"))
			for i, program := range table[0] {
				if i > 0 && program != "sdk-python" {
					answers(t, program, row[i], log)
				}
			}
		})
	}
}

func TestSharedSessions(t *testing.T) {
	for _, row := range rows(sharedFile(t, "real", "answers.tsv"))[1:] {
		t.Run(row[0]+" "+row[1], func(t *testing.T) {
			answers(t, row[1], row[2], string(sharedFile(t, "real", row[0])))
		})
	}
}

func TestSharedPi(t *testing.T) {
	dir := filepath.Join(shared, "cases", "pi")
	names, err := filepath.Glob(filepath.Join(dir, "*.branch.expected"))
	require.NoError(t, err)
	if len(names) == 0 {
		t.Skipf("%s is not there", dir)
	}
	for _, name := range names {
		name = strings.TrimSuffix(filepath.Base(name), ".branch.expected")
		base, leaf, _ := strings.Cut(name, "@")
		want := strings.Fields(string(sharedFile(t, "cases", "pi", name+".branch.expected")))
		// pi makes up ids that are missing and does not return from a cycle. It accepts
		// a leaf of null, which cannot be given here.
		if leaf == "null" || strings.Contains(strings.Join(want, " "), "#") ||
			strings.Contains(string(sharedFile(t, "cases", "pi", name+".info.expected")), "cycle") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			tree := read(t, string(sharedFile(t, "cases", "pi", base+".jsonl")), Default)
			got := strings.Fields(ids(t, tree, tree.Path(nodeOf(t, tree, leaf), Options{}).Nodes))
			if len(want) == 0 {
				want = []string{"-"}
			}
			if b, err := os.ReadFile(filepath.Join(dir, name+".branch.expected.pi-0.87.1")); err == nil {
				// Versions of pi differ. Either answer is right.
				require.Contains(t, [][]string{want, strings.Fields(string(b))}, got)
				return
			}
			require.Equal(t, want, got)
		})
	}
}
