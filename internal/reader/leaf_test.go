package reader

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/log"
	"jl/test/drawn"
)

// Where claude-2.1 ends, answered by the program itself.
func TestClaude21Leaf(t *testing.T) {
	run(t, []reading{
		{name: "the last end has no message above it: the newest message", text: `
			u1 user
			a2 assistant <u1 @20
			t3 attachment <a2
			u4 user <u1 @10
			u5 user <u4 side
			t8 attachment`,
			c21: "u1 a2 t3"},
		{name: "among equals the first", text: `
			u1 user
			a2 assistant <u1 @20
			a3 assistant <u1 @20
			t4 attachment`,
			c21: "u1 a2"},
		{name: "the last if none has a time", text: `
			u1 user @-
			u2 user @-
			t3 attachment`,
			c21: "u2"},
		{name: "one with a time before one without", text: `
			u1 user @5
			u2 user @-
			t3 attachment`,
			c21: "u1"},
		{name: "only context and a sidechain", text: `
			u1 user side
			t2 attachment
			t3 attachment <t2`,
			c21: "-"},
		{name: "last-prompt before the newest message", c21: "u1 r3", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <u1
			a4 assistant <r3
			t6 attachment
			- last-prompt leaf=r3`},
		{name: "an orphan's context is not tied to find a message", text: `
			u1 user @1
			t2 attachment <no @2`,
			c21: "u1"},
		{name: "forks of context", text: `
			u1 user
			a2 assistant <u1
			s3 system <a2
			t4 attachment <a2
			t5 attachment <s3`,
			c21: "u1 a2 s3 t5 t4"},
		{name: "forks of context by time", c21: "u1 s3 s4 t2 t5", text: `
			u1 user
			t5 attachment <u1 @-
			t2 attachment <u1 @12
			s3 system <u1 @10
			s4 system <s3 @25`},
		{name: "context below the named entry comes along", text: `
			u1 user
			a2 assistant <u1
			t3 attachment <a2
			t4 attachment <a2
			a5 assistant <t4
			- last-prompt leaf=t3`,
			c21: "u1 a2 t3 t4"},
		{name: "the named entry would be on the path if an orphan was tied", text: `
			u1 user @10
			a2 assistant <u1 @20
			u3 user <a2 @30
			u10 user <u99 @31
			- last-prompt leaf=a2`,
			c21: "u1 a2"},
	})
}

// The last-prompt entry and parallel results.
func TestLastPromptNamesResult(t *testing.T) {
	const calls = `
		u1 user
		a2 assistant <u1 m=m call=t1
		a3 assistant <a2 m=m call=t2
		r4 user <a2 res=t1`
	run(t, []reading{
		{name: "another result is on the path", c21: "u1 a2 a3 r4 r5 a6", text: calls + `
			r5 user <a3 res=t2
			a6 assistant <r5
			- last-prompt leaf=r4`},
		{name: "context below it", c21: "u1 a2 a3 r4 t7 r5 a6", text: calls + `
			t7 attachment <r4
			r5 user <a3 res=t2
			a6 assistant <r5
			- last-prompt leaf=t7`},
		{name: "a prompt below it", c21: "u1 a2 a3 r4 r5 u7", text: calls + `
			u7 user <r4
			r5 user <a3 res=t2
			a6 assistant <r5
			- last-prompt leaf=u7`},
		{name: "the path goes on with another entry of the message", c21: "u1 a2 a3 r4 r5 u7", text: calls + `
			r5 user <a3 res=t2
			u7 user <a3
			- last-prompt leaf=r4`},
		{name: "the path goes on with a prompt", c21: "u1 a2 r4", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r4 user <a2 res=t1
			u5 user <a2
			a6 assistant <u5
			- last-prompt leaf=r4`},
		{name: "the path has the same result again", c21: "u1 a2 r3 r4", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			r4 user <a2 res=t1
			a5 assistant <r4
			- last-prompt leaf=r3`},
		{name: "its entry is below the path", c21: "u1 a2 a3 r4 r5 a6", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a3 res=t2
			r5 user <a2 res=t1
			a6 assistant <r5
			- last-prompt leaf=r4`},
		{name: "its entry is on another branch", c21: "u1 a2 a3 r4 r5", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <u1 m=m call=t2
			r4 user <a2 res=t1
			r5 user <a3 res=t2
			a6 assistant <r5
			- last-prompt leaf=r4`},
		{name: "a message without an id", c21: "u1 a2 r4 a5", text: `
			u1 user
			a2 assistant <u1 call=t1,t2
			r3 user <a2 res=t1
			r4 user <a2 res=t2
			a5 assistant <r4
			- last-prompt leaf=r3`},
	})
}

// After a compaction that preserved entries, claude-2.1 chooses otherwise.
func TestClaude21AfterCompaction(t *testing.T) {
	const kept = `
		u1 user @10
		a2 assistant <u1 @20
		b7 boundary keep=a2/u8 @70
		u8 user <b7 @80
		u9 user <u8 @90
		`
	run(t, []reading{
		{name: "last-prompt names an entry that another continues", c21: "b7 u8 a2 u10", text: kept + `
			a11 assistant <u9
			u10 user <u8
			- last-prompt leaf=u9`},
		{name: "one with only context below it", c21: "b7 u8 a2 u9 a11 t12", text: kept + `
			a11 assistant <u9
			t12 attachment <a11
			u10 user <u8
			- last-prompt leaf=a11`},
		{name: "one that a sidechain continues", c21: "b7 u8 a2 u10", text: kept + `
			a11 assistant <u9
			u12 user <a11 side
			u10 user <u8
			- last-prompt leaf=a11`},
		{name: "context", c21: "b7 u8 a2 u10", text: kept + `
			t11 attachment <u9
			u10 user <u8
			- last-prompt leaf=t11`},
		{name: "a sidechain continues the last one", c21: "-", text: kept + `
			u11 user <u9 side`},
		{name: "a sidechain and context continue it", c21: "-", text: kept + `
			t10 attachment <u9
			u11 user <t10 side`},
		{name: "a sidechain continues one of two", c21: "b7 u8 a2 u9", text: `
			u1 user
			a2 assistant <u1
			b7 boundary keep=a2/u8
			u8 user <b7
			u10 user <u8
			u9 user <u8
			u11 user <u9 side`},
		{name: "context of what was preserved does not end the path", c21: "b7 u8 a2 u9", text: kept + `
			t10 attachment <u8`},
		{name: "nothing but context", c21: "b7 t8 t1 t9", text: `
			t1 attachment
			b7 boundary keep=t1/t8
			t8 attachment <b7
			t9 attachment <t8`},
		{name: "a plain boundary hides all before it", c21: "u17", text: kept + `
			b14 boundary @140
			u15 user <b14 @150
			u16 user <u15 @160
			u17 user <u8 @170`},
		{name: "even if the other list is broken", c21: "u17", text: `
			u1 user @10
			b7 boundary keep=no/u8 @70
			u8 user <b7 @80
			b14 boundary @140
			u17 user <u8 @170`},
		{name: "even if it is the last line", c21: "b14", text: kept + `b14 boundary @140`},
		{name: "but not if no boundary has a list", c21: "b7 u8", text: `
			u1 user
			b7 boundary
			u8 user <b7
			b14 boundary`},
		{name: "nor if the last list is broken", c21: "b7 u8 u9 u17", text: kept + `
			b14 boundary keep=no/b14 @140
			u17 user <u9 @170`, sdk: "u8 a2 u9 u17"},
	})
}

// Pinned is for logs that were read by any rules.
func TestPinned(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"none", "u1 user", ""},
		{"on the path", "u1 user\na2 assistant <u1\n- last-prompt leaf=u1", "u1"},
		{"beside it", "u1 user\na2 assistant <u1\nu3 user <u1\n- last-prompt leaf=a2", "a2"},
		{"a boundary follows", "u1 user\n- last-prompt leaf=u1\nb2 boundary", ""},
		{"no message above it", "u1 user\nt2 attachment\nu3 user <u1\n- last-prompt leaf=t2", ""},
		{"a link", "u1 user\nw2 weird <u1\n- last-prompt leaf=w2", ""},
		{"not an end after a compaction", `
			u1 user
			b2 boundary keep=u1/b2
			u3 user <b2
			a4 assistant <u3
			- last-prompt leaf=u3`, ""},
		{"an end after a compaction", `
			u1 user
			b2 boundary keep=u1/b2
			u3 user <b2
			a4 assistant <u3
			- last-prompt leaf=a4`, "a4"},
		{"a parallel result", `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			r3 user <a2 res=t1
			r4 user <a2 res=t2
			- last-prompt leaf=r3`, ""},
		{"not like Claude's", "|" + `{"type":"session","version":3,"id":"s"}` + "\na pi:message\n- last-prompt leaf=a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for rules := Default; rules <= SDKSystem; rules++ {
				r := read(t, drawn.Log(c.text), rules)
				require.Equal(t, nodeOf(t, r, c.want), r.Pinned(), rules)
				require.Equal(t, log.None, read(t, "", rules).Pinned())
			}
		})
	}
}
