package log

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestManyMessages: the calls of each message and their results are found in a log with many.
func TestManyMessages(t *testing.T) {
	const turns = 1000
	var b strings.Builder
	fmt.Fprintln(&b, `{"type":"user","uuid":"u0","parentUuid":null,"message":{"content":"x"}}`)
	for i := range turns {
		// Two parallel calls; the path goes on below the result of the first.
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"a%d","parentUuid":"u%[1]d","message":{"id":"m%[1]d","content":[{"type":"tool_use","id":"s%[1]d"}]}}`+"\n", i)
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"b%d","parentUuid":"a%[1]d","message":{"id":"m%[1]d","content":[{"type":"text","text":"y"},{"type":"tool_use","id":"t%[1]d"}]}}`+"\n", i)
		fmt.Fprintf(&b, `{"type":"user","uuid":"r%d","parentUuid":"b%[1]d","message":{"content":[{"type":"tool_result","tool_use_id":"t%[1]d"}]}}`+"\n", i)
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","parentUuid":"a%d","message":{"content":[{"type":"tool_result","tool_use_id":"s%[2]d"}]}}`+"\n", i+1, i)
	}
	tr := read(t, b.String(), Reading{})
	leaf := tr.Leaf
	require.Equal(t, fmt.Sprintf("u%d", turns), tr.ID(leaf))
	require.Len(t, tr.Path(leaf, Options{}).Nodes, 4*turns+1, "all belong to the path")
	require.Len(t, tr.Path(leaf, Options{Chain: true}).Nodes, 2*turns+1)
}
