package tree

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/test/drawn"
)

// TestIndex: each id keeps its node, whatever the index takes the rest of the log for.
func TestIndex(t *testing.T) {
	for _, log := range []struct{ size, reached int64 }{{0, 0}, {0, 5}, {5, 1}, {1 << 20, 1 << 20}, {math.MaxInt64, 1}} {
		tree := newTree(Reading{}, nil, log.size)
		tree.reached = log.reached
		rnd := rand.New(rand.NewPCG(1, 2))
		nodes := map[string]Node{}
		for range 20_000 {
			id := fmt.Sprint(rnd.IntN(10_000))
			n, known := nodes[id]
			if !known {
				require.Equal(t, None, tree.find(tree.hash([]byte(id))))
				n = tree.intern(tree.hash([]byte(id)))
				nodes[id] = n
			}
			require.Equal(t, n, tree.intern(tree.hash([]byte(id))))
		}
		for id, n := range nodes {
			require.Equal(t, n, tree.find(tree.hash([]byte(id))))
		}
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
