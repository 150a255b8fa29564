package operand

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/log"
	"jl/test/drawn"
)

// TestOdd: each thing that is odd about a path has its sentence.
func TestOdd(t *testing.T) {
	text := drawn.Log("u1 user\nu2 user <u1")
	for _, test := range []struct {
		odd  log.Odd
		want string
	}{
		{log.Odd{What: log.NoHeader, At: log.None, To: log.None}, "jlx: -:1: the header of the session is not its first line: pi does not open it\n"},
		{log.Odd{What: log.NoConversation, At: log.None, To: log.None}, "jlx: -: no conversation\n"},
		{log.Odd{What: log.Orphan, At: 1, Name: "x", To: log.None}, "jlx: -:2: its parent \"x\" is not in the file: the path starts here\n"},
		{log.Odd{What: log.Orphan, At: 1, Name: "x", To: 0}, "jlx: -:2: its parent \"x\" is not in the file: the path starts here; jlpath --through goes on above\n"},
		{log.Odd{What: log.Tied, At: 1, Name: "x", To: 0}, "jlx: -:2: its parent \"x\" is not in the file: tied to \"u1\" on line 1\n"},
		{log.Odd{What: log.NoLogical, At: 1, To: 0}, "jlx: -:2: it names no logical parent: went on at the newest entry above, \"u1\" on line 1\n"},
		{log.Odd{What: log.NoLogical, At: 1, To: log.None}, "jlx: -:2: it names no logical parent\n"},
		{log.Odd{What: log.LostLogical, At: 1, Name: "x", To: 0},
			"jlx: -:2: its logical parent \"x\" is not in the file: went on at the newest entry above, \"u1\" on line 1\n"},
		{log.Odd{What: log.LostLogical, At: 1, Name: "x", To: log.None}, "jlx: -:2: its logical parent \"x\" is not in the file\n"},
		{log.Odd{What: log.Cycle, At: 0, To: 1}, "jlx: -:1: its parent \"u2\" is below it, a cycle: the path starts here\n"},
		{log.Odd{What: log.Afresh, At: 1, To: 0},
			"jlx: -:2: an approved plan began the conversation afresh: went on at the newest entry before, \"u1\" on line 1\n"},
	} {
		stderr, status := one(t, text, func(f *File) { f.Odd(treeOf(f), []log.Odd{test.odd}) })
		require.Equal(t, test.want, stderr)
		require.Zero(t, status)
	}
}
