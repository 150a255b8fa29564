package log

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/rule"
	"jl/test/drawn"
)

func TestLeaves(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{"none", ``, "-"},
		{"newest first", `
			u1 user @1
			a2 assistant <u1 @9
			a3 assistant <u1 @8
			a4 assistant <u1 @10`, "a4 a2 a3"},
		{"as instants", `
			u1 user @="2026-01-01T12:00:00+02:00"
			u2 user @="2026-01-01T10:30:00Z"
			u3 user @="2026-01-01T05:15:00-0500"
			u4 user @="2026-01-01T10:00:00.001Z"
			z1 user @- side
			z2 user <z1 @- side`, "u2 u3 u4 u1"},
		{"ties to the later in the file", `
			u1 user @5
			u2 user @5
			u3 user @5
			z1 user @- side
			z2 user <z1 @- side`, "u3 u2 u1"},
		{"no or an unreadable time is oldest", `
			u1 user @-
			u2 user @=12
			u3 user @="soon"
			u4 user @="1912-06-23T00:00:00Z"
			z1 user @- side
			z2 user <z1 @- side`, "u4 u3 u2 u1"},
		{"seen through links", `
			u1 user @9
			p2 progress <u1
			w3 weird <p2
			a4 assistant <w3 @4`, "a4"},
		{"a link is not a leaf", `
			u1 user
			p2 progress <u1`, "u1"},
		{"a node with only a sidechain below it is a leaf", `
			u1 user
			u2 user <u1 side
			a3 assistant <u2 side`, "u1"},
		{"seen through a sidechain", `
			u1 user
			u2 user <u1 side
			a3 assistant <u2`, "a3"},
		{"all on a sidechain", `
			u1 user side
			a2 assistant <u1 side
			p3 progress <a2`, "a2"},
		{"team, meta, attachments and system entries are ordinary", `
			u1 user @1
			u2 user <u1 @2 meta
			u3 user <u1 @3 team
			a4 assistant <u2 @4
			t5 attachment <u1 @5
			s6 system <u1 @6`, "a4"},
		{"that in which nobody speaks belongs to the turn that it hangs on", `
			u1 user
			t2 attachment <u1
			a3 assistant <u1
			u4 user <a3
			a5 assistant <u4
			s6 system <u1`, "a5"},
		{"its own parent", `
			u1 user @1
			u2 user <u2 @2
			z1 user @- side
			z2 user <z1 @- side`, "u2 u1"},
		{"its own parent through a link", `
			u1 user @1
			u2 user <p3 @2
			p3 progress <u2`, "u1"},
		{"a closed cycle", `
			u1 user <u3
			u2 user <u1
			u3 user <u2`, "u3 u1"},
		{"below a cycle of links", `
			p1 progress <p2
			p2 progress <p1
			u3 user <p1
			u4 user <p2`, "u4 u3"},
		{"below a cycle", `
			u1 user <u2
			u2 user <u1
			a3 assistant <u2`, "a3"},
		{"an orphan", `
			u1 user @1
			u2 user <no @2
			z1 user @- side
			z2 user <z1 @- side`, "u2 u1"},
		{"links only", `
			p1 progress
			w2 weird <p1`, "-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(c.log), Reading{})
			leaves := tree.Leaves
			require.Equal(t, c.want, ids(t, tree, leaves))
			leaf, odd := tree.Leaf, tree.NoLeaf
			p := tree.Path(None, Options{})
			require.Equal(t, leaf, p.Leaf)
			if len(leaves) > 0 {
				require.Equal(t, leaves[0], leaf)
				require.Empty(t, odd)
			} else {
				require.Equal(t, None, leaf)
				require.Empty(t, p.Nodes)
				require.Equal(t, odd, p.Odd)
			}
		})
	}
	tree := read(t, drawn.Log("u1 user <u2\nu2 user <u1"), Reading{})
	require.Equal(t, "1: cycle -> u2\n", texts(tree, tree.Path(None, Options{}).Odd))
}

func TestDefaultPath(t *testing.T) {
	for _, c := range []struct {
		name, log, leaf string
		o               Options
		want, remarks   string
	}{
		{name: "an orphan is named", log: `
			u1 user
			a2 assistant <no
			u3 user <a2`,
			want: "a2 u3", remarks: "2: orphan no -> u1\n"},
		{name: "a cycle is named", log: `
			u1 user <a2
			a2 assistant <u1
			u3 user <a2`,
			want: "u1 a2 u3", remarks: "1: cycle -> a2\n"},
		{name: "its own parent is named", leaf: "u1", log: `
			u1 user <u1`,
			want: "u1", remarks: "1: cycle -> u1\n"},
		{name: "its own parent is named, below others", leaf: "u2", log: `
			u1 user
			u2 user <u2
			a3 assistant <u2`,
			want: "u2", remarks: "2: cycle -> u2\n"},
		{name: "links are printed", log: `
			u1 user
			p2 progress <u1
			w3 weird <p2
			a4 assistant <w3`,
			want: "u1 p2 w3 a4"},
		{name: "any node can be the given leaf", leaf: "p2", log: `
			u1 user
			p2 progress <u1
			a3 assistant <p2`,
			want: "u1 p2"},
		{name: "chain leaves out siblings", o: Options{Chain: true}, log: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			r5 user <a3 res=t2`,
			want: "u1 a2 a3 r5"},
		{name: "chain goes on at the parent that is named, kept or not", o: Options{Chain: true}, log: `
			u1 user
			a2 assistant <u1
			b3 boundary keep=u1,a2/s4
			s4 user <b3
			u5 user <a2`,
			want: "u1 a2 u5"},
		{name: "chain crosses to the first entry, and to a plan's session", o: Options{Chain: true, Through: true}, log: `
			u1 user session=s
			u2 user session=t
			b3 boundary log=u1 session=s
			u4 user <b3 session=s
			u5 user text=Implement_the_following_plan:_x session=t
			u6 user <u5 session=t
			b7 boundary log=u6
			u8 user <b7`,
			want: "u2 u5 u6 b7 u8", remarks: "5: afresh -> u2\n"},
		{name: "chain crosses to the first entry", o: Options{Chain: true, Through: true}, log: `
			u1 user
			u2 user
			b3 boundary log=u1
			u4 user <b3`,
			want: "u1 b3 u4"},
		{name: "chain leaves out preserved entries", o: Options{Chain: true}, log: `
			u1 user
			b2 boundary keep=u1/b2
			u3 user <b2`,
			want: "b2 u3"},

		// preserved lists
		{name: "a complete list of the last boundary is kept", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			b4 boundary keep=a2,u3/b4
			p5 progress <b4
			u6 user <p5`,
			want: "a2 u3 b4 p5 u6"},
		{name: "progress within a segment is kept", log: `
			u1 user
			p2 progress <u1
			a3 assistant <p2
			b4 boundary seg=u1,a3/b4
			u5 user <b4`,
			want: "u1 p2 a3 b4 u5"},
		{name: "an incomplete list is ignored", log: `
			u1 user
			b2 boundary keep=u1,no/b2
			u3 user <b2`,
			want: "u1 b2 u3"},
		{name: "a list whose anchor is not in the file is ignored", log: `
			u1 user
			b2 boundary keep=u1/no
			u3 user <b2`,
			want: "u1 b2 u3"},
		{name: "a list with what comes after the boundary keeps nothing", log: `
			u1 user
			b2 boundary keep=u1,u4/b2
			u3 user <b2
			u4 user <u3`,
			want: "b2 u3 u4"},
		{name: "an anchor that does not hang on the boundary is no summary", log: `
			u1 user
			a2 assistant <u1
			b3 boundary keep=a2/u1
			u4 user <a2`,
			want: "a2 b3 u4"},
		{name: "nor is one on another side", log: `
			u1 user
			b2 boundary keep=u1/s3
			s3 user <b2 side
			u4 user <u1`,
			want: "u1 b2 u4"},
		{name: "a path that ends before the compaction does not change", leaf: "u3", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			b4 boundary keep=a2,u3/b4
			u5 user <b4`,
			want: "u1 a2 u3"},
		{name: "a path that continues from a kept entry continues below the boundary", log: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			b4 boundary keep=a2,u3/b4
			u5 user <b4
			u6 user <u3`,
			want: "a2 u3 b4 u6"},

		{name: "a boundary that kept something is a root, whatever parent it names", log: `
			u1 user
			a2 assistant <u1
			b3 boundary <a2 keep=u1/b3
			u4 user <b3`,
			want: "u1 b3 u4"},

		// --through
		{name: "through a compaction", o: Options{Through: true}, log: `
			u1 user
			a2 assistant <u1
			b3 boundary log=a2
			u4 user <b3
			b5 boundary log=u4 keep=u4/b5
			u6 user <b5`,
			want: "u1 a2 b3 u4 b5 u6"},
		{name: "a logical parent that hangs below the compaction makes no cycle of parents", o: Options{Through: true}, leaf: "a5", log: `
			b1 boundary log=x3
			u2 user <b1
			x3 user <u2
			a4 assistant <u2
			a5 assistant <a4`,
			want: "b1 u2 x3 a4 a5"},
		{name: "a logical parent is followed only where the path ends", o: Options{Through: true}, log: `
			u1 user
			u2 user
			u3 user <u2 log=u1`,
			want: "u2 u3"},
		{name: "no logical parent", o: Options{Through: true}, log: `
			u1 user
			b2 boundary
			u3 user <b2`,
			want: "u1 b2 u3", remarks: "2: no logical parent -> u1\n"},
		{name: "no logical parent, and nothing above", o: Options{Through: true}, log: `
			u1 user session=s
			u2 user side
			b3 boundary
			u4 user <b3
			u5 user @100 side`,
			want: "u1 b3 u4", remarks: "3: no logical parent -> u1\n"},
		{name: "the logical parent is missing", o: Options{Through: true}, log: `
			u1 user
			b2 boundary log=no
			u3 user <b2`,
			want: "u1 b2 u3", remarks: "2: lost logical parent no -> u1\n"},
		{name: "each missing logical parent is the newest above it", o: Options{Through: true}, log: `
			u1 user @3
			a2 assistant <u1 @4
			u3 user <u1 @2
			b4 boundary log=no @5
			u5 user <b4 @6
			p6 progress <u5 @7
			b7 boundary log=gone @8
			u8 user <b7 @9`,
			want: "u1 a2 u3 b4 u5 b7 u8", remarks: "7: lost logical parent gone -> u5\n" +
				"4: lost logical parent no -> a2\n"},
		{name: "logical parents make a cycle", o: Options{Through: true}, log: `
			b1 boundary log=u2
			u2 user <b1`,
			want: "b1 u2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(c.log), Reading{})
			leaf := nodeOf(t, tree, c.leaf)
			p := tree.Path(leaf, c.o)
			require.Equal(t, c.want, ids(t, tree, p.Nodes))
			require.Equal(t, c.remarks, texts(tree, p.Odd))
			if leaf != None {
				require.Equal(t, leaf, p.Leaf)
			}
		})
	}
}

// A log whose conversation entries have no ids is one path in file order.
func TestWithoutIDs(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{"one path", `
			- user
			- assistant
			- summary sum=x
			- user`, "#1 #2 #4"},
		{"parts of a message", "- assistant m=m call=t\n- user res=t\n- assistant m=m", "#1 #2 #3"},
		{"ids of links do not count", `
			p1 progress
			p1 progress
			- user <-
			- assistant`, "#3 #4"},
		{"one id is enough", `
			- user
			a2 assistant
			- user`, "a2"},
		{"two on a line", `
			- user
			|{"type":"user"}{"type":"assistant"}{"type":"user"}
			- user`, "#1 #2 #2+129 #2+149 #3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(c.log), Reading{})
			p := tree.Path(None, Options{})
			require.Equal(t, c.want, ids(t, tree, p.Nodes))
			require.Equal(t, strings.Contains(c.want, "#"), tree.Dialect.IsList())
			require.True(t, tree.Dialect.IsClaude())
			for i, n := range p.Nodes {
				id := tree.ID(n)
				require.Equal(t, &Match{Node: n}, tree.Find([]string{id})[id])
				require.Equal(t, p.Nodes[:i+1], tree.Path(n, Options{}).Nodes)
				require.NotEmpty(t, tree.Entry(n).Line)
			}
			require.Equal(t, p.Nodes, tree.Path(None, Options{Chain: true}).Nodes)
			require.Equal(t, len(p.Nodes), len(p.Turns), "each entry is a turn of its own")
		})
	}
}

func TestPi(t *testing.T) {
	for _, c := range []struct {
		name, log, leaf, want string
		o                     Options
		remarks               string
	}{
		{name: "the last entry is the leaf", log: drawn.V3 + `
			a pi:message
			b pi:message <a @90
			c pi:message <a
			d pi:label <c`, want: "a c d"},
		{name: "version 2", log: drawn.V2 + `
			a pi:message
			b pi:message <a
			c pi:message <a`, want: "a c"},
		{name: "version 1 has no ids", log: drawn.V1 + `
			- pi:message <-
			b pi:message <-
			- pi:message <-`, want: "#2 #3 #4"},
		{name: "a JSON value does not end the path", log: drawn.V1 + `
			- pi:message <-
			|[1]
			- pi:message <-
			|null
			|7`, want: "#2 #4"},
		{name: "a given leaf", leaf: "b", log: drawn.V3 + `
			a pi:message
			b pi:odd <a
			c pi:message <b`, want: "a b"},
		{name: "an unknown parent", log: drawn.V3 + `
			a pi:message
			b pi:message <no`, want: "b", remarks: "3: orphan no -> a\n"},
		{name: "an empty parent, or none", log: drawn.V3 + `
			a pi:message <-
			b pi:message <a
			c pi:message <`, want: "c"},
		{name: "the last duplicate", log: drawn.V3 + `
			a pi:message
			b pi:message
			c pi:message <a
			a pi:message <b
			d pi:message <c`, want: "b a c d"},
		{name: "the last duplicate is the leaf", log: drawn.V3 + `
			a pi:message
			b pi:message <a
			c pi:message <b
			b pi:message <a`, want: "a b"},
		{name: "a cycle", log: drawn.V3 + `
			a pi:message <b
			b pi:message <a`, want: "a b", remarks: "2: cycle -> b\n"},
		{name: "the last entry has no id", log: drawn.V3 + `
			a pi:message
			- pi:message <a`, want: "-"},
		{name: "the last line is a value", log: drawn.V3 + `
			a pi:message
			|[1]`, want: "-"},
		{name: "the last line is null", log: drawn.V3 + `
			a pi:message
			|null`, want: "a"},
		{name: "the last line is torn", log: drawn.V3 + `
			a pi:message
			|{"type":"message","id":"b","par`, want: "a"},
		{name: "later headers", log: drawn.V3 + `
			a pi:message
			|{"type":"session","version":3,"id":"t"}
			b pi:message <a
			|{"type":"session"}`, want: "a b"},
		{name: "the header only", log: drawn.V3, want: "-"},
		{name: "a header that is not first", log: `
			a pi:message
			|{"type":"session","version":3,"id":"s"}
			b pi:message <a`, want: "-", remarks: "no header\n"},
		{name: "a value before the header", log: "|[1]\n" + drawn.V3 + `
			a pi:message`, want: "-", remarks: "no header\n"},
		{name: "a blank line and null before the header", log: "| \n|null\n" + drawn.V3 + `
			a pi:message`, want: "a"},
		{name: "edges and parts have no header", log: `
			a pi:message
			b pi:message <a`, want: "a b"},
		{name: "entries of version 1 without their header", log: `
			- pi:message
			- pi:message`, want: "#1 #2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := drawn.Log(c.log)
			tree := read(t, log, Reading{})
			require.Equal(t, "pi", tree.Dialect.String())
			p := tree.Path(nodeOf(t, tree, c.leaf), c.o)
			require.Equal(t, c.want, ids(t, tree, p.Nodes))
			require.Equal(t, c.remarks, texts(tree, p.Odd))
			require.True(t, c.leaf != "" || p.Leaf == tree.Leaf)
			for _, n := range p.Nodes {
				require.Equal(t, &Match{Node: n}, tree.Find([]string{tree.ID(n)})[tree.ID(n)])
			}
		})
	}
	tree := read(t, drawn.Log(drawn.V3+"a pi:message\nb pi:message <a\nc pi:label <a"), Reading{})
	require.Equal(t, "c b", ids(t, tree, tree.Leaves), "every entry but the header is of the conversation")
}

// Ids that form no chain make one path in file order, whatever the options.
func TestUnchained(t *testing.T) {
	for _, c := range []struct{ name, log, want, side string }{
		{"no parents", "u1 user\na2 assistant\np3 progress\nu4 user", "u1 a2 u4", ""},
		{"parents that are not in the log", "u1 user <no\na2 assistant <gone", "u1 a2", ""},
		{"times do not count", "u1 user @9\na2 assistant @1", "u1 a2", ""},
		{"a sidechain is beside it", "u1 user\nu2 user side\na3 assistant\na4 assistant side", "u1 a3", "u2 a4"},
		{"all on one", "u1 user side\na2 assistant side", "u1 a2", ""},
		{"a boundary in it", "u1 user\nb2 boundary\nu3 user", "u1 b2 u3", ""},
		{"a boundary that keeps something, below two that name nothing", "u1 user\na2 assistant\nb3 boundary keep=u1/b3\nu4 user", "u1 a2 b3 u4", ""},
		{"parents that are lost", "u1 user <no\na2 assistant <gone", "u1 a2", ""},
		{"a boundary that names what came before", "u1 user\na2 assistant\nb3 boundary log=a2\nu4 user", "u1 a2 b3 u4", ""},
		{"entries that have lost their parents", "u1 user <-\na2 assistant <-\nb3 boundary log=a2 <-\nu4 user <-", "u1 a2 b3 u4", ""},
		{"a message in parts", "a1 assistant m=m call=t\nr2 user res=t\na3 assistant m=m", "a1 r2 a3", ""},
		{"types that nobody knows", "w1 weird\nw2 weird", "w1 w2", ""},
		{"without its header, it may not be pi's", "a pi:message\nb pi:message", "a b", ""},
	} {
		for _, o := range []Options{{}, {Chain: true}, {Through: true}} {
			tree := read(t, drawn.Log(c.log), Reading{})
			require.True(t, tree.Unchained, c.name)
			p := tree.Path(None, o)
			require.Equal(t, c.want, ids(t, tree, p.Nodes), c.name)
			require.Empty(t, p.Odd, c.name)
			if side := strings.Fields(c.side); len(side) > 0 {
				require.Equal(t, c.side, ids(t, tree, tree.Path(nodeOf(t, tree, side[len(side)-1]), o).Nodes), c.name)
			}
			require.False(t, read(t, drawn.Log(c.log), Reading{AsNamed: true}).Unchained, c.name)
		}
	}
	for log, want := range map[string][]Kind{ // if there is no conversation, all entries are
		"w1 weird\nw2 weird\np3 progress":              {spoken, spoken, spoken},
		"u1 user side\np2 progress\na3 assistant side": {User, Progress, Assistant},
	} {
		tree := read(t, drawn.Log(log), Reading{})
		require.Equal(t, want, tree.Kinds, log)
		for n, k := range tree.Kinds {
			require.Equal(t, k.Message(), tree.Tree.Is(Node(n), rule.Speaks), log)
		}
	}
	tree := read(t, drawn.Log(`
		|{"type":"user","uuid":"a"}
		|{"type":"user","uuid":"b","parent_tool_use_id":"t1"}
		|{"type":"assistant","uuid":"c","parent_tool_use_id":"t2"}
		|{"type":"assistant","uuid":"d","parent_tool_use_id":"t1"}
		|{"type":"assistant","uuid":"e"}`), Reading{})
	require.Equal(t, []Node{None, None, None, 1, 0}, tree.Tree.Parent, "each sub-agent has a path of its own")
	for _, log := range []string{
		"", "u1 user", "u1 user\np2 progress", "u1 user\nu2 user side", "u1 user\nb2 boundary log=u1",
		"u1 user\nu2 user\nu3 user <u1", "p1 progress\np2 progress", drawn.V3 + "a pi:message\nb pi:message",
	} {
		require.False(t, read(t, drawn.Log(log), Reading{}).Unchained, log)
	}
}
