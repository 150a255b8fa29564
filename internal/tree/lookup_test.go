package tree

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jl/internal/entry"
	"jl/test/drawn"

	"github.com/stretchr/testify/require"
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
			for _, n := range tree.Nodes() {
				raw := tree.RawID(n)
				require.Equal(t, tree.ID(n), string(raw.Text()))
				require.Equal(t, n, nodeOf(t, tree, tree.ID(n)))
				require.Equal(t, n, nodeOf(t, tree, string(entry.Value(entry.AppendString(nil, raw.Text())).Text())))
				for k := range tree.ID(n) {
					m := tree.Find([]string{tree.ID(n)[:k]})[tree.ID(n)[:k]]
					require.True(t, k == 0 || m.Node == n || slices.Contains(m.Candidates, tree.ID(n)) || tree.ID(m.Node) == tree.ID(n)[:k])
				}
				want := ""
				if up := tree.Parent(n); up != None {
					want = string(tree.RawID(up).Text())
				}
				require.Equal(t, want, string(tree.RawParent(n).Text()))
			}
			require.NoError(t, tree.Err())
		}
	}
}

func TestBranches(t *testing.T) {
	for _, c := range []struct{ name, log, ends, forks, own string }{
		{"one end", `
			u1 user
			a2 assistant <u1`, "a2", "-", "2"},
		{"two", `
			u1 user
			a2 assistant <u1
			a3 assistant <u1
			u4 user <a3`, "u4 a2", "- u1", "3 1"},
		{"a fork below a fork", `
			u1 user
			a2 assistant <u1
			a3 assistant <u1
			u4 user <a3
			u5 user <a3
			u6 user`, "u6 u5 u4 a2", "- - a3 u1", "1 3 1 1"},
		{"a newer end has the fork further down", `
			u1 user
			a3 assistant <u1
			u4 user <a3 @100
			u5 user <a3
			a2 assistant <u1 @50`, "u4 a2 u5", "- u1 a3", "3 1 1"},
		{"at a link", `
			u1 user
			p2 progress <u1
			a3 assistant <p2
			a4 assistant <p2`, "a4 a3", "- p2", "2 1"},
		{"links do not count", `
			u1 user
			a2 assistant <u1
			p3 progress <u1
			a4 assistant <p3 @1`, "a2 a4", "- u1", "2 1"},
		{"orphans share nothing", `
			u1 user <no
			u2 user <no
			z1 user @- side
			z2 user <z1 @- side`, "u2 u1", "- -", "1 1"},
		{"parallel calls are shared, whatever parents say", `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			r5 user <a3 res=t2
			u6 user <r5
			u7 user <r4`, "u7 u6", "- r5", "6 1"},
		{"a fork at a call of several", `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			r5 user <a3 res=t2
			u6 user <r5 @100
			u7 user <a2`, "u6 u7", "- r5", "6 1"},
		{"what a compaction kept is shared", `
			u1 user
			a2 assistant <u1
			u3 user <a2
			b4 boundary log=u3 keep=a2,u3/s5
			s5 user <b4
			a6 assistant <s5
			u7 user <u3 @1`, "a6", "-", "6"},
		{"a leaf that a compaction kept for a newer end", `
			u1 user
			a2 assistant <u1
			u3 user <a2
			b4 boundary log=u3 keep=a2,u3/s5
			s5 user <b4
			a6 assistant <s5`, "a6", "-", "5"},
		{"a call of a path that hangs elsewhere", `
			u1 user
			a2 assistant <u1 m=m
			u3 user <a2
			a4 assistant <u3 m=n call=t1
			u5 user <a4
			a6 assistant <no m=n call=t2
			u7 user <a6
			u8 user <a2 @3`, "u7 u5 u8", "- a6 a2", "6 1 1"},
		{"a result that comes last, of a conversation that is older", `
			u1 user
			a2 assistant <u1 m=m call=t1
			u3 user <a2
			u4 user
			r5 user <a2 res=t1`, "u4 u3", "- -", "1 4"},
		{"pi", `
			|{"type":"session","version":3,"id":"s"}
			a pi:message
			b pi:message <a
			c pi:message <a`, "c b", "- a", "2 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(c.log), Reading{})
			ends := tree.ends()
			require.Equal(t, c.ends, ids(t, tree, ends))
			forks, own := branches(t, tree)
			require.Equal(t, c.forks, forks)
			require.Equal(t, c.own, own)
		})
	}
}

// branches returns the forks of the ends, a dash for None, and how many nodes each has of its
// own.
func branches(t *testing.T, tree *Tree) (string, string) {
	var forks, own []string
	branches, _ := tree.Branches()
	for _, b := range branches {
		forks = append(forks, ids(t, tree, slices.DeleteFunc([]Node{b.Fork}, func(n Node) bool { return n == None })))
		own = append(own, strconv.Itoa(b.Own))
	}
	return strings.Join(forks, " "), strings.Join(own, " ")
}

// A fork may be right across a compaction, or several. What an end has of its own are then the entries
// after the fork; without a fork, those after the last compaction.
func TestForksAcrossCompactions(t *testing.T) {
	tree := read(t, drawn.Log(`
		u1 user @1
		u2 user <u1 @2
		u3 user <u1 @3
		u4 user <u3 @4
		b5 boundary log=u3 @5
		u6 user <b5 @6
		b7 boundary log=gone @7
		u8 user <b7 @8
		u9 user <u2 @9
		b10 boundary log=u9 @10
		u11 user <b10 @11`), Reading{})
	require.Equal(t, "u11 u8 u4", ids(t, tree, tree.ends()))
	forks, own := branches(t, tree)
	require.Equal(t, "- u1 u3", forks)
	require.Equal(t, "2 5 1", own)
}

// ends returns the ends of a log.
func (t *Tree) ends() (ends []Node) {
	branches, _ := t.Branches()
	for _, b := range branches {
		ends = append(ends, b.End)
	}
	return ends
}

// The union of paths has what each of them has and takes, in file order, whatever the order of the leaves.
func TestUnionIsAllPaths(t *testing.T) {
	for log := range drawn.Many(drawn.Session) {
		tree := read(t, log, Reading{})
		for _, o := range []Options{{}, {Chain: true}, {Through: true}, {Chain: true, Through: true}} {
			leaves, all, taken := slices.Clone(tree.Nodes()), map[Node]bool{}, map[Node]Node{}
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
	depth := tree.Forest().Depth()
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
	depth := tree.Forest().Depth()
	for id, want := range map[string]int{"u1": 2, "u3": 2, "u2": 2, "u4": 3, "u5": 0, "u6": 1} {
		require.Equal(t, want, depth(nodeOf(t, tree, id)), id)
	}
}

func TestLastPinnedAbove(t *testing.T) {
	tree := read(t, drawn.Log(`
		u1 user
		a2 assistant <u1 @9
		a3 assistant <u1
		- last-prompt leaf=u1`), Reading{})
	u1, a2, a3 := nodeOf(t, tree, "u1"), nodeOf(t, tree, "a2"), nodeOf(t, tree, "a3")
	_, last := tree.Branches()
	require.Equal(t, a3, last)
	_, last = read(t, "", Reading{}).Branches()
	require.Equal(t, None, last)
	require.True(t, slices.Contains(tree.Forest().Walk(a3, nil), u1))
	require.True(t, slices.Contains(tree.Forest().Walk(a3, nil), a3))
	require.False(t, slices.Contains(tree.Forest().Walk(u1, nil), a3))
	require.False(t, slices.Contains(tree.Forest().Walk(a3, nil), a2))

	for _, c := range []struct{ name, log, want string }{
		{"pinned", "u1 user\n- last-prompt leaf=u1", "u1"},
		{"none", "u1 user", "-"},
		{"missing", "u1 user <u2\n- last-prompt leaf=u2", "-"},
		{"the last", "u1 user\nu2 user\n- last-prompt leaf=u1\n- last-prompt leaf=u2", "u2"},
		{"one without a leaf does not count", "u1 user\n- last-prompt leaf=u1\n- last-prompt", "u1"},
		{"a boundary after it", "u1 user\n- last-prompt leaf=u1\nb2 boundary", "-"},
		{"a boundary before it", "u1 user\nb2 boundary\n- last-prompt leaf=u1", "u1"},
		{"written before its leaf", "- last-prompt leaf=u1\nu1 user", "u1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(c.log), Reading{})
			require.Equal(t, c.want, ids(t, tree, slices.DeleteFunc([]Node{tree.Pinned()}, func(n Node) bool { return n == None })))
		})
	}
}

func TestAnnotations(t *testing.T) {
	tree := read(t, drawn.Log(`
		u1 user session=s
		- file-history-snapshot msg=u1
		a2 assistant <u1 session=s
		- summary leaf=a2 sum=first
		- summary leaf=a2 sum=second
		- summary leaf=a3 sum=other
		|{"type":"ai-title","sessionId":"s","aiTitle":"made up"}
		|{"type":"custom-title","sessionId":"t","customTitle":"another's"}
		a3 assistant <u1 session=t @2
		- file-history-delta msg=a3
		|{"type":"tag","tag":"all"}
		|{"type":"tag","sessionId":"v","tag":"none's"}
		- file-history-snapshot
		- mode
		u4 user @1`), Reading{})
	a2, a3, u4 := nodeOf(t, tree, "a2"), nodeOf(t, tree, "a3"), nodeOf(t, tree, "u4")
	require.Equal(t, "second", string(tree.Summary(a2)))
	require.Equal(t, "other", string(tree.Summary(a3)))
	require.Nil(t, tree.Summary(u4))
	require.Equal(t, "made up", string(tree.Title(a2)))
	require.Equal(t, "another's", string(tree.Title(a3)))
	require.Nil(t, tree.Title(u4))

	lines := func(leaf Node) (got []int64) {
		for _, x := range tree.Annotations(tree.Path(leaf, Options{}).Nodes) {
			got = append(got, x.Line)
			require.True(t, entry.Valid(tree.EntryAt(x).Line))
		}
		return got
	}
	require.Equal(t, []int64{2, 4, 5, 7, 11}, lines(a2))
	require.Equal(t, []int64{2, 6, 7, 8, 10, 11}, lines(a3))
	require.Equal(t, []int64{11}, lines(u4))
	require.NoError(t, tree.Err())
}

func TestTitle(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{"none", ``, ""},
		{"the last", `
			|{"type":"custom-title","sessionId":"s","customTitle":"one"}
			|{"type":"custom-title","sessionId":"s","customTitle":"two"}`, "two"},
		{"the user's before a program's", `
			|{"type":"custom-title","sessionId":"s","customTitle":"one"}
			|{"type":"ai-title","sessionId":"s","aiTitle":"two"}`, "one"},
		{"an empty one does not count", `
			|{"type":"custom-title","sessionId":"s","customTitle":"one"}
			|{"type":"ai-title","sessionId":"s","aiTitle":"two"}
			|{"type":"custom-title","sessionId":"s","customTitle":""}`, "two"},
		{"without a session it belongs to the file", `
			|{"type":"custom-title","customTitle":"one"}`, "one"},
		{"Qwen's, which is a node", `
			|{"type":"system","subtype":"custom_title","uuid":"q","parentUuid":"u1","sessionId":"s","systemPayload":{"customTitle":"one"}}
			|{"type":"ai-title","sessionId":"s","aiTitle":"two"}`, "one"},
		{"of a session that is not in the file", `
			|{"type":"custom-title","sessionId":"t","customTitle":"one"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log("u1 user session=s\n"+c.log), Reading{})
			require.Equal(t, c.want, string(tree.Title(nodeOf(t, tree, "u1"))))
		})
	}
}

func TestPrompt(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{"the leaf's", "u1 user say=_one_\nx user <u1 say=two", "two"},
		{"above it", "u1 user say=_one_\nx assistant <u1", "one"},
		{"not a result", "u1 user say=one\na2 assistant <u1 call=t1\nx user <a2 res=t1", "one"},
		{"not a meta entry", "u1 user say=one\nx user <u1 say=two meta", "one"},
		{"not an empty one", "u1 user text=_,one\nx user <u1 text=_", ",one"},
		{"not a compaction's summary", "u1 user say=one\n" +
			`|{"uuid":"x","parentUuid":"u1","type":"user","isCompactSummary":true,"message":{"role":"user","content":"so far"}}`, "one"},
		{"a text block", "x user res=t1 text=two", "two"},
		{"none", "x assistant", ""},
		{"none on a cycle", "x assistant <a2\na2 assistant <x", ""},
		{"pi", drawn.V3 + "u1 pi:message say=one\n" + `|{"type":"message","id":"x","parentId":"u1","message":{"role":"assistant","content":[{"type":"text","text":"yo"}]}}`, "one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(c.log), Reading{})
			require.Equal(t, c.want, string(tree.Prompt(nodeOf(t, tree, "x"))))
			require.NoError(t, tree.Err())
		})
	}
}

// edges returns the edges of all nodes, a line each.
func edges(t *testing.T, tree *Tree) string {
	t.Helper()
	var b []byte
	for _, n := range tree.Nodes() {
		b = append(tree.AppendEdge(b, n, ""), "}\n"...)
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
			leaf, _ := tree.Leaf(None)
			require.Equal(t, c.want, string(tree.AppendEdge(nil, leaf, "")))
			once := edges(t, tree)
			again := read(t, once, Reading{})
			require.Equal(t, once, edges(t, again))
			leaf, _ = again.Leaf(None)
			require.Equal(t, c.want, string(again.AppendEdge(nil, leaf, "")))
			chain := func(t *Tree) []Node { return t.Path(None, Options{Chain: true}).Nodes }
			require.Equal(t, ids(t, tree, chain(tree)), ids(t, again, chain(again)))
		})
	}
	tree := read(t, drawn.Log("u1 user"), Reading{})
	require.Contains(t, string(tree.AppendEdge([]byte("x"), nodeOf(t, tree, "u1"), "a b")), `x{"uuid":"u1",`)
	require.Contains(t, string(tree.AppendEdge(nil, nodeOf(t, tree, "u1"), "a b")), `"file":"a b"`)
}

func TestBytes(t *testing.T) {
	whole := ` {"uuid":"u1","type":"user"}` + " \r\n"
	torn := `{"uuid":"u2","type":"us{"uuid":"u3","parentUuid":"u1","type":"user"}` + "\n"
	tree := read(t, "\xef\xbb\xbf"+whole+torn+`{"uuid":"u4","parentUuid":"u3","type":"user"}`, Reading{})
	var got []string
	for _, n := range tree.Path(None, Options{}).Nodes {
		b := tree.Entry(n).Line
		got = append(got, string(b))
		x := tree.Pos(n)
		require.Equal(t, len(b), int(x.Length))
		require.Equal(t, string(b), string(tree.EntryAt(x).Line))
	}
	require.Equal(t, []string{
		whole,
		`{"uuid":"u3","parentUuid":"u1","type":"user"}`,
		`{"uuid":"u4","parentUuid":"u3","type":"user"}`,
	}, got)
	require.NoError(t, tree.Err())
}

// A changing is a log whose bytes change after they were read once.
type changing struct {
	text string
	err  error
}

func (c *changing) ReadAt(p []byte, at int64) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	return strings.NewReader(c.text).ReadAt(p, at)
}

var errIO = errors.New("input/output error")

// If an entry cannot be read again, there is an error and no bytes.
func TestReadAgainFails(t *testing.T) {
	log := drawn.Log(`
		u1 user session=s
		a2 assistant <u1 m=m call=t1,t2 session=s
		s3 system <a2
		r4 user <s3 res=t1
		r5 user <a2 res=t2
		b6 boundary log=r5 keep=r5/b6 @80
		u7 user <b6 @90
		- summary leaf=u7 sum=x
		|{"type":"custom-title","sessionId":"s","customTitle":"y"}`)
	for _, c := range []struct {
		name string
		then changing
		want error
	}{
		{"the disk", changing{err: errIO}, errIO},
		{"shrank", changing{text: log[:5]}, ErrChanged},
		{"emptied", changing{}, ErrChanged},
		{"other ids", changing{text: strings.NewReplacer(`"uuid":"`, `"uuid":"x`, `"type":"s`, `"type":"`).Replace(log)}, ErrChanged},
		{"not an entry", changing{text: strings.Repeat("x", len(log))}, ErrChanged},
		{"another id of the same length", changing{text: strings.NewReplacer(
			`"u1"`, `"x1"`, `"a2"`, `"x2"`, `"s3"`, `"x3"`, `"r4"`, `"x4"`, `"r5"`, `"x5"`, `"b6"`, `"x6"`, `"u7"`, `"x7"`).Replace(log)}, ErrChanged},
	} {
		source := &changing{text: log}
		fresh := func() (*Tree, Node) {
			source.text, source.err = log, nil
			tree, err := Read(source, int64(len(log)), Reading{}, nil)
			require.NoError(t, err)
			leaf := tree.Path(None, Options{}).Leaf
			require.NotEqual(t, None, leaf)
			require.NoError(t, tree.Err())
			tree.window, tree.again, tree.made.crossings, *source = window{}, entry.Entry{}, nil, c.then // it does not read again what it has
			return tree, leaf
		}
		for name, ask := range map[string]func(*Tree, Node) []byte{
			"Entry":   func(t *Tree, n Node) []byte { return t.Entry(n).Line },
			"ID":      func(t *Tree, n Node) []byte { return []byte(t.ID(n)) },
			"EntryAt": func(t *Tree, n Node) []byte { t.Entry(n); return t.EntryAt(t.Pos(n)).Line },
			"Prompt":  func(t *Tree, n Node) []byte { return t.Prompt(n) },
			"Find":    func(t *Tree, n Node) []byte { t.Find([]string{"u"}); return nil },
			"Through": func(t *Tree, n Node) []byte { t.Path(n, Options{Through: true}); return nil },
			"Edge":    func(t *Tree, n Node) []byte { t.AppendEdge(nil, n, ""); return nil },
		} {
			tree, leaf := fresh()
			require.Empty(t, ask(tree, leaf), "%s: %s", c.name, name)
			require.ErrorIs(t, tree.Err(), c.want, "%s: %s", c.name, name)
			require.Nil(t, tree.Entry(leaf).Line, "the error is kept")
			tree.Path(None, Options{}) // nothing panics after the error
			tree.Summary(leaf)
			tree.Title(leaf)
		}
	}
	source := &changing{text: log}
	tree, err := Read(source, int64(len(log)), Reading{}, nil)
	require.NoError(t, err)
	source.text, tree.window = strings.Repeat(`{"type":"zzzz"} `, len(log)/16), window{}
	require.Nil(t, tree.Summary(nodeOf(t, tree, "u7")))
	require.ErrorIs(t, tree.Err(), ErrChanged)
}

// If the lines end with an error, the tree holds the entries before it.
func TestLinesFail(t *testing.T) {
	log := drawn.Log("u1 user\na2 assistant <u1\nu3 user <a2")
	cut := strings.LastIndex(strings.TrimSpace(log), "\n") + 1
	for _, at := range []int{cut, cut + 10} {
		damaged := 0
		tree, err := Read(failing(log[:at]), int64(len(log)), Reading{}, func(d *entry.Damage) {
			damaged++
			require.Equal(t, int64(3), d.Pos.Line)
			require.Equal(t, int64(cut), d.Pos.Offset)
		})
		require.ErrorIs(t, err, errIO)
		require.Equal(t, "u1 a2", ids(t, tree, tree.Path(None, Options{}).Nodes))
		require.Equal(t, min(at-cut, 1), damaged)
	}
	tree, err := Read(failing(""), 1, Reading{}, nil)
	require.ErrorIs(t, err, errIO)
	require.Empty(t, tree.Leaves())
	require.Equal(t, Path{Leaf: None, Top: None}, tree.Path(None, Options{}))
}

// A failing is the beginning of a file of which the rest cannot be read.
type failing string

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, f[min(off, int64(len(f))):])
	if n < len(p) {
		return n, errIO
	}
	return n, nil
}

func TestLiveEnd(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{"the last of the conversation", "u1 user\na2 assistant <u1\np3 progress <a2\nu4 user <a2 side", "a2"},
		{"all on a sidechain", "u1 user side\nu2 user <u1 side\np3 progress", "u2"},
		{"pi", drawn.V3 + "a pi:message\nb pi:label <a", "b"},
		{"none", "p1 progress", "-"},
		{"a boundary that nothing follows", "u1 user\nb2 boundary log=u1", "u1"},
		{"no message follows a boundary", "u1 user\nb2 boundary\nt3 attachment <b2", "u1"},
		{"an older boundary", "u1 user\nb2 boundary\nu3 user <b2\nb4 boundary", "u3"},
		{"no message at all", "t1 attachment\nb2 boundary\nt3 system <b2\np4 progress <t3", "t3"},
		{"only a sidechain has messages", "u1 user side\nb2 boundary", "b2"},
		{"a boundary that nothing follows on a sidechain", "u1 user side\nb2 boundary log=u1 side", "u1"},
		{"a cycle without messages", "u1 user\nt2 system <t3\nt3 system <t2", "u1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(c.log), Reading{})
			end := tree.End()
			require.Equal(t, c.want, ids(t, tree, slices.DeleteFunc([]Node{end}, func(n Node) bool { return n == None })))
			if end != None {
				require.True(t, tree.Conversation(end))
				require.Equal(t, c.want, string(tree.dialect.IDOf(tree.Entry(end)).Text()))
			}
		})
	}
}

// The leaf of pi's edges, which other agents' logs have too, is not on a sidechain unless
// all are.
func TestLeafOfEdges(t *testing.T) {
	const root, side = `{"id":"a","parentId":null}` + "\n", `{"id":"b","parentId":null,"isSidechain":true}` + "\n"
	for log, want := range map[string]string{
		root:               `"a"`,
		side:               `"b"`,
		root + side:        `"a"`,
		side + root:        `"a"`,
		side + root + side: `"a"`,
	} {
		tr := read(t, log, Reading{})
		require.Equal(t, want, string(tr.RawID(tr.End())), log)
	}
}
