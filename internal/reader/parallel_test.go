package reader

import "testing"

// TestParallelCalls checks sdk and the default.
func TestParallelCalls(t *testing.T) {
	run(t, []reading{
		{name: "after the last entry on the path: entries, then results", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			r5 user <a3 res=t2
			a6 assistant <r5`,
			sdk: "u1 a2 a3 r4 r5 a6", c21: "u1 a2 a3 r4 r5 a6", c20: "u1 a2 a3 r5 a6"},
		{name: "an entry of the message on another branch", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			a4 assistant <u1 m=m call=t2
			r5 user <a4 res=t2
			u6 user <r5`,
			sdk: "u1 a4 a2 r3 r5 u6"},
		{name: "without a message id there is no group", text: `
			u1 user
			a2 assistant <u1 call=t1
			r3 user <a2 res=t1
			u4 user <a2`,
			sdk: "u1 a2 u4"},
		{name: "a result that is a child counts, whatever it names", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=zz
			u4 user <a2`,
			sdk: "u1 a2 r3 u4"},
		{name: "a result below progress does not count", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			p3 progress <a2
			r4 user <p3 res=zz
			u5 user <a2`,
			sdk: "u1 a2 u5"},
		{name: "an open call finds its result anywhere except at a root", text: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			s3 system <a2
			r4 user <s3 res=t1
			r5 user res=t2
			r6 user <no res=t2
			r7 user <s3 res=t2
			u8 user <a2`,
			sdk: "u1 a2 r4 r6 u8"},
		{name: "not a call that the path answers", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			u3 user <a2
			r4 user <u3 res=t1
			s5 system <a2
			r6 user <s5 res=t1 @2
			u7 user <r4`,
			sdk: "u1 a2 u3 r4 u7"},
		{name: "not a call that a child answers, even on a sidechain", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1 side
			s4 system <a2
			r5 user <s4 res=t1
			u6 user <a2 @50`,
			sdk: "u1 a2 u6"},
		{name: "not if another message makes the same call", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant m=n call=t1
			s4 system <a2
			r5 user <s4 res=t1
			u6 user <a2 @50`,
			sdk: "u1 a2 u6"},
		{name: "not if the last to make it is a sidechain", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant m=m call=t1 side
			s4 system <a2
			r5 user <s4 res=t1
			u6 user <a2 @50`,
			sdk: "u1 a2 u6"},
		{name: "each result once, for the first call", text: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			s3 system <a2
			r4 user <s3 res=t1,t2
			r5 user <s3 res=t2
			u6 user <a2 @50`,
			sdk: "u1 a2 r4 r5 u6"},
		{name: "by time, without a time first, else in file order", text: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2,t3,t4
			r3 user <a2 res=t1 @30
			r4 user <a2 res=t2 @20
			r5 user <a2 res=t3 @-
			r6 user <a2 res=t4 @20
			u7 user <a2 @50`,
			sdk: "u1 a2 r5 r4 r6 r3 u7"},
		{name: "nothing below inserted entries", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			t4 attachment <r3
			a5 assistant <r3 @3
			u6 user <a2 @50`,
			sdk: "u1 a2 r3 u6"},
		{name: "sidechains are left out", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2 side
			r4 user <a3 res=t2 side
			r5 user <a2 res=t1`,
			sdk: "u1 a2 r5"},
		{name: "but not if the whole log is a sidechain", text: `
			u1 user side
			a2 assistant <u1 m=m call=t1 side
			a3 assistant <a2 m=m call=t2 side
			r4 user <a2 res=t1 side
			r5 user <a3 res=t2 side`,
			sdk: "-"},
		{name: "two turns", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			r5 user <a3 res=t2
			a6 assistant <r5 m=n call=t3
			a7 assistant <a6 m=n call=t4
			r8 user <a6 res=t3
			r9 user <a7 res=t4`,
			sdk: "u1 a2 a3 r4 r5 a6 a7 r8 r9", c21: "u1 a2 a3 r4 r5 a6 a7 r8 r9"},
		{name: "ids of calls that are not strings", text: `
			u1 user
			|{"uuid":"a2","parentUuid":"u1","type":"assistant","timestamp":"2026-01-01T00:00:02Z","message":{"id":"m","content":[{"type":"tool_use","id":7},"text",{"type":"tool_use","id":"7"}]}}
			s3 system <a2
			|{"uuid":"r4","parentUuid":"s3","type":"user","timestamp":"2026-01-01T00:00:04Z","message":{"content":[{"type":"tool_result","tool_use_id":7}]}}
			u5 user <a2 @50`,
			sdk: "u1 a2 r4 u5"},
	})
}
