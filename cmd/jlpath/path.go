package main

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"slices"

	"jl/internal/bridge"
	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/operand"
	"jl/internal/reader"
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
	as     *reader.Reader
	bridge *bridge.Bridge
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
	return p.f.As == reader.Default && !p.f.Chain && !p.f.Bridge && !p.f.Through &&
		p.t.HasTurns() && !slices.ContainsFunc(ranges, func(r nodeRange) bool { return !r.whole || r.to == tree.None })
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
	p.file.FallsBack = p.f.As.FallsBack()
	p.t, ok = p.file.Tree(p.f.As.Reading())
	ok = ok && p.file.Allows(p.t.Dialect(), p.f.aboutSession())
	if ok && p.f.Cwd != "" {
		p.edit.move = newMove(p.firstCwd(), path.Clean(p.f.Cwd))
	}
	p.bridge, p.as = bridge.New(p.t), reader.New(p.t, p.f.As)
	p.notLog = p.notLog || !ok
	return ok
}

// passage returns what there is to print of the paths that a range names.
func (p *printer) passage(r nodeRange) passage {
	options := func() tree.Options {
		o := tree.Options{Chain: p.f.Chain, Through: p.f.Through}
		if p.f.Bridge {
			o.Tie = p.bridge.Path()
		}
		return o
	}
	path := p.as.Path(r.to, options(), p.f.Session != "")
	p.file.Remarks(path.Remarks)
	g := passage{nodes: path.Nodes, taken: path.Taken}
	if p.f.Meta {
		g.annotations = p.t.Annotations(path.Nodes)
	}
	if r.whole {
		return g
	}
	without := p.as.Path(r.from, options(), false)
	p.file.Remarks(without.Remarks)
	in := forest.SetOf(without.Nodes)
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

// passageOut prints a passage.
func (p *printer) passageOut(g passage) {
	if !p.headed && len(g.nodes) > 0 {
		p.headed = true
		if h := p.file.Header(p.t.Dialect()); h != nil {
			p.header(h)
		}
	}
	var parents parents
	if p.f.Session != "" {
		parents = p.newParents(g)
	}
	for x := range p.t.Texts(g.nodes, g.annotations) {
		if p.c.Broken() {
			return
		}
		var parent entry.Value
		if x.Node != tree.None && p.f.Session != "" {
			parent = parents.of(x.Node)
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

// The parents of a passage that becomes a session of its own: it must be connected by what is
// written, and begin at a root.
type parents struct {
	t       *tree.Tree
	passage passage
	listed  bool                      // a reader finds the parents of what a compaction kept in its list
	printed func(tree.Node) tree.Node // the nearest printed node at or above a node
}

func (p *printer) newParents(g passage) parents {
	var printed forest.Set
	printed.Clear(p.t.Cap())
	for _, n := range g.nodes {
		printed.Add(n)
		printed.Add(p.t.Original(n))
	}
	unlisted := func(n tree.Node) bool { return p.t.Kept(n) && (!printed.Has(n) || p.t.Boundary(n)) }
	return parents{p.t, g, !slices.ContainsFunc(p.t.Nodes(), unlisted), p.t.Forest().Nearest(printed.Has)}
}

// of returns the parent to write for n, nil to leave what is written. It is the nearest node above
// n that is printed.
func (s *parents) of(n tree.Node) entry.Value {
	parent, taken := s.passage.taken[n]
	if !taken {
		parent = s.t.Parent(n)
	}
	to := s.printed(parent)
	switch {
	case s.t.HasTurns() && n == s.passage.nodes[0] && (taken || to == tree.None || to != parent):
		return s.root(n)
	case taken:
		return s.t.RawID(parent)
	case !s.t.HasTurns() || to == tree.None || s.t.Original(to) == s.t.WrittenParent(n), to == parent && s.listed:
		return nil
	}
	return s.t.RawID(to)
}

// root returns the parent to write for n to make it a root, nil if it is one.
func (s *parents) root(n tree.Node) entry.Value {
	if !s.t.HasTurns() || s.t.WrittenParent(n) == tree.None {
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
