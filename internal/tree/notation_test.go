package tree

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// read returns the tree of a log.
func read(t testing.TB, log string, reading Reading) *Tree {
	t.Helper()
	r := strings.NewReader(log)
	tree, err := Read(r, int64(len(log)), reading, nil)
	require.NoError(t, err)
	return tree
}

// ids returns the ids of nodes, "-" for no nodes.
func ids(t testing.TB, tree *Tree, nodes []Node) string {
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
func nodeOf(t testing.TB, tree *Tree, id string) Node {
	t.Helper()
	if id == "" {
		return None
	}
	m := tree.Find([]string{id})[id]
	require.NotEqual(t, None, m.Node, "no %q", id)
	return m.Node
}

// texts returns the texts of remarks, a line each.
func texts(remarks []Remark) string {
	var b strings.Builder
	for _, r := range remarks {
		fmt.Fprintf(&b, "%d: %s\n", r.Line, r.Text)
	}
	return b.String()
}
