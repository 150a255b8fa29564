package log

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// read returns the tree of a log.
func read(t testing.TB, log string, reading Reading) *Log {
	t.Helper()
	r := strings.NewReader(log)
	tree, err := Read(r, int64(len(log)), reading, nil)
	require.NoError(t, err)
	keepAnswer(t, tree)
	return tree
}

// ids returns the ids of nodes, "-" for no nodes.
func ids(t testing.TB, tree *Log, nodes []Node) string {
	t.Helper()
	var b bytes.Buffer
	for i, n := range nodes {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(tree.ID(n))
	}
	require.NoError(t, tree.Err())
	if len(nodes) == 0 {
		return "-"
	}
	return b.String()
}

// nodeOf returns the node of an id, None if the id is empty.
func nodeOf(t testing.TB, tree *Log, id string) Node {
	t.Helper()
	if id == "" {
		return None
	}
	m := tree.Find([]string{id})[id]
	require.NotEqual(t, None, m.Node, "no %q", id)
	return m.Node
}

// whats are the names of what is odd.
var whats = map[What]string{
	NoHeader: "no header", NoConversation: "no conversation", Orphan: "orphan", Tied: "tied", NoLogical: "no logical parent",
	LostLogical: "lost logical parent", Afresh: "afresh", Cycle: "cycle",
}

// texts returns what is odd, a line each.
func texts(t *Log, odd []Odd) string {
	var b strings.Builder
	for _, o := range odd {
		if o.At != None {
			fmt.Fprintf(&b, "%d: ", t.Pos(o.At).Line)
		}
		b.WriteString(strings.TrimSuffix(whats[o.What]+" "+o.Name, " "))
		if o.To != None {
			b.WriteString(" -> " + t.ID(o.To))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
