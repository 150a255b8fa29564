package test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/cli"
	"jl/test/env"
)

// TestSameControls: the programs, the library and the page agree on which characters a terminal or a browser must not get as they are. The
// two libraries also keep tabs and line breaks, and the page marks the byte order mark; what HTML
// gives a meaning is left out.
func TestSameControls(t *testing.T) {
	env.Needs(t, "jq")
	const all = 0x10000 // each character above takes a surrogate, or is none of these
	var want []int
	for r := range rune(all) {
		isHalf := r >= 0xd800 && r < 0xe000
		if s := string(r); !isHalf && r != '\t' && r != '\n' && string(cli.AppendVisible(nil, []byte(s))) != s {
			want = append(want, int(r))
		}
	}
	changed := func(library, shown string) (got []int) {
		out := runJq(t, "jq", library, "-nc", `[range(0; 55296), range(57344; 65536) | select(. as $n | [34, 38, 39, 60, 62] | index($n) | not) | select([.] | implode | . != `+shown+`)]`, nil)
		require.Zero(t, out.status, out.message)
		require.NoError(t, json.Unmarshal([]byte(out.out), &got))
		return got
	}
	require.Equal(t, want, changed("jl.jq", "jl_shown"))
	require.Equal(t, append(want, 0xfeff), changed("page.jq", "pg_esc"))
}
