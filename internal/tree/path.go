package tree

import (
	"fmt"
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
	Leaf    Node
	Top     Node   // where it starts: a root or an orphan, or a node on a cycle
	Nodes   []Node // of a log like Claude's in file order, else root first
	Remarks []Remark

	// Taken holds the guesses and logical parents that replace the written parents, by
	// child. It is nil if there are none.
	Taken map[Node]Node

	Turns []Node // that it passes, or, with Options.Chain, the nodes, leaf first
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
// there is none, the Path has no nodes. What a path is, package rule says.
func (t *Tree) Path(leaf Node, o Options) Path {
	leaf, remarks := t.Leaf(leaf)
	if !t.Has(leaf) {
		return Path{Leaf: None, Top: None, Remarks: remarks}
	}
	p := t.Union([]Node{leaf}, o)
	if o.Chain || t.Plain {
		p.Nodes = slices.Clone(p.Turns)
		slices.Reverse(p.Nodes)
	}
	return p
}

// Union returns the paths that end at leaves as one: each node once, in file order, with the remarks
// about all paths and the parents that they have taken. Leaf and Top are those of the last path. Union
// looks at each node once, so o must not have a Tie, which depends on the path.
func (t *Tree) Union(leaves []Node, o Options) Path {
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
		p.remarkOn(t, l, turn, o.Through)
		if len(path.Loops) > 0 && path.Loops[0] == turn {
			path.Loops = path.Loops[1:]
			p.remarkLoop(t, l, turn)
		}
	}
	return p
}

// written returns a log in which each node is a turn, with the parents that the entries name.
func (t *Tree) written() *rule.Log {
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
func (t *Tree) isOrphan(n Node) bool {
	return t.Written[n] != None && !t.Has(t.Written[n]) && !t.Unchained
}

// remarkOn remarks on how a path, which has passed a turn of l, goes on above it, unless that is a parent.
func (p *Path) remarkOn(t *Tree, l *rule.Log, turn Node, through bool) {
	if l.Above[turn] != None {
		return
	}
	p.Top = l.Top(turn)
	to, isCrossed := l.Crossing[turn]
	if through && isCrossed {
		p.cross(t, l, turn, to)
		if to != None {
			return
		}
	}
	up := t.Written[p.Top]
	switch to, isTied := p.Taken[p.Top]; {
	case up == None:
	case t.Has(up) && l.Up[p.Top] != None:
		p.remark(t, p.Top, "its parent %s is below it, a cycle: the path starts here", entry.Quote(t.ID(up)))
	case !t.isOrphan(p.Top):
	case to != None && isTied:
		p.remark(t, p.Top, "its parent %s is not in the file: tied to %s on line %d", t.parentName(p.Top), entry.Quote(t.ID(to)), t.Pos(to).Line)
	case isTied:
		p.remark(t, p.Top, "its parent %s is not in the file and nothing can have come before it: the path starts here", t.parentName(p.Top))
		delete(p.Taken, p.Top)
	default:
		p.remark(t, p.Top, "its parent %s is not in the file: the path starts here", t.parentName(p.Top))
	}
}

// parentName returns the parent that n names, for a message.
func (t *Tree) parentName(n Node) string {
	return entry.Quote(string(t.Dialect.ParentOf(t.Entry(n)).Text()))
}

// cross remarks on what is odd about the way from the compaction in a turn to a node, or None, and takes it.
func (p *Path) cross(t *Tree, l *rule.Log, turn, to Node) {
	b := turn
	for l.Next[b] != None && !t.isCompaction(b) {
		b = l.Next[b]
	}
	odd, args := "", []any(nil)
	if t.Compactions[b].Logical == None && t.Is(b, Boundary) {
		odd = "it names no logical parent"
		if id := t.Dialect.LogicalParentOf(t.Entry(b)); !id.IsEmpty() {
			odd, args = "its logical parent %s is not in the file", []any{entry.Quote(string(id.Text()))}
		}
	}
	switch {
	case odd != "" && to == None:
		p.remark(t, b, odd, args...)
	case odd != "":
		args = append(args, entry.Quote(t.ID(to)), t.Pos(to).Line)
		p.remark(t, b, odd+": went on at the newest entry above, %s on line %d", args...)
	}
	if to != None {
		p.take(b, to)
	}
}

// isCompaction reports whether a path goes on above n across a compaction.
func (t *Tree) isCompaction(n Node) bool {
	_, ok := t.Compactions[n]
	return ok
}

// remarkLoop remarks on a turn of l above which a path came back to itself.
func (p *Path) remarkLoop(t *Tree, l *rule.Log, turn Node) {
	up, what := l.Above[turn], "parent"
	if up == None {
		up, what = l.Crossing[turn], "logical parent"
	}
	p.Top = turn
	if up != None {
		p.remark(t, l.Top(turn), "its "+what+" %s is below it, a cycle: the path starts here", entry.Quote(t.ID(up)))
	}
}

func (p *Path) take(child, parent Node) {
	if p.Taken == nil {
		p.Taken = map[Node]Node{}
	}
	p.Taken[child] = parent
}

func (p *Path) remark(t *Tree, n Node, format string, args ...any) {
	p.Remarks = append(p.Remarks, NewRemark(t.Pos(n).Line, format, args...))
}
