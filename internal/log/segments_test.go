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
	lengths := func(i, second int) int { // by compaction: many long ones leave 192, then comes the second and one of a single entry
		switch {
		case i < 112:
			return 300
		case i == 112:
			return second
		}
		return 1
	}
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
		{"of the same entries, until nothing is left", 256, 140, func(int) int { return 256 }, 0, 6},
		{"of the same entries, too often, and then a short one", 300, 140, func(i int) int { return 300 - i/139*299 }, 1, 16},
		{"as long as what is left", 300, 114, func(i int) int { return lengths(i, 192) }, 0, 1},
		{"longer by one than what is left, which ends the search", 300, 114, func(i int) int { return lengths(i, 193) }, 0, 2},
		{"far longer than the log", 500, 500, func(i int) int { return i + 1 }, 0, 63},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := read(t, drawn.Log(summarized(c.entries, c.compactions, c.tail)), Reading{})
			last := nodeOf(t, tree, fmt.Sprint("b", c.compactions-1))
			require.Len(t, tree.Tree.Compactions[last].Kept, c.kept)
			require.Equal(t, c.tooLong, tree.TooLong)
		})
	}
	for log, want := range map[string]int{ // a segment that is none is not too long, also when nothing is left
		summarized(256, 140, func(int) int { return 256 }) +
			"x boundary seg=u1,u255/x\nx1 boundary\nx2 boundary seg=u1,gone/x2\nx3 boundary seg=gone,u2/x3": 5 + 1,
		"a user <b\nb user <a\nc user\nd boundary seg=c,a/d": 0, // of which one end is on a cycle
	} {
		require.Equal(t, want, read(t, drawn.Log(log), Reading{}).TooLong)
	}
}
