package tree

import (
	"fmt"
	"slices"

	"jl/internal/entry"
)

// Options say how paths are made by the [Default] rules and pi's. Other rules ignore all but Parents.
type Options struct {
	Chain   bool // only the walk from parent to parent
	Bridge  bool // tie an orphan to the node that most likely came before it
	Through bool // continue across compactions by logicalParentUuid, or at the newest entry above
	Parents bool // set Taken to where other rules have a node below another than its written parent
}

// A Path is the conversation that ends at a leaf.
type Path struct {
	Leaf    Node
	Nodes   []Node // root first
	Chain   []Node // the walk to the leaf, without what hangs beside it; nil with rules that have none
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

// Error returns the text.
func (r Remark) Error() string { return r.Text }

// Kind returns the text with a verb of package fmt for each id and number.
func (r Remark) Kind() string { return r.format }

// Path returns the conversation that ends at leaf, or, if leaf is None, at the leaf that
// the rules choose. If there is none, the Path has no nodes.
func (t *Tree) Path(leaf Node, o Options) Path {
	if !t.dialect.LikeClaude() {
		return t.piPath(leaf, o)
	}
	switch t.rules {
	case Claude20:
		return t.claude20Path(leaf)
	case Claude21:
		return t.claude21Path(leaf, o)
	case SDK, SDKSystem:
		return t.sdkPath(leaf, o)
	}
	if leaf == None {
		if leaf = t.newestEnd(); leaf == None {
			return t.noLeaf()
		}
	}
	return t.defaultPath(leaf, o)
}

// noLeaf returns the Path of a log without a leaf. If the log has conversation nodes,
// their parents form cycles.
func (t *Tree) noLeaf() Path {
	p := Path{Leaf: None}
	for _, n := range t.order {
		if t.Conversation(n) {
			p.remark(t, n, "every conversation entry is above another one: the parents make a cycle, and there is no leaf")
			break
		}
	}
	return p
}

// piPath returns a path by pi's rules, and those of straight logs: the leaf is the last
// living entry of the file.
func (t *Tree) piPath(leaf Node, o Options) Path {
	p := Path{Leaf: None}
	if t.pi.headless {
		const headless = "the header of the session is not its first line: pi does not open it"
		p.Remarks = []Remark{{1, headless, headless}}
		return p
	}
	if leaf == None {
		leaf = t.pi.last
	}
	if !t.has(leaf) {
		return p
	}
	p.Leaf = leaf
	p.walk(t.all(), o, nil)
	return p
}

// defaultPath returns the path by the suite's own rule.
func (t *Tree) defaultPath(leaf Node, o Options) Path {
	p := Path{Leaf: leaf}
	v := t.all()
	p.walk(v, o, nil)
	if !o.Chain && !o.Through {
		if kept, linked := t.linked(); kept != nil && kept.changes(v, p.Nodes) {
			v = linked
			p = Path{Leaf: leaf}
			p.walk(v, o, kept)
		}
	}
	if !o.Chain && !t.Straight() {
		p.Nodes = v.withParallel(p.Nodes, t.parallel().siblings(p.Nodes))
	}
	return p
}

// parallel returns what finds the siblings of default paths.
func (t *Tree) parallel() *gatherer {
	if t.beside == nil {
		t.beside = t.all().gatherer(t.all().parent, t.all().allSide())
	}
	return t.beside
}

// linked returns the preserved list of the last boundary, nil if it keeps nothing, and the
// view of all nodes that is linked by it.
func (t *Tree) linked() (*preserved, *view) {
	if t.relinked == nil {
		v := *t.all()
		t.kept, t.relinked = v.lastPreserved(), &v
		if t.kept != nil {
			v.parent, v.ranked = slices.Clone(v.parent), nil
			v.relink(t.kept, func(Node) bool { return false })
		}
	}
	return t.kept, t.relinked
}

// walk sets p.Nodes to the walk from the leaf up and adds the remarks about it. If kept is
// not nil, v is linked by it, and an orphan that is tied to its anchor is below it too.
func (p *Path) walk(v *view, o Options, kept *preserved) {
	seen := &v.walked
	seen.clear(v.n)
	var orphans *reattacher
	n := p.Leaf
	for n != None {
		seen.add(n)
		p.Nodes = append(p.Nodes, n)
		up, what := v.parent[n], "parent"
		if o.Through && !v.holds(up) {
			if up = p.logical(v, n, up); v.holds(up) {
				p.take(n, up)
				what = "logical parent"
			}
		}
		if up != None && !v.holds(up) {
			if !o.Bridge {
				p.remark(v.Tree, n, "its parent %s is not in the file: the path starts here", entry.Quote(v.parentName(n)))
				break
			}
			if orphans == nil {
				orphans = v.newReattacher(lastInFile, v.class)
			}
			to := orphans.before(n)
			if to == None {
				p.remark(v.Tree, n, "its parent %s is not in the file and nothing can have come before it: the path starts here", entry.Quote(v.parentName(n)))
				break
			}
			p.remark(v.Tree, n, "its parent %s is not in the file: tied to %s on line %d", entry.Quote(v.parentName(n)), entry.Quote(v.ID(to)), v.at(to).pos.line())
			p.take(n, to)
			up = to
			if kept != nil && to == kept.anchor && !kept.kept[n] {
				up = kept.last()
			}
		}
		if up != None && seen.has(up) {
			p.remark(v.Tree, n, "its "+what+" %s is below it, a cycle: the path starts here", entry.Quote(v.ID(up)))
			break
		}
		n = up
	}
	slices.Reverse(p.Nodes)
	p.Chain = p.Nodes
}

// takeParents takes for each node of the path the nearest other one above it in v, unless that is
// the parent that it names.
func (p *Path) takeParents(v *view) {
	var on nodeSet
	on.clear(v.n)
	on.addAll(p.Nodes)
	above := v.nearest(on.has)
	for _, n := range p.Nodes {
		if up, ok := v.up(n); ok {
			if up = above.of(up); up != None && up != v.at(n).parent {
				p.take(n, up)
			}
		}
	}
}

func (p *Path) take(child, parent Node) {
	if p.Taken == nil {
		p.Taken = map[Node]Node{}
	}
	p.Taken[child] = parent
}

// logical returns where a path goes on above n, whose parent, up, is not in the file: at its
// logical parent, or, if n is a boundary and that is not in the file, at the newest node
// above it. It returns up if there is no such node.
func (p *Path) logical(v *view, n, up Node) Node {
	id := v.Entry(n).Get(entry.LogicalParentUUID)
	if to := v.lookUp(id); !id.IsEmpty() && v.holds(to) {
		return to
	}
	what, names := "it names no logical parent", []any(nil)
	if !id.IsEmpty() {
		what, names = "its logical parent %s is not in the file", []any{entry.Quote(string(id.Text()))}
	} else if !v.isBoundary(n) || !v.dialect.LikeClaude() {
		return up
	}
	to := v.newestAbove(n)
	if to == None {
		p.remark(v.Tree, n, what, names...)
		return up
	}
	p.remark(v.Tree, n, what+": went on at the newest entry above, %s on line %d", append(names, entry.Quote(v.ID(to)), v.at(to).pos.line())...)
	return to
}

// Logical returns the node at which a path with [Options].Through goes on above n, a root or
// an orphan: its logical parent, or, if n is a boundary without one in the log, the newest
// node above it. It returns None if there is no such node, or if n has a parent.
func (t *Tree) Logical(n Node) Node {
	v := t.all()
	if v.holds(v.parent[n]) {
		return None
	}
	if up := new(Path).logical(v, n, None); v.holds(up) {
		return up
	}
	return None
}

// newestAbove returns the newest conversation node above a boundary in the file, of the same
// class, None if there is none, or if n is not a boundary.
func (t *Tree) newestAbove(n Node) Node {
	if t.above == nil {
		v := t.all()
		t.above = map[Node]Node{}
		newest := map[class]Node{}
		for _, n := range v.order {
			c, _ := v.class(n)
			last, ok := newest[c]
			if v.isBoundary(n) && ok {
				t.above[n] = last
			}
			if t.Conversation(n) && (!ok || t.at(n).timeOrZero() >= t.at(last).timeOrZero()) {
				newest[c] = n
			}
		}
	}
	if to, ok := t.above[n]; ok {
		return to
	}
	return None
}

func (p *Path) remark(t *Tree, n Node, format string, args ...any) {
	p.Remarks = append(p.Remarks, Remark{t.at(n).pos.line(), fmt.Sprintf(format, args...), format})
}

// parentName returns the id of n's parent, unescaped.
func (v *view) parentName(n Node) string {
	return string(v.dialect.ParentOf(v.Entry(n)).Text())
}
