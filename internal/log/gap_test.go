package log

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/drawn"
)

// TestGaps: above a lost parent a path goes on at the newest node that can have come before it, and above a plan
// that began afresh at the newest conversation node.
func TestGaps(t *testing.T) {
	const chain = `
			z1 user @- side
			z2 user <z1 @- side`
	bridge, through := Options{Bridge: true}, Options{Through: true}
	for _, c := range []struct {
		name, log, leaf string
		o               Options
		want, remarks   string
	}{
		{name: "to the newest that is not younger, at any distance", o: bridge, log: `
			u1 user @1
			u2 user @2
			u3 user @4000
			u4 user <no @3000` + chain, leaf: "u4",
			want: "u2 u4", remarks: "4: tied no -> u2\n"},
		{name: "to a node of the same time", o: bridge, log: `
			u1 user @1
			u2 user @5
			u3 user <no @5` + chain,
			want: "u2 u3", remarks: "3: tied no -> u2\n"},
		{name: "ties to the later in the file", o: bridge, leaf: "u2", log: `
			u1 user @1
			u2 user <no @5
			u3 user @1` + chain,
			want: "u2 u3", remarks: "2: tied no -> u3\n"},
		{name: "to the summary of a compaction, and so below what this kept", o: bridge, log: `
			u1 user @1
			u2 user <u1 @2
			b3 boundary keep=u2/s4 @3
			s4 user <b3 @4
			u6 user <u5 @6`,
			want: "u2 b3 s4 u6", remarks: "5: tied u5 -> s4\n"},
		{name: "to a link", o: bridge, log: `
			u1 user @1
			p2 progress <u1 @2
			u3 user <no @5`,
			want: "u1 p2 u3", remarks: "3: tied no -> p2\n"},
		{name: "not to what is below it", o: bridge, leaf: "u4", log: `
			u1 user @1
			u3 user <u2 @4
			u4 user <u3 @3
			u2 user <no @5`,
			want: "u1 u3 u4 u2", remarks: "4: tied no -> u1\n"},
		{name: "several", o: bridge, log: `
			u1 user @1
			u2 user <no @2
			u3 user <u2 @3
			u4 user <gone @4`,
			want: "u1 u2 u3 u4", remarks: "4: tied gone -> u3\n2: tied no -> u1\n"},
		{name: "each to what is below the other", o: bridge, leaf: "u4", log: `
			u0 user side
			u1 user <gone @2 side
			u2 user <no @1
			u3 user <u2 @9
			u4 user <lost @9
			u5 user <u4 @1`,
			want: "u2 u3 u4 u5", remarks: "5: tied lost -> u3\n3: tied no -> u5\n"},
		{name: "also to a node of another session", o: bridge, log: `
			u1 user @1 session=s
			u2 user @2 session=t
			u3 user <no @5 session=s` + chain,
			want: "u2 u3", remarks: "3: tied no -> u2\n"},
		{name: "from the main line to the main line", o: bridge, log: `
			u1 user @1
			u2 user @2 side
			u3 user <no @5` + chain,
			want: "u1 u3", remarks: "3: tied no -> u1\n"},
		{name: "from a sidechain to a sidechain", o: bridge, leaf: "u3", log: `
			u1 user @1 side
			u2 user @2
			u3 user <no @5 side`,
			want: "u1 u3", remarks: "3: tied no -> u1\n"},
		{name: "without a time, to the one before it in the file", o: bridge, leaf: "u4", log: `
			u1 user @1
			u2 user @9
			u3 user @5 side
			u4 user <no @-
			u5 user @1` + chain,
			want: "u2 u4", remarks: "4: tied no -> u2\n"},
		{name: "if all others are younger, to the one before it in the file", o: bridge, leaf: "u3", log: `
			u1 user @8
			u2 user @7
			u3 user <no @5
			u4 user @8
			z1 user @9 side
			z2 user <z1 @9 side`,
			want: "u2 u3", remarks: "3: tied no -> u2\n"},
		{name: "nothing came before it", o: bridge, log: "u1 user <no", want: "u1", remarks: "1: orphan no\n"},
		{name: "of pi", o: bridge, log: drawn.V3 + `
			a pi:message
			b pi:message <no`,
			want: "a b", remarks: "3: tied no -> a\n"},
		{name: "of the parents alone", o: Options{Bridge: true, Chain: true}, log: `
			u1 user @1
			u2 user <no @2
			u3 user <u2 @3`,
			want: "u1 u2 u3", remarks: "2: tied no -> u1\n"},
		{name: "not above a compaction", o: bridge, log: `
			u1 user
			b2 boundary <no log=u1
			u3 user <b2`,
			want: "b2 u3", remarks: "2: orphan no -> u1\n"},
		{name: "to the true beginning", o: through, log: `
			u1 user @1
			b2 boundary log=u1 @2
			u3 user <b2 @3
			u4 user <no @4`,
			want: "u1 b2 u3 u4", remarks: "4: tied no -> u3\n"},
		{name: "to the true beginning, from a sidechain to a sidechain", o: through, log: `
			u1 user
			u3 user <no` + chain,
			want: "u1 u3", remarks: "2: tied no -> u1\n"},
		{name: "a plan", o: through, log: `
			u1 user @1
			a2 assistant <u1 @9
			p3 progress <a2 @10
			u4 user @11 text=Implement_the_following_plan:_x
			a5 assistant <u4 @12`,
			want: "u1 a2 u4 a5", remarks: "4: afresh -> a2\n"},
		{name: "a plan in a member of its own", o: through, log: `
			u1 user
			|{"uuid":"u2","type":"user","timestamp":"2026-01-01T12:00:00Z","planContent":"# x","message":{"content":"Go."}}
			a3 assistant <u2 @50000`,
			want: "u1 u2 a3", remarks: "2: afresh -> u1\n"},
		{name: "a plan in its session, on no sidechain, above it in the file", o: through, leaf: "u5", log: `
			u1 user @1 session=s
			u2 user @2 session=t
			u3 user @3 session=s side
			u5 user @5 session=s text=Implement_the_following_plan:_x
			u6 user @4 session=s` + chain,
			want: "u1 u5", remarks: "4: afresh -> u1\n"},
		{name: "a plan that was sent again", o: through, log: `
			u1 user @1
			u2 user @2 text=Implement_the_following_plan:_x
			a3 assistant <u2 @3
			u4 user @4 text=Implement_the_following_plan:_x`,
			want: "u1 u2 a3 u4", remarks: "4: afresh -> a3\n2: afresh -> u1\n"},
		{name: "a plan that is not the first", o: through, log: `
			u1 user @1
			u2 user @2
			u3 user <u2 @3 text=Implement_the_following_plan:_x`,
			want: "u2 u3"},
		{name: "a plan on a sidechain", o: through, leaf: "u2", log: `
			u1 user @1 side
			u2 user @2 side text=Implement_the_following_plan:_x` + chain,
			want: "u2"},
		{name: "a plan that the model calls", o: through, leaf: "a2", log: `
			u1 user @1
			a2 assistant @2 text=Implement_the_following_plan:_x` + chain,
			want: "a2"},
		{name: "a prompt that was sent again", o: through, log: `
			u1 user @1
			a2 assistant <u1 @2
			u3 user @3`,
			want: "u3"},
		{name: "--bridge does not go on above a plan, or a compaction", o: bridge, log: `
			u1 user
			u2 user text=Implement_the_following_plan:_x
			b3 boundary log=u2
			u4 user <b3`,
			want: "b3 u4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(c.log), Reading{})
			p := tree.Path(nodeOf(t, tree, c.leaf), c.o)
			require.Equal(t, c.want, ids(t, tree, p.Nodes))
			require.Equal(t, c.remarks, texts(tree, p.Odd))
			for _, o := range p.Odd {
				if to, taken := p.Taken[o.At]; o.What == Tied || o.What == Afresh {
					require.True(t, taken)
					require.Equal(t, o.To, to)
				}
			}
		})
	}
}
