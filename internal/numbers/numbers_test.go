package numbers

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTable: a table finds each number that it was given, and takes more than it was made for.
func TestTable(t *testing.T) {
	table, hashes := New(0), []uint64{}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		hash := rnd.Uint64N(1<<13) << 51 // many begin alike
		is := func(n int32) bool { return hashes[n-1] == hash }
		next, known := int32(len(hashes)+1), slices.Index(hashes, hash)
		require.Equal(t, int32(known+1), table.Get(hash, is))
		if n := table.At(hash, next, is); n == next {
			require.Negative(t, known)
			hashes = append(hashes, hash)
		} else {
			require.Equal(t, int32(known+1), n)
		}
	}
}
