package log

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/says"
	"jl/test/drawn"
)

func TestAnnotations(t *testing.T) {
	tree := read(t, drawn.Log(`
		|{"type":"custom-title","customTitle":""}
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
		u4 user @1
		u5 user session=v`), Reading{})
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
	require.Equal(t, []int64{1, 3, 5, 6, 8, 12}, lines(a2))
	require.Equal(t, []int64{1, 3, 7, 8, 9, 11, 12}, lines(a3))
	require.Equal(t, []int64{1, 12}, lines(u4))
	require.Equal(t, []int64{1, 12, 13}, lines(nodeOf(t, tree, "u5")))
	require.NoError(t, tree.Err())
}

// TestSessionLikeEntry: what belongs to a session does not belong to an entry with the same id.
func TestSessionLikeEntry(t *testing.T) {
	tree := read(t, drawn.Log(`
		u1 user
		|{"type":"custom-title","sessionId":"u1","customTitle":"one"}
		|{"type":"system","subtype":"custom_title","uuid":"q","parentUuid":"u1","sessionId":"u1","systemPayload":{"customTitle":"two"}}`), Reading{})
	require.Nil(t, tree.Summary(0))
	require.Empty(t, tree.Annotations([]Node{0}))
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
		{"a program's without a session belongs to the file, too", `
			|{"type":"ai-title","aiTitle":"one"}`, "one"},
		{"of one character", `
			|{"type":"custom-title","sessionId":"s","customTitle":"x"}`, "x"},
		{"Qwen's, which is a node, also with other entries of the system behind it", `
			|{"type":"system","subtype":"custom_title","uuid":"q","parentUuid":"u1","sessionId":"s","systemPayload":{"customTitle":"one"}}
			|{"type":"system","subtype":"other","uuid":"r","parentUuid":"q","sessionId":"s"}`, "one"},
		{"Qwen's without a session, which belongs to nothing", `
			|{"type":"system","subtype":"custom_title","uuid":"q","parentUuid":"u1","systemPayload":{"customTitle":"one"}}`, ""},
		{"Qwen's before a program's", `
			|{"type":"system","subtype":"custom_title","uuid":"q","parentUuid":"u1","sessionId":"s","systemPayload":{"customTitle":"one"}}
			|{"type":"ai-title","sessionId":"s","aiTitle":"two"}`, "one"},
		{"Qwen's behind another one of the user", `
			|{"type":"custom-title","sessionId":"s","customTitle":"one"}
			|{"type":"system","subtype":"custom_title","uuid":"q","parentUuid":"u1","sessionId":"s","systemPayload":{"customTitle":"two"}}`, "two"},
		{"Qwen's before another one of the user", `
			|{"type":"system","subtype":"custom_title","uuid":"q","parentUuid":"u1","sessionId":"s","systemPayload":{"customTitle":"one"}}
			|{"type":"custom-title","sessionId":"s","customTitle":"two"}`, "two"},
		{"the last, of the session or of the file", `
			|{"type":"custom-title","customTitle":"one"}
			|{"type":"custom-title","sessionId":"s","customTitle":"two"}`, "two"},
		{"of a session that is not in the file", `
			|{"type":"custom-title","sessionId":"t","customTitle":"one"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log("u1 user session=s\n"+c.log), Reading{})
			require.Equal(t, c.want, string(tree.Title(nodeOf(t, tree, "u1"))))
		})
	}
}

// lastPrompt returns what the user typed last in the turn of n, or above it.
func lastPrompt(t *Log, n Node) []byte {
	return t.Prompts(func(e *entry.Entry) []byte {
		prompt, _ := says.PromptOf(t.Dialect, e)
		return prompt
	})(n)
}

func TestPrompts(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{"the leaf's", "u1 user say=_one_\nx user <u1 say=two", "two"},
		{"above it", "u1 user say=_one_\nx assistant <u1", "one"},
		{"not a result", "u1 user say=one\na2 assistant <u1 call=t1\nx user <a2 res=t1", "one"},
		{"not a meta entry", "u1 user say=one\nx user <u1 say=two meta", "one"},
		{"not an empty one", "u1 user text=_,one\nx user <u1 text=_", ",one"},
		{"not a compaction's summary", "u1 user say=one\n" +
			`|{"uuid":"x","parentUuid":"u1","type":"user","isCompactSummary":true,"message":{"role":"user","content":"so far"}}`, "one"},
		{"a text block", "x user res=t1 text=two", "two"},
		{"behind the message to which it belongs", "u1 user say=one\na2 assistant <u1 m=m call=t1\nx user <a2 res=t1 text=two", "two"},
		{"one character", "u1 user say=one\nx user <u1 say=2", "2"},
		{"none", "x assistant", ""},
		{"none on a cycle", "x assistant <a2\na2 assistant <x", ""},
		{"pi", drawn.V3 + "u1 pi:message say=one\n" + `|{"type":"message","id":"x","parentId":"u1","message":{"role":"assistant","content":[{"type":"text","text":"yo"}]}}`, "one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(c.log), Reading{})
			require.Equal(t, c.want, string(lastPrompt(tree, nodeOf(t, tree, "x"))))
			require.NoError(t, tree.Err())
		})
	}
}
