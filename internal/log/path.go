package log

import (
	"slices"

	"jl/internal/entry"
	"jl/internal/rule"
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
	To   Node   // where the path goes on, or what it came back to; None if it starts at At
}

// A What says what is odd.
type What uint8

const (
	NoHeader       What = iota // the header of the session is not the first line, so that pi does not open the log
	NoConversation             // the log has no conversation node
	Orphan                     // the parent is not in the log
	Tied                       // the parent is not in the log; To is a guess, None if nothing can have come before
	NoLogical                  // the boundary names no logical parent; To is the newest node before it
	LostLogical                // the logical parent is not in the log; To is the newest node before the boundary
	Cycle                      // the parent, To, is below
	LogicalCycle               // the logical parent, To, is below
)

// Path returns the conversation that ends at leaf, or, if leaf is None, at the first of Leaves. If
// there is none, the Path has no nodes. What a path is, package rule says.
func (t *Log) Path(leaf Node, o Options) Path {
	if leaf == None || t.tail.headless {
		leaf = t.Leaf
	}
	if !t.Has(leaf) {
		return Path{Leaf: None, Top: None, Odd: t.NoLeaf}
	}
	p := t.Union([]Node{leaf}, o)
	if o.Chain || t.Plain {
		p.Nodes = slices.Clone(p.Turns)
		slices.Reverse(p.Nodes)
	}
	return p
}

// Union returns the paths that end at leaves as one: each node once, in file order, with what is odd
// about all paths and the parents that they have taken. Leaf and Top are those of the last path. Union
// looks at each node once, so o must not have a Tie, which depends on the path.
func (t *Log) Union(leaves []Node, o Options) Path {
	l := &t.Log
	if o.Chain {
		l = t.written()
	}
	p := Path{Leaf: None, Top: None}
	if len(leaves) > 0 {
		p.Leaf = leaves[len(leaves)-1]
	}
	var tie func(Node) Node
	if o.Tie != nil {
		tie = func(top Node) Node {
			if !t.isOrphan(top) {
				return None
			}
			to := o.Tie(top)
			p.take(top, to)
			return to
		}
	}
	path := l.Path(leaves, o.Through, tie)
	p.Nodes, p.Turns = path.Nodes, path.Turns
	for _, turn := range p.Turns {
		p.follow(t, l, turn, o.Through)
		if len(path.Loops) > 0 && path.Loops[0] == turn {
			path.Loops = path.Loops[1:]
			p.loop(l, turn)
		}
	}
	return p
}

// written returns a log in which each node is a turn, with the parents that the entries name.
func (t *Log) written() *rule.Log {
	l := &rule.Log{
		Plain: true, Parent: t.Parent, Flags: t.Flags, Strand: t.Strand, Time: t.Time, Message: t.Message,
		Messages: t.Messages, Tools: t.Tools, Compactions: map[Node]rule.Compaction{},
	}
	for b, c := range t.Compactions {
		if to, ok := t.Crossing[t.Turn[b]]; ok && to != None {
			l.Compactions[b] = rule.Compaction{Summary: c.Summary, Logical: to}
		}
	}
	l.Make()
	return l
}

// isOrphan reports whether the parent that n names is not in the log.
func (t *Log) isOrphan(n Node) bool {
	return t.Written[n] != None && !t.Has(t.Written[n]) && !t.Unchained
}

// follow finds how a path, which has passed a turn of l, goes on above it, unless that is at a parent.
func (p *Path) follow(t *Log, l *rule.Log, turn Node, through bool) {
	if l.Above[turn] != None {
		return
	}
	p.Top = l.Top(turn)
	if to, isCrossed := l.Crossing[turn]; through && isCrossed {
		p.cross(t, l, turn, to)
		if to != None {
			return
		}
	}
	up := t.Written[p.Top]
	to, isTied := p.Taken[p.Top]
	switch {
	case t.Has(up) && l.Up[p.Top] != None:
		p.Odd = append(p.Odd, Odd{What: Cycle, At: p.Top, To: up})
	case !t.isOrphan(p.Top):
	case isTied:
		p.Odd = append(p.Odd, Odd{Tied, p.Top, t.nameOf(t.Dialect.ParentOf, p.Top), to})
		if to == None {
			delete(p.Taken, p.Top)
		}
	default:
		p.Odd = append(p.Odd, Odd{Orphan, p.Top, t.nameOf(t.Dialect.ParentOf, p.Top), None})
	}
}

// nameOf returns an id that the entry of n names, "" if it names none.
func (t *Log) nameOf(id func(*entry.Entry) entry.Value, n Node) string {
	return string(id(t.Entry(n)).Text())
}

// cross takes the way from the compaction in a turn to a node, or None.
func (p *Path) cross(t *Log, l *rule.Log, turn, to Node) {
	b := turn
	for l.Next[b] != None && !t.isCompaction(b) {
		b = l.Next[b]
	}
	if t.Compactions[b].Logical == None && t.Is(b, Boundary) {
		odd := Odd{LostLogical, b, t.nameOf(t.Dialect.LogicalParentOf, b), to}
		if odd.Name == "" {
			odd.What = NoLogical
		}
		p.Odd = append(p.Odd, odd)
	}
	if to != None {
		p.take(b, to)
	}
}

// isCompaction reports whether a path goes on above n across a compaction.
func (t *Log) isCompaction(n Node) bool {
	_, ok := t.Compactions[n]
	return ok
}

// loop finds how a path came back to itself above a turn of l.
func (p *Path) loop(l *rule.Log, turn Node) {
	odd := Odd{What: Cycle, At: l.Top(turn), To: l.Above[turn]}
	if odd.To == None {
		odd.What, odd.To = LogicalCycle, l.Crossing[turn]
	}
	if p.Top = turn; odd.To != None {
		p.Odd = append(p.Odd, odd)
	}
}

func (p *Path) take(child, parent Node) {
	if p.Taken == nil {
		p.Taken = map[Node]Node{}
	}
	p.Taken[child] = parent
}
