package log

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/rule"
)

// Options say how a path is made.
type Options struct {
	Chain   bool // only the walk from parent to parent, as the entries name them
	Through bool // go on to the true beginning, also by guesses: across compactions, gaps and plans that began afresh
	Bridge  bool // go on across gaps: above nodes whose parents are not in the log
}

func (o Options) across() rule.Across {
	switch {
	case o.Through:
		return rule.Through
	case o.Bridge:
		return rule.Gaps
	}
	return 0
}

// A Path is the conversation that ends at a leaf.
type Path struct {
	Leaf  Node
	Top   Node   // where it starts: a root or an orphan, or a node on a cycle
	Nodes []Node // of a log like Claude's in file order, else root first
	Odd   []Odd

	// Taken holds the guesses and logical parents that replace the written parents, by
	// child. It is nil if there are none.
	Taken map[Node]Node

	Turns []Node // that it passes, or, with Options.Chain, the nodes, leaf first
}

// An Odd is what is odd about a path, at a node.
type Odd struct {
	What What
	At   Node   // None of NoHeader and NoConversation
	Name string // the id that At names and that is not in the log
	To   Node   // where the path goes on, or what it came back to; None if it starts at At; of an Orphan, where it may go on
}

// A What says what is odd.
type What uint8

const (
	NoHeader       What = iota // the header of the session is not the first line, so that pi does not open the log
	NoConversation             // the log has no conversation node
	Orphan                     // the parent is not in the log
	Tied                       // the parent is not in the log; To is a guess
	NoLogical                  // the boundary names no logical parent; To is the newest node before it
	LostLogical                // the logical parent is not in the log; To is the newest node before the boundary
	Afresh                     // an approved plan that began afresh; To is a guess
	Cycle                      // the parent, To, is below
)

// Path returns the conversation that ends at leaf, or, if leaf is None, at the first of Leaves. If
// there is none, the Path has no nodes. What a path is, package rule says.
func (t *Log) Path(leaf Node, o Options) Path {
	if leaf == None || t.ending.headless {
		leaf = t.Leaf
	}
	if !t.Has(leaf) {
		return Path{Leaf: None, Top: None, Odd: t.NoLeaf}
	}
	p := t.Union([]Node{leaf}, o)
	if o.Chain || t.Tree.Plain {
		p.Nodes = slices.Clone(p.Turns)
		slices.Reverse(p.Nodes)
	}
	return p
}

// Union returns the paths that end at leaves as one: each node once, in file order, with what is odd
// about all paths and the parents that they have taken. Leaf and Top are those of the last path. Union
// looks at each node once.
func (t *Log) Union(leaves []Node, o Options) Path {
	l := &t.Tree
	if o.Chain {
		l = t.written()
	}
	p := Path{Leaf: None, Top: None}
	if len(leaves) > 0 {
		p.Leaf = leaves[len(leaves)-1]
	}
	across := o.across()
	path := l.Climb(leaves, across)
	p.Nodes, p.Turns = path.Nodes, path.Turns
	for _, turn := range p.Turns {
		p.follow(t, l, turn, across)
		if len(path.Loops) > 0 && path.Loops[0] == turn {
			path.Loops = path.Loops[1:]
			p.loop(l, turn)
		}
	}
	return p
}

// written returns a log in which each node is a turn, with the parents that the entries name.
func (t *Log) written() *rule.Table {
	l := &rule.Table{
		Plain: true, Parent: t.Tree.Parent, Flags: t.Tree.Flags, Strand: t.Tree.Strand, Time: t.Tree.Time,
		Compactions: map[Node]rule.Compaction{},
	}
	for b := range t.Tree.Compactions {
		l.Compactions[b] = rule.Compaction{Logical: t.Tree.Crossing(t.Tree.Turn[b])}
	}
	l.Make()
	return l
}

// follow finds how a path, which has passed a turn of l, goes on above it, unless that is at a parent.
func (p *Path) follow(t *Log, l *rule.Table, turn Node, across rule.Across) {
	if l.Above[turn] != None {
		return
	}
	p.Top = l.Top(turn)
	to, b, goesOn := l.Crossing(turn), l.Compaction(turn), across == rule.Through
	switch {
	case goesOn && b != None && p.cross(t, b, to):
	case l.Up[p.Top] != None:
		p.Odd = append(p.Odd, Odd{What: Cycle, At: p.Top, To: t.Written[p.Top]})
	case t.Tree.Is(p.Top, rule.Lost):
		odd := Odd{Orphan, p.Top, t.nameOf(t.Dialect.ParentOf, p.Top), to}
		if b == None && to != None && across&rule.Gaps != 0 {
			odd.What = Tied
			p.take(turn, to)
		}
		p.Odd = append(p.Odd, odd)
	case goesOn && to != None:
		p.Odd = append(p.Odd, Odd{What: Afresh, At: turn, To: to})
		p.take(turn, to)
	}
}

// nameOf returns an id that the entry of n names, "" if it names none.
func (t *Log) nameOf(id func(*entry.Entry) entry.Value, n Node) string {
	return string(id(t.Entry(n)).Text())
}

// cross takes the way from the compaction b to a node. It reports false if that is None.
func (p *Path) cross(t *Log, b, to Node) bool {
	if t.Tree.Compactions[b].Logical == None {
		odd := Odd{LostLogical, b, t.nameOf(t.Dialect.LogicalParentOf, b), to}
		if odd.Name == "" {
			odd.What = NoLogical
		}
		p.Odd = append(p.Odd, odd)
	}
	p.take(b, to)
	return to != None
}

// loop finds how the parents of a turn of l led a path back to itself.
func (p *Path) loop(l *rule.Table, turn Node) {
	p.Top = turn
	at := turn // the first that names what is above the turn
	for l.Up[at] == None || l.Turn[l.Up[at]] != l.Above[turn] {
		at = l.Next[at]
	}
	p.Odd = append(p.Odd, Odd{What: Cycle, At: at, To: l.Up[at]})
}

// take keeps the parent that a child gets, unless that is None.
func (p *Path) take(child, parent Node) {
	if parent == None {
		return
	}
	if p.Taken == nil {
		p.Taken = map[Node]Node{}
	}
	p.Taken[child] = parent
}
