package log

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/drawn"
)

// summarized draws a conversation of some entries, and as many compactions that name a segment of it, from its first
// entry to the one that tail returns.
func summarized(entries, compactions int, tail func(compaction int) int) string {
	var b strings.Builder
	for i := range entries {
		fmt.Fprintf(&b, "u%d user <u%d\n", i+1, i)
	}
	for i := range compactions {
		fmt.Fprintf(&b, "b%d boundary log=u%d seg=u1,u%[2]d/b%[1]d\ns%[1]d user summary <b%[1]d\n", i, tail(i))
	}
	return strings.Replace(b.String(), " <u0\n", "\n", 1)
}

// TestSegments: each compaction keeps its segment, although all of them are longer than the log. If they are far
// longer, the log tells how many keep nothing.
func TestSegments(t *testing.T) {
	for _, c := range []struct {
		name                 string
		entries, compactions int
		tail                 func(int) int
		kept, tooLong        int
	}{
		{"one", 9, 1, func(int) int { return 9 }, 9, 0},
		{"of the same entries", 400, 60, func(int) int { return 400 }, 400, 0},
		{"each longer than the last", 100, 80, func(i int) int { return 20 + i }, 99, 0},
		{"of the same entries, too often", 300, 140, func(int) int { return 300 }, 0, 17},
		{"far longer than the log", 500, 500, func(i int) int { return i + 1 }, 0, 63},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(summarized(c.entries, c.compactions, c.tail)), Reading{})
			last := nodeOf(t, tree, fmt.Sprint("b", c.compactions-1))
			require.Len(t, tree.Tree.Compactions[last].Kept, c.kept)
			require.Equal(t, c.tooLong, tree.TooLong)
		})
	}
}
