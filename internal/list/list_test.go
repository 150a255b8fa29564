package list

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/memory"
)

// TestList: elements are zero at first and keep their places, and those that were added together
// are together: on the heap and in a stock, in new memory and in that of others.
func TestList(t *testing.T) {
	testList(t, List[int]{})
	var stock memory.Stock
	defer stock.Free()
	testList(t, List[int]{Stock: &stock})
}

func testList(t *testing.T, l List[int]) {
	for range 3 {
		fill(t, &l)
		l.Clear()
		require.Empty(t, slices.Collect(l.All()))
	}
}

func fill(t *testing.T, l *List[int]) {
	rnd := rand.New(rand.NewPCG(5, 6))
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
			require.Zero(t, l.From(at)[i])
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
}

// TestClear: memory of many elements that were added together serves for fewer, which have places
// of their own.
func TestClear(t *testing.T) {
	var l List[byte]
	for _, n := range []int{3*Piece + 5, Piece + 1, 1000, 1, 2 * Piece, Piece/2 + 1} {
		var places []int
		for i := range 20 {
			at := l.Add(n)
			places = append(places, at)
			added := l.From(at)[:n]
			require.Zero(t, bytes.Count(added, []byte{byte(i + 1)}))
			copy(added, bytes.Repeat([]byte{byte(i + 1)}, n))
		}
		for i, at := range places {
			require.Equal(t, n, bytes.Count(l.From(at)[:n], []byte{byte(i + 1)}))
		}
		l.Clear()
	}
}

// TestPlaces: the places of elements that are added one by one count from 0, and All yields them
// in that order.
func TestPlaces(t *testing.T) {
	var one List[byte]
	require.Empty(t, slices.Collect(one.All()))
	for i := range 2*Piece + 3 {
		require.Equal(t, i, one.Add(1))
		*one.At(i) = byte(i)
	}
	next := 0
	for b := range one.All() {
		require.Equal(t, byte(next), *b)
		if next++; next == Piece+5 {
			break
		}
	}
	require.Len(t, slices.Collect(one.All()), 2*Piece+3)
}
