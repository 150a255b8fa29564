package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/shape"
)

// TestCallsForget: what matched calls said is forgotten, and what open ones said is kept,
// however many there are.
func TestCallsForget(t *testing.T) {
	c := newCalls()
	add := func(n int, format string, id int) {
		var e entry.Entry
		require.True(t, e.Scan(fmt.Appendf(nil, `{"uuid":"u%d",`+format+`}`, n, id)))
		e.Pos.Line = int64(n)
		var m shape.Message
		m.Read(e.Get(entry.Message))
		c.add(&e, false, c.appendTools(nil, &e, &m))
	}
	const calls, ahead, lost = 20_000, 10, 1000
	for i := range calls {
		add(i, `"type":"assistant","message":{"content":[{"type":"tool_use","id":"t%d","name":"Bash"}]}`, i)
		if answered := i - ahead; answered >= 0 && answered%lost > 0 {
			add(i, `"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t%d"}]}`, answered)
		}
		require.LessOrEqual(t, c.size, packed)
	}
	require.Empty(t, c.open[true])
	require.Len(t, c.open[false], (calls-ahead)/lost+1+ahead)
	for hash, i := range c.open[false] {
		b := c.blocks.At(i)
		require.Equal(t, hash, b.hash)
		require.Equal(t, fmt.Sprintf(`"u%d"`, b.at.Line), string(c.value(b, 0)))
		require.Nil(t, c.value(b, 1))
		require.Equal(t, fmt.Sprintf(`"t%d"`, b.at.Line), string(c.value(b, 2)))
		require.Equal(t, `"Bash"`, string(c.value(b, 3)))
	}
}
