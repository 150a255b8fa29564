package log

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/shape"
	"jl/test/drawn"
)

// TestEach: Each gets every entry, with the damage of its line and its message, and may end the reading. The log of
// what was read is complete.
func TestEach(t *testing.T) {
	log := drawn.Log("u1 user say=one\n|x{\"uuid\":\"a2\",\"type\":\"assistant\",\"parentUuid\":\"u1\",\"message\":{\"id\":\"m\"}}\n- mode\nu3 user <a2\nu4 user <u3")
	for most, nodes := range map[int]string{5: "u1 a2 u3 u4", 4: "u1 a2 u3", 3: "u1 a2", 1: "u1"} {
		var got []string
		tree := read(t, log, Reading{Each: func(e *entry.Entry, d *entry.Damage, in dialect.Dialect, m *shape.Message) bool {
			require.Equal(t, dialect.Claude, in)
			got = append(got, fmt.Sprint(string(e.Get(entry.UUID).Text()), " ", e.Pos.Line, " ", string(m.ID.Text()), " ", d != nil))
			return len(got) < most
		}})
		require.Equal(t, []string{"u1 1  false", "a2 2 m true", " 3  false", "u3 4  false", "u4 5  false"}[:most], got)
		require.Equal(t, nodes, ids(t, tree, tree.Path(None, Options{}).Nodes))
	}
}

// TestKnows: another program takes entries of the kinds that it knows for nodes if they have an id, also an empty one.
// It does not know what boundaries keep, nor that a log without parents is one path.
func TestKnows(t *testing.T) {
	knows := Reading{Knows: func(k Kind) bool { return k != Progress && k != link }}
	tree := read(t, drawn.Log(`
		u1 user
		|{"uuid":"","type":"user","parentUuid":"u1"}
		|{"uuid":7,"type":"user","parentUuid":"u1"}
		p3 progress <u1
		a4 assistant <u1
		- user
		b5 boundary keep=a4/s6 log=a4
		s6 user <b5
		u7 user <a4`), knows)
	require.Equal(t, []string{"u1", "", "a4", "b5", "s6", "u7"}, strings.Split(ids(t, tree, []Node{0, 1, 2, 3, 4, 5}), " "))
	require.Equal(t, Node(6), tree.Count)
	require.Equal(t, "u1 a4 u7", ids(t, tree, tree.Path(None, Options{}).Nodes))
	require.Empty(t, tree.Tree.Compactions[3].Kept)
	require.Equal(t, Node(3), tree.Tree.Compactions[3].Summary)
	require.Equal(t, Node(2), tree.Tree.Compactions[3].Logical)
	require.Zero(t, tree.NoIDCount)
	require.False(t, read(t, drawn.Log("u1 user\na2 assistant"), knows).Unchained)
}

// TestMayKeep: what the caller may keep stays the same when the log is read again.
func TestMayKeep(t *testing.T) {
	log := drawn.Log("u1 user say=a_text_that_is_as_long_as_those_behind_it session=s\n- summary leaf=u2 sum=sum\n" +
		"|{\"type\":\"custom-title\",\"sessionId\":\"s\",\"customTitle\":\"title\"}\nu2 user <u1 session=s")
	list := `{"type":"a","id":"a","content":"a text that is as long"}` + "\n" + `{"type":"b","id":"b"}` + "\n"
	for _, c := range []struct {
		log, want string
		get       func(t *Log) []byte
	}{
		{log, "sum", func(t *Log) []byte { return t.Summary(1) }},
		{log, "title", func(t *Log) []byte { return t.Title(1) }},
		{log, `"u2"`, func(t *Log) []byte { return t.RawID(1) }},
		{log, `"u1"`, func(t *Log) []byte { return t.RawParent(1) }},
		{list, `"#2"`, func(t *Log) []byte { return t.RawID(1) }},
		{list, `"#1"`, func(t *Log) []byte { return t.RawParent(1) }},
	} {
		tree := read(t, c.log, Reading{})
		got := c.get(tree)
		require.Equal(t, c.want, string(got))
		tree.Entry(0)
		require.Equal(t, c.want, string(got))
		require.NoError(t, tree.Err())
	}
}
