package tree

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestIndex: each id keeps its node, whatever the index takes the rest of the log for.
func TestIndex(t *testing.T) {
	for _, log := range []struct{ size, reached int64 }{{0, 0}, {0, 5}, {5, 1}, {1 << 20, 1 << 20}, {math.MaxInt64, 1}} {
		tree := NewBuilder(Default, nil, log.size).t
		tree.reached = log.reached
		rnd := rand.New(rand.NewPCG(1, 2))
		nodes := map[string]Node{}
		key := func(id string) key { return tree.key([]byte(id)) }
		for i := range 20_000 {
			id := fmt.Sprint(rnd.IntN(10_000))
			n, known := nodes[id]
			if !known {
				require.Equal(t, None, tree.find(key(id)))
				n = tree.intern(key(id))
				nodes[id] = n
			}
			require.Equal(t, n, tree.intern(key(id)))
			if rnd.IntN(3) == 0 {
				tree.rename(n, key(fmt.Sprint("#", i)))
				nodes[fmt.Sprint("#", i)], nodes[id] = n, tree.find(key(id))
				require.NotEqual(t, n, nodes[id])
			}
			require.LessOrEqual(t, int(tree.n)*4, len(tree.slots)*3)
		}
		for id, n := range nodes {
			require.Equal(t, n, tree.find(key(id)))
		}
	}
}

// TestIndexWithoutIDs: an index that was made for ids is made again for a log that has none.
func TestIndexWithoutIDs(t *testing.T) {
	log := draw(700, func(b *strings.Builder, k int) { fmt.Fprintf(b, "p%d progress", k) }) +
		draw(5000, func(b *strings.Builder, _ int) { b.WriteString("- user") })
	tree := read(t, jsonl(log), Default)
	require.Len(t, tree.Path(None, Options{}).Nodes, 5000)
}
