package log

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/forest"
	"jl/test/drawn"
)

// TestMarks: what an entry says of itself and the rule does not need.
func TestMarks(t *testing.T) {
	tree := read(t, drawn.Log("u1 user\nu2 user <u1 team\nu3 user <u2 meta\na4 assistant <u3 text=_\na5 assistant <a4 text=x"), Reading{})
	require.Equal(t, []Mark{0, Team, Meta, 0, HasWords}, tree.Marks)
}

// TestLastBoundary: it is the last in the file, with an id or without one.
func TestLastBoundary(t *testing.T) {
	require.Zero(t, read(t, drawn.Log("u1 user"), Reading{}).LastBoundary)
	log := drawn.Log("u1 user\nb2 boundary log=u1\nu3 user <b2\nb4 boundary log=u3\nu5 user <b4")
	tree := read(t, log, Reading{})
	require.Equal(t, tree.Pos(nodeOf(t, tree, "b4")), tree.LastBoundary)
	log += `{"type":"system","subtype":"compact_boundary"}` + "\n"
	require.Equal(t, int64(6), read(t, log, Reading{}).LastBoundary.Line)
}

// TestListLeaves: the leaves of a list are the last living entry and the ends of what was undone, and no sub-agent's.
func TestListLeaves(t *testing.T) {
	tree := read(t, drawn.Log(`
		|{"type":"session.start","id":"s1","parentId":null,"data":{"sessionId":"s"}}
		|{"type":"user.message","id":"u2","parentId":"s1","data":{"content":"Count."}}
		|{"type":"assistant.message","id":"a3","parentId":"u2","agentId":"g","data":{"content":"One."}}
		|{"type":"assistant.message","id":"a4","parentId":"u2","data":{"content":"Two."}}`), Reading{})
	require.Equal(t, "a4", ids(t, tree, tree.Leaves))
	tree = read(t, drawn.Log(`
		|{"sessionId":"s","projectHash":"h","startTime":"2026-01-01T00:00:00Z"}
		|{"id":"u1","type":"user","content":"Count."}
		|{"id":"a2","type":"gemini","content":"One."}
		|{"$rewindTo":"a2"}
		|{"id":"a3","type":"gemini","content":"Two."}`), Reading{})
	require.Equal(t, "a3 a2", ids(t, tree, tree.Leaves))
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
		{"what is above a gap is history", `
			u1 user <no
			u2 user <no
			z1 user @- side
			z2 user <z1 @- side`, "u2", "-", "2"},
		{"what is above a plan that began afresh is history", `
			u1 user
			a2 assistant <u1
			a3 assistant <u1 @9
			u4 user @10 text=Implement_the_following_plan:_x`, "u4 a2", "- u1", "3 1"},
		{"parallel calls are shared, whatever parents say", `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			r5 user <a3 res=t2
			u6 user <r5
			a7 assistant <u6
			u8 user <r4
			a9 assistant <u8`, "a9 a7", "- r5", "7 2"},
		{"a fork at a call of several", `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			r5 user <a3 res=t2
			u6 user <r5
			a7 assistant <u6 @100
			u8 user <a2
			a9 assistant <u8`, "a7 a9", "- r5", "7 2"},
		{"what a compaction kept is shared", `
			u1 user
			a2 assistant <u1
			u3 user <a2
			b4 boundary log=u3 keep=a2,u3/s5
			s5 user <b4
			a6 assistant <s5
			u7 user <u3 @1`, "a6", "-", "7"},
		{"a leaf that a compaction kept for a newer end", `
			u1 user
			a2 assistant <u1
			u3 user <a2
			b4 boundary log=u3 keep=a2,u3/s5
			s5 user <b4
			a6 assistant <s5`, "a6", "-", "6"},
		{"a call of a path that hangs elsewhere", `
			u1 user
			a2 assistant <u1 m=m
			u3 user <a2
			a4 assistant <u3 m=n call=t1
			u5 user <a4
			b5 assistant <u5
			a6 assistant <no m=n call=t2
			u7 user <a6
			b7 assistant <u7
			u8 user <a2 @3`, "b7 b5 u8", "- a6 a2", "7 2 1"},
		{"a result that comes last, of a conversation that is older", `
			u1 user
			a2 assistant <u1 m=m call=t1
			u3 user <a2
			a4 assistant <u3 @3
			u5 user
			r6 user <a2 res=t1`, "u5 a4", "- -", "1 5"},
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
func branches(t *testing.T, tree *Log) (string, string) {
	var forks, own []string
	branches, _ := tree.Ends()
	for _, b := range branches {
		forks = append(forks, ids(t, tree, slices.DeleteFunc([]Node{b.Fork}, func(n Node) bool { return n == None })))
		own = append(own, strconv.Itoa(b.Own))
	}
	return strings.Join(forks, " "), strings.Join(own, " ")
}

// A fork may be right across a compaction, or several. What an end has of its own is all of its history that no newer
// end has.
func TestForksAcrossCompactions(t *testing.T) {
	tree := read(t, drawn.Log(`
		u1 assistant @1
		u2 user <u1 @2
		u3 assistant <u1 @3
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
	require.Equal(t, "5 5 1", own)
}

// ends returns the ends of a log.
func (t *Log) ends() (ends []Node) {
	branches, _ := t.Ends()
	for _, b := range branches {
		ends = append(ends, b.Leaf)
	}
	return ends
}

func TestLastPinnedAbove(t *testing.T) {
	tree := read(t, drawn.Log(`
		u1 user
		a2 assistant <u1 @9
		a3 assistant <u1
		- last-prompt leaf=u1`), Reading{})
	u1, a2, a3 := nodeOf(t, tree, "u1"), nodeOf(t, tree, "a2"), nodeOf(t, tree, "a3")
	_, last := tree.Ends()
	require.Equal(t, a3, last)
	_, last = read(t, "", Reading{}).Ends()
	require.Equal(t, None, last)
	require.True(t, slices.Contains(forest.Of(tree.Tree.Up).Walk(a3, nil), u1))
	require.True(t, slices.Contains(forest.Of(tree.Tree.Up).Walk(a3, nil), a3))
	require.False(t, slices.Contains(forest.Of(tree.Tree.Up).Walk(u1, nil), a3))
	require.False(t, slices.Contains(forest.Of(tree.Tree.Up).Walk(a3, nil), a2))

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
			require.Equal(t, c.want, ids(t, tree, slices.DeleteFunc([]Node{tree.Pinned}, func(n Node) bool { return n == None })))
		})
	}
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
			end := tree.End
			require.Equal(t, c.want, ids(t, tree, slices.DeleteFunc([]Node{end}, func(n Node) bool { return n == None })))
			if end != None {
				require.True(t, tree.Tree.Is(end, Talks))
				require.Equal(t, c.want, string(tree.Dialect.IDOf(tree.Entry(end)).Text()))
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
		require.Equal(t, want, string(tr.RawID(tr.End)), log)
	}
}
