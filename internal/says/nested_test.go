package says

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// TestTypeOfNested: a block that is in another one has the type of that, which is the one that is written.
func TestTypeOfNested(t *testing.T) {
	b := BlockOf(entry.Value(`{"kind":"toolUse","data":{"toolUseId":"c","name":"ls","input":{},"type":"novelty"}}`))
	require.Equal(t, []string{"call", `"toolUse"`, `"c"`}, []string{b.Is.String(), string(b.Type), string(b.Call)})
}

// TestDeepBlocks: a block of objects in one another is read as deep as programs write it, and named if it is deeper.
func TestDeepBlocks(t *testing.T) {
	nested := func(depth int) entry.Value {
		return entry.Value(strings.Repeat(`{"type":"tool_call","toolCall":`, depth) + `{"name":"x"}` + strings.Repeat("}", depth))
	}
	for _, depth := range []int{1, 2, 4} {
		b := BlockOf(nested(depth))
		require.Equal(t, Call, b.Is)
		require.Equal(t, `"x"`, string(b.Name))
	}
	for _, depth := range []int{5, 6, 100_000} {
		b := BlockOf(nested(depth))
		require.Equal(t, Unread, b.Is)
		require.Equal(t, "block tool_call", b.What())
	}
}
