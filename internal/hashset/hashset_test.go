package hashset

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSet(t *testing.T) {
	set := Set{}
	for _, s := range []string{"", "a", strings.Repeat("a", 1<<20), "\xff"} {
		require.False(t, set.Has(s))
		require.True(t, set.Add(s))
		require.False(t, set.Add(s))
		require.True(t, set.Has(s))
	}
	for i := range 10_000 {
		require.True(t, set.Add(strconv.Itoa(i)))
	}
}
