package reader

import "testing"

func TestClaude20(t *testing.T) {
	run(t, []reading{
		{name: "ties go to the first", text: `
			u1 user @5
			u2 user @5`,
			c20: "u1"},
		{name: "as an instant", text: `
			u1 user @="2026-01-01T10:00:00+05:00"
			u2 user @="2026-01-01T06:00:00Z"`,
			c20: "u2"},
		{name: "only claude-2.0 reads a number as a time", text: `
			u1 user @=1767225600000
			u2 user @="2020-01-01T00:00:00Z"`,
			c20: "u1"},
		{name: "a number out of the range of dates is not a time", text: `
			u1 user @=1e300
			u2 user @="2020-01-01T00:00:00Z"`,
			c20: "u2"},
		{name: "an unreadable time is oldest", text: `
			u1 user @="xx"
			u2 user @-
			u3 user @1`,
			c20: "u3"},
		{name: "none has a time", text: `
			u1 user @="xx"
			u2 user @-`,
			c20: "u1"},
		{name: "a sidechain can be a leaf, and can continue one", text: `
			u1 user
			u2 user <u1 side
			u3 user @1`,
			c20: "u1 u2"},
		{name: "no siblings are inserted", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1 @3
			r5 user <a3 res=t2`,
			c20: "u1 a2 a3 r5"},
	})
}
