package log

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/forest"
	"jl/test/drawn"
)

func TestLogical(t *testing.T) {
	tests := []struct{ name, log, of, want string }{
		{"a boundary", "u1 user\na2 assistant <u1\nb3 boundary log=u1", "b3", "u1"},
		{"a boundary that names nothing", "u1 user\na2 assistant <u1\nb3 boundary", "b3", "a2"},
		{"a missing logical parent", "u1 user\na2 assistant <u1\nb2 boundary log=no", "b2", "a2"},
		{"nothing above", "b1 boundary\nu2 user <b1", "b1", ""},
		{"not a boundary", "u1 user\nu2 user <u1\nu3 user <no log=u1", "u3", "u2"},
		{"an orphan that names nothing", "u1 user\na2 assistant <u1\nu2 user <no", "u2", "a2"},
		{"a node with a parent", "u1 user\nu2 user\nu3 user <u2 log=u1", "u3", ""},
		{"a root", "u1 user\nu2 user\na3 assistant <u2", "u2", ""},
		{"pi", drawn.V3 + "a pi:message\nb pi:compaction", "b", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree := read(t, drawn.Log(test.log), Reading{})
			require.Equal(t, nodeOf(t, tree, test.want), tree.Tree.Crossing(tree.Tree.Turn[nodeOf(t, tree, test.of)]))
		})
	}
}

// TestNodesInOrder wants each node once, at the place of its last entry.
func TestNodesInOrder(t *testing.T) {
	tree := read(t, drawn.Log("c user <b\na user\nb user <x\na user\n- summary leaf=a"), Reading{})
	require.Equal(t, "c b a", ids(t, tree, forest.All(tree.Count)))
	require.Empty(t, read(t, "", Reading{}).Kinds)
}
