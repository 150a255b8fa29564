package main

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"jl/internal/check"
	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/graft"
	"jl/internal/log"
	"jl/internal/operand"
	"jl/internal/reader"
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
	t      *log.Log
	headed bool     // the header of the log is printed
	noted  *log.Log // the last one about whose leaf the user was told
	notLog bool     // some FILE is not a log, or not one that the options are for

	besideNoted bool // the user was told that most of this log is beside the path
}

// A passage is what is printed in one go: a path, or parts of paths.
type passage struct {
	graft.Part
	leaf        log.Node // of a whole path, else log.None
	annotations []entry.Pos
}

// log prints the paths of one log.
func (p *printer) log() {
	if !p.begin() {
		return
	}
	if ranges := p.ranges(); p.f.Union {
		p.passageOut(p.union(ranges))
	} else {
		for _, r := range ranges {
			if p.c.Broken() {
				return
			}
			p.passageOut(p.passage(r))
		}
	}
	p.file.Fail(p.t.Err())
}

// union returns the entries of all ranges, once and in file order.
func (p *printer) union(ranges []nodeRange) passage {
	if p.shares(ranges) {
		var leaves []log.Node
		for _, r := range ranges {
			leaves = append(leaves, r.to)
		}
		path := p.t.Union(leaves, p.options())
		p.file.Odd(p.t, path.Odd)
		return p.annotated(graft.Part{Nodes: path.Nodes, Taken: path.Taken})
	}
	g := passage{Part: graft.Part{Taken: map[log.Node]log.Node{}}, leaf: log.None}
	for _, r := range ranges {
		other := p.passage(r)
		g.Nodes = append(g.Nodes, other.Nodes...)
		g.annotations = append(g.annotations, other.annotations...)
		maps.Copy(g.Taken, other.Taken)
	}
	slices.Sort(g.Nodes)
	g.Nodes = slices.Compact(g.Nodes)
	slices.SortFunc(g.annotations, byOffset)
	g.annotations = slices.Compact(g.annotations)
	return g
}

// shares reports whether all ranges are whole paths of the suite's own rules. There may be many, so
// [log.Log.Union] looks at what they share only once.
func (p *printer) shares(ranges []nodeRange) bool {
	return p.f.As == reader.Default && !slices.ContainsFunc(ranges, func(r nodeRange) bool { return !r.whole || r.to == log.None })
}

func byOffset(a, b entry.Pos) int { return cmp.Compare(a.Offset, b.Offset) }

// begin reads the log. It returns false if the file is not a log, or if the options are not for
// such a log.
func (p *printer) begin() bool {
	var ok bool
	p.file.FallsBack = p.f.As.FallsBack()
	p.t, ok = p.file.Log(p.f.As.Reading())
	ok = ok && p.file.Allows(p.t.Dialect, p.f.aboutSession())
	if ok && p.f.Cwd != "" {
		p.edit.move = newMove(p.firstCwd(), p.f.Cwd)
	}
	p.as = reader.New(p.t, p.f.As)
	p.notLog = p.notLog || !ok
	return ok
}

// options returns how paths are made.
func (p *printer) options() log.Options {
	return log.Options{Chain: p.f.Chain, Through: p.f.Through, Bridge: p.f.Bridge}
}

// passage returns what there is to print of a range.
func (p *printer) passage(r nodeRange) passage {
	g := p.path(r.to)
	if r.whole {
		return g
	}
	g.leaf = log.None
	without := p.path(r.from)
	in := forest.NewSet(p.t.Cap)
	in.AddAll(without.Nodes)
	if g.Nodes = slices.DeleteFunc(g.Nodes, in.Has); len(g.Nodes) == 0 {
		p.c.Note(cli.File(p.file.Name), "nothing is left of A..B: the path of A has all that the path of B has")
	}
	g.annotations = slices.DeleteFunc(g.annotations, func(at entry.Pos) bool {
		_, found := slices.BinarySearchFunc(without.annotations, at, byOffset)
		return found
	})
	return g
}

// path returns the path that ends at a leaf, and reports what is odd about it.
func (p *printer) path(leaf log.Node) passage {
	if leaf == log.None && p.f.As == reader.Default {
		p.noteLeaf()
	}
	path := p.as.Path(leaf, p.options(), p.f.Session != "")
	p.file.Odd(p.t, path.Odd)
	g := p.annotated(graft.Part{Nodes: path.Nodes, Chain: path.Turns, Taken: path.Taken})
	g.leaf = path.Leaf
	return g
}

// noteLeaf says, once for each log, what a user may not expect of the leaf and the path.
func (p *printer) noteLeaf() {
	if p.noted == p.t {
		return
	}
	p.noted = p.t
	leaf := p.t.Leaf
	p.file.NoteLeaf(p.t, leaf, p.as.Pinned())
	if !p.f.Bridge {
		p.noteBeside()
	}
	if p.c.Terminal() == nil {
		return
	}
	if aside := p.aside(leaf); aside > 0 {
		p.c.Hint(cli.File(p.file.Name), "entries on sidechains, not printed: %d; jlpath -a prints all", aside)
	}
}

// noteBeside prints a note if most of the conversation is beside the path, as [check.Beside] counts it, and one if
// messages are on no path because they have no id.
func (p *printer) noteBeside() {
	beside, all := check.Beside(p.t)
	if p.besideNoted = beside > 0; p.besideNoted {
		p.file.Note("%d of %d conversation entries are beside the path, on no branch that a prompt began; jlpath -a prints all", beside, all)
	}
	if p.t.NoIDCount > 0 {
		p.file.NoteAt(p.t.NoID.Line, "messages without an id, on no path, from here on: %d; jlpath -a prints all", p.t.NoIDCount)
	}
}

// aside returns how many conversation entries are on sidechains, if the leaf is on none.
func (p *printer) aside(leaf log.Node) (count int) {
	if leaf == log.None || p.t.Tree.Is(leaf, log.Sidechain) {
		return 0
	}
	for n := range p.t.Count {
		if p.t.Tree.Is(n, log.Talks) && p.t.Tree.Is(n, log.Sidechain) {
			count++
		}
	}
	return count
}

// annotated returns a part with its annotations, if they are to be printed.
func (p *printer) annotated(part graft.Part) passage {
	g := passage{Part: part, leaf: log.None}
	if p.f.Meta {
		g.annotations = p.t.Annotations(g.Nodes)
	}
	return g
}

// passageOut prints a passage.
func (p *printer) passageOut(g passage) {
	if p.f.Said.Given {
		p.saidOut(g)
		p.leftOut(g)
		p.hint(g)
		return
	}
	if !p.headed && len(g.Nodes) > 0 {
		p.headed = true
		if d := p.t.Dialect; d.NeedsHeader() || p.f.Meta {
			p.header(p.file.Header(d))
		}
	}
	var grafted *graft.Graft
	if p.f.Session != "" {
		grafted = graft.New(p.t, g.Part)
	}
	lost := map[log.Node]log.Node{} // what is not printed, with a node above
	for x := range p.t.Texts(g.Nodes, g.annotations) {
		if p.c.Broken() {
			return
		}
		var parent entry.Value
		switch {
		case x.Node == log.None:
		case !x.Whole:
			lost[x.Node] = p.t.Tree.Up[x.Node]
		case grafted != nil:
			parent = grafted.Parent(x.Node)
		case len(lost) > 0 && p.f.As == reader.Default:
			parent = p.passOver(x.Node, lost)
		}
		p.print(x.Bytes, x.Pos.Line, x.Whole, parent)
	}
	if p.f.Session != "" && p.f.Meta {
		p.title(g.Nodes, g.annotations)
	}
	p.hint(g)
}

// passOver returns the nearest node above n that is not lost, as a parent for n if the one that it names
// is lost, so that the output is one piece; else nil.
func (p *printer) passOver(n log.Node, lost map[log.Node]log.Node) entry.Value {
	up := p.t.Written[n]
	above, isLost := lost[up]
	if !isLost || p.t.Dialect.IsList() {
		return nil
	}
	for steps := 0; isLost; steps++ {
		if steps > len(lost) { // a cycle, which is cut
			above = log.None
		}
		further, isNext := lost[above]
		if isNext {
			lost[up] = further // halves the way for the next call
		} else {
			lost[up] = above
		}
		up, above, isLost = above, further, isNext
	}
	if up == log.None {
		return entry.Value("null")
	}
	return p.t.RawID(up)
}

// header prints the header of a log, unless that is nil, with the id of the session.
func (p *printer) header(e *entry.Entry) {
	if e == nil {
		return
	}
	b := e.Line
	if p.f.Session != "" {
		b = entry.Value(b).Set(nil, "id", p.edit.session, nil)
	}
	p.print(b, e.Pos.Line, entry.Valid(b), nil)
}

// print prints one entry, of a line with the given number. Whole tells whether it is valid
// JSON throughout. Parent is the parent to write, or nil to leave the one that the entry names.
func (p *printer) print(b []byte, number int64, whole bool, parent entry.Value) {
	if p.t.Err() != nil {
		return // what was read again is not what was there
	}
	if !whole {
		p.file.FailAt(number, errors.New("not valid JSON inside: not printed"))
		return
	}
	p.printed = true
	switch {
	case p.edit != nil:
		b = p.edit.apply(b, p.t.Dialect.ParentName(), parent)
	case parent != nil:
		b = new(edit).apply(b, p.t.Dialect.ParentName(), parent)
	}
	p.c.Print(b)
	if b[len(b)-1] != '\n' {
		p.c.Print([]byte{'\n'})
	}
}

// firstCwd returns the first working directory that the log names, "" if it names none.
func (p *printer) firstCwd() string {
	for e := range p.file.Head() {
		if cwd := e.Member("cwd"); !cwd.IsEmpty() {
			return string(cwd.Text())
		}
	}
	return ""
}
