package reader

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// The order of a turn in claude-2.1, and what comes along with it, answered by the program itself.
func TestClaude21Turns(t *testing.T) {
	run(t, []reading{
		{name: "context between entries on the path", c21: "u1 a2 a4 r3 t8 r5 a7", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			t8 attachment <r3
			a4 assistant <t8 m=m call=t2
			r5 user <a4 res=t2
			a7 assistant <r5`},
		{name: "between entries without calls", c21: "u1 a2 a4 t3 u5", text: `
			u1 user
			a2 assistant <u1 m=m
			t3 attachment <a2
			a4 assistant <t3 m=m
			u5 user <a4`},
		{name: "only a result between them", c21: "u1 a2 r3 a4 r5 a6", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			a4 assistant <r3 m=m call=t2
			r5 user <a4 res=t2
			a6 assistant <r5`},
		{name: "a prompt between them", c21: "u1 a2 t3 u8 t9 a4 u5", text: `
			u1 user
			a2 assistant <u1 m=m
			t3 attachment <a2
			u8 user <t3
			t9 attachment <u8
			a4 assistant <t9 m=m
			u5 user <a4`},
		{name: "a prompt between them, and an added result", c21: "u1 a2 t10 r3 u4 t5 r8 a6 r7 u9", text: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			t10 attachment <a2
			r3 user <t10 res=t1
			u4 user <r3
			t5 attachment <u4
			r8 user <a2 res=t2
			a6 assistant <t5 m=m call=t3
			r7 user <a6 res=t3
			u9 user <r7`},
		{name: "another message between them", c21: "u1 a2 a10 t11 a6 u9", text: `
			u1 user
			a2 assistant <u1 m=m
			a10 assistant <a2 m=n
			t11 attachment <a10
			a6 assistant <t11 m=m
			u9 user <a6`},
		{name: "attachments that are not loaded do not count", c21: "u1 a2 r4 a3 r7 a8", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r4 user <a2 res=t1
			t5 attachment <r4 att={"type":"new_file"}
			a3 assistant <a2 m=m call=t2
			r7 user <a3 res=t2
			a8 assistant <r7`},
		{name: "but what is below them does", c21: "u1 a2 a3 r4 t6 r7 a8", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			t5 attachment <r4 att=
			t6 attachment <t5
			r7 user <a3 res=t2
			a8 assistant <r7`},
		{name: "context beside context of the path", c21: "u1 a2 r3 t4 t5 a6", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			t4 attachment <r3
			t5 attachment <t4
			a6 assistant <t4`},
		{name: "right after it, and other context in file order", c21: "u1 a2 r3 t4 t6 t9 t5 a8", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			t4 attachment <r3
			t9 attachment <t4
			t5 attachment <r3
			t6 attachment <t4
			a8 assistant <t9`},
		{name: "before a result that follows", c21: "u1 a2 t4 t5 r3 a7", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			t4 attachment <a2
			r3 user <t4 res=t1
			t5 attachment <t4
			a7 assistant <r3`},
		{name: "context below a second result on the path", c21: "u1 a2 r3 s8 a5 r6 r7", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			r3 user <a2 res=t1
			a5 assistant <r3 m=n call=t2
			r6 user <a5 res=t2
			r7 user <r6 res=t1
			s8 system <r7`},
		{name: "context on a sidechain, and below it", c21: "u1 a2 r3 r8 a9", text: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			r3 user <a2 res=t1
			t4 attachment <r3 side
			t5 attachment <t4
			r8 user <a2 res=t2
			a9 assistant <r8`},
		{name: "context above a sidechain", c21: "u1 a2 r3 t6 r8 a9", text: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			r3 user <a2 res=t1
			t4 attachment <r3
			t6 attachment <r3
			t5 attachment <t4 side
			r8 user <a2 res=t2
			a9 assistant <r8`},
		{name: "context below a result on a sidechain", c21: "u1 a2 r3 r8 a9", text: `
			u1 user
			a2 assistant <u1 m=m call=t1,t2
			r3 user <a2 res=t1 side
			t4 attachment <r3
			r8 user <a2 res=t2
			a9 assistant <r8`},
		{name: "a result on a sidechain elsewhere", c21: "u1 a3 r4 a6", sdk: "u1 a2 a3 r4 a6", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a3 res=t2
			r5 user <r4 res=t1 side
			a6 assistant <r4`},
		{name: "a result that is a root", c21: "u1 a2 a3 r4 r5 a6", sdk: "u1 a2 a3 r4 a6", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a3 res=t2
			r5 user res=t1
			a6 assistant <r4`},
		{name: "a result below progress", c21: "u1 r4 u5", sdk: "u1 a2 u5", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			p3 progress <a2
			r4 user <p3 res=zz
			u5 user <a2`},
		{name: "a result that a compaction relinked", c21: "b7 u8 a3 r4 r9 a10", text: `
			u1 user
			a2 assistant <u1 m=m call=t1
			a3 assistant <a2 m=m call=t2
			r4 user <a2 res=t1
			b7 boundary keep=a3,r4/u8
			u8 user <b7
			r9 user <a3 res=t2
			a10 assistant <r9`},
	})
}

// A tie that goes back to a kept entry makes a cycle, in which no walk may stay.
func TestClaude21TurnOnCycle(t *testing.T) {
	run(t, []reading{
		{name: "of context and results", leaf: "u14", c21: "b6 r10 x11 u14", text: `
			a2 assistant <a1 @1 m=m0 call=t3
			u5 user <a4 @46
			b6 boundary <u5 @57 log=a2 keep=a2/b6
			a9 assistant <a8 @74 m=m0 call=t1
			r10 user <a9 @80 res=t7
			x11 attachment <r10 @82 side
			u14 user <x11 @109 meta session=s0`},
	})
}

// Orphans in claude-2.1, answered by the program itself.
func TestClaude21Orphans(t *testing.T) {
	run(t, []reading{
		{name: "tied to its own child", c21: "u3 a2 u4", text: `
			u1 user @1
			a2 assistant <no @9
			u3 user <a2 @8
			u4 user <a2 @20`},
		{name: "a sidechain to a sidechain", c21: "u1 u2 a3", text: `
			u1 user @1 side
			u2 user <no @2 side
			a3 assistant <u2 @3`},
		{name: "a sidechain not to the main line", c21: "u2 a3", text: `
			u1 user @1
			u2 user <no @2 side
			a3 assistant <u2 @3`},
		{name: "milliseconds are whole", c21: "u1 a2", text: `
			u1 user @="2026-01-01T00:00:01.0000Z"
			a2 assistant <no @="2026-01-01T00:00:06.0009Z"`},
	})
}

// The order of results with equal times in the SDK.
func TestSDKTies(t *testing.T) {
	run(t, []reading{
		{name: "results elsewhere, in file order", sdk: "u1 a2 a3 r5 r6 u9", text: `
			u1 user
			a2 assistant <u1 m=m call=t0
			a3 assistant <a2 m=m call=t1
			r5 user <no res=t1 @2
			r6 user <not res=t0 @2
			u9 user <a3`},
		{name: "results below the message, by entry", sdk: "u1 a2 a3 a4 r5 r7 r6 u9", text: `
			u1 user
			a2 assistant <u1 m=m call=t0
			a3 assistant <a2 m=m call=t1
			a4 assistant <a3 m=m call=t2
			r5 user <a3 res=t0 @2
			r6 user <a3 res=t1 @2
			r7 user <a2 res=t2 @2
			u9 user <a4`},
		{name: "results below the message first", sdk: "u1 a2 a3 r6 r5 u9", text: `
			u1 user
			a2 assistant <u1 m=m call=t0
			a3 assistant <a2 m=m call=t1
			r5 user <u1 res=t0 @2
			r6 user <a3 res=t1 @2
			u9 user <a3`},
	})
}

func TestIsComplete(t *testing.T) {
	for attachment, want := range map[string]bool{
		`null`:                                   false,
		`"x"`:                                    false,
		`{}`:                                     false,
		`{"type":7}`:                             false,
		`{"type":""}`:                            true,
		`{"type":"date"}`:                        true,
		`{"type":"unheard of"}`:                  true,
		`{"type":"new_file","content":{}}`:       false,
		`{"type":"new_directory","content":"x"}`: false,
		`{"type":"companion_intro","name":"x"}`:  false,
		`{"type":"file"}`:                        false,
		`{"type":"file","content":"x"}`:          false,
		`{"type":"file","content":[]}`:           false,
		`{"type":"file","content":{}}`:           true,
		`{"type":"already_read_file","content":{}}`:                   true,
		`{"type":"hook_success"}`:                                     false,
		`{"type":"hook_success","content":""}`:                        false,
		`{"type":"hook_success","content":["x"]}`:                     false,
		`{"type":"hook_success","content":" "}`:                       true,
		`{"type":"hook_additional_context","content":"x"}`:            false,
		`{"type":"hook_additional_context","content":["x",7]}`:        false,
		`{"type":"hook_additional_context","content":[]}`:             true,
		`{"type":"todo_reminder","content":""}`:                       false,
		`{"type":"todo_reminder","content":[{},[]]}`:                  false,
		`{"type":"task_reminder","content":[{}]}`:                     true,
		`{"type":"invoked_skills","content":[{}]}`:                    false,
		`{"type":"invoked_skills","skills":["x"]}`:                    false,
		`{"type":"invoked_skills","skills":[]}`:                       true,
		`{"type":"hook_non_blocking_error","stdout":"","exitCode":1}`: true,
	} {
		var e entry.Entry
		require.True(t, e.Scan([]byte(`{"type":"attachment","attachment":`+attachment+`}`)))
		require.Equal(t, want, isComplete(&e), attachment)
	}
	var e entry.Entry
	require.True(t, e.Scan([]byte(`{"type":"attachment"}`)))
	require.False(t, isComplete(&e))
}
