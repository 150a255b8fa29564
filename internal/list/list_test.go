package list

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestList: elements keep their places, and those that were added together are together.
func TestList(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	var l List[int]
	type group struct{ at, n int }
	var groups []group
	next := 0
	for len(groups) < 5000 {
		n := 1 + rnd.IntN(4)
		if rnd.IntN(500) == 0 {
			n = Piece - 1 + rnd.IntN(3)
		}
		at := l.Add(n)
		for i := range l.From(at)[:n] {
			l.From(at)[i] = next
			next++
		}
		groups = append(groups, group{at, n})
	}
	want := 0
	for _, g := range groups {
		for i, got := range l.From(g.at)[:g.n] {
			require.Equal(t, want, got)
			if i == 0 {
				require.Equal(t, want, *l.At(g.at))
			}
			want++
		}
	}

	var one List[byte]
	for i := range 3 * Piece {
		require.Equal(t, i, one.Add(1))
	}
}
