package log

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/test/drawn"
)

func TestFind(t *testing.T) {
	log := drawn.Log(`
		abc user
		abd assistant <abc
		ab user <abd
		xyz user <ab
		été user <gone
		p1 progress <xyz`)
	for _, c := range []struct{ name, id, want, candidates string }{
		{"in full", "abc", "abc", ""},
		{"in full, and a prefix of others", "ab", "ab", ""},
		{"a prefix", "x", "xyz", "xyz"},
		{"a prefix of several", "a", "-", "abc abd ab"},
		{"a part of a character", "\xc3", "été", "été"},
		{"a link", "p", "p1", "p1"},
		{"none", "abcd", "-", ""},
		{"only named as a parent", "gone", "-", ""},
		{"empty", "", "-", ""},
		{"a line of a log with ids", "#1", "-", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, log, Reading{})
			// Other ids in the call do not change the answer.
			for _, asked := range [][]string{{c.id}, {"x", c.id, "abd"}} {
				m := tree.Find(asked)[c.id]
				got := "-"
				if m.Node != None {
					got = tree.ID(m.Node)
				}
				require.Equal(t, c.want, got)
				require.Equal(t, c.candidates, strings.Join(m.Candidates, " "))
			}
		})
	}
	tree := read(t, drawn.Log("- user\n- user\n- summary\n- user"), Reading{})
	require.Equal(t, None, tree.Find([]string{"#3"})["#3"].Node)
	require.Equal(t, []string{"#1", "#2", "#4"}, tree.Find([]string{"#"})["#"].Candidates)
	require.Empty(t, tree.Find(nil))
}

// Any number of ids, known or not, takes one pass over the log, and an ambiguous one names
// few of the ids that it means.
func TestFindMany(t *testing.T) {
	var drawing strings.Builder
	for i := range 100 {
		fmt.Fprintf(&drawing, "id%02d user\n", i)
	}
	tree := read(t, drawn.Log(drawing.String()), Reading{})
	counts := map[string]int{"id": 100, "": 0, "id1": 10, "i": 100, "id42x": 0, "id42": 0, "id07": 0, "zz": 0, "id0": 10}
	found := tree.Find(slices.Collect(maps.Keys(counts)))
	require.Len(t, found, len(counts))
	for id, want := range counts {
		require.Equal(t, want, found[id].Count)
		require.Len(t, found[id].Candidates, min(want, maxCandidates))
	}
	require.Equal(t, None, found[""].Node)
	require.Equal(t, "id42", tree.ID(found["id42"].Node))
	require.Equal(t, []string{"id10", "id11"}, found["id1"].Candidates[:2])
}

// An id that a program prints, whole or cut, escaped or not, finds its node again.
func TestFindWhatWasPrinted(t *testing.T) {
	for _, log := range []string{`
		|{"type":"user","uuid":"\ud800"}
		|{"type":"user","uuid":"\udc00x","parentUuid":"\ud800"}
		|{"type":"user","uuid":"caf\u00e9\/","parentUuid":"\uDC00x"}
		|{"type":"user","uuid":"\ud83d\ude00","parentUuid":"café/"}
		|{"type":"user","uuid":"\ud83d\ud83d","parentUuid":"😀"}
		|{"type":"user","uuid":"d","parentUuid":"\ud83d\uD83D"}
		|{"type":"user","uuid":"\u0064","parentUuid":"\ud83d\ud83d"}`,
		`
		|{"type":"user"}
		|{"type":"user"}{"type":"user"}
		|{"type":"progress","uuid":"#2"}
		|{"type":"user","parentUuid":"\ud800"}`,
		drawn.V1 + `
		|{"type":"message"}{"type":"message"}
		|[1]
		|{"type":"message","id":"x","parentId":"y"}`,
	} {
		for _, strict := range []bool{false, true} {
			tree := read(t, drawn.Log(log), Reading{Decoder: entry.Decoder{Strict: strict}})
			for n := range tree.Count {
				raw := tree.RawID(n)
				require.Equal(t, tree.ID(n), string(raw.Text()))
				require.Equal(t, n, nodeOf(t, tree, tree.ID(n)))
				require.Equal(t, n, nodeOf(t, tree, string(entry.Value(entry.AppendString(nil, raw.Text())).Text())))
				for k := range tree.ID(n) {
					m := tree.Find([]string{tree.ID(n)[:k]})[tree.ID(n)[:k]]
					require.True(t, k == 0 || m.Node == n || slices.Contains(m.Candidates, tree.ID(n)) || tree.ID(m.Node) == tree.ID(n)[:k])
				}
				want := ""
				if up := tree.Tree.Up[n]; up != None {
					want = string(tree.RawID(up).Text())
				}
				require.Equal(t, want, string(tree.RawParent(n).Text()))
			}
			require.NoError(t, tree.Err())
		}
	}
}

// The union of paths has what each of them has and takes, in file order, whatever the order of the leaves.
func TestUnionIsAllPaths(t *testing.T) {
	logs := 0
	for log := range drawn.Many(drawn.Session) {
		if logs++; testing.Short() && logs > 60 {
			break
		}
		tree := read(t, log, Reading{})
		for _, o := range []Options{{}, {Chain: true}, {Through: true}, {Chain: true, Through: true}} {
			leaves, all, taken := slices.Clone(forest.All(tree.Count)), map[Node]bool{}, map[Node]Node{}
			for _, n := range leaves {
				path := tree.Path(n, o)
				maps.Copy(taken, path.Taken)
				for _, n := range path.Nodes {
					all[n] = true
				}
			}
			want := slices.Sorted(maps.Keys(all))
			for range 2 {
				union := tree.Union(leaves, o)
				require.Equal(t, want, union.Nodes, "%+v %s", o, log)
				require.Len(t, union.Taken, len(taken), log)
				for n, to := range taken {
					require.Equal(t, to, union.Taken[n], log)
				}
				slices.Reverse(leaves)
			}
		}
	}
}

func TestDepths(t *testing.T) {
	tree := read(t, drawn.Log(`
		u1 user
		a3 assistant <u1
		u4 user <a3
		p5 progress <a3
		u6 user <p5
		u7 user <no`), Reading{})
	depth := forest.Of(tree.Tree.Up).Depth()
	for id, want := range map[string]int{"u1": 0, "a3": 1, "u4": 2, "p5": 2, "u6": 3, "u7": 0} {
		require.Equal(t, want, depth(nodeOf(t, tree, id)), id)
		require.Len(t, tree.Path(nodeOf(t, tree, id), Options{Chain: true}).Nodes, want+1)
	}
}

func TestDepthsOnCycle(t *testing.T) {
	tree := read(t, drawn.Log(`
		u1 user <u3
		u2 user <u1
		u3 user <u2
		u4 user <u2
		u5 user <u5
		u6 user <u5`), Reading{})
	depth := forest.Of(tree.Tree.Up).Depth()
	for id, want := range map[string]int{"u1": 2, "u3": 2, "u2": 2, "u4": 3, "u5": 0, "u6": 1} {
		require.Equal(t, want, depth(nodeOf(t, tree, id)), id)
	}
}

// appendEdge appends the edge of n, without its closing brace, to dst.
func appendEdge(l *Log, dst []byte, n Node, file string) []byte {
	id, parent := l.RawID(n), l.RawParent(n)
	return l.Dialect.AppendEdge(dst, l.Entry(n), id, parent, file)
}

// edges returns the edges of all nodes, a line each.
func edges(t *testing.T, tree *Log) string {
	t.Helper()
	var b []byte
	for n := range tree.Count {
		b = append(appendEdge(tree, b, n, ""), "}\n"...)
	}
	require.NoError(t, tree.Err())
	return string(b)
}

// A log of edges has the same edges, positions included.
func TestEdgesOfEdges(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{"claude", `
			u1 user session=s
			a2 assistant <u1 session=s
			- summary leaf=a2 sum=x
			p3 progress <no @-
			b4 boundary log=a2 @1
			u9 user <b4 @2
			u5 user <u1 side
			|{"uuid":"u6","type":"us{"uuid":"u7","type":"user","parentUuid":"a2"}`,
			`{"uuid":"u9","parentUuid":"b4","type":"user","timestamp":"2026-01-01T00:00:02.000Z","line":6,"offset":591,"length":126`},
		{"without ids", `
			- user <-
			- summary
			- assistant @2 <-`,
			`{"uuid":"#3","parentUuid":"#1","type":"assistant","timestamp":"2026-01-01T00:00:02.000Z","line":3,"offset":172,"length":106`},
		{"pi", drawn.V3 + `
			a pi:message
			b pi:message <a`,
			`{"id":"b","parentId":"a","type":"message","timestamp":"2026-01-01T00:00:03.000Z","line":3,"offset":164,"length":123`},
		{"pi of version 1", drawn.V1 + `
			a pi:message <-
			b pi:message <-`,
			`{"id":"#3","parentId":"#2","type":"message","timestamp":"2026-01-01T00:00:03.000Z","line":3,"offset":136,"length":108`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(c.log), Reading{})
			leaf := tree.Leaf
			require.Equal(t, c.want, string(appendEdge(tree, nil, leaf, "")))
			once := edges(t, tree)
			again := read(t, once, Reading{})
			require.Equal(t, once, edges(t, again))
			require.Equal(t, c.want, string(appendEdge(again, nil, again.Leaf, "")))
			chain := func(t *Log) []Node { return t.Path(None, Options{Chain: true}).Nodes }
			require.Equal(t, ids(t, tree, chain(tree)), ids(t, again, chain(again)))
		})
	}
	tree := read(t, drawn.Log("u1 user"), Reading{})
	require.Contains(t, string(appendEdge(tree, []byte("x"), nodeOf(t, tree, "u1"), "a b")), `x{"uuid":"u1",`)
	require.Contains(t, string(appendEdge(tree, nil, nodeOf(t, tree, "u1"), "a b")), `"file":"a b"`)
}
