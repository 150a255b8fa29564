package log

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/forest"
	"jl/test/drawn"
)

// Every method ends on any graph, and its answer is a path.
func FuzzEndsOnAnyGraph(f *testing.F) {
	graphs := 512
	if testing.Short() {
		graphs = 128
	}
	for i := range graphs {
		var b []byte
		for k := range 120 {
			b = append(b, byte(i*k*k+i*31+k*7>>(i%3)))
		}
		f.Add(b, byte(i))
	}
	f.Fuzz(func(t *testing.T, b []byte, choice byte) {
		text := drawn.Graph(b)
		log := drawn.Log(text)
		o := Options{Chain: choice&1 > 0, Through: choice&2 > 0}
		tree, again := read(t, log, Reading{}), read(t, log, Reading{})
		for _, leaf := range append([]Node{None}, forest.All(tree.Count)...) {
			p := tree.Path(leaf, o)
			checkPath(t, tree, leaf, p, o, text)
			checkAgain(t, tree, again, leaf, p, o)
		}
		checkLeaves(t, tree, text)
		require.NoError(t, tree.Err())
	})
}

// checkPath checks the invariants of paths.
func checkPath(t *testing.T, tree *Log, leaf Node, p Path, o Options, text string) {
	t.Helper()
	if leaf != None && p.Leaf != None {
		require.Equal(t, leaf, p.Leaf)
	}
	seen := map[Node]bool{}
	for _, n := range p.Nodes {
		require.True(t, tree.Has(n), text)
		require.False(t, seen[n], "%v twice in %v of\n%s", n, p.Nodes, text)
		seen[n] = true
		require.NotEmpty(t, tree.Entry(n).Line)
	}
	if leaf != None {
		require.True(t, seen[leaf], text)
	}
	if len(p.Nodes) > 0 {
		require.True(t, seen[p.Leaf], text)
	}
	require.True(t, o.Chain || tree.Tree.Plain || slices.IsSorted(p.Nodes), "in file order: %v of\n%s", p.Nodes, text)
}

// checkAgain requires the same of another Log, which has other seeds.
func checkAgain(t *testing.T, tree, again *Log, leaf Node, p Path, o Options) {
	t.Helper()
	if leaf != None {
		leaf = again.find(again.hash([]byte(tree.ID(leaf))))
	}
	q := again.Path(leaf, o)
	require.Equal(t, ids(t, tree, p.Nodes), ids(t, again, q.Nodes))
	require.Equal(t, texts(tree, p.Odd), texts(again, q.Odd))
}

// checkLeaves checks the invariants of leaves.
func checkLeaves(t *testing.T, tree *Log, text string) {
	t.Helper()
	leaves, cyclic := tree.Leaves, false
	turns := forest.Of(tree.Tree.Above)
	for top := range turns.Tops(tree.Tree.Order) {
		cyclic = cyclic || turns.Up[top[0]] != None
	}
	branches, last := tree.Ends()
	for _, b := range branches {
		require.GreaterOrEqual(t, b.Own, 0)
	}
	for _, leaf := range leaves {
		chain := tree.Path(leaf, Options{Chain: true}).Nodes
		require.Equal(t, leaf, chain[len(chain)-1])
		lastPrompt(tree, leaf)
		tree.Summary(leaf)
		for _, other := range leaves {
			if cyclic {
				break // then leaves may be above each other
			}
			above := turns.Walk(tree.Tree.Turn[other], nil)
			require.True(t, tree.Dialect.IsList() || leaf == other || !slices.Contains(above, tree.Tree.Turn[leaf]), "%v is above %v in\n%s", leaf, other, text)
		}
	}
	if len(leaves) > 0 {
		require.Contains(t, tree.ends(), last)
	}
	if !tree.Tree.Plain {
		leaf := tree.Leaf
		require.Equal(t, len(leaves) > 0, leaf != None)
		require.True(t, leaf == None || slices.Contains(leaves, leaf))
	}
}
