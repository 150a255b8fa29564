package main

import (
	"cmp"
	"slices"

	"jl/internal/drawing"
	"jl/internal/entry"
	"jl/internal/shape"
	"jl/internal/tree"
)

// An outliner divides a log into stretches. Apart from finding the ends, it takes time linear
// in the log.
type outliner struct {
	t    *tree.Tree
	leaf tree.Node
	all  bool // each turn is a stretch

	nodes []node               // by tree.Node
	said  map[tree.Node]string // the prompts, and the names of commands
	begin map[idPrefix]int     // how many ids begin so

	stretches []stretch
}

// A node is what an outliner keeps of a node of the tree.
type node struct {
	time     int64 // microseconds since 1970
	calls    int32 // of tools
	timed    bool
	prompt   bool // the user typed it; if it is a command, the model answers
	answer   bool // the model wrote it
	boundary bool
	side     bool // it is on a sidechain

	// What follows is set for the nodes at or above an end.
	end   bool
	skips bool      // the way to up skips entries
	up    tree.Node // the node above, None if there is none
	walk  int32     // the walk that passed it first, counted from 1; 0 if none did
	below int32     // how many nodes have it as up

	of int32 // its stretch, or one of the constants below
}

// What a node has that is not above an end, and in no stretch with one that is.
const (
	unknown    int32 = -1 - iota // until it is looked at
	sidechains                   // the row of all sidechains
	loose                        // the row of all others
)

// An idPrefix is the beginning of an id: what a row shows of it if no other id begins so.
type idPrefix [8]byte

func prefixOf(id string) (p idPrefix) {
	copy(p[:], id)
	return p
}

// outline divides a log into stretches, one for each turn if all is set. The first ones lead
// to the leaf, those behind them to the other ends, newest first. A stretch comes behind the
// one that it continues.
func outline(t *tree.Tree, leaf tree.Node, all bool) []stretch {
	o := &outliner{t: t, leaf: leaf, all: all, said: map[tree.Node]string{}, begin: map[idPrefix]int{}}
	o.read()
	ends := o.ends()
	ways := make([][]tree.Node, len(ends))
	for i, end := range ends {
		ways[i] = o.walk(end, int32(i+1))
	}
	for _, way := range ways {
		o.divide(way)
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
	for _, n := range o.t.Nodes() {
		e := o.t.Entry(n)
		prompt, command := shape.Prompt(e, d)
		if said := cmp.Or(oneLine(string(prompt)), oneLine(string(command))); said != "" {
			o.said[n] = said
		}
		a := node{
			prompt:   prompt != nil,
			answer:   e.Get(entry.Type).Is("assistant") || e.Get(entry.Message).Member("role").Is("assistant"),
			boundary: d.IsBoundary(e),
			side:     d.Agent(e) != nil,
			calls:    int32(d.Calls(e)),
			of:       unknown,
		}
		a.time, a.timed = d.Instant(e)
		for b := range shape.ToolBlocks(e) {
			if !b.Result {
				a.calls++
			}
		}
		o.nodes[n] = a
		o.begin[prefixOf(string(d.IDOf(e).Text()))]++
	}
}

// ends returns the ends that jlleaf -a prints, the leaf first.
func (o *outliner) ends() []tree.Node {
	var ends []tree.Node
	if o.leaf != tree.None {
		ends = append(ends, o.leaf)
		if o.nodes[o.leaf].side { // then all entries are, as in an agent's log
			for n := range o.nodes {
				o.nodes[n].side = false
			}
		}
	}
	for _, b := range o.t.Branches(o.t.Ends()) {
		if b.End != o.leaf {
			ends = append(ends, b.End)
		}
	}
	for _, n := range ends {
		o.nodes[n].end = true
	}
	return ends
}

// walk walks up from an end to where another walk has passed, and returns the nodes that it
// passes, the end first.
func (o *outliner) walk(end tree.Node, this int32) []tree.Node {
	var way []tree.Node
	answered := false // what the user said above
	for n := end; n != tree.None && o.nodes[n].walk == 0; n = o.nodes[n].up {
		a := &o.nodes[n]
		if a.answer {
			answered = true
		} else if answered && o.said[n] != "" {
			a.prompt, answered = true, false
		}
		a.walk = this
		a.up, a.skips = o.above(n)
		if a.up != tree.None {
			o.nodes[a.up].below++
		}
		way = append(way, n)
	}
	return way
}

// above returns the node above n, which a walk passes, and whether the way there skips
// entries. It returns None if n is a root or an orphan, or the walk would come back to where
// it was.
func (o *outliner) above(n tree.Node) (up tree.Node, skips bool) {
	this := o.nodes[n].walk
	for up = o.t.Parent(n); up != tree.None && o.t.Copied(up); {
		up = o.t.Parent(up) // what a compaction kept is drawn where it was written
	}
	if up == tree.None {
		up, skips = o.t.Logical(n), true
	}
	if up == tree.None || o.nodes[up].walk == this {
		return tree.None, false
	}
	return up, skips
}

// divide divides the way to an end into stretches.
func (o *outliner) divide(way []tree.Node) {
	for _, n := range slices.Backward(way) {
		a := &o.nodes[n]
		if o.begins(a) {
			a.of = int32(len(o.stretches))
			o.stretches = append(o.stretches, o.from(n))
		} else {
			a.of = o.nodes[a.up].of
		}
		s := &o.stretches[a.of]
		s.pass(n, a, o.said[n])
		switch {
		case n == o.leaf:
			s.Kind = drawing.Chosen
		case a.end:
			s.Kind = drawing.End
		}
	}
}

// begins reports whether a stretch begins with a. What stands before the first prompt, such
// as a command that needs no answer, belongs to the turn of the prompt.
func (o *outliner) begins(a *node) bool {
	if a.up == tree.None || a.boundary {
		return true
	}
	up := &o.nodes[a.up]
	s := &o.stretches[up.of]
	return up.below > 1 || up.end || o.all && a.prompt && (s.turns > 0 || s.answered)
}

// from returns a stretch that begins with n.
func (o *outliner) from(n tree.Node) stretch {
	a := &o.nodes[n]
	s := stretch{Node: drawing.Node{Parent: -1, Dotted: a.skips}, first: n}
	switch {
	case a.up != tree.None:
		s.Parent = int(o.nodes[a.up].of)
	case o.t.Parent(n) != tree.None:
		s.Torn, s.marks = true, []string{"cycle"}
	case o.t.RawParent(n) != nil:
		s.Torn, s.marks = true, []string{"orphan"}
	}
	if a.boundary {
		s.marks = append(s.marks, "compaction")
	}
	return s
}

// gather counts each node in its stretch: those beside the way to an end in the stretch that
// they hang at, unless they begin another turn; all on sidechains in one; and all that are left
// in another.
func (o *outliner) gather() {
	for _, n := range o.t.Nodes() {
		o.find(n)
	}
	folded := map[int32]*stretch{}
	tops := 0 // of sidechains
	for _, n := range o.t.Nodes() {
		a := &o.nodes[n]
		if a.of >= 0 {
			o.stretches[a.of].count(a)
			continue
		}
		s := folded[a.of]
		if s == nil {
			s = &stretch{Node: drawing.Node{Kind: drawing.Folded, Parent: -1}}
			folded[a.of] = s
		}
		s.count(a)
		s.pass(tree.None, a, o.said[n])
		if a.of == sidechains {
			if up := o.t.Parent(n); up == tree.None || o.nodes[up].of != sidechains {
				tops++
			}
		}
	}
	if s := folded[sidechains]; s != nil {
		s.marks = []string{counted(tops, "sidechain", "sidechains")}
		o.stretches = append(o.stretches, *s)
	}
	if s := folded[loose]; s != nil {
		s.marks = []string{counted(s.entries, "entry", "entries") + " above no end"}
		o.stretches = append(o.stretches, *s)
	}
}

// find finds what the node n is counted in, if no walk has passed it.
func (o *outliner) find(n tree.Node) {
	var passed []tree.Node
	of := loose
	for ; n != tree.None; n = o.t.Parent(n) {
		a := &o.nodes[n]
		if a.of != unknown {
			of = a.of
			break
		}
		passed = append(passed, n)
		a.of = loose // until the end of this loop: it may be in a cycle
		if a.side {
			of = sidechains
			break
		}
	}
	for _, p := range slices.Backward(passed) {
		if of >= 0 && o.nodes[p].prompt {
			of = loose // a turn of its own
		}
		o.nodes[p].of = of
	}
}
