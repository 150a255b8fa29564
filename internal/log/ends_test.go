package log

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/drawn"
)

func TestEnds(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{"what a boundary followed is history", `
			u1 user
			b2 boundary log=u1
			u3 user <b2`, "u3"},
		{"what is above a boundary whose logical parent is lost is history", `
			u1 user @1
			u2 user @2
			b3 boundary log=gone @3
			u4 user <b3 @4`, "u4 u1"},
		{"the rest of a turn is history with it, and what a link hangs on", `
			a1 assistant m=m call=t1
			r2 user <a1 res=t1
			u3 user
			p4 progress <u3
			b5 boundary log=a1
			b6 boundary log=p4
			u7 user <b5
			u8 user <b6`, "u8 u7"},
		{"a line that is no node names nothing", `
			u1 user
			b2 boundary log=u1
			u3 user
			b2 user <u3
			u4 user <b2`, "u4 u1"},
		{"the last line of a boundary counts", `
			u1 user
			u2 user
			b3 boundary log=u1
			b3 boundary log=u2
			u4 user <b3`, "u4 u1"},
		{"a sidechain keeps what a turn goes on to", `
			a1 assistant m=m call=t1,t2
			r2 user <a1 res=t1
			r3 user <a1 res=t2
			u4 user <r3
			b5 boundary seg=u4,u4/b5 side`, "u4"},
		{"a list of what a compaction kept does not keep the ids from being no chain", `
			s1 system
			b2 boundary seg=s1,a3/gone <gone
			a3 assistant <lost`, "a3"},
		{"results of a call on a cycle", `
			a1 assistant <p2 m=m call=t1
			p2 progress <a1
			r3 user res=t1
			r4 user res=t1`, "r4"},
		{"a part of a turn below a cycle", `
			s1 system <p2
			p2 progress <s1
			p3 progress <p3
			a4 assistant <p2 m=m
			a5 assistant <p3 m=m`, "a5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(c.log), Reading{})
			require.Equal(t, c.want, ids(t, tree, tree.ends()))
		})
	}
}
