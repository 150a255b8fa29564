package check

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/shape"
	"jl/internal/tree"
)

// TestCallsForget: what matched calls said is forgotten, and what open ones said is kept,
// however many there are.
func TestCallsForget(t *testing.T) {
	c := newCalls()
	add := func(n int, format string, id int) {
		var e entry.Entry
		require.True(t, e.Scan(fmt.Appendf(nil, `{"uuid":"u%d",`+format+`}`, n, id)))
		e.Pos.Line, e.Pos.Offset = int64(n), int64(n)
		var m shape.Message
		m.Read(e.Get(entry.Message))
		var tools []tool
		for b := range m.Tools(&e) {
			tools = append(tools, tool{b, tree.Hash(maphash.Bytes(c.seed, b.ID))})
		}
		c.add(&e, dialect.Claude, false, tools)
	}
	const calls, ahead, lost = 20_000, 10, 1000
	for i := range calls {
		add(i, `"type":"assistant","message":{"content":[{"type":"tool_use","id":"t%d","name":"Bash"}]}`, i)
		if answered := i - ahead; answered >= 0 && answered%lost > 0 {
			add(i, `"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t%d"}]}`, answered)
		}
		require.LessOrEqual(t, len(c.open[call]), i/lost+1+ahead)
	}
	require.Empty(t, c.open[result])
	open := slices.SortedFunc(maps.Values(c.open[call]), func(a, b *block) int { return int(a.at.Line - b.at.Line) })
	require.Len(t, open, (calls-ahead)/lost+1+ahead)
	for _, b := range open {
		require.Equal(t, fmt.Sprintf("\"u%d\"\n\n\"t%[1]d\"\n\"Bash\"\n", b.at.Line), string(b.values))
	}
}
