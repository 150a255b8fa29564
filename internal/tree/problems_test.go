package tree

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sick returns the problems of a tree, in words of the drawing.
func sick(t *testing.T, tree *Tree) string {
	t.Helper()
	var b strings.Builder
	say := func(what string, nodes ...Node) { fmt.Fprintf(&b, "%s %s\n", what, ids(t, tree, nodes)) }
	for _, n := range tree.Orphans() {
		say("orphan", n)
		require.Equal(t, None, tree.Parent(n))
	}
	for _, r := range tree.Cycles() {
		say("cycle", r...)
	}
	for _, r := range tree.Duplicates() {
		say(fmt.Sprintf("repeat %d %d", r.Earlier.Line, r.Later.Line), r.Node)
	}
	for _, s := range tree.ClockSkews() {
		say(fmt.Sprintf("back %dms", s.By/1000), s.Node, tree.Parent(s.Node))
	}
	for _, s := range tree.IDCollisions() {
		say(fmt.Sprintf("snapshot %d", s.Snapshot.Line), s.Node)
	}
	return b.String()
}

func TestProblems(t *testing.T) {
	tests := []struct{ name, log, want string }{
		{"healthy", "a user\nb assistant <a\nc user <a side", ""},
		{"children first", "c user <b @3\nb user <a @2\na user @1", ""},
		{"orphans", "a user <x\nb progress <a\nc user <y", "orphan a\norphan c\n"},
		{"its own parent", "a user <a\nb user <a", "cycle a\n"},
		{"cycles with tails", `
			a user <c @1
			b user <a @1
			c user <b @1
			d user <c @1
			f user <e @1
			e user <f @1
			g user <d @1`, "cycle c b a\ncycle e f\n"},
		{"a cycle closed in the middle of the file", "b user <c\nc user <a\na user <b\nx user <b", "cycle a b c\nback 1000ms b c\nback 1000ms c a\n"},
		{"ids that are used again", "a user @1\nb user <a\na user @1\na user @1\nb user <a", "repeat 1 3 a\nrepeat 3 4 a\nrepeat 2 5 b\n"},
		{"a repeat makes a cycle", "a user @1\nb user <a @1\na user <b @1", "cycle a b\nrepeat 1 3 a\n"},
		{"clock", "a user @10\nb user <a @9.5\nc user <a @10\nd user <a @-\ne user <d @1\nf user <x @1", "orphan f\nback 500ms b a\n"},
		{"clock, further than can be said", "|{\"uuid\":\"a\",\"type\":\"user\",\"timestamp\":\"+275000-01-01T00:00:00Z\"}\n|{\"uuid\":\"b\",\"parentUuid\":\"a\",\"type\":\"user\",\"timestamp\":\"-271000-01-01T00:00:00Z\"}\n|{\"uuid\":\"c\",\"parentUuid\":\"b\",\"type\":\"user\",\"timestamp\":\"+275000-01-01T00:00:00Z\"}", "back 9223372036854775ms b a\n"},
		{"snapshots", "- summary leaf=a\n- file-history-snapshot msg=b\na user\nb user <a\n- file-history-snapshot msg=x\n- file-history-delta msg=a", "snapshot 2 b\nsnapshot 6 a\n"},
		{"without ids", "- user\n- assistant", ""},
		{"empty", "", ""},
		{"pi with a second header", v3 + "a pi:message\n| {\"type\":\"session\",\"id\":\"s\"}\nb pi:message <x", "orphan b\n"},
		{"pi", v3 + "a pi:message <b\nc pi:message <c", "orphan a\ncycle c\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, sick(t, read(t, jsonl(test.log), Default)))
		})
	}
}

func TestReachable(t *testing.T) {
	tests := []struct {
		name, log         string
		nodes, roots, get int
	}{
		{"all", "a user\nb user <a\nc user <a\nd progress <c", 4, 1, 4},
		{"two trees", "a user\nb user <a\nc user", 3, 2, 3},
		{"and an orphan", "a user @9\nb user <x @1\nc user <b @2", 3, 1, 1},
		{"the leaf is below an orphan", "a user\nb user <a\nc user <x\nd user <c\ne user <c", 5, 1, 3},
		{"and a cycle", "a user @9\nb user <c @1\nc user <b @2\nd user <c @3", 4, 1, 1},
		{"the leaf is below a cycle", "a user\nb user <c\nc user <b\nd user <c\ne user <b", 5, 1, 4},
		{"without ids", "- user\n- assistant", 2, 1, 2},
		{"empty", "", 0, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree := read(t, jsonl(test.log), Default)
			leaf := None
			if leaves := tree.Leaves(); len(leaves) > 0 {
				leaf = leaves[0]
			}
			require.Equal(t, test.nodes, tree.Len())
			require.Equal(t, test.roots, tree.Roots())
			require.Equal(t, test.get, tree.Reachable(leaf))
		})
	}
}

func TestChildrenAndNodeAt(t *testing.T) {
	tree := read(t, jsonl("b user <a\na user\nc user <a\na user\nx user <y"), Default)
	a, b := nodeOf(t, tree, "a"), nodeOf(t, tree, "b")
	children := tree.Children()
	require.Equal(t, "b c", ids(t, tree, slices.Collect(children(a))))
	require.Empty(t, slices.Collect(children(b)))
	require.Empty(t, slices.Collect(children(None)))
	for _, n := range tree.order {
		require.Equal(t, n, tree.NodeAt(tree.Pos(n)))
	}
	require.Equal(t, None, tree.NodeAt(tree.Duplicates()[0].Earlier))
	require.Equal(t, a, tree.NodeAt(tree.Duplicates()[0].Later))
	require.True(t, tree.Duplicated(a))
	require.False(t, tree.Duplicated(b))
}

// The cycles, orphans and reachable nodes of any graph are those that walking up from each
// node shows.
func FuzzProblems(f *testing.F) {
	for i := range 64 {
		var b []byte
		for k := range 120 {
			b = append(b, byte(i*k*k+i*37+k*11>>(i%3)))
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		drawn := graph(b)
		tree := read(t, jsonl(drawn), Default)
		onCycle, end := map[Node]bool{}, map[Node]Node{}
		var orphans []Node
		for _, n := range tree.order {
			if p := tree.at(n).parent; p != None && !tree.has(p) {
				orphans = append(orphans, n)
			}
			seen := map[Node]bool{}
			at := n
			for ; !seen[at]; at = tree.Parent(at) {
				seen[at], end[n] = true, at
				if tree.Parent(at) == None {
					break
				}
			}
			if at == n && tree.Parent(n) != None {
				onCycle[n] = true
			}
		}
		require.Equal(t, orphans, tree.Orphans(), drawn)
		total := 0
		cycles := tree.Cycles()
		for _, cycle := range cycles {
			total += len(cycle)
			for i, n := range cycle {
				require.True(t, onCycle[n], drawn)
				require.Equal(t, cycle[(i+1)%len(cycle)], tree.Parent(n), drawn)
				require.LessOrEqual(t, tree.Pos(n).Offset, tree.Pos(cycle[0]).Offset)
			}
		}
		require.Len(t, onCycle, total, drawn)
		require.True(t, slices.IsSortedFunc(cycles, func(a, b []Node) int { return tree.byOffset(a[0], b[0]) }))

		rooted := 0
		for _, n := range tree.order {
			if tree.at(end[n]).parent == None {
				rooted++
			}
		}
		require.Equal(t, rooted, tree.Reachable(None), drawn)
		for _, leaf := range tree.order {
			want := rooted
			if tree.at(end[leaf]).parent != None {
				want = 0
				for _, n := range tree.order {
					if end[n] == end[leaf] || onCycle[end[n]] && onCycle[end[leaf]] && slices.Contains(tree.chainFrom(end[n]), end[leaf]) {
						want++
					}
				}
			}
			require.Equal(t, want, tree.Reachable(leaf), drawn)
		}
	})
}

// chainFrom returns the walk up from n.
func (t *Tree) chainFrom(n Node) []Node { return t.all().chain(n) }
