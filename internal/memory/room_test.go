package memory

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRoom: a room holds a line of any length, is used again if it is large enough, and gives
// back the memory of a huge line when it need not hold it any more.
func TestRoom(t *testing.T) {
	var r Room
	r.Free()
	hold := func(size int) *byte {
		r.Resize(size)
		require.Len(t, r, size)
		text := bytes.Repeat([]byte("x"), size)
		copy(r, text)
		require.True(t, bytes.Equal(text, r))
		return &r[0]
	}
	first := hold(1000)
	for _, size := range []int{1, 300, 1000} {
		require.True(t, first == hold(size))
	}
	hold(hugePage + 1)
	large := hold(2 * huge)
	require.True(t, large == hold(huge))
	hold(keptRoom)
	require.LessOrEqual(t, cap(r), keptRoom)
	r.Free()
	require.Zero(t, cap(r))
}

// TestRoomOfTheHeap: memory of the heap, which a room has if the system gives no mapping, is
// replaced and freed like a mapping.
func TestRoomOfTheHeap(t *testing.T) {
	r := Room(make([]byte, 10))
	r.Resize(20)
	require.Len(t, r, 20)
	r.Free()
	r = make([]byte, 10)
	r.Free()
	require.Zero(t, cap(r))
}
