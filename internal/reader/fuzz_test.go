package reader

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/forest"
	"jl/internal/tree"
	"jl/test/drawn"
)

// Every reader ends on any graph, and its path has nodes of the log, each once, whatever the seeds
// of the tree are and which path was asked for before.
func FuzzPathsOfAnyGraph(f *testing.F) {
	for i := range 64 {
		var b []byte
		for k := range 120 {
			b = append(b, byte(i*k*k+i*31+k*7>>(i%3)))
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		text := drawn.Graph(b)
		log := drawn.Log(text)
		for rules := Default; rules <= SDKSystem; rules++ {
			r, other := read(t, log, rules), read(t, log, rules)
			for _, leaf := range append([]tree.Node{tree.None}, forest.All(r.t.Count)...) {
				p := r.Path(leaf, tree.Options{}, true)
				seen := map[tree.Node]bool{}
				for _, n := range p.Nodes {
					require.True(t, r.t.Has(n), text)
					require.False(t, seen[n], "%s: %v twice in %v of\n%s", rules, n, p.Nodes, text)
					seen[n] = true
				}
				for n, up := range p.Taken {
					require.True(t, rules == Default || seen[n] && seen[up] && n != up, text)
				}
				other := New(other.t, rules)
				given := tree.None
				if leaf != tree.None {
					given = nodeOf(t, other, r.t.ID(leaf))
				}
				require.Equal(t, ids(t, r, p.Nodes), ids(t, other, other.Path(given, tree.Options{}, false).Nodes), "%s of\n%s", rules, text)
			}
			r.Pinned()
			require.NoError(t, r.t.Err())
		}
	})
}
