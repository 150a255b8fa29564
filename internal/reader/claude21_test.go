package reader

import "testing"

func TestClaude21(t *testing.T) {
	run(t, []reading{
		// 2. preserved lists
		{name: "entries before the boundary that are not kept are dropped", text: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			a4 assistant <u3
			b5 boundary keep=u3/b5
			u6 user <b5
			u7 user <a4`,
			sdk: "u3 a4 u7", c21: "b5 u3 u7", c20: "u1 a2 u3 a4 u7"},
		{name: "a later boundary without a list undoes it", text: `
			u1 user
			b2 boundary keep=u1/b2
			u3 user <b2
			b4 boundary
			u5 user <b4`,
			c21: "b4 u5", sys: "b4 u5"},
		{name: "a segment whose head is not above its tail is ignored", text: `
			u1 user
			u2 user
			b3 boundary seg=u1,u2/b3
			u4 user <b3`,
			c21: "b3 u4"},
		// 3. the leaf
		{name: "the newest of a closed cycle", text: `
			u1 user <u3 @9
			u2 user <u1 @10
			u3 user <u2 @8`,
			c21: "u3 u1 u2"},
		{name: "the first of equals of a closed cycle", text: `
			u1 user <u3 @9
			u2 user <u1 @9
			u3 user <u2 @-`,
			c21: "u2 u3 u1"},
		{name: "a closed cycle without times", text: `
			u1 user <u2 @-
			u2 user <u1 @-`,
			c21: "u2 u1"},
		{name: "system and attachments only", text: `
			t1 attachment
			s2 system`,
			c21: "s2", sdk: "-"},
		{name: "an id on the main line, then on a sidechain", text: `
			u1 user
			a2 assistant <u1
			a2 assistant <u1 side`,
			c21: "-", sdk: "u1"},
		{name: "by its position on the main line", text: `
			u1 user
			t2 attachment <u1
			a3 assistant <u1
			t2 attachment <u1 side`,
			c21: "u1 a3"},
		// 4. last-prompt
		{name: "it names a branch", text: `
			u1 user
			a2 assistant <u1
			u3 user <a2
			- last-prompt leaf=u3
			u4 user <a2`,
			c21: "u1 a2 u3"},
		{name: "it names a node on the path", text: `
			u1 user
			a2 assistant <u1
			- last-prompt leaf=u1`,
			c21: "u1 a2"},
		{name: "the last one with a leaf counts", text: `
			u1 user
			a2 assistant <u1
			a3 assistant <u1
			a4 assistant <u1
			- last-prompt leaf=a3
			- last-prompt leaf=a2
			|{"type":"last-prompt","leafUuid":null}
			|{"type":"last-prompt"}`,
			c21: "u1 a2"},
		{name: "a boundary after it cancels it", text: `
			u1 user
			a2 assistant <u1
			- last-prompt leaf=a2
			b3 boundary
			u4 user <b3`,
			c21: "b3 u4"},
		{name: "a missing leaf, or one without a message above it, is ignored", text: `
			u1 user
			s2 system
			a3 assistant <u1
			- last-prompt leaf=s2`,
			c21: "u1 a3"},
		{name: "missing", text: `
			u1 user
			- last-prompt leaf=no`,
			c21: "u1"},
		{name: "a last message without a time", text: `
			u1 user
			a2 assistant <u1 @-`,
			c21: "u1 a2", sdk: "u1 a2", c20: "u1 a2"},
		{name: "a last message whose time is a number", text: `
			u1 user
			a2 assistant <u1 @=1767225600000`,
			c21: "u1 a2", c20: "u1 a2"},
		{name: "an ancestor's time does not matter", text: `
			u1 user @=null
			a2 assistant <u1`,
			c21: "u1 a2"},
		{name: "the same for a given leaf", leaf: "t3", text: `
			u1 user
			a2 assistant <u1 side
			t3 attachment <a2`,
			c21: "-"},
		{name: "a given leaf whose last message is found by time", leaf: "t4", text: `
			u1 user @1
			a2 assistant <u1 side @2
			s3 system <a2 @3
			t4 attachment <no @4`,
			c21: "-"},
		// 5. the path
		{name: "an orphan is tied to the newest of five seconds", text: `
			u1 user @1
			u2 user @2
			a3 assistant <no @6`,
			c21: "u2 a3", sdk: "a3"},
		{name: "five seconds older is not too old", text: `
			u1 user @1
			a2 assistant <no @6`,
			c21: "u1 a2"},
		{name: "more than five seconds older is too old", text: `
			u1 user @1
			a2 assistant <no @6.001`,
			c21: "a2"},
		{name: "ties go to the first in the file", text: `
			u1 user @4
			u2 user @4
			a3 assistant <no @6`,
			c21: "u1 a3"},
		{name: "not to a sidechain, a younger one, or without a time, but to its own child", text: `
			u1 user @4 side
			u2 user @7
			u3 user @-
			s5 system <a4 @5
			a4 assistant <no @6`,
			c21: "s5 a4"},
		{name: "an orphan without a time is not tied", text: `
			u1 user @1
			s2 system <no @-
			a3 assistant <s2 @3`,
			c21: "s2 a3"},
		{name: "a repeat is tied like an orphan", text: `
			u1 user @1
			u2 user <a3 @2
			a3 assistant <u2 @3
			u4 user <a3 @4`,
			c21: "u1 u2 a3 u4"},
		{name: "an orphan above an orphan", text: `
			u1 user <no @1
			u2 user <gone @2
			u3 user <lost @3`,
			c21: "u1 u2 u3"},
		// 6. parallel calls
		{name: "in file order", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			a4 assistant <a2 m=m call=t2
			r5 user <a4 res=t2
			a6 assistant <r5`,
			c21: "u1 a2 r3 a4 r5 a6", sdk: "u1 a2 a4 r3 r5 a6"},
		{name: "with the context below them", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			t5 attachment <r4
			s6 system <t5
			r7 user <a3 res=t2
			a8 assistant <r7`,
			c21: "u1 a2 a3 r4 t5 s6 r7 a8", sdk: "u1 a2 a3 r4 r7 a8"},
		{name: "without the context if another conversation continues there", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			t5 attachment <r4
			u6 user <t5
			r7 user <a3 res=t2
			a8 assistant <r7`,
			c21: "u1 a2 a3 r4 r7 a8"},
		{name: "results below attachments", text: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			s3 system <a2
			r4 user <s3 res=t1
			t5 attachment <r4
			r6 user <t5 res=t2
			t7 attachment <r6
			u8 user <a2`,
			c21: "u1 a2 s3 r4 t5 r6 t7 u8"},
		{name: "results below attachments, and a conversation at their end", text: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			s3 system <a2
			r4 user <s3 res=t1
			t5 attachment <r4
			r6 user <t5 res=t2
			t7 attachment <r6
			t8 attachment <r4
			u9 user <t7
			u10 user <a2`,
			c21: "u1 a2 r4 r6 t8 u10"},
		{name: "an attachment between the message's entries comes after them", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			t4 attachment <r3
			a5 assistant <a2 m=m call=t2
			r6 user <a5 res=t2
			u7 user <r6`,
			c21: "u1 a2 a5 r3 t4 r6 u7"},
		{name: "a result before its call comes after it", text: `
			u1 user
			a2 assistant <u1 m=m
			s3 system <a2
			r4 user <s3 res=t2
			a5 assistant <a2 m=m call=t2
			u6 user <a5`,
			c21: "u1 a2 a5 s3 r4 u6"},
		{name: "sidechains come along", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1 side
			u4 user <a2`,
			c21: "u1 a2 r3 u4", sdk: "u1 a2 u4"},
		{name: "a message without calls brings no attachments", text: `
			u1 user
			a2 assistant <u1 m=m
			t3 attachment <a2
			u4 user <a2`,
			c21: "u1 a2 u4"},
		{name: "turns that overlap", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=n call=t2
			a4 assistant <a3 m=m call=t3
			a5 assistant <a4 m=n call=t4
			r6 user <a2 res=t1
			r7 user <a3 res=t2
			r8 user <a4 res=t3
			r9 user <a5 res=t4`,
			c21: "u1 a2 a3 a4 r6 r7 r8 a5 r9", sdk: "u1 a2 a3 a4 r6 r8 a5 r7 r9"},
		{name: "attachments and system entries below the leaf, each before the next branch", text: `
			u1 user
			a2 assistant <u1
			t3 attachment <a2 side
			s4 system <t3 side
			t5 attachment <a2 side`,
			c21: "u1 a2 t3 s4 t5", sdk: "u1 a2"},
		// 7. what is not sent
		{name: "a call without a result", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			u3 user <a2`,
			c21: "u1 u3", sdk: "u1 a2 u3"},
		{name: "not if one of its calls has a result", text: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			r3 user <a2 res=t1
			u4 user <r3`,
			c21: "u1 a2 r3 u4"},
		{name: "the end of a turn, above other calls without results", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=zz
			a4 assistant <r3 m=n call=t2
			a5 assistant <a4 m=o call=t3`,
			c21: "u1 a2 r3 a4 a5"},
		{name: "not the end of a turn, above other calls without results", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=n call=t2`,
			c21: "u1 a3"},
		{name: "not in an interrupted turn", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			u3 user <a2
			a4 assistant <u3 m=n call=t2
			r5 user <a4 res=zz
			a6 assistant <r5 m=o call=t3
			t7 attachment <a6`,
			c21: "u1 u3 a4 r5 a6 t7"},
		{name: "a path that ends with a result is interrupted", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=zz`,
			c21: "u1 a2 r3"},
		{name: "a last message whose calls are answered is not interrupted", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=zz
			a4 assistant <r3 m=n`,
			c21: "u1 r3 a4"},
		{name: "a call that is kept is kept in all entries", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			u3 user <a2
			a4 assistant <u3 m=n call=t1`,
			c21: "u1 a2 u3 a4"},
		{name: "messages that hold only thinking and white space", text: `
			u1 user
			a2 assistant <u1 m=m think
			a3 assistant <a2 m=m text=_
			u4 user <a3
			a5 assistant <u4 m=n think
			a6 assistant <a5 m=n text=yes
			a7 assistant <a6 think
			a8 assistant <a7 none
			a9 assistant <a8 say=_
			a10 assistant <a9
			|{"uuid":"a11","parentUuid":"a10","type":"assistant","timestamp":"2026-01-01T00:00:11Z","message":{"content":[{"type":"redacted_thinking"}]}}
			|{"uuid":"a12","parentUuid":"a11","type":"assistant","timestamp":"2026-01-01T00:00:12Z"}`,
			c21: "u1 u4 a5 a6 a10"},
	})
}
