package check

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
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
		c.add(&e, dialect.Claude, false, c.appendTools(nil, &e, &m))
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
	for i, b := range open {
		require.Equal(t, fmt.Sprintf("\"u%d\"\n\n\"t%[1]d\"\n\"Bash\"\n", b.at.Line), string(b.values))
		require.True(t, i == 0 || open[i-1].at.Line < b.at.Line)
	}
}
