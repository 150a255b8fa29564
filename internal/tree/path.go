package tree

import (
	"fmt"
	"slices"

	"jl/internal/entry"
	"jl/internal/forest"
)

// Options say how a path is made.
type Options struct {
	Chain   bool // only the walk from parent to parent
	Through bool // continue across compactions by logicalParentUuid, or at the newest entry above

	// Tie returns the node to which an orphan is tied, or None. It is asked for orphans from the leaf
	// upwards. If it is nil, paths start at orphans.
	Tie func(orphan Node) Node
}

// A Path is the conversation that ends at a leaf.
type Path struct {
	Leaf    Node
	Nodes   []Node // root first
	Chain   []Node // the walk to the leaf, without what hangs beside it
	Remarks []Remark

	// Taken holds the guesses and logical parents that replace the written parents, by
	// child. It is nil if there are none.
	Taken map[Node]Node
}

// A Remark is a message about a path: an orphan that it starts at, a guess, a cycle.
type Remark struct {
	Line   int64 // of the entry in question
	Text   string
	format string
}

// NewRemark returns a remark about the entry on a line.
func NewRemark(line int64, format string, args ...any) Remark {
	return Remark{line, fmt.Sprintf(format, args...), format}
}

// Error returns the text.
func (r Remark) Error() string { return r.Text }

// Kind returns the text with a verb of package fmt for each id and number.
func (r Remark) Kind() string { return r.format }

// Path returns the conversation that ends at leaf, or, if leaf is None, at the first of Ends. If
// there is none, the Path has no nodes.
//
// A path is what parents lead to from the leaf upwards, and the turns that this passes. A turn takes
// the place of the first of its nodes on the way: its entries, then the results of its calls and what
// hangs between them, both in file order. But if it goes on below what follows on the path, as with a
// prompt between the entries of a message, all of that is in file order. A compaction may have kept
// entries: then their copies are between its summary and what follows.
func (t *Tree) Path(leaf Node, o Options) Path {
	leaf, remarks := t.Leaf(leaf)
	if !t.has(leaf) {
		return Path{Leaf: None, Remarks: remarks}
	}
	p := Path{Leaf: leaf}
	t.walked.Clear(len(t.nodes))
	p.climb(t, o, &t.walked)
	p.Nodes = p.Chain
	if t.HasTurns() && !o.Chain {
		p.Nodes = t.arrange(p.Chain)
	}
	return p
}

// noLeaf returns why a log has no leaf: if it has conversation nodes, their parents form cycles. A log
// without any node is the business of who opened it.
func (t *Tree) noLeaf() []Remark {
	if t.dialect.LeafIsNewest() {
		for _, n := range t.order {
			if t.Conversation(n) {
				return []Remark{NewRemark(t.at(n).pos.line(), "every conversation entry is above another one: the parents make a cycle, and there is no leaf")}
			}
		}
		if len(t.order) > 0 {
			return []Remark{NewRemark(0, "no conversation")}
		}
	}
	return nil
}

// climb sets p.Chain to the walk from the leaf up, to where others have passed, which seen has, and adds
// the remarks about it.
func (p *Path) climb(t *Tree, o Options, seen *forest.Set) {
	written := t.kept != nil && o.Chain
	n := p.Leaf
	if !written {
		n = t.start(n)
	}
	for up := None; n != None && !seen.Has(n); n = up {
		seen.Add(n)
		p.Chain = append(p.Chain, n)
		up = t.at(n).parent
		if written {
			up = t.WrittenParent(n)
		}
		what := "parent"
		if o.Through && !t.has(up) {
			if to := p.logical(t, n); to != None {
				p.take(n, to)
				up, what = to, "logical parent"
			}
		}
		if up != None && !t.has(up) {
			up = p.tie(t, n, o)
		}
		if seen.Has(up) && slices.Contains(p.Chain, up) {
			p.remark(t, n, "its "+what+" %s is below it, a cycle: the path starts here", entry.Quote(t.ID(up)))
			break
		}
	}
	slices.Reverse(p.Chain)
}

// start returns the node at which the walk to a leaf starts: what a compaction kept belongs to a
// path that ends at the anchor.
func (t *Tree) start(leaf Node) Node {
	if t.kept != nil && leaf == t.kept.anchor {
		return t.kept.last
	}
	return leaf
}

// tie returns the node to which the orphan n is tied, or None. It remarks on it.
func (p *Path) tie(t *Tree, n Node, o Options) Node {
	name := entry.Quote(string(t.dialect.ParentOf(t.Entry(n)).Text()))
	if o.Tie == nil {
		p.remark(t, n, "its parent %s is not in the file: the path starts here", name)
		return None
	}
	to := o.Tie(n)
	if to == None {
		p.remark(t, n, "its parent %s is not in the file and nothing can have come before it: the path starts here", name)
		return None
	}
	p.remark(t, n, "its parent %s is not in the file: tied to %s on line %d", name, entry.Quote(t.ID(to)), t.at(to).pos.line())
	if t.kept != nil && !o.Chain {
		to = t.kept.hang(t, n, to)
	}
	p.take(n, to)
	return to
}

func (p *Path) take(child, parent Node) {
	if p.Taken == nil {
		p.Taken = map[Node]Node{}
	}
	p.Taken[child] = parent
}

// logical returns where a path goes on above n, a root or an orphan: at its logical parent, or, if
// n is a boundary and that is not in the file, at the newest node above it. It returns None if
// there is no such node.
func (p *Path) logical(t *Tree, n Node) Node {
	id := t.dialect.LogicalParentOf(t.Entry(n))
	if to := t.LookUp(id); !id.IsEmpty() && t.has(to) {
		return to
	}
	what, names := "it names no logical parent", []any(nil)
	if !id.IsEmpty() {
		what, names = "its logical parent %s is not in the file", []any{entry.Quote(string(id.Text()))}
	} else if !t.Boundary(n) || !t.dialect.BoundaryIsRoot() {
		return None
	}
	to := t.newestAbove(n)
	if to == None {
		p.remark(t, n, what, names...)
		return None
	}
	p.remark(t, n, what+": went on at the newest entry above, %s on line %d", append(names, entry.Quote(t.ID(to)), t.at(to).pos.line())...)
	return to
}

// Logical returns the node at which a path with [Options].Through goes on above n: its logical
// parent, or, if n is a boundary without one in the log, the newest node above it. It returns None
// if there is no such node, or if n has a parent.
func (t *Tree) Logical(n Node) Node {
	if t.has(t.at(n).parent) {
		return None
	}
	return new(Path).logical(t, n)
}

// newestAbove returns the newest conversation node above a boundary in the file, on the same
// strand. It returns None if nothing is above or if n is not a boundary.
func (t *Tree) newestAbove(n Node) Node {
	if t.above == nil {
		t.above = map[Node]Node{}
		newest := map[int]Node{}
		for _, n := range t.order {
			s := t.Strand(n)
			last, ok := newest[s]
			if t.Boundary(n) && ok {
				t.above[n] = last
			}
			if t.Conversation(n) && (!ok || t.at(n).timeOrZero() >= t.at(last).timeOrZero()) {
				newest[s] = n
			}
		}
	}
	if to, ok := t.above[n]; ok {
		return to
	}
	return None
}

func (n *node) timeOrZero() int64 {
	if n.flags&timed == 0 {
		return 0
	}
	return n.time
}

func (p *Path) remark(t *Tree, n Node, format string, args ...any) {
	p.Remarks = append(p.Remarks, NewRemark(t.at(n).pos.line(), format, args...))
}

// arrange returns the nodes of a walk with the turns that it passes, in the order of a path. An entry
// is on it once, though it may have a copy.
func (t *Tree) arrange(walk []Node) []Node {
	s, up := t.turns(), t.Forest().Up
	block := func(i int) []Node {
		if turn := s.turn(walk[i]); turn != 0 {
			return s.members(turn)
		}
		return walk[i : i+1]
	}
	places := t.placesOf(walk, block)
	out, done := make([]Node, 0, len(walk)), &t.printed
	done.Clear(len(t.nodes))
	begin, first, end, next := 0, int32(0), int32(0), int32(1) // out[begin:] are the blocks from first on, and end is to come
	for i, n := range walk {
		if places[n] != next {
			continue
		}
		if next > end {
			begin, first, end = len(out), next, next
		}
		next++
		for _, m := range block(i) {
			if places[m] == places[n] && up[m] != None && m != walk[0] { // above that there is nothing, or a cycle
				end = max(end, places[up[m]])
			}
			if e := t.Original(m); !done.Has(e) {
				done.Add(e)
				out = append(out, m)
			}
		}
		if next > end && end > first {
			slices.SortStableFunc(out[begin:], t.byOffset)
		}
	}
	for i, n := range walk {
		if places[n] != 0 {
			for _, m := range block(i) {
				places[m] = 0
			}
		}
	}
	return out
}

// placesOf returns, by node, the number of its block, in the order in which the walk comes to them. It
// is 0 for the nodes that are in none, or only adopted.
func (t *Tree) placesOf(walk []Node, block func(int) []Node) []int32 {
	if len(t.places) < len(t.nodes) {
		t.places = make([]int32, len(t.nodes))
	}
	count := int32(0)
	for i, n := range walk {
		if t.places[n] == 0 {
			count++
			for _, m := range block(i) {
				if m == n || t.turns().turn(m) != 0 {
					t.places[m] = count
				}
			}
		}
	}
	return t.places
}
