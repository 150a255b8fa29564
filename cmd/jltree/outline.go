package main

import (
	"cmp"
	"slices"

	"jl/internal/drawing"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/shape"
	"jl/internal/tree"
)

// An outliner divides a log into stretches. Apart from finding the ends, it takes time linear in
// the log.
type outliner struct {
	t    *tree.Tree
	leaf tree.Node
	all  bool // each turn is a stretch

	up    *forest.Forest       // the nodes with what is above them in the drawing
	nodes []node               // by tree.Node
	said  map[tree.Node]string // the prompts, and the names of commands
	begin map[idPrefix]bool    // the beginnings of ids: whether several ids begin so

	stretches []stretch
}

// A node is what an outliner keeps of a node of the tree.
type node struct {
	calls  int32 // of tools
	walk   int32 // the walk from an end that passed it, counted from 1; 0 if none did
	of     int32 // its stretch, if a walk passed it
	prompt bool  // the user typed it; if it is a command, the model answers
	answer bool  // the model wrote it
	last   bool  // of its stretch, because it is an end or a fork
}

// An idPrefix is the beginning of an id: what a row shows of it if no other id begins so.
type idPrefix [8]byte

func prefixOf(id string) (p idPrefix) {
	copy(p[:], id)
	return p
}

// outline divides a log into stretches, one for each turn if all is set. The first ones lead to
// the leaf, and those after them to the other ends, newest first. A stretch comes after the one
// that it continues.
func outline(t *tree.Tree, leaf tree.Node, all bool) []stretch {
	o := &outliner{t: t, leaf: leaf, all: all, said: map[tree.Node]string{}, begin: map[idPrefix]bool{}}
	o.read()
	ends := slices.DeleteFunc(slices.Clone(t.Ends()), func(n tree.Node) bool { return n == leaf })
	if leaf != tree.None {
		ends = slices.Insert(ends, 0, leaf)
	}
	ways, starts, count := make([]tree.Node, 0, t.Cap()), []int{0}, 2 // gather folds two
	for i, end := range ends {
		ways = o.walk(ways, end, int32(i+1))
		starts = append(starts, len(ways))
	}
	for _, n := range ways {
		if o.isTop(n) || all && o.nodes[n].prompt {
			count++
		}
	}
	o.stretches = make([]stretch, 0, count) // the most that there can be
	for i := range ends {
		o.divide(ways[starts[i]:starts[i+1]])
	}
	for _, end := range ends {
		o.stretches[o.nodes[end].of].Kind = drawing.End
	}
	if leaf != tree.None {
		o.stretches[o.nodes[leaf].of].Kind = drawing.Chosen
	}
	o.gather()
	for i := range o.stretches {
		o.name(&o.stretches[i])
	}
	return o.stretches
}

// read reads each entry once.
func (o *outliner) read() {
	d := o.t.Dialect()
	o.nodes = make([]node, o.t.Cap())
	o.up = &forest.Forest{Up: make([]tree.Node, o.t.Cap())}
	// What a compaction kept is drawn where it was written.
	written := o.t.Forest().Nearest(func(n tree.Node) bool { return !o.t.Copied(n) })
	for _, n := range o.t.Nodes() {
		e := o.t.Entry(n)
		prompt, command := shape.Prompt(e, d)
		if said := cmp.Or(oneLine(prompt), oneLine(command)); said != "" {
			o.said[n] = said
		}
		a := &o.nodes[n]
		a.prompt = prompt != nil
		a.answer = e.Get(entry.Type).Is("assistant") || e.Get(entry.Message).Member("role").Is("assistant")
		a.calls = int32(d.Calls(e))
		for b := range shape.ToolBlocks(e) {
			if !b.IsResult() {
				a.calls++
			}
		}
		id := prefixOf(string(d.IDOf(e).Text()))
		_, again := o.begin[id]
		o.begin[id] = again
		o.up.Up[n] = written(o.t.Parent(n))
	}
}

// walk walks up from an end to where another walk has passed, or comes back to where it was. It
// appends the nodes that it passes to way, the end first.
func (o *outliner) walk(way []tree.Node, end tree.Node, this int32) []tree.Node {
	answered := false // what the user said above
	o.nodes[end].last = true
	n := end
	for ; n != tree.None && o.nodes[n].walk == 0; n = o.up.Up[n] {
		a := &o.nodes[n]
		if a.answer {
			answered = true
		} else if answered && o.said[n] != "" {
			a.prompt, answered = true, false
		}
		a.walk = this
		way = append(way, n)
		up := &o.up.Up[n]
		if *up == tree.None {
			*up = o.t.Logical(n)
		}
		if *up != tree.None && o.nodes[*up].walk == this {
			*up = tree.None
		}
	}
	if n != tree.None {
		o.nodes[n].last = true
	}
	return way
}

// divide divides the way to an end into stretches.
func (o *outliner) divide(way []tree.Node) {
	for _, n := range slices.Backward(way) {
		a := &o.nodes[n]
		if o.begins(n) {
			a.of = int32(len(o.stretches))
			o.stretches = append(o.stretches, o.from(n))
		} else {
			a.of = o.nodes[o.up.Up[n]].of
		}
		o.stretches[a.of].pass(n, a, o.said[n])
	}
}

// begins reports whether a stretch begins with n. What comes before the first prompt, such as a
// command that needs no answer, belongs to the turn of the prompt.
func (o *outliner) begins(n tree.Node) bool {
	if o.isTop(n) {
		return true
	}
	s := &o.stretches[o.nodes[o.up.Up[n]].of]
	return o.all && o.nodes[n].prompt && (s.turns > 0 || s.answered)
}

// isTop reports whether n has nothing, an end, a fork or a compaction above it.
func (o *outliner) isTop(n tree.Node) bool {
	up := o.up.Up[n]
	return up == tree.None || o.nodes[up].last || o.t.Boundary(n)
}

// from returns a stretch that begins with n.
func (o *outliner) from(n tree.Node) stretch {
	s := stretch{Node: drawing.Node{Parent: -1}, first: n}
	up, isRoot := o.up.Up[n], o.t.Parent(n) == tree.None
	switch {
	case up != tree.None:
		s.Parent, s.Dotted = o.nodes[up].of, isRoot
	case !isRoot:
		s.Torn, s.marks = true, []string{cycleMark}
	case o.t.RawParent(n) != nil:
		s.Torn, s.marks = true, []string{orphanMark}
	}
	if o.t.Boundary(n) && o.t.Dialect().Summarizes(o.t.Entry(n)) {
		s.marks = append(s.marks, compactionMark)
	}
	return s
}

// gather counts each node in a stretch: those beside the way to an end in the stretch that they
// hang at, unless they begin another turn; all on sidechains in one; and all that are left in
// another.
func (o *outliner) gather() {
	drawn := func(n tree.Node) bool { return n != tree.None && o.nodes[n].walk > 0 }
	main := o.leaf == tree.None || !o.t.Sidechain(o.leaf) // else all entries are on one, as in an agent's log
	above := o.up.Nearest(func(n tree.Node) bool { return drawn(n) || main && o.t.Sidechain(n) })
	turn := o.up.Nearest(func(n tree.Node) bool { return drawn(n) || o.nodes[n].prompt })
	aside := func(n tree.Node) bool { return above(n) != tree.None && !drawn(above(n)) }
	fold := stretch{Node: drawing.Node{Kind: drawing.Folded, Parent: -1}}
	sides, rest := fold, fold
	tops := 0 // of sidechains
	for _, n := range o.t.Nodes() {
		s := &rest
		if at := above(n); aside(n) {
			s = &sides
			if !aside(o.up.Up[n]) {
				tops++
			}
		} else if drawn(at) && turn(n) == at {
			o.count(&o.stretches[o.nodes[at].of], n)
			continue
		}
		o.count(s, n)
		s.pass(tree.None, &o.nodes[n], o.said[n])
	}
	if sides.entries > 0 {
		sides.marks = []string{counted(tops, "sidechain", "sidechains")}
		o.stretches = append(o.stretches, sides)
	}
	if rest.entries > 0 {
		rest.marks = []string{counted(rest.entries, "entry", "entries") + " above no end"}
		o.stretches = append(o.stretches, rest)
	}
}
