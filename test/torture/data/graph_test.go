package data

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"jl/test/env"
	"jl/test/torture/harness"
)

// A graph is a shape of the parents in a log of n entries.
type graph struct {
	name   string
	parent func(i, n int) int // of the i-th entry; -1 for a root, n for an orphan
	line   func(i, n int) int // which entry the i-th line holds; nil stands for i
	oneID  bool               // all entries have the id of the first
	calls  bool               // half are tool calls of one message, half their results
	huge   bool               // a long run tries a million entries

	path, leaves, findings func(n int) int // what jlpath, jlleaf -a and jltree --check print
}

func all(n int) int     { return n }
func half(n int) int    { return n / 2 }
func but1(n int) int    { return n - 1 }
func none(int) int      { return 0 }
func one(int) int       { return 1 }
func two(int) int       { return 2 }
func root(_, _ int) int { return -1 }
func back(i, _ int) int { return i - 1 }

var graphs = []graph{
	{name: "chain", huge: true, parent: back, path: all, leaves: one, findings: none},
	{name: "chain, last first", huge: true, parent: back, line: func(i, n int) int { return n - 1 - i }, path: all, leaves: one, findings: none},
	{name: "chain, shuffled", parent: back, line: func(i, n int) int { return i * 7919 % n }, path: all, leaves: one, findings: none},
	// A cycle is cut at one of its entries. In a ring, one entry is older than its parent, which is a second finding.
	{name: "ring", huge: true, parent: func(i, n int) int { return (i + n - 1) % n }, path: all, leaves: one, findings: two},
	{name: "ring with a tail", parent: func(i, n int) int {
		if i == 0 {
			return n - 2
		}
		return i - 1
	}, path: all, leaves: one, findings: two},
	{name: "rings of one", parent: func(i, _ int) int { return i }, path: one, leaves: all, findings: all},
	{name: "rings of two", parent: func(i, _ int) int { return i ^ 1 }, path: two, leaves: half, findings: all},
	{name: "fan", huge: true, parent: func(i, _ int) int { return min(i, 1) - 1 }, path: two, leaves: but1, findings: none},
	{name: "comb", parent: func(i, _ int) int {
		if i < 2 {
			return i - 1
		}
		return i - 1 - i%2
	}, path: func(n int) int { return n/2 + 1 }, leaves: half, findings: none},
	{name: "orphans", parent: func(_, n int) int { return n }, path: all, leaves: one, findings: all}, // ids that form no chain are one path
	{name: "roots", parent: root, path: all, leaves: one, findings: none},
	{name: "one id", parent: root, oneID: true, path: one, leaves: one, findings: but1},
	{name: "one id, its own parent", parent: func(int, int) int { return 0 }, oneID: true, path: one, leaves: one, findings: all},
	{name: "parallel calls", calls: true, parent: func(i, n int) int { // the last call has no result
		if i <= n/2 {
			return i - 1
		}
		return i - n/2
	}, path: all, leaves: one, findings: one},
	{name: "results without parents", calls: true, parent: func(i, n int) int {
		if i <= n/2 {
			return i - 1
		}
		return n
	}, path: all, leaves: one, findings: half},
}

// log returns the log of n entries.
func (g graph) log(n int) stream {
	return stream{n, func(l int) string {
		i := l
		if g.line != nil {
			i = g.line(l, n)
		}
		id, parent, kind := i, "null", `"user"`
		if g.oneID {
			id = 0
		}
		if p := g.parent(i, n); p >= 0 {
			parent = fmt.Sprintf(`"n%d"`, p)
		}
		if g.calls && i > 0 && i <= n/2 {
			kind = fmt.Sprintf(`"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t%d"}]}`, i)
		} else if g.calls && i > 0 {
			kind = fmt.Sprintf(`"user","message":{"content":[{"type":"tool_result","tool_use_id":"t%d"}]}`, i-n/2)
		}
		return fmt.Sprintf(`{"type":%s,"uuid":"n%d","parentUuid":%s,"timestamp":"2026-03-02T%02d:%02d:%02d.%03dZ"}`+"\n", kind, id, parent, i/3_600_000, i/60_000%60, i/1000%60, i%1000)
	}}
}

// TestAnyGraphEnds runs the programs on logs of any shape. They end, print the answer,
// and the table shows how their time grows with the log.
func TestAnyGraphEnds(t *testing.T) {
	env.Long(t)
	p := harness.Parallel(t, "P16", "the programs end on any graph, with the answer, in linear time")
	steepest, which := 0.0, ""
	for _, g := range graphs {
		n := harness.Pick(5_000, 50_000)
		if g.huge {
			n = harness.Pick(5_000, 250_000)
		}
		dir := harness.Dir(t)
		sizes := [2]int{n, 4 * n}
		for _, size := range sizes {
			g.log(size).save(t, filepath.Join(dir, fmt.Sprint(size)))
		}
		for _, test := range []struct {
			line  string
			lines func(n int) int // nil if any number will do
		}{
			{"jltree", all},
			{"jltree --check --notes", func(n int) int { return g.findings(n) + 1 }},
			{"jlleaf -a", g.leaves},
			{"jlpath", g.path},
			{"jlpath --bridge --through --meta", nil},
			{"jlpath --as claude-2.1", nil},
			{"jlpath --as claude-2.0", nil},
			{"jlpath --as sdk", nil},
			{"jlsnap", none},
			{"jlrel --home . --links", nil},
			{"jlcompact", all},
			{"jlcompact --last 5", nil},
			{"jlcompact --last 9999999", nil},
		} {
			program, _, _ := strings.Cut(test.line, " ")
			var took [2]time.Duration
			for i, size := range sizes {
				got, printed := measure(t, dir, fmt.Sprint(test.line, " ", size))
				took[i] = got.CPU
				problem := harness.ProblemOfEnd(program, got.Outcome)
				if test.lines != nil && printed.lines != test.lines(size) {
					problem += fmt.Sprintf("%v, want %d", printed, test.lines(size))
				}
				p.Check(problem, "%s, %s of %d: %v", test.line, g.name, size, got.Outcome)
			}
			const startup = 4 * time.Millisecond
			if took[0] > 3*startup {
				if x := math.Log(float64(took[1]-startup)/float64(took[0]-startup)) / math.Log(4); x > steepest {
					steepest, which = x, test.line+", "+g.name
				}
			}
		}
	}
	p.Remark("up to %d entries; steepest: exponent %.2f (%s)", harness.Pick(20_000, 1_000_000), steepest, which)
}
