package torture

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A dataGraph is a log whose parents make a shape that has hurt readers, or could.
type dataGraph struct {
	name string
	// node returns the parent of the i-th of n entries, -1 for a root, and n for one
	// that is not there.
	parent func(i, n int) int
	file   func(i, n int) int // which of them the i-th line holds; nil is i
	double func(i, n int) int // which id the i-th line has; nil is its own
	calls  bool               // they are calls of one message, and their results
	huge   bool               // a long run tries it with a million

	path     func(n int) int // how many entries jlpath prints
	leaves   func(n int) int
	findings func(n int) int
}

func dataAll(n int) int  { return n }
func dataOne(int) int    { return 1 }
func dataTwo(int) int    { return 2 }
func dataNone(int) int   { return 0 }
func dataLess(n int) int { return n - 1 }

var dataGraphs = []dataGraph{
	{name: "chain", huge: true, parent: func(i, _ int) int { return i - 1 }, path: dataAll, leaves: dataOne, findings: dataNone},
	{name: "chain, last first", huge: true, parent: func(i, _ int) int { return i - 1 }, file: func(i, n int) int { return n - 1 - i }, path: dataAll, leaves: dataOne, findings: dataNone},
	{name: "chain, shuffled", parent: func(i, _ int) int { return i - 1 }, file: func(i, n int) int { return i * 7919 % n }, path: dataAll, leaves: dataOne, findings: dataNone},
	// In a ring one is older than its parent, too.
	{name: "ring", huge: true, parent: func(i, n int) int { return (i + n - 1) % n }, path: dataNone, leaves: dataNone, findings: dataTwo},
	{name: "ring with a tail", parent: func(i, n int) int {
		if i == 0 {
			return n - 2
		}
		return i - 1
	}, path: dataAll, leaves: dataOne, findings: dataTwo},
	{name: "rings of one", parent: func(i, _ int) int { return i }, path: dataNone, leaves: dataNone, findings: dataAll},
	{name: "rings of two", parent: func(i, _ int) int { return i ^ 1 }, path: dataNone, leaves: dataNone, findings: dataAll},
	{name: "fan", huge: true, parent: func(i, _ int) int { return min(i, 1) - 1 }, path: dataTwo, leaves: dataLess, findings: dataNone},
	{name: "comb", parent: func(i, _ int) int {
		if i < 2 {
			return i - 1
		}
		return i - 1 - i%2
	}, path: func(n int) int { return n/2 + 1 }, leaves: func(n int) int { return n / 2 }, findings: dataNone},
	{name: "orphans", parent: func(_, n int) int { return n }, path: dataOne, leaves: dataAll, findings: dataAll},
	{name: "roots", parent: func(int, int) int { return -1 }, path: dataOne, leaves: dataAll, findings: dataNone},
	{name: "one id", parent: func(int, int) int { return -1 }, double: func(int, int) int { return 0 }, path: dataOne, leaves: dataOne, findings: dataLess},
	{name: "one id, its own parent", parent: func(int, int) int { return 0 }, double: func(int, int) int { return 0 }, path: dataNone, leaves: dataNone, findings: dataAll},
	{name: "calls at once", calls: true, parent: func(i, n int) int {
		switch {
		case i <= n/2:
			return i - 1
		default:
			return i - n/2
		}
	}, path: dataAll, leaves: func(n int) int { return n / 2 }, findings: dataOne}, // one has no result
}

// write writes the log of n entries.
func (g dataGraph) write(t testing.TB, path string, n int) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	w := bufio.NewWriterSize(f, 1<<20)
	for l := range n {
		i := l
		if g.file != nil {
			i = g.file(l, n)
		}
		id, parent := i, "null"
		if g.double != nil {
			id = g.double(i, n)
		}
		if p := g.parent(i, n); p >= 0 {
			parent = fmt.Sprintf(`"n%d"`, p)
		}
		kind := `"user"`
		switch {
		case g.calls && i > 0 && i <= n/2: // calls of one message, each below the other
			kind = fmt.Sprintf(`"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t%d"}]}`, i)
		case g.calls && i > 0: // their results
			kind = fmt.Sprintf(`"user","message":{"content":[{"type":"tool_result","tool_use_id":"t%d"}]}`, i-n/2)
		}
		fmt.Fprintf(w, `{"type":%s,"uuid":"n%d","parentUuid":%s,"timestamp":"2026-03-02T%02d:%02d:%02d.%03dZ"}`+"\n", kind, id, parent, i/3_600_000, i/60_000%60, i/1000%60, i%1000)
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
}

// A dataLines counts the lines that are written.
type dataLines int

func (l *dataLines) Write(b []byte) (int, error) {
	*l += dataLines(bytes.Count(b, []byte{'\n'}))
	return len(b), nil
}

// TestAnyGraphEnds: whatever the parents are, the programs come to an end, with the
// answer, in a time that grows as the log does.
func TestAnyGraphEnds(t *testing.T) {
	p := promise(t, "P16", "the programs end on any graph, with the answer, in linear time")
	worst, which := 0.0, ""
	for _, g := range dataGraphs {
		n := often(5_000, 50_000)
		if g.huge {
			n = often(5_000, 250_000)
		}
		dir := space(t)
		for _, size := range []int{n, 4 * n} {
			g.write(t, filepath.Join(dir, fmt.Sprint(size)), size)
		}
		for _, c := range []struct {
			program string
			args    []string
			want    func(n int) int // lines printed; nil is not judged
		}{
			{"jltree", nil, dataAll},
			{"jltree", []string{"--check"}, func(n int) int { return g.findings(n) + 1 }},
			{"jlleaf", []string{"-a"}, g.leaves},
			{"jlpath", nil, g.path},
			{"jlpath", []string{"--bridge", "--through", "--meta"}, nil},
			{"jlpath", []string{"--as", "claude-2.1"}, nil},
			{"jlpath", []string{"--as", "claude-2.0"}, nil},
			{"jlpath", []string{"--as", "sdk"}, nil},
			{"jlsnap", nil, dataNone},
			{"jlrel", []string{"--home", ".", "--links"}, nil},
			{"jlcompact", nil, dataAll},
			{"jlcompact", []string{"--last", "5"}, nil},
		} {
			var took [2]time.Duration
			ok := true
			for i, size := range []int{n, 4 * n} {
				cmd := program(t, c.program, append(c.args[:len(c.args):len(c.args)], fmt.Sprint(size))...)
				cmd.Dir = dir
				var lines dataLines
				cmd.Stdout = &lines
				got := dataMeasured(t, cmd, patience)
				took[i] = got.cpu
				wrong := dataWrong(c.program, got.outcome)
				printed, want := int(lines), int(lines)
				if c.want != nil {
					want = c.want(size)
				}
				ok = p.try(wrong == "" && printed == want, "%s %v, %s of %d: %s, %d lines for %d: %v", c.program, c.args, g.name, size, wrong, printed, want, got.outcome) && ok
			}
			// What a program takes to begin is no part of it.
			const begin = 4 * time.Millisecond
			if took[0] > 3*begin && ok {
				if x := math.Log(float64(took[1]-begin)/float64(took[0]-begin)) / math.Log(4); x > worst {
					worst, which = x, fmt.Sprintf("%s %v, %s", c.program, c.args, g.name)
				}
			}
		}
	}
	p.figure("up to %d entries; steepest: exponent %.2f (%s)", often(20_000, 1_000_000), worst, which)
}
