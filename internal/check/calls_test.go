package check

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
	"jl/internal/shape"
)

// TestCallsForget: where matched calls are is forgotten, and where open ones are is kept, however
// many there are.
func TestCallsForget(t *testing.T) {
	c := newCalls()
	add := func(n int, format string, id int) {
		var e entry.Entry
		require.True(t, e.Scan(fmt.Appendf(nil, `{"uuid":"u%d",`+format+`}`, n, id)))
		e.Pos.Line, e.Pos.Offset = int64(n), int64(n)
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
		require.LessOrEqual(t, len(c.open[false]), i/lost+1+ahead)
	}
	require.Empty(t, c.unmatched(true))
	open := c.unmatched(false)
	require.Len(t, open, (calls-ahead)/lost+1+ahead)
	for i, h := range open {
		require.True(t, i == 0 || open[i-1].at.Line < h.at.Line)
	}
}
