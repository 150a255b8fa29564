package data

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/env"
	"jl/test/torture/harness"
)

// A shape is a kind of log: how its entries hang on each other, and which calls have results.
type shape struct {
	name string
	part func(i int) string
}

// calling returns the message member of an entry that calls a tool, and its type after that of Node.
func calling(i int) string {
	return fmt.Sprintf(`,"type":"assistant","message":{"role":"assistant","id":"m%d","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{}}]}`, i, i)
}

func answering(i int) string {
	return fmt.Sprintf(`,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"x"}]}`, i)
}

// id returns the i-th id, of the length of a UUID; "" if there is none.
func id(i int) string {
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
}

// compaction returns the third of each three entries: a prompt, and a boundary with a summary that kept it.
func compaction(i int) string {
	switch i % 3 {
	case 0:
		return harness.Node(i, id(i), id(i-1), harness.Text("x"))
	case 1:
		return harness.Node(i, id(i), "", fmt.Sprintf(`,"type":"system","subtype":"compact_boundary","logicalParentUuid":"%s","compactMetadata":{"preservedMessages":{"anchorUuid":"%s","uuids":["%s"]}}`,
			id(i-1), id(i+1), id(i-1)))
	}
	return harness.Node(i, id(i), id(i-1), `,"isCompactSummary":true`+harness.Text("x"))
}

// shapes are what trees are made of.
var shapes = []shape{
	{"chain", func(i int) string { return harness.Node(i, id(i), id(i-1), harness.Text("x")) }},
	{"star", func(i int) string { return harness.Node(i, id(i), id(min(0, i-1)), harness.Text("x")) }},
	{"comb", func(i int) string { return harness.Node(i, id(i), id(i-1-i%2), harness.Text("x")) }},
	{"calls", func(i int) string {
		if i%2 == 0 {
			return harness.Node(i, id(i), id(i-1), calling(i))
		}
		return harness.Node(i, id(i), id(i-1), answering(i-1))
	}},
	{"compactions", compaction},
	{openCalls, func(i int) string { return harness.Node(i, id(i), id(i-1), calling(i)) }},
}

const openCalls = "calls without results"

// TestMemoryOfTrees measures what programs hold of each entry of logs of all shapes, besides what
// they hold of a log of a fifth of the size.
func TestMemoryOfTrees(t *testing.T) {
	env.Long(t)
	p := harness.NewPromise(t, "P17", "…where all entries must be known, 215 bytes of each")
	n := harness.Pick(150_000, 1_000_000)
	most := map[string]int64{}
	for _, s := range shapes {
		dir := harness.Dir(t)
		stream{n, s.part}.save(t, filepath.Join(dir, "big"))
		stream{n / 5, s.part}.save(t, filepath.Join(dir, "little"))
		for _, test := range []struct {
			name        string
			limit, open int64 // in bytes of each entry, and of one whose call has no result
			lines       string
		}{
			{"paths, leaves, snapshots", 215, 215, "jlleaf; jlleaf -a; jlpath; jlpath -a; jlpath --chain; jlpath --through; jlpath --bridge --meta; jlsnap"},
			{"--check", 240, 310, "jltree --check"},
			{"--last", 290, 380, "jlcompact --last 9"},
			{"--as", 410, 480, "jlpath --as claude-2.1; jlpath --as sdk; jlleaf --as claude-2.1"},
			{"drawings", 620, 620, "jltree --graph; jltree --graph --all; jltree --dot"},
			{"--links", 270, 1500, "jlrel --links --home ."},
		} {
			limit, name := test.limit, test.name
			if s.name == openCalls {
				limit, name = test.open, name+" with open calls"
			}
			for line := range strings.SplitSeq(test.lines, "; ") {
				each := func() int64 {
					base, _ := measure(t, dir, line+" little")
					got, _ := measure(t, dir, line+" big")
					require.LessOrEqual(t, got.Status, 1, "%s of %s: %v", line, s.name, got.Outcome)
					return (got.Peak - base.Peak) / int64(n-n/5)
				}
				bytes := each()
				for try := 0; try < 2 && bytes > limit; try++ { // a busy machine may collect garbage late
					bytes = min(bytes, each())
				}
				p.Try(bytes <= limit, "%s of a log of %s: %d bytes of each entry", line, s.name, bytes)
				most[name] = max(most[name], bytes)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(most)) {
		p.Remark("%s %d", name, most[name])
	}
}
