package main

import (
	"cmp"
	"errors"
	"iter"
	"maps"
	"path"
	"slices"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/operand"
	"jl/internal/tree"
)

// A printer prints the paths of the logs, one after another.
type printer struct {
	c       *cli.Command
	f       *flags
	leaves  []*leaf  // that -l names
	labels  []string // the files in which they were looked up, as edges have them
	edit    *edit    // nil if entries are printed as they are
	printed bool

	file   *operand.File
	t      *tree.Tree
	headed bool // the header of the log is printed
	notLog bool // some FILE is not a log, or not one that the options are for
}

// A passage is what is printed in one go: a path, or parts of paths.
type passage struct {
	nodes       []tree.Node
	annotations []entry.Pos
	taken       map[tree.Node]tree.Node // the parents that replace the written ones
}

// log prints the paths of one log.
func (p *printer) log() {
	if !p.begin() {
		return
	}
	ranges := p.ranges()
	if p.f.Union && p.plain(ranges) {
		p.union(ranges)
		return
	}
	var union passage
	for _, r := range ranges {
		if p.c.Broken() {
			return
		}
		if g := p.passage(r); p.f.Union {
			union.add(g)
		} else {
			p.passageOut(g)
		}
	}
	if p.f.Union {
		union.order(p.t)
		p.passageOut(union)
	}
	p.file.Fail(p.t.Err())
}

// plain reports whether all ranges are whole default paths of a log with branches.
func (p *printer) plain(ranges []nodeRange) bool {
	return p.f.As == tree.Default && !p.f.Chain && !p.f.Bridge && !p.f.Through &&
		p.t.Dialect().HasTurns() && !slices.ContainsFunc(ranges, func(r nodeRange) bool { return !r.whole || r.to == tree.None })
}

// union prints the nodes of whole default paths once, in file order. It looks at what they
// share only once.
func (p *printer) union(ranges []nodeRange) {
	var leaves []tree.Node
	for _, r := range ranges {
		leaves = append(leaves, r.to)
	}
	nodes, remarks := p.t.Union(leaves)
	p.file.Remarks(remarks)
	g := passage{nodes: nodes}
	if p.f.Meta {
		g.annotations = p.t.Annotations(nodes)
	}
	p.passageOut(g)
	p.file.Fail(p.t.Err())
}

// begin reads the log as a tree. It returns false if the file is not a log, or not one that
// the options are for.
func (p *printer) begin() bool {
	var ok bool
	p.t, ok = p.file.Tree(p.f.As)
	ok = ok && p.file.Allows(p.t.Dialect(), p.f.aboutSession())
	if ok && p.f.Cwd != "" {
		p.edit.move = newMove(p.firstCwd(), path.Clean(p.f.Cwd))
	}
	p.notLog = p.notLog || !ok
	return ok
}

// passage returns what there is to print of the paths that a range names.
func (p *printer) passage(r nodeRange) passage {
	o := tree.Options{Chain: p.f.Chain, Bridge: p.f.Bridge, Through: p.f.Through, Parents: p.f.Session != ""}
	path := p.t.Path(r.to, o)
	p.file.Remarks(path.Remarks)
	g := passage{nodes: path.Nodes, taken: path.Taken}
	if p.f.Session != "" && p.breaksKept(path.Nodes) {
		g.tie(p.t, path.Chain)
	}
	if p.f.Meta {
		g.annotations = p.t.Annotations(path.Nodes)
	}
	if r.whole {
		return g
	}
	without := p.t.Path(r.from, o)
	p.file.Remarks(without.Remarks)
	in := tree.SetOf(without.Nodes)
	g.nodes = slices.DeleteFunc(g.nodes, func(n tree.Node) bool { return in[n] })
	if p.f.Meta {
		about := map[int64]bool{}
		for _, at := range p.t.Annotations(without.Nodes) {
			about[at.Offset] = true
		}
		g.annotations = slices.DeleteFunc(g.annotations, func(at entry.Pos) bool { return about[at.Offset] })
	}
	return g
}

// breaksKept reports whether the list of what the last compaction kept does not hold for nodes
// alone: it names others too, or it names a boundary, which readers take for the last one
// where it is printed.
func (p *printer) breaksKept(nodes []tree.Node) bool {
	printed := tree.SetOf(nodes)
	return slices.ContainsFunc(p.t.Nodes(), func(n tree.Node) bool {
		return p.t.Kept(n) && (!printed[n] || p.t.Dialect().IsBoundary(p.t.Entry(n)))
	})
}

// tie makes each node of a chain name the one before it as its parent.
func (g *passage) tie(t *tree.Tree, chain []tree.Node) {
	if g.taken == nil {
		g.taken = map[tree.Node]tree.Node{}
	}
	for i, n := range chain {
		if i > 0 && t.Parent(n) != chain[i-1] {
			g.taken[n] = chain[i-1]
		}
	}
}

// add adds what another passage has.
func (g *passage) add(other passage) {
	g.nodes = append(g.nodes, other.nodes...)
	g.annotations = append(g.annotations, other.annotations...)
	if g.taken == nil {
		g.taken = map[tree.Node]tree.Node{}
	}
	maps.Copy(g.taken, other.taken)
}

// order sorts what was added by its place in the file, and keeps each entry once.
func (g *passage) order(t *tree.Tree) {
	slices.SortFunc(g.nodes, func(a, b tree.Node) int { return cmp.Compare(t.Pos(a).Offset, t.Pos(b).Offset) })
	g.nodes = slices.Compact(g.nodes)
	slices.SortFunc(g.annotations, func(a, b entry.Pos) int { return cmp.Compare(a.Offset, b.Offset) })
	g.annotations = slices.Compact(g.annotations)
}

// refs yields the entries of g: each annotation before the first node that is after it in
// the file.
func (g passage) refs(t *tree.Tree) iter.Seq[tree.Ref] {
	return func(yield func(tree.Ref) bool) {
		annotations := g.annotations
		for r := range t.Refs(g.nodes) {
			for len(annotations) > 0 && annotations[0].Offset < r.Pos.Offset {
				if !yield(tree.Ref{Node: tree.None, Pos: annotations[0]}) {
					return
				}
				annotations = annotations[1:]
			}
			if !yield(r) {
				return
			}
		}
		for _, at := range annotations {
			if !yield(tree.Ref{Node: tree.None, Pos: at}) {
				return
			}
		}
	}
}

// passageOut prints a passage.
func (p *printer) passageOut(g passage) {
	if !p.headed && len(g.nodes) > 0 {
		p.headed = true
		if h := p.file.Header(p.t.Dialect()); h != nil {
			p.header(h)
		}
	}
	var printed func(tree.Node) tree.Node
	if p.f.Session != "" {
		printed = p.t.NearestOf(g.nodes)
	}
	i := 0
	for x := range p.t.Texts(g.refs(p.t)) {
		if p.c.Broken() {
			return
		}
		var parent entry.Value
		if x.Node != tree.None {
			if p.f.Session != "" {
				parent = p.parentOf(g, i, printed)
			}
			i++
		}
		p.print(x.Bytes, x.Pos.Line, x.Whole, parent)
	}
	if p.f.Session != "" && p.f.Meta {
		p.title(g.nodes, g.annotations)
	}
}

// header prints the header of a pi log, with the id of the session.
func (p *printer) header(e *entry.Entry) {
	b := e.Line
	if p.f.Session != "" {
		b = entry.Value(b).Set(nil, "id", p.edit.session, nil)
	}
	p.print(b, e.Pos.Line, entry.Valid(b), nil)
}

// parentOf returns the parent to write for node i of a passage, nil to leave what is written: a
// session of its own must be connected by what is written, and begin at a root. Printed returns the
// nearest node at or above another that is printed, which becomes the parent if the parent is not.
func (p *printer) parentOf(g passage, i int, printed func(tree.Node) tree.Node) entry.Value {
	n := g.nodes[i]
	parent, taken := g.taken[n]
	if !taken {
		parent = p.t.Parent(n)
	}
	to := printed(parent)
	switch {
	case i == 0 && (taken || to == tree.None || to != parent):
		return p.root(n)
	case taken:
		return p.t.RawID(parent)
	case to == tree.None || to == parent || !p.t.Dialect().HasTurns() || p.t.Straight():
		return nil
	}
	return p.t.RawID(to)
}

// root returns the parent to write for n to make it a root, nil if it is one.
func (p *printer) root(n tree.Node) entry.Value {
	if !p.t.Dialect().HasTurns() || p.t.Straight() || p.t.IsRoot(n) {
		return nil
	}
	return entry.Value("null")
}

// print prints one entry, of a line with the given number. Whole tells whether it is valid
// JSON throughout. Parent is what to write as its parent, nil to leave what is written.
func (p *printer) print(b []byte, number int64, whole bool, parent entry.Value) {
	if p.t != nil && p.t.Err() != nil {
		return // what was read again is not what was there
	}
	if !whole {
		p.file.FailAt(number, errors.New("not valid JSON inside: not printed"))
		return
	}
	p.printed = true
	if p.edit != nil {
		b = p.edit.apply(b, parent)
	}
	p.c.Print(b)
	if b[len(b)-1] != '\n' {
		p.c.Print([]byte{'\n'})
	}
}

// firstCwd returns the first working directory that the log names, "" if it names none.
func (p *printer) firstCwd() string {
	for e := range p.file.Again() {
		if cwd := entry.Value(e.Bytes).Member("cwd"); !cwd.IsEmpty() {
			return string(cwd.Text())
		}
	}
	return ""
}
