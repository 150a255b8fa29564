package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"jl/internal/drawing"
	"jl/internal/forest"
	"jl/internal/log"

	"github.com/stretchr/testify/require"
)

// randomLog returns a log with forks, compactions, sidechains, orphans and cycles.
func randomLog(r *rand.Rand) string {
	var b strings.Builder
	n := 1 + r.IntN(60)
	kinds := []string{"prompt", "answer", "call", "result", "compaction", "keep", "~prompt", "~result", "meta", "progress"}
	name := func(i int) string {
		if i < 0 {
			return "-"
		}
		return fmt.Sprint("n", i)
	}
	for i := range n {
		parent, kind := name(i-1-r.IntN(3)), kinds[r.IntN(len(kinds))]
		text := name(r.IntN(n))
		switch {
		case r.IntN(10) == 0:
			parent = name(r.IntN(n + 3))
		case kind == "keep":
			parent, text = "-", name(r.IntN(n))+"/"+name(r.IntN(n))
		case kind == "compaction":
			parent = "-"
		}
		fmt.Fprintln(&b, name(i), parent, kind, text)
	}
	return logOf(b.String())
}

// TestOutline wants each entry of random logs in one row, the rows of the ends that jlleaf -a
// prints, and parents before their children.
func TestOutline(t *testing.T) {
	for seed := range uint64(200) {
		text := randomLog(rand.New(rand.NewPCG(seed, 0)))
		tr, err := log.Read(strings.NewReader(text), int64(len(text)), log.Reading{}, nil)
		require.NoError(t, err)
		ends := map[log.Node]bool{}
		branches, _ := tr.Ends()
		for _, b := range branches {
			ends[b.Leaf] = true
		}
		leaf := tr.Leaf
		for _, all := range []bool{false, true} {
			entries, drawn := 0, map[log.Node]bool{}
			for i, s := range outline(tr, leaf, all) {
				entries += s.entries
				require.Positive(t, s.entries, "seed %d", seed)
				require.Less(t, int(s.Parent), i, "seed %d", seed)
				require.False(t, s.Dotted && s.Parent < 0, "seed %d", seed)
				switch s.Kind {
				case drawing.Chosen:
					require.Equal(t, leaf, s.last, "seed %d", seed)
					require.Contains(t, s.marks, "leaf")
				case drawing.End:
					require.Contains(t, s.marks, "end")
				default:
					continue
				}
				drawn[s.last] = true
			}
			require.Equal(t, len(forest.All(tr.Count)), entries, "seed %d: each entry is in one row", seed)
			require.Equal(t, ends, drawn, "seed %d: the ends have rows", seed)
		}
	}
}

func TestTook(t *testing.T) {
	tests := []struct {
		seconds int64
		want    string
	}{
		{0, "0s"}, {59, "59s"}, {60, "1m"}, {119, "1m"}, {3599, "59m"}, {3600, "1h"}, {3660, "1h01m"},
		{86399, "23h59m"}, {86400, "1d"}, {90000, "1d01h"}, {100 * 86400, "100d"},
	}
	for _, test := range tests {
		s := stretch{timed: true, from: 5, to: 5 + test.seconds*1e6}
		require.Equal(t, test.want, s.took())
	}
	require.Empty(t, new(stretch).took())
	almost := stretch{timed: true, from: 900_000, to: 2_899_999}
	require.Equal(t, "1s", almost.took())
}
