package forest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// While a node is entered and not left, those above it are, too. Each node is entered and left once.
func TestVisitEntersNodesBelowThoseAboveThem(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		n := 1 + r.IntN(8)
		f := &Forest{}
		var nodes []Node
		for v := range n {
			f.Up, nodes = append(f.Up, Node(r.IntN(n+1)-1)), append(nodes, Node(v))
		}
		var open, entered []Node
		f.Visit(nodes, func(n Node) {
			onCycle := slices.Index(f.Walk(n, nil), n) >= 0 && f.Up[f.Walk(n, nil)[0]] == n
			for _, up := range f.Walk(n, nil) {
				require.True(t, onCycle || up == n || slices.Contains(open, up), "%d below %d in %v", n, up, f.Up)
			}
			open, entered = append(open, n), append(entered, n)
		}, func(n Node) {
			require.Contains(t, open, n)
			open = slices.DeleteFunc(open, func(o Node) bool { return o == n })
		})
		require.Empty(t, open)
		require.ElementsMatch(t, nodes, entered)
	}
}

// TestTops: the tops are the roots and the cycles, each once, and each node of a cycle is above the next.
func TestTops(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		n := 1 + r.IntN(8)
		f := &Forest{}
		var nodes, want, got []Node
		for v := range n {
			f.Up, nodes = append(f.Up, Node(r.IntN(n+1)-1)), append(nodes, Node(v))
		}
		for _, v := range nodes {
			if top := f.Walk(v, nil)[0]; f.Up[v] == None || f.Up[top] == v {
				want = append(want, v)
			}
		}
		for top := range f.Tops(nodes) {
			for i, v := range top {
				if i > 0 {
					require.Equal(t, top[i-1], f.Up[v], f.Up)
				}
			}
			if up := f.Up[top[0]]; up != None {
				require.Equal(t, top[len(top)-1], up, f.Up)
			}
			got = append(got, top...)
		}
		require.ElementsMatch(t, want, got, f.Up)
	}
}
