package log

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/rule"
	"jl/test/drawn"
)

// TestReadTail: the last lines of a log have the places that they have in all of it, and what lies above them is lost.
func TestReadTail(t *testing.T) {
	text := drawn.Log("u1 user\na2 assistant <u1\nu3 user <a2\na4 assistant <u3")
	r := strings.NewReader(text)
	from := int64(strings.Index(text, `"u3"`))
	from = int64(strings.LastIndexByte(text[:from], '\n')) + 1
	tail, err := ReadTail(r, from, r.Size(), dialect.Claude, false)
	require.NoError(t, err)
	require.Equal(t, "u3 a4", ids(t, tail, []Node{0, 1}))
	require.Equal(t, Node(2), tail.Count)
	require.Equal(t, from, tail.Pos(0).Offset)
	require.Equal(t, int64(1), tail.Pos(0).Line)
	require.False(t, tail.Has(tail.Written[0]), "the parent is above")
	require.Equal(t, "u3 a4", ids(t, tail, tail.Path(None, Options{}).Nodes))
	require.Equal(t, int64(2), tail.Lines)
}

// TestReadTailOfPi: the end of a log with a header has a leaf, also behind another header, and that of a log without one has none.
func TestReadTailOfPi(t *testing.T) {
	text := drawn.Log(drawn.V3 + "u1 pi:message\na2 pi:message <u1\n" + drawn.V3 + "u3 pi:message <a2")
	from := int64(strings.Index(text, "\n")) + 1
	for headed, want := range map[bool]string{true: "u3", false: ""} {
		r := strings.NewReader(text)
		tail, err := ReadTail(r, from, r.Size(), dialect.Pi, headed)
		require.NoError(t, err)
		got := ""
		if leaf := tail.Path(None, Options{}).Leaf; leaf != None {
			got = tail.ID(leaf)
		}
		require.Equal(t, want, got)
	}
}

// TestSnapshotsOf: the entries that tell of backups come in the order of the file, each with the node that it names.
func TestSnapshotsOf(t *testing.T) {
	tree := read(t, drawn.Log(`
		u1 user
		|{"type":"file-history-snapshot","messageId":"u1","snapshot":{}}
		- last-prompt leaf=u1 session=s
		- summary leaf=u1 sum=x
		- mode session=s
		u2 user <u1
		|{"type":"file-history-delta","messageId":"u2","trackingPath":"f","backup":{}}
		|{"type":"file-history-snapshot","messageId":"gone","snapshot":{}}`), Reading{})
	var got []string
	for n, at := range tree.Snapshots() {
		id := "-"
		if n != None {
			id = tree.ID(n)
		}
		got = append(got, fmt.Sprint(id, " ", at.Line))
	}
	require.Equal(t, []string{"u1 2", "u2 7", "- 8"}, got)
	for range tree.Snapshots() {
		break
	}
}

// TestLookUp: LookUp finds no node for an id that is not a string or that no entry has, nor NodeAt for a place without a node.
func TestLookUp(t *testing.T) {
	tree := read(t, drawn.Log("u1 user\n- summary leaf=u1\nu2 user <u1"), Reading{})
	require.Equal(t, Node(1), tree.LookUp(entry.Value(`"u2"`)))
	require.Equal(t, None, tree.LookUp(entry.Value(`"u3"`)))
	require.Equal(t, None, tree.LookUp(entry.Value(`7`)))
	require.Equal(t, None, tree.LookUp(nil))
	require.Equal(t, Node(1), tree.NodeAt(tree.Pos(1)))
	require.Equal(t, None, tree.NodeAt(entry.Pos{Offset: tree.Pos(1).Offset - 1}))
	require.Equal(t, None, tree.NodeAt(entry.Pos{Offset: tree.Pos(1).Offset + 1}))
	require.False(t, tree.Has(None))
	require.True(t, tree.Has(1))
	require.False(t, tree.Has(2))
}

// TestAnewOfGemini: if a log tells its messages again, the new ones continue the old, which are not leaves. Undone messages are.
func TestAnewOfGemini(t *testing.T) {
	const header = `{"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00.000Z","kind":"main"}` + "\n"
	say := func(id, typ string) string { return `{"id":"` + id + `","type":"` + typ + `","content":"x"}` }
	anew := `{"$set":{"messages":[` + say("d", "user") + `,` + say("e", "gemini") + `]}}`
	again := header + strings.Join([]string{say("a", "user"), say("b", "gemini"), say("c", "user"), anew, say("f", "user")}, "\n") + "\n"
	tree := read(t, again, Reading{})
	require.Equal(t, "f", ids(t, tree, tree.Leaves))
	require.Equal(t, "#5 f", ids(t, tree, tree.Path(None, Options{}).Nodes))
	require.Equal(t, "a b c #5 f", ids(t, tree, tree.Path(None, Options{Through: true}).Nodes))
	require.Equal(t, map[Node]rule.Compaction{3: {Summary: 3, Logical: 2}}, tree.Tree.Compactions)

	undone := header + strings.Join([]string{say("a", "user"), say("b", "gemini"), say("c", "user"), `{"$rewindTo":"b"}`, say("g", "user")}, "\n") + "\n"
	tree = read(t, undone, Reading{})
	require.Equal(t, "g c", ids(t, tree, tree.Leaves))
	require.Equal(t, "a g", ids(t, tree, tree.Path(None, Options{}).Nodes))
	require.Equal(t, "a b c", ids(t, tree, tree.Path(nodeOf(t, tree, "c"), Options{}).Nodes))
}
