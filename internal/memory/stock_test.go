package memory

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStock: what a stock gives out is zero, belongs to one caller, and stays as it is until the
// stock is freed, whether it is on the heap or not.
func TestStock(t *testing.T) {
	var s Stock
	for range 3 {
		var all [][]uint32
		for i, n := range []int{1, 0, 1000, smallStock / 8, smallStock / 8, 3, hugePage, 17, 17, 2*hugePage + 1, 5} {
			made := Make[uint32](&s, n)
			require.Len(t, made, n)
			require.True(t, isAll(made, 0))
			for k := range made {
				made[k] = uint32(i + 1)
			}
			all = append(all, made)
		}
		for i, made := range all {
			require.True(t, isAll(made, uint32(i+1)))
		}
		s.Free()
		s.Free()
	}
}

func isAll(s []uint32, x uint32) bool {
	return !slices.ContainsFunc(s, func(y uint32) bool { return y != x })
}

// TestNoStock: memory of a nil stock is that of the heap.
func TestNoStock(t *testing.T) {
	var s *Stock
	require.True(t, isAll(Make[uint32](s, hugePage), 0))
	s.Free()
}

// TestSmallStock: a stock that gives out little takes no mapping.
func TestSmallStock(t *testing.T) {
	var s Stock
	defer s.Free()
	for range smallStock / 8 {
		Make[int64](&s, 1)
	}
	require.Empty(t, s.rooms)
	Make[int64](&s, 1)
	require.Len(t, s.rooms, 1)
}
