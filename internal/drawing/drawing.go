// Package drawing draws a forest as text for a person: a row for each node, a child above its
// parent, and lanes that connect them, as git log --graph has them.
//
//	●     the first child of its parent stays in the lane of the parent
//	│ ●   any other child gets the next lane,
//	├─╯   which joins below it
//	○
//
// What it knows. A lane is two columns wide. A dotted edge skips something, a "~" is a
// missing parent, and a line without lanes separates two trees. Clip measures text as a terminal
// shows it: an ideograph takes two columns, a letter with its accents one, and an emoji two.
//
// What it promises. Each node has one row. The edge from a row leads down without a gap to the
// row of its parent, and shares a column only with edges to the same parent. To the left of its
// own lane a row has at most one lane for each node above it whose parent is below. Siblings
// keep their order as long as that takes few lanes: see [Draw]. Draw and Clip take time linear
// in what they return, apart from sorting.
//
// What it does not do. It does not know what a node is, and it prints nothing: its caller adds
// text and colors.
package drawing

import (
	"iter"
	"slices"
	"strings"
)

// A Kind is what the mark of a node says about it.
type Kind uint8

const (
	Inner  Kind = iota // a part of a branch
	End                // the last part of a branch
	Chosen             // the end that the reader most likely looks for
	Folded             // several nodes, which are not drawn
)

// A Node is a node of the forest.
type Node struct {
	Kind   Kind
	Parent int32 // the index of the parent, less than the index of the node; -1 for a root
	Dotted bool  // the edge to the parent is dotted
	Torn   bool  // the parent is missing, so Parent is -1
}

// A Line is a line of a drawing.
type Line struct {
	Node  int    // the index of the node in this row, -1 if the line only connects or separates
	Lanes string // no spaces at its end
}

// A Charset has the characters of a drawing. Each takes one column.
type Charset struct {
	marks            [Folded + 1]string
	solid, dotted    string // a lane
	join, joinDotted string // the lane to the left, and the end of this one
}

var (
	// Box draws with box characters.
	Box = Charset{[...]string{Inner: "○", End: "●", Chosen: "@", Folded: "◌"}, "│", "┆", "├─╯", "├╌╯"}

	// ASCII draws with ASCII characters.
	ASCII = Charset{[...]string{Inner: "o", End: "*", Chosen: "@", Folded: "."}, "|", ":", "|-'", "|.'"}
)

// most is how many lanes a fork takes at most before it is drawn with as few as possible.
const most = 8

// Draw yields the lines of a drawing, the same each time. Trees and siblings are drawn in the order of their
// indices. But a fork that would take more than eight lanes begins with the branch that takes
// the most. Then a drawing gets at most one more lane each time that the number of branches
// doubles. The first row is always the end of the way from the first root by first children.
func Draw(nodes []Node, c *Charset) iter.Seq[Line] {
	d := &drawer{nodes: nodes, children: make([][]int32, len(nodes)), c: c}
	for i, n := range nodes {
		if n.Parent < 0 {
			d.roots = append(d.roots, int32(i))
		} else {
			d.children[n.Parent] = append(d.children[n.Parent], int32(i))
		}
	}
	d.arrange()
	places := d.places()
	return func(yield func(Line) bool) {
		d.dotted = d.dotted[:0]
		for _, p := range slices.Backward(places) {
			d.draw(p)
			for _, l := range d.lines {
				if !yield(l) {
					return
				}
			}
			d.lines = d.lines[:0]
		}
	}
}

// A drawer draws the rows of a forest from the first to the last.
type drawer struct {
	nodes    []Node
	roots    []int32
	children [][]int32 // by node
	c        *Charset
	lines    []Line // of the present row
	dotted   []bool // by lane: whether the edge in it is dotted
}

// arrange changes the order of the children where that saves lanes and too many are needed.
func (d *drawer) arrange() {
	first := map[int32]bool{} // the nodes below which the first row is
	for at := d.roots; len(at) > 0; at = d.children[at[0]] {
		first[at[0]] = true
	}
	lanes := make([]int32, len(d.nodes)) // by node: what the tree below it takes
	take := func(children []int32) int32 {
		n := int32(1)
		for i, child := range children {
			n = max(n, lanes[child]+int32(min(i, 1)))
		}
		return n
	}
	for i, children := range slices.Backward(d.children) {
		if lanes[i] = take(children); lanes[i] > most && !first[int32(i)] {
			slices.SortStableFunc(children, func(a, b int32) int { return int(lanes[b] - lanes[a]) })
			lanes[i] = take(children)
		}
	}
}

// A place says where a node is drawn.
type place struct {
	node, lane int32
	joins      bool // the lane to the left, below the node
}

// places returns the places of all nodes, the last row first.
func (d *drawer) places() []place {
	places := make([]place, 0, len(d.nodes))
	var left []place
	for _, root := range d.roots {
		left = append(left, place{node: root})
	}
	for len(left) > 0 {
		p := left[len(left)-1]
		left = left[:len(left)-1]
		places = append(places, p)
		for i, child := range d.children[p.node] {
			left = append(left, place{child, p.lane + int32(min(i, 1)), i > 0})
		}
	}
	return places
}

// draw draws the row of a node and what connects it with the next one.
func (d *drawer) draw(p place) {
	n := d.nodes[p.node]
	d.line(p.node, p.lane, d.c.marks[n.Kind])
	switch {
	case p.joins && n.Dotted:
		d.line(-1, p.lane-1, d.c.joinDotted)
	case p.joins:
		d.line(-1, p.lane-1, d.c.join)
	case n.Parent >= 0:
		d.dotted = append(d.dotted[:p.lane], n.Dotted)
		if n.Dotted && len(d.children[n.Parent]) == 1 { // no row shows that it is
			d.line(-1, p.lane, d.c.dotted)
		}
	case n.Torn:
		d.line(-1, 0, "~")
	}
	if n.Parent < 0 && p.node != d.roots[len(d.roots)-1] {
		d.lines = append(d.lines, Line{Node: -1})
	}
}

// line appends a line with the lanes to the left of a lane, and text in it.
func (d *drawer) line(node, lane int32, text string) {
	var b strings.Builder
	for _, dotted := range d.dotted[:lane] {
		if dotted {
			b.WriteString(d.c.dotted)
		} else {
			b.WriteString(d.c.solid)
		}
		b.WriteByte(' ')
	}
	b.WriteString(text)
	d.lines = append(d.lines, Line{int(node), b.String()})
}
