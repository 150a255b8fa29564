package drawing

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// picture returns the lines of a drawing, with the index of each node behind its row.
func picture(nodes []Node, c *Charset) string {
	var b strings.Builder
	for l := range Draw(nodes, c) {
		b.WriteString(l.Lanes)
		if l.Node >= 0 {
			fmt.Fprintf(&b, " %d", l.Node)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestDraw(t *testing.T) {
	tests := []struct {
		name  string
		nodes []Node
		want  string
	}{
		{"nothing", nil, ""},
		{"one", []Node{{Kind: Chosen, Parent: -1}}, "@ 0\n"},
		{"a line", []Node{{Parent: -1}, {Parent: 0}, {Kind: End, Parent: 1}}, `
● 2
○ 1
○ 0
`},
		{"two branches", []Node{{Parent: -1}, {Kind: Chosen, Parent: 0}, {Kind: End, Parent: 0}}, `
@ 1
│ ● 2
├─╯
○ 0
`},
		{"three branches of one fork", []Node{{Parent: -1}, {Parent: 0}, {Parent: 0}, {Parent: 0}, {Parent: 1}}, `
○ 4
○ 1
│ ○ 2
├─╯
│ ○ 3
├─╯
○ 0
`},
		{"a fork of a fork", []Node{{Parent: -1}, {Parent: 0}, {Parent: 0}, {Parent: 2}, {Parent: 2}}, `
○ 1
│ ○ 3
│ │ ○ 4
│ ├─╯
│ ○ 2
├─╯
○ 0
`},
		{"dotted", []Node{{Parent: -1}, {Parent: 0, Dotted: true}, {Parent: 1}}, `
○ 2
○ 1
┆
○ 0
`},
		{"dotted beside a branch", []Node{{Parent: -1}, {Parent: 0, Dotted: true}, {Parent: 0}, {Parent: 0, Dotted: true}}, `
○ 1
┆ ○ 2
├─╯
┆ ○ 3
├╌╯
○ 0
`},
		{"dotted in the second lane", []Node{{Parent: -1}, {Parent: 0}, {Parent: 0}, {Parent: 2, Dotted: true}}, `
○ 1
│ ○ 3
│ ┆
│ ○ 2
├─╯
○ 0
`},
		{"trees", []Node{{Parent: -1, Torn: true}, {Parent: 0}, {Parent: -1}, {Kind: Folded, Parent: -1}}, `
○ 1
○ 0
~

○ 2

◌ 3
`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := strings.TrimPrefix(test.want, "\n")
			require.Equal(t, want, picture(test.nodes, &Box))
			ascii := strings.NewReplacer("○", "o", "●", "*", "◌", ".", "│", "|", "┆", ":", "├─╯", "|-'", "├╌╯", "|.'")
			require.Equal(t, ascii.Replace(want), picture(test.nodes, &ASCII))
		})
	}
}

// stairs returns a forest in which each branch forks again from the one before it: n ends.
func stairs(n int) []Node {
	nodes := []Node{{Parent: -1}}
	for fork := 0; len(nodes) < 2*n-1; fork = len(nodes) - 1 {
		nodes = append(nodes, Node{Parent: int32(fork)}, Node{Parent: int32(fork)})
	}
	return nodes
}

// Up to eight lanes, siblings keep their order; many branches take hardly more lanes.
func TestStairs(t *testing.T) {
	require.Contains(t, picture(stairs(4), &Box), "○ 1\n│ ○ 3\n│ │ ○ 5\n│ │ │ ○ 6\n")
	require.Equal(t, 8, lanes(slices.Collect(Draw(stairs(8), &Box))))
	lines := slices.Collect(Draw(stairs(5000), &Box))
	require.Equal(t, 1, lines[0].Node, "the first row is the same however many branches follow")
	require.LessOrEqual(t, lanes(lines), most+2)
}

// lanes returns how many lanes a drawing takes.
func lanes(lines []Line) int {
	n := 0
	for _, l := range lines {
		n = max(n, (utf8.RuneCountInString(l.Lanes)+1)/2)
	}
	return n
}

// forestOf returns a forest of n nodes. The parent of a node is at most far nodes before it.
func forestOf(r *rand.Rand, n, far int) []Node {
	nodes := make([]Node, n)
	for i := range nodes {
		parent := max(-1, i-1-r.IntN(far))
		if r.IntN(20) == 0 {
			parent = -1
		}
		nodes[i] = Node{Parent: int32(parent), Dotted: parent >= 0 && r.IntN(4) == 0, Torn: parent < 0 && r.IntN(2) == 0}
	}
	return nodes
}

// TestProperties draws random forests and follows each edge down the drawing.
func TestProperties(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0))
		nodes := forestOf(r, 1+r.IntN(120), 1+r.IntN(30))
		lines := slices.Collect(Draw(nodes, &Box))
		g := newGrid(lines)
		require.Len(t, g.row, len(nodes), "seed %d: each node has a row", seed)
		require.Len(t, g.node, len(nodes), "seed %d: no node has two rows", seed)
		owner := map[[2]int]int{} // by line and column: the parent that the edges there lead to
		for i, n := range nodes {
			if n.Parent < 0 {
				continue
			}
			path, dotted, to := g.follow(t, g.row[i])
			require.EqualValues(t, n.Parent, to, "seed %d: the edge of %d leads to its parent\n%s", seed, i, picture(nodes, &Box))
			require.Less(t, g.row[i][0], g.row[to][0], "seed %d: a child is above its parent", seed)
			require.Equal(t, n.Dotted, dotted, "seed %d: the edge of %d\n%s", seed, i, picture(nodes, &Box))
			for _, cell := range path {
				if other, ok := owner[cell]; ok {
					require.EqualValues(t, n.Parent, other, "seed %d: edges to different parents share a column", seed)
				}
				owner[cell] = int(n.Parent)
			}
		}
		open := map[int]int{} // by parent that is yet to come: the nodes that wait for it
		waiting := 0
		for _, l := range lines {
			if l.Node >= 0 {
				waiting -= open[l.Node]
				if p := int(nodes[l.Node].Parent); p >= 0 {
					open[p]++
					waiting++
				}
			}
			require.LessOrEqual(t, lanes([]Line{l}), waiting+1, "seed %d: more lanes than open branches", seed)
		}
		require.LessOrEqual(t, lanes(lines), most+1+bits.Len(uint(len(nodes))), "seed %d", seed)
	}
}

// A grid is a drawing by line and column.
type grid struct {
	cells [][]rune
	row   map[int][2]int // by node
	node  map[[2]int]int
}

func newGrid(lines []Line) *grid {
	g := &grid{row: map[int][2]int{}, node: map[[2]int]int{}}
	for i, l := range lines {
		cells := []rune(l.Lanes)
		g.cells = append(g.cells, cells)
		if l.Node >= 0 {
			at := [2]int{i, len(cells) - 1}
			g.row[l.Node], g.node[at] = at, l.Node
		}
	}
	return g
}

// follow follows the edge down from a node. It returns the cells of the edge, whether it
// begins dotted, and the node that it leads to.
func (g *grid) follow(t *testing.T, at [2]int) (path [][2]int, dotted bool, to int) {
	t.Helper()
	column := at[1]
	for i := at[0] + 1; i < len(g.cells); i++ {
		require.Less(t, column, len(g.cells[i]), "a gap in line %d", i)
		cell := [2]int{i, column}
		if n, ok := g.node[cell]; ok {
			return path, dotted, n
		}
		first := len(path) == 0
		path = append(path, cell)
		switch c := g.cells[i][column]; c {
		case '│', '├':
		case '┆':
			dotted = dotted || first
		case '╯':
			dotted = dotted || first && g.cells[i][column-1] == '╌'
			column -= 2
			path = append(path, [2]int{i, column})
			require.Equal(t, '├', g.cells[i][column])
		default:
			require.Fail(t, "not an edge", "%c in line %d", c, i)
		}
	}
	require.Fail(t, "the edge leads to no node")
	return nil, false, -1
}

func TestClip(t *testing.T) {
	tests := []struct {
		name, text string
		columns    int
		want       string
	}{
		{"fits", "abc", 3, "abc"},
		{"one too many", "abcd", 3, "ab…"},
		{"nothing fits", "abcd", 0, ""},
		{"the mark alone", "abcd", 1, "…"},
		{"empty", "", 0, ""},
		{"ideographs", "日本語", 6, "日本語"},
		{"half an ideograph", "日本語", 4, "日…"},
		{"accents", "e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"a family", "👨\u200d👩\u200d👧x", 3, "👨\u200d👩\u200d👧x"},
		{"a family that does not fit", "👨\u200d👩\u200d👧xy", 2, "…"},
		{"flags", "🇩🇪🇫🇷", 3, "🇩🇪…"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Clip(test.text, test.columns, "…")
			require.Equal(t, test.want, got)
			require.LessOrEqual(t, Width(got), test.columns)
		})
	}
}
