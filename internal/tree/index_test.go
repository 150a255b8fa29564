package tree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/test/drawn"
)

// TestIndex: of the entries with one id, the last one is the node, and all are in file order.
func TestIndex(t *testing.T) {
	const lines, ids = 3*1<<pieceBits + 5, 1<<pieceBits + 1
	log := draw(lines, func(b *strings.Builder, k int) { fmt.Fprintf(b, "n%d user <n%d", k%ids, (k+1)%ids) })
	tree := read(t, drawn.Log(log), Reading{})
	require.Len(t, tree.Nodes(), ids)
	require.Equal(t, ids, tree.Cap())
	for n := range tree.count {
		line := lines - ids + int(n)
		require.Equal(t, int64(line+1), tree.Pos(n).Line)
		require.Equal(t, n, tree.find(tree.hash(fmt.Appendf(nil, "n%d", line%ids))))
		require.Equal(t, tree.find(tree.hash(fmt.Appendf(nil, "n%d", (line+1)%ids))), tree.WrittenParent(n))
	}
	all := tree.Duplicates()
	require.Len(t, all, lines-ids)
	for i, d := range all {
		require.Equal(t, []int64{int64(i + 1), int64(i + 1 + ids)}, []int64{d.Earlier.Line, d.Later.Line})
		require.Equal(t, tree.find(tree.hash(fmt.Appendf(nil, "n%d", i%ids))), d.Node)
	}
}

// TestPackedPos: a position survives being packed, up to its bounds.
func TestPackedPos(t *testing.T) {
	for _, p := range []entry.Pos{{}, {Line: 1, Offset: 2, Length: 3}, {Line: 1<<40 - 1}, {Offset: 1<<48 - 1}, {Length: 1<<40 - 1},
		{Line: 1<<40 - 2, Offset: 1<<48 - 2, Length: 1<<40 - 2}, {Line: 1 << 32, Offset: 1 << 32, Length: 1 << 32}} {
		require.Equal(t, p, pack(p).unpack())
		require.Equal(t, p.Line, pack(p).line())
		require.Equal(t, p.Offset, pack(p).offset())
	}
}

// TestIndexWithoutIDs: an index that was made for ids is made again for a log that has none.
func TestIndexWithoutIDs(t *testing.T) {
	log := draw(700, func(b *strings.Builder, k int) { fmt.Fprintf(b, "p%d progress", k) }) +
		draw(5000, func(b *strings.Builder, _ int) { b.WriteString("- user") })
	tree := read(t, drawn.Log(log), Reading{})
	require.Len(t, tree.Path(None, Options{}).Nodes, 5000)
}
