package reader

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/forest"
	"jl/internal/log"
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
		graph := drawn.Graph(b)
		text := drawn.Log(graph)
		for rules := Default; rules <= SDKSystem; rules++ {
			r, other := read(t, text, rules), read(t, text, rules)
			for _, leaf := range append([]log.Node{log.None}, forest.All(r.t.Count)...) {
				p := r.Path(leaf, log.Options{}, true)
				seen := map[log.Node]bool{}
				for _, n := range p.Nodes {
					require.True(t, r.t.Has(n), text)
					require.False(t, seen[n], "%s: %v twice in %v of\n%s", rules, n, p.Nodes, text)
					seen[n] = true
				}
				for n, up := range p.Taken {
					require.True(t, rules == Default || seen[n] && seen[up] && n != up, text)
				}
				other := New(other.t, rules)
				given := log.None
				if leaf != log.None {
					given = nodeOf(t, other, r.t.ID(leaf))
				}
				require.Equal(t, ids(t, r, p.Nodes), ids(t, other, other.Path(given, log.Options{}, false).Nodes), "%s of\n%s", rules, text)
			}
			r.Pinned()
			require.NoError(t, r.t.Err())
		}
	})
}
