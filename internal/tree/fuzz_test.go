package tree

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// graph draws a log of at most 24 entries from bytes: any graph, with cycles, duplicates,
// orphans and preserved lists.
func graph(b []byte) string {
	next := func() int {
		if len(b) == 0 {
			return 0
		}
		v := int(b[0])
		b = b[1:]
		return v
	}
	kinds := []string{
		"user", "assistant", "progress", "system", "attachment", "weird", "boundary", "last-prompt",
		"assistant m=m call=t1", "assistant m=m call=t2,t3", "assistant m=n call=t1", "assistant m=n think",
		"user res=t1", "user res=t2", "user res=t3,t1", "summary sum=x",
	}
	pi := next()%16 == 15
	var log strings.Builder
	if pi {
		log.WriteString([]string{v1, v2, v3}[next()%3])
	}
	id := func(v int) string { return fmt.Sprintf("n%d", v%24) }
	for k := 0; k < 24 && len(b) > 0; k++ {
		kind := kinds[next()%len(kinds)]
		if pi {
			kind = "pi:message"
		}
		name := id(k)
		if x := next(); x%8 == 7 {
			name = id(x / 8) // possibly a duplicate
		} else if x == 0 {
			name = "-"
		}
		fmt.Fprintf(&log, "%s %s", name, kind)
		switch x := next(); x % 4 {
		case 0:
		case 1:
			fmt.Fprintf(&log, " <%s", id(x/4))
		default:
			fmt.Fprintf(&log, " <%s", id(max(k-1-x/4%3, 0)))
		}
		switch x := next(); {
		case x%16 == 15:
			log.WriteString(" @-")
		default:
			fmt.Fprintf(&log, " @%d", x/16)
		}
		if next()%8 == 7 {
			log.WriteString([]string{" side", " team", " meta", " session=s"}[next()%4])
		}
		switch {
		case strings.HasPrefix(kind, "boundary"):
			rules := []string{"keep", "seg"}[next()%2]
			fmt.Fprintf(&log, " log=%s %s=%s,%s/%s", id(next()), rules, id(next()), id(next()), id(next()))
		case strings.HasPrefix(kind, "last-prompt"), strings.HasPrefix(kind, "summary"):
			fmt.Fprintf(&log, " leaf=%s", id(next()))
		}
		log.WriteByte('\n')
	}
	return log.String()
}

// Every method ends on any graph, and its answer is a path.
func FuzzEndsOnAnyGraph(f *testing.F) {
	const choices = 8 + int(SDKSystem) // the options of Default, and the other rules
	for i := range 64 * choices {
		var b []byte
		for k := range 120 {
			b = append(b, byte(i*k*k+i*31+k*7>>(i%3)))
		}
		f.Add(b, byte(i))
	}
	f.Fuzz(func(t *testing.T, b []byte, choice byte) {
		drawn := graph(b)
		log := jsonl(drawn)
		options := int(choice) % choices
		rules := Rules(max(0, options-7))
		if rules != Default {
			options = 0
		}
		o := Options{Chain: options&1 > 0, Bridge: options&2 > 0, Through: options&4 > 0}
		tree, again := read(t, log, rules), read(t, log, rules)
		for _, leaf := range append([]Node{None}, tree.order...) {
			p := tree.Path(leaf, o)
			checkPath(t, tree, leaf, p, drawn)
			checkAgain(t, tree, again, leaf, p, o)
		}
		checkLeaves(t, tree, drawn)
		require.NoError(t, tree.Err())
	})
}

// checkPath checks the invariants of paths.
func checkPath(t *testing.T, tree *Tree, leaf Node, p Path, drawn string) {
	t.Helper()
	if leaf != None && p.Leaf != None {
		require.Equal(t, leaf, p.Leaf)
	}
	seen := map[Node]bool{}
	for _, n := range p.Nodes {
		require.True(t, tree.has(n), drawn)
		require.False(t, seen[n], "%v twice in %v of\n%s", n, p.Nodes, drawn)
		seen[n] = true
		require.NotEmpty(t, tree.Entry(n).Line)
	}
	if tree.rules != Default {
		return // other rules leave out nodes
	}
	if leaf != None {
		require.True(t, seen[leaf], drawn)
	}
	// Only siblings are after the leaf.
	if len(p.Nodes) > 0 {
		require.True(t, seen[p.Leaf], drawn)
		after := p.Nodes[slices.Index(p.Nodes, p.Leaf)+1:]
		for _, n := range after {
			require.True(t, tree.at(n).kind.isMessage() || !tree.Conversation(n), drawn)
		}
	}
}

// checkAgain requires the same of another Tree, which has other seeds.
func checkAgain(t *testing.T, tree, again *Tree, leaf Node, p Path, o Options) {
	t.Helper()
	if leaf != None {
		leaf = again.find(again.key([]byte(tree.ID(leaf))))
	}
	q := again.Path(leaf, o)
	require.Equal(t, ids(t, tree, p.Nodes), ids(t, again, q.Nodes))
	require.Equal(t, p.Remarks, q.Remarks)
}

// checkLeaves checks the invariants of leaves.
func checkLeaves(t *testing.T, tree *Tree, drawn string) {
	t.Helper()
	leaves, deep := tree.Leaves(), tree.Depths()
	for _, b := range tree.Branches(tree.Ends()) {
		require.GreaterOrEqual(t, b.Own, 0)
	}
	for _, leaf := range leaves {
		chain := tree.Path(leaf, Options{Chain: true}).Nodes
		if tree.rules == Default {
			require.Equal(t, leaf, chain[len(chain)-1])
			require.LessOrEqual(t, int(deep[leaf]), len(chain)-1)
		}
		tree.Prompt(leaf)
		tree.Summary(leaf)
		for _, other := range leaves {
			require.True(t, leaf == other || !tree.Above(leaf, other), "%v is above %v in\n%s", leaf, other, drawn)
		}
	}
	for i := 1; i < len(leaves); i++ {
		a, b := tree.at(leaves[i-1]), tree.at(leaves[i])
		spoken := tree.all().nearest(tree.all().isMessage)
		if (spoken.of(leaves[i-1]) == None) == (spoken.of(leaves[i]) == None) && a.flags&timed == b.flags&timed && a.flags&timed > 0 {
			require.GreaterOrEqual(t, a.time, b.time)
		}
	}
	tree.Pinned()
	if len(leaves) > 0 {
		require.Contains(t, tree.Ends(), tree.LastEnd())
	}
	if rules := tree.rules; rules == Default && tree.dialect.LikeClaude() && !tree.Straight() {
		leaf, _ := tree.Leaf(None)
		require.Equal(t, len(leaves) > 0, leaf != None)
		require.True(t, leaf == None || slices.Contains(leaves, leaf))
	}
}
