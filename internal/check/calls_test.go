package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/internal/log"
	"jl/internal/record"
	"jl/internal/shape"
	"jl/test/drawn"
)

// FuzzApart: a call or result is reported with its counterpart on another path if and only if the
// paths of all nodes, made one after another, say so.
func FuzzApart(f *testing.F) {
	for seed := range 60 {
		f.Add([]byte(strings.Repeat(fmt.Sprint(seed*7919, "kept"), 8)), seed%3 == 0)
	}
	f.Fuzz(func(t *testing.T, b []byte, anyParents bool) {
		text := drawn.Conversation(b)
		if anyParents {
			text = drawn.Graph(b)
		}
		cyclic := false
		got := map[string]bool{}
		l, err := Read(strings.NewReader(drawn.Log(text)), int64(len(drawn.Log(text))), Asked{Notes: true, Found: func(row any) bool {
			f := headOf(row)
			cyclic = cyclic || f.Finding == "cycle" || f.Finding == "self parent"
			if row, ok := row.(record.Unmatched); ok && row.With != nil {
				got[fmt.Sprintf("%s %s", f.Finding, row.Call)+fmt.Sprint(f.Line)] = true
			}
			return true
		}})
		require.NoError(t, err)
		if l.Check(); !cyclic {
			require.Equal(t, apartOf(l), got, text)
		}
	})
}

// apartOf returns what FuzzApart expects.
func apartOf(l *Log) map[string]bool {
	first := map[bool]map[log.Hash]log.Node{false: {}, true: {}}
	lone, matched := map[log.Hash]log.Node{}, map[log.Hash]bool{}
	names := map[log.Hash]string{}
	see := func(into map[log.Hash]log.Node, c log.Hash, n log.Node) {
		if old, ok := into[c]; !ok || l.t.Pos(n).Offset < l.t.Pos(old).Offset {
			into[c] = n
		}
	}
	for n := range l.t.Count {
		i, calls := 0, slices.Concat(l.t.Tree.Calls(n), l.t.Tree.Results(n))
		for b := range shape.ToolBlocks(l.t.Entry(n)) {
			names[calls[i]] = string(b.ID.Text())
			i++
		}
		for _, c := range l.t.Tree.Calls(n) {
			see(first[false], c, n)
		}
		var onPath []log.Node
		for _, turn := range l.t.Path(n, log.Options{}).Turns {
			for m := turn; m != log.None; m = l.t.Tree.Next[m] {
				onPath = append(onPath, m)
			}
		}
		for _, c := range l.t.Tree.Results(n) {
			see(first[true], c, n)
			if slices.ContainsFunc(onPath, func(m log.Node) bool { return slices.Contains(l.t.Tree.Calls(m), c) }) {
				matched[c] = true
			} else {
				see(lone, c, n)
			}
		}
	}
	open := map[log.Hash]log.Node{}
	for _, n := range l.t.Path(log.None, log.Options{}).Nodes {
		for _, c := range l.t.Tree.Calls(n) {
			open[c] = n
		}
	}
	for _, n := range l.t.Path(log.None, log.Options{}).Nodes {
		for _, c := range l.t.Tree.Results(n) {
			delete(open, c)
		}
	}
	want := map[string]bool{}
	for c := range names {
		if _, called := first[false][c]; !called {
			continue
		} else if _, answered := first[true][c]; !answered {
			continue
		}
		if n, ok := lone[c]; ok {
			want[fmt.Sprintf("tool_result without tool_use %q%d", names[c], l.t.Pos(n).Line)] = true
			if !matched[c] {
				open[c] = first[false][c]
			}
		}
		if n, ok := open[c]; ok {
			want[fmt.Sprintf("tool_use without tool_result %q%d", names[c], l.t.Pos(n).Line)] = true
		}
	}
	return want
}
