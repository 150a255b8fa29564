package log

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/rule"
	"jl/test/drawn"
)

// factsOf returns the names of the facts and marks of a node.
func factsOf(t *Log, n Node) string {
	var names []string
	for i, name := range []string{"talks", "speaks", "answer", "prompt", "side", "boundary", "user", "results", "lost", "plan"} {
		if t.Tree.Flags[n]&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	for i, name := range []string{"TEAM", "META", "WORDS"} {
		if t.Marks[n]&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// TestFacts: what an entry tells by itself, alone in its log.
func TestFacts(t *testing.T) {
	require.Equal(t, []rule.Flags{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}, []rule.Flags{
		rule.Talks, rule.Speaks, rule.Answer, rule.Prompt, rule.Sidechain, rule.Boundary, rule.User, rule.Results, rule.Lost, rule.Plan})
	const codex = `|{"timestamp":"2026-01-01T00:00:00Z","type":`
	for _, c := range []struct {
		log  string
		kind Kind
		want string
	}{
		{"a user say=x", User, "talks speaks prompt user"},
		{"a user say=x meta team side", User, "talks speaks side user TEAM META"},
		{"a user summary", User, "talks speaks user"},
		{"a user res=t", User, "talks speaks user results"},
		{"a user <no text=Implement_the_following_plan:_x", User, "talks speaks prompt user lost"},
		{"a user text=Implement_the_following_plan:_x", User, "talks speaks prompt user plan"},
		{`|{"uuid":"a","type":"tool_result","message":{"content":[]}}`, User, "talks speaks user"},
		{"a assistant text=x", Assistant, "talks speaks answer WORDS"},
		{"a assistant text=x team", Assistant, "talks speaks answer TEAM WORDS"},
		{"a assistant think", Assistant, "talks speaks answer"},
		{"a assistant call=t m=m side", Assistant, "talks speaks answer side WORDS"},
		{"a assistant text=Implement_the_following_plan:_x", Assistant, "talks speaks answer WORDS"},
		{`|{"uuid":"a","type":"assistant","isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"x"}]}}`, Assistant, "talks speaks WORDS"},
		{"a attachment", Attachment, "talks"},
		{"a system team", System, "talks TEAM"},
		{"a boundary meta", System, "talks boundary META"},
		{"a progress side", Progress, "side"},
		{"a other side", link, "side"},
		{drawn.V3 + "a pi:message", spoken, "talks speaks"},
		{drawn.V3 + "a pi:compaction", spoken, "talks speaks boundary"},
		{codex + `"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}}`, spoken, "talks speaks"},
		{codex + `"event_msg","payload":{"type":"user_message","message":"x"}}`, link, ""},
		{codex + `"compacted","payload":{"message":"x","replacement_history":[]}}`, spoken, "talks speaks boundary"},
	} {
		tree := read(t, drawn.Log(c.log), Reading{})
		require.Equal(t, c.kind, tree.Kinds[0], c.log)
		require.Equal(t, c.want, factsOf(tree, 0), c.log)
		require.Equal(t, Node(1), tree.Count, c.log)
	}
}

// TestOwnMessage: an entry has the words of its own message, and of the last of several.
func TestOwnMessage(t *testing.T) {
	const said = `"message":{"id":"m","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"t"}]}`
	tree := read(t, drawn.Log(`
		|{"uuid":"a","type":"assistant",`+said+`}
		|{"uuid":"b","type":"assistant","parentUuid":"a"}
		|{"uuid":"c","type":"assistant","parentUuid":"b",`+said+`,"message":"x"}
		|{"uuid":"d","type":"assistant","parentUuid":"c","message":"x",`+said+`}
		|{"uuid":"e","type":"assistant","parentUuid":"d","message":7}
		|{"uuid":"f","type":"assistant","parentUuid":"e","m\u0065ssage":{"id":"n"}}`), Reading{})
	require.Equal(t, []int32{1, 0, 0, 2, 0, 3}, tree.Tree.Message)
	require.Equal(t, []rule.Message{{ID: tree.hash([]byte("m")), First: 0, Count: 1}, {ID: tree.hash([]byte("m")), First: 1, Count: 1}, {ID: tree.hash([]byte("n")), First: 2}}, tree.Tree.Messages)
	require.Equal(t, []Mark{HasWords, 0, 0, HasWords, 0, 0}, tree.Marks)
	require.Equal(t, []Hash{tree.hash([]byte("t")), tree.hash([]byte("t"))}, tree.Tree.Tools)
}

// TestLaterText: a later text of what is in a list has the id of that and counts in its place.
func TestLaterText(t *testing.T) {
	const header = `|{"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00.000Z","kind":"main"}` + "\n"
	say := func(id, text string) string { return `{"id":"` + id + `","type":"user","content":"` + text + `"}` }
	tree := read(t, drawn.Log(header+"|"+say("a", "x")+"\n|"+say("b", "x")+"\n|"+say("a", "longer")), Reading{})
	require.Equal(t, "b a", ids(t, tree, []Node{0, 1}))
	require.Equal(t, Node(2), tree.Count)
	require.Equal(t, `"a"`, string(tree.RawID(1)))
	require.Equal(t, "a", string(tree.RawParent(0).Text()))
	require.Nil(t, tree.RawParent(1))
	require.Equal(t, "a b", ids(t, tree, tree.Path(None, Options{}).Nodes))
	require.Empty(t, tree.Duplicates)
	tree = read(t, drawn.Log(header+"|"+say("a", "x")+"\n|"+say("b", "x")+"\n|"+say("a", "x")), Reading{})
	require.Equal(t, "b a", ids(t, tree, []Node{0, 1}), "also if it is the same")
	tree = read(t, drawn.Log(header+strings.Join([]string{"|" + say("a", "x"), `|{"$rewindTo":"a"}`, "|" + say("a", "x"), "|" + say("b", "x"), "|" + say("a", "longer")}, "\n")), Reading{})
	require.Equal(t, "a b #4", ids(t, tree, []Node{0, 1, 2}), "the id of what was undone is taken")
	require.Equal(t, `"#4"`, string(tree.RawID(2)))
	require.Equal(t, "#4 b", ids(t, tree, tree.Path(None, Options{}).Nodes))
}
