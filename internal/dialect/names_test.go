package dialect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/entry"
)

// TestNames names entries of a list, one on each line but the last two.
func TestNames(t *testing.T) {
	n := names{taken: map[uint64]struct{}{}}
	for _, test := range []struct {
		own  string // "" if it has none
		at   entry.Pos
		want string
	}{
		{`"a"`, entry.Pos{Line: 1}, `"a"`},
		{``, entry.Pos{Line: 2, Offset: 10}, `"#2"`},
		{`"a"`, entry.Pos{Line: 3, Offset: 20}, `"#3"`},
		{`"\u0061"`, entry.Pos{Line: 4, Offset: 30}, `"#4"`},
		{`"#3"`, entry.Pos{Line: 5, Offset: 40}, `"#5"`},
		{`"#8"`, entry.Pos{Line: 6, Offset: 50}, `"#8"`},
		{`"#8+70"`, entry.Pos{Line: 7, Offset: 60}, `"#7"`},
		{``, entry.Pos{Line: 8, Offset: 70}, `"#8+70"`},
		{`"9+"`, entry.Pos{Line: 9, Offset: 80}, `"9+"`},
		{``, entry.Pos{Line: 10, Offset: 90}, `"#10"`},
		{``, entry.Pos{Line: 10, Offset: 95}, `"#10+95"`},
	} {
		var own entry.Value
		if test.own != "" {
			own = entry.Value(test.own)
		}
		require.Equal(t, test.want, string(n.name(own, test.at)))
	}
}
