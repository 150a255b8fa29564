package memory

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestResize: a buffer is used again as long as it is large enough.
func TestResize(t *testing.T) {
	buf := make([]byte, 10, 20)
	first := &buf[0]
	for _, size := range []int{20, 0, 5} {
		Resize(&buf, size)
		require.Len(t, buf, size)
		require.Same(t, first, &buf[:1][0])
	}
	Resize(&buf, 21)
	require.Len(t, buf, 21)
	Resize(&buf, huge)
	require.Len(t, buf, huge)
}
