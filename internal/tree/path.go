package tree

import (
	"fmt"
	"slices"

	"jl/internal/entry"
	"jl/internal/forest"
)

// Options say how a path is made.
type Options struct {
	Chain   bool // only the walk from parent to parent, as the entries name them
	Through bool // continue across compactions by logicalParentUuid, or at the newest entry above

	// Tie returns the node to which an orphan is tied, or None. It is asked for orphans from the leaf
	// upwards. If it is nil, paths start at orphans.
	Tie func(orphan Node) Node
}

// A Path is the conversation that ends at a leaf.
type Path struct {
	Leaf    Node
	Top     Node   // where it starts: a root or an orphan, or a node on a cycle
	Nodes   []Node // of a log like Claude's in file order, else root first
	Remarks []Remark

	// Taken holds the guesses and logical parents that replace the written parents, by
	// child. It is nil if there are none.
	Taken map[Node]Node

	Chain []Node // the turns that it passes, or, with Options.Chain, the nodes, leaf first
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

// Path returns the conversation that ends at leaf, or, if leaf is None, at the first of Leaves. If
// there is none, the Path has no nodes.
//
// A path is a part of the log: the turn of the leaf, all turns above it, the turns that are beside
// these, and what the boundaries among them kept, in file order.
func (t *Tree) Path(leaf Node, o Options) Path {
	leaf, remarks := t.Leaf(leaf)
	if !t.has(leaf) {
		return Path{Leaf: None, Top: None, Remarks: remarks}
	}
	p := t.Union([]Node{leaf}, o)
	if o.Chain || !t.HasTurns() {
		p.Nodes = slices.Clone(p.Chain)
		if !o.Chain {
			p.Nodes = t.turns().part(p.Chain)
		}
		slices.Reverse(p.Nodes)
	}
	return p
}

// Union returns the paths that end at leaves as one: each node once, in file order, with the remarks
// about all paths and the parents that they have taken. Leaf and Top are those of the last path. Union
// looks at each node once, so o must not have a Tie, which depends on the path.
func (t *Tree) Union(leaves []Node, o Options) Path {
	p := Path{Leaf: None, Top: None}
	t.walked.Clear(t.nodes.count)
	for _, p.Leaf = range leaves {
		p.climb(t.turns(), o, &t.walked)
	}
	if o.Chain {
		p.Nodes = slices.Sorted(slices.Values(p.Chain))
	} else {
		p.Nodes = t.Part(p.Chain)
	}
	return p
}

// Part returns the nodes that paths have because of the turns that they pass, in file order.
func (t *Tree) Part(turns []Node) []Node {
	nodes := t.turns().part(turns)
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// part is Part, but each node comes as often as it is needed, those of a turn from the last to the first.
func (s *turns) part(turns []Node) (nodes []Node) {
	for _, turn := range turns {
		from := len(nodes)
		nodes = s.appendPart(nodes, turn)
		slices.Reverse(nodes[from:])
	}
	return nodes
}

// Beyond returns the nodes that a path has because it passes the turn of n, but that are not in the turn: those
// beside it, and those that its boundaries kept. They are in no order.
func (t *Tree) Beyond(n Node) []Node {
	s := t.turns()
	if len(s.kept) == 0 && !s.beside {
		return nil
	}
	return s.appendBeyond(nil, s.of[n])
}

// appendPart appends what a path has because of a turn: its nodes, and what is beyond.
func (s *turns) appendPart(dst []Node, turn Node) []Node {
	for n := range s.members(turn) {
		dst = append(dst, n)
	}
	return s.appendBeyond(dst, turn)
}

func (s *turns) appendBeyond(dst []Node, turn Node) []Node {
	for n := range s.members(turn) {
		dst = append(dst, s.kept[n].nodes...)
	}
	for _, x := range s.appendBeside(nil, turn) {
		dst = slices.AppendSeq(dst, s.members(x))
	}
	return dst
}

// climb adds the walk from the leaf up to a root, or to the first turn that seen has from another walk, and
// the remarks about it.
func (p *Path) climb(s *turns, o Options, seen *forest.Set) {
	unit := func(n Node) Node { // what the walk goes over
		if o.Chain {
			return n
		}
		return s.of[n]
	}
	from, x, step := len(p.Chain), unit(p.Leaf), step{}
	for ; !seen.Has(x); x = unit(step.to) {
		seen.Add(x)
		p.Chain = append(p.Chain, x)
		if step = p.step(s, x, o); step.to == None {
			return
		}
	}
	if slices.Contains(p.Chain[from:], x) {
		p.remark(s.Tree, step.from, "its "+step.what+" %s is below it, a cycle: the path starts here", entry.Quote(s.ID(step.to)))
	}
}

// A step leads from a turn or node of a path upwards.
type step struct {
	from, to Node
	what     string // to is of from
}

// step returns the step above x, a turn or, with o.Chain, a node.
func (p *Path) step(s *turns, x Node, o Options) step {
	p.Top = x
	if o.Chain {
		up := s.at(x).parent
		if s.unchained {
			up = s.up[x]
		}
		if s.has(up) {
			return step{x, up, "parent"}
		}
	} else if s.above[x] != None {
		return step{x, s.above[x], "parent"}
	} else {
		p.Top = s.top(x)
	}
	if c := s.cross(x); o.Through && c.boundary != None && (!o.Chain || c.boundary == x) {
		p.cross(s, c)
		if c.to != None {
			return step{c.boundary, c.to, "logical parent"}
		}
	}
	up := s.at(p.Top).parent
	if !s.has(up) {
		up = p.tie(s, p.Top, up, o)
	}
	return step{p.Top, up, "parent"}
}

// cross remarks on a crossing, and takes it.
func (p *Path) cross(s *turns, c crossing) {
	odd, args := c.odd, []any(nil)
	if c.id != "" {
		args = append(args, c.id)
	}
	switch {
	case c.to == None && odd != "":
		p.remark(s.Tree, c.boundary, odd, args...)
	case odd != "":
		args = append(args, entry.Quote(s.ID(c.to)), s.at(c.to).pos.line())
		p.remark(s.Tree, c.boundary, odd+": went on at the newest entry above, %s on line %d", args...)
	}
	if c.to != None {
		p.take(c.boundary, c.to)
	}
}

// tie returns the node to which n, whose parent is not in the log, is tied, or None. It remarks on that,
// unless n names no parent.
func (p *Path) tie(s *turns, n, parent Node, o Options) Node {
	if parent == None || s.unchained {
		return None
	}
	name := entry.Quote(string(s.dialect.ParentOf(s.Entry(n)).Text()))
	if o.Tie == nil {
		p.remark(s.Tree, n, "its parent %s is not in the file: the path starts here", name)
		return None
	}
	to := o.Tie(n)
	if to == None {
		p.remark(s.Tree, n, "its parent %s is not in the file and nothing can have come before it: the path starts here", name)
		return None
	}
	p.remark(s.Tree, n, "its parent %s is not in the file: tied to %s on line %d", name, entry.Quote(s.ID(to)), s.at(to).pos.line())
	p.take(n, to)
	return to
}

func (p *Path) take(child, parent Node) {
	if p.Taken == nil {
		p.Taken = map[Node]Node{}
	}
	p.Taken[child] = parent
}

func (p *Path) remark(t *Tree, n Node, format string, args ...any) {
	p.Remarks = append(p.Remarks, NewRemark(t.at(n).pos.line(), format, args...))
}

// top returns the root or orphan to which parents lead from the first node of a turn that has one in the
// turn; or, if they lead to cycles only, the first node of the turn.
func (s *turns) top(turn Node) Node {
	passed := map[Node]bool{}
	for n := range s.members(turn) {
		for ; n != None && s.of[n] == turn && !passed[n]; n = s.up[n] {
			if passed[n] = true; s.up[n] == None {
				return n
			}
		}
	}
	return turn
}
