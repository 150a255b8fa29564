package checksum

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOf: the sums are those of XXH64 with the seed 0, whole and in pieces.
func TestOf(t *testing.T) {
	require.Equal(t, uint64(0xef46db3751d8e999), Of(nil))
	require.Equal(t, uint64(0xd24ec4f1a98c6e5b), Of([]byte("a")))
	var d Digest
	d.Reset()
	_, _ = d.Write([]byte("mo"))
	_, _ = d.Write([]byte("ons"))
	require.Equal(t, Of([]byte("moons")), d.Sum64())
}
