package tree

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// printed returns nodes as a program prints them: a log.
func printed(t testing.TB, tree *Tree, nodes []Node) string {
	var b bytes.Buffer
	for _, n := range nodes {
		b.Write(bytes.TrimRight(tree.Entry(n).Line, "\n"))
		b.WriteByte('\n')
	}
	require.NoError(t, tree.Err())
	return b.String()
}

// conversation draws a log as clients write them, from bytes: prompts and answers,
// parallel calls with their results, links between them, branches from any earlier entry,
// sidechains, and compactions that preserve entries. Some lines are missing.
func conversation(b []byte) string {
	next := func(n int) int {
		if len(b) == 0 {
			return 0
		}
		v := int(b[0]) % n
		b = b[1:]
		return v
	}
	var lines []string
	var ids []string // of the entries that a branch may continue from
	at, calls, messages := 0, 0, 0
	add := func(id, kind, parent string) string {
		at += 1 + next(2)
		line := fmt.Sprintf("%s %s @%d", id, kind, at)
		if parent != "" {
			line = fmt.Sprintf("%s %s <%s @%d", id, kind, parent, at)
		}
		if next(24) != 23 {
			lines = append(lines, line)
		}
		return id
	}
	named := 0
	name := func(kind byte) string {
		named++
		return fmt.Sprintf("%c%d", kind, named)
	}
	last := ""
	for len(b) > 0 && len(lines) < 60 {
		switch next(8) {
		case 0, 1:
			last = add(name('u'), "user", last)
			ids = append(ids, last)
		case 2:
			messages++
			last = add(name('a'), fmt.Sprintf("assistant m=m%d", messages), last)
			ids = append(ids, last)
		case 3, 4, 5: // parallel calls
			messages++
			var results [][2]string
			for range 1 + next(3) {
				calls++
				last = add(name('c'), fmt.Sprintf("assistant m=m%d call=t%d", messages, calls), last)
				up := last
				if next(3) == 0 {
					up = add(name('p'), "progress", up)
				}
				results = append(results, [2]string{up, fmt.Sprintf("t%d", calls)})
			}
			slices.SortFunc(results, func(x, y [2]string) int { return next(3) - 1 })
			for _, r := range results {
				last = add(name('r'), "user res="+r[1], r[0])
			}
			ids = append(ids, last)
		case 6:
			if len(ids) > 0 {
				last = ids[next(len(ids))]
			}
		case 7:
			if last != "" {
				summary := name('s')
				bound := add(name('b'), fmt.Sprintf("boundary log=%s keep=%s/%s", last, last, summary), "")
				last = add(summary, "user", bound)
				ids = append(ids, last)
			}
		}
	}
	return strings.Join(lines, "\n")
}

// FuzzPathIsItsOwnPath: whatever leaf and options a path has, its entries as a log have
// the same path. This does not hold for a leaf that is named and is a boundary: its summary
// is not printed, so no leaf is chosen there.
func FuzzPathIsItsOwnPath(f *testing.F) {
	for i := range 1024 {
		var b []byte
		for k := range 200 {
			b = append(b, byte(i*k*k+i*31+k*7>>(i%3)))
		}
		f.Add(b, byte(i), byte(i>>3))
	}
	f.Fuzz(func(t *testing.T, b []byte, options, end byte) {
		drawn := conversation(b)
		tree := read(t, jsonl(drawn), Default)
		o := Options{Chain: options&1 > 0, Bridge: options&2 > 0, Through: options&4 > 0}
		leaves := append(tree.Leaves(), None)
		leaf := leaves[int(end)%len(leaves)]
		p := tree.Path(leaf, o)
		if len(p.Nodes) == 0 || leaf != None && (o.Bridge || tree.at(leaf).flags&boundary > 0) {
			return
		}
		again := read(t, printed(t, tree, p.Nodes), Default)
		got := again.Path(None, o).Nodes
		require.Equal(t, ids(t, tree, p.Nodes), ids(t, again, got), "leaf %s, %+v of\n%s", tree.ID(p.Leaf), o, drawn)
	})
}
