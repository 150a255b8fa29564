package operand

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/tree"
	"jl/test/drawn"
)

// TestOdd: each thing that is odd about a path has its sentence.
func TestOdd(t *testing.T) {
	log := drawn.Log("u1 user\nu2 user <u1")
	for _, test := range []struct {
		odd  tree.Odd
		want string
	}{
		{tree.Odd{What: tree.NoHeader, At: tree.None, To: tree.None}, "jlx: -:1: the header of the session is not its first line: pi does not open it\n"},
		{tree.Odd{What: tree.NoConversation, At: tree.None, To: tree.None}, "jlx: -: no conversation\n"},
		{tree.Odd{What: tree.Orphan, At: 1, Name: "x", To: tree.None}, "jlx: -:2: its parent \"x\" is not in the file: the path starts here\n"},
		{tree.Odd{What: tree.Tied, At: 1, Name: "x", To: 0}, "jlx: -:2: its parent \"x\" is not in the file: tied to \"u1\" on line 1\n"},
		{tree.Odd{What: tree.Tied, At: 1, Name: "x", To: tree.None},
			"jlx: -:2: its parent \"x\" is not in the file and nothing can have come before it: the path starts here\n"},
		{tree.Odd{What: tree.NoLogical, At: 1, To: 0}, "jlx: -:2: it names no logical parent: went on at the newest entry above, \"u1\" on line 1\n"},
		{tree.Odd{What: tree.NoLogical, At: 1, To: tree.None}, "jlx: -:2: it names no logical parent\n"},
		{tree.Odd{What: tree.LostLogical, At: 1, Name: "x", To: 0},
			"jlx: -:2: its logical parent \"x\" is not in the file: went on at the newest entry above, \"u1\" on line 1\n"},
		{tree.Odd{What: tree.LostLogical, At: 1, Name: "x", To: tree.None}, "jlx: -:2: its logical parent \"x\" is not in the file\n"},
		{tree.Odd{What: tree.Cycle, At: 0, To: 1}, "jlx: -:1: its parent \"u2\" is below it, a cycle: the path starts here\n"},
		{tree.Odd{What: tree.LogicalCycle, At: 0, To: 1}, "jlx: -:1: its logical parent \"u2\" is below it, a cycle: the path starts here\n"},
	} {
		stderr, status := one(t, log, func(f *File) { f.Odd(treeOf(f), []tree.Odd{test.odd}) })
		require.Equal(t, test.want, stderr)
		require.Zero(t, status)
	}
}
