package shape

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMatcher(t *testing.T) {
	m := NewMatcher[int, string]()
	_, ok := m.Call("a", 1)
	require.False(t, ok)
	_, ok = m.Call("a", 2) // in place of the first
	require.False(t, ok)
	_, ok = m.Result("b", "early")
	require.False(t, ok)
	require.False(t, m.Matched("a"))
	call, ok := m.WaitingCall("a")
	require.True(t, ok)
	require.Equal(t, 2, call)
	_, ok = m.FirstResult("b", "second")
	require.False(t, ok)

	call, ok = m.Result("a", "x")
	require.True(t, ok)
	require.Equal(t, 2, call)
	_, ok = m.FirstResult("a", "again")
	require.False(t, ok)
	result, ok := m.Call("b", 3)
	require.True(t, ok)
	require.Equal(t, "early", result)
	require.True(t, m.Matched("a"))
	require.True(t, m.Matched("b"))
	_, ok = m.WaitingCall("a")
	require.False(t, ok)

	_, ok = m.Call("b", 4) // once more
	require.False(t, ok)
	_, ok = m.FirstResult("c", "y")
	require.False(t, ok)
	calls, results := m.Waiting()
	require.Equal(t, []int{4}, slices.Collect(calls))
	require.Equal(t, []string{"y"}, slices.Collect(results))
	call, ok = m.FirstResult("b", "z")
	require.True(t, ok)
	require.Equal(t, 4, call)
}
