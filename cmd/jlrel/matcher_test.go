package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMatcher(t *testing.T) {
	m := newMatcher[int, string]()
	_, ok := m.call("a", 1)
	require.False(t, ok)
	_, ok = m.call("a", 2) // in place of the first
	require.False(t, ok)
	_, ok = m.result("b", "early")
	require.False(t, ok)
	require.False(t, m.isMatched("a"))
	call, ok := m.waitingCall("a")
	require.True(t, ok)
	require.Equal(t, 2, call)
	_, ok = m.firstResult("b", "second")
	require.False(t, ok)

	call, ok = m.result("a", "x")
	require.True(t, ok)
	require.Equal(t, 2, call)
	_, ok = m.firstResult("a", "again")
	require.False(t, ok)
	result, ok := m.call("b", 3)
	require.True(t, ok)
	require.Equal(t, "early", result)
	require.True(t, m.isMatched("a"))
	require.True(t, m.isMatched("b"))
	_, ok = m.waitingCall("a")
	require.False(t, ok)

	_, ok = m.call("b", 4) // once more
	require.False(t, ok)
	_, ok = m.firstResult("c", "y")
	require.False(t, ok)
	calls, results := m.waiting()
	require.Equal(t, []int{4}, slices.Collect(calls))
	require.Equal(t, []string{"y"}, slices.Collect(results))
	call, ok = m.firstResult("b", "z")
	require.True(t, ok)
	require.Equal(t, 4, call)
}
