package tree

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/drawn"
)

// printed returns nodes as a program prints them: a log.
func printed(t testing.TB, tree *Tree, nodes []Node) string {
	var b bytes.Buffer
	for _, n := range nodes {
		b.Write(bytes.TrimRight(tree.Entry(n).Line, "\n"))
		b.WriteByte('\n')
	}
	require.NoError(t, tree.Err())
	return b.String()
}

// FuzzPathIsItsOwnPath: whatever leaf and options a path has, its entries as a log have
// the same path. This does not hold for a leaf that is named and is a boundary: its summary
// is not printed, so no leaf is chosen there.
func FuzzPathIsItsOwnPath(f *testing.F) {
	for i := range 1024 {
		var b []byte
		for k := range 200 {
			b = append(b, byte(i*k*k+i*31+k*7>>(i%3)))
		}
		f.Add(b, byte(i), byte(i>>3))
	}
	f.Fuzz(func(t *testing.T, b []byte, options, end byte) {
		text := drawn.Conversation(b)
		tree := read(t, drawn.Log(text), Reading{})
		o := Options{Chain: options&1 > 0, Through: options&2 > 0}
		leaves := append(tree.Leaves(), None)
		leaf := leaves[int(end)%len(leaves)]
		p := tree.Path(leaf, o)
		if len(p.Nodes) == 0 || leaf != None && tree.at(leaf).flags&boundary > 0 {
			return
		}
		again := read(t, printed(t, tree, p.Nodes), Reading{})
		got := again.Path(None, o).Nodes
		require.Equal(t, ids(t, tree, p.Nodes), ids(t, again, got), "leaf %s, %+v of\n%s", tree.ID(p.Leaf), o, text)
	})
}
