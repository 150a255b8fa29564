package main

import (
	"cmp"
	"slices"

	"jl/internal/drawing"
	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/rule"
	"jl/internal/says"
	"jl/internal/shape"
)

// An outliner divides a log into stretches. Apart from finding the ends, it takes time linear in
// the log.
type outliner struct {
	t    *log.Log
	leaf log.Node
	all  bool // each prompt begins a stretch

	up    *forest.Forest      // the turns with what is above them in the drawing
	nodes []node              // by log.Node
	turns []turn              // by log.Node, the first of the turn
	said  map[log.Node]string // the prompts, and the names of commands
	begin map[idPrefix]bool   // the beginnings of ids: whether several ids begin so

	stretches []stretch
	scratch   []log.Node // see members
}

// A node is what an outliner keeps of a node of the log.
type node struct {
	calls   int32 // of tools
	prompt  bool  // the user typed it; if it is a command, the model answers
	answer  bool  // the model wrote it
	counted bool  // in a stretch
}

// A turn is what an outliner keeps of a turn.
type turn struct {
	walk int32 // the walk from an end that passed it, counted from 1; 0 if none did
	of   int32 // its stretch, if a walk passed it
	last bool  // of its stretch, because it is an end or a fork
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
func outline(t *log.Log, leaf log.Node, all bool) []stretch {
	o := &outliner{t: t, leaf: leaf, all: all, said: map[log.Node]string{}, begin: map[idPrefix]bool{}}
	o.read()
	branches, _ := t.Ends()
	ends := []log.Node{}
	if leaf != log.None {
		ends = append(ends, leaf)
	}
	for _, b := range branches {
		if b.Leaf != leaf {
			ends = append(ends, b.Leaf)
		}
	}
	ways, starts, count := make([]log.Node, 0, t.Cap), []int{0}, 2 // gather folds two
	for i, end := range ends {
		ways = o.walk(ways, t.Tree.Turn[end], int32(i+1))
		starts = append(starts, len(ways))
	}
	for _, turn := range ways {
		if o.isTop(turn) || all && o.prompts(turn) {
			count++
		}
	}
	o.stretches = make([]stretch, 0, count) // the most that there can be
	for i := range ends {
		o.divide(ways[starts[i]:starts[i+1]])
	}
	for _, end := range ends {
		o.stretchOf(end).Kind = drawing.End
	}
	if leaf != log.None {
		o.stretchOf(leaf).Kind = drawing.Chosen
	}
	o.gather(ways)
	for i := range o.stretches {
		o.name(&o.stretches[i])
	}
	return o.stretches
}

// stretchOf returns the stretch of a node whose turn a walk passed.
func (o *outliner) stretchOf(n log.Node) *stretch { return &o.stretches[o.turns[o.t.Tree.Turn[n]].of] }

// read reads each entry once.
func (o *outliner) read() {
	d := o.t.Dialect
	var told says.Telling
	o.nodes, o.turns = make([]node, o.t.Cap), make([]turn, o.t.Cap)
	o.up = &forest.Forest{Up: slices.Clone(o.t.Tree.Above)}
	for n := range o.t.Count {
		e := o.t.Entry(n)
		says.Tell(d, e, &told)
		prompt, command := says.PromptIn(&told)
		if said := cmp.Or(oneLine(shape.Title(prompt)), oneLine(command)); said != "" {
			o.said[n] = said
		}
		a := &o.nodes[n]
		a.prompt = prompt != nil
		for i := range told.Things {
			switch told.Things[i].Is {
			case says.Call:
				a.calls++
				a.answer = true
			case says.Answer, says.Thinking:
				a.answer = true
			}
		}
		id := prefixOf(string(d.IDOf(e).Text()))
		_, again := o.begin[id]
		o.begin[id] = again
	}
}

// members returns the nodes of a turn in file order, until its next call.
func (o *outliner) members(turn log.Node) []log.Node {
	o.scratch = o.scratch[:0]
	for n := turn; n != log.None; n = o.t.Tree.Next[n] {
		o.scratch = append(o.scratch, n)
	}
	return o.scratch
}

// prompts reports whether the user typed something in a turn.
func (o *outliner) prompts(turn log.Node) bool {
	return slices.ContainsFunc(o.members(turn), func(n log.Node) bool { return o.nodes[n].prompt })
}

// walk walks up from an end to a turn that another walk has passed, or that it has passed itself. It appends
// the turns that it passes to way, the end first.
func (o *outliner) walk(way []log.Node, end log.Node, this int32) []log.Node {
	answered := false // what the user said above
	o.turns[end].last = true
	turn := end
	for ; turn != log.None && o.turns[turn].walk == 0; turn = o.up.Up[turn] {
		for _, n := range slices.Backward(o.members(turn)) {
			a := &o.nodes[n]
			if a.answer {
				answered = true
			} else if answered && o.said[n] != "" {
				a.prompt, answered = true, false
			}
		}
		o.turns[turn].walk = this
		way = append(way, turn)
		up := &o.up.Up[turn]
		if to := o.t.Tree.Crossing(turn); *up == log.None && to != log.None {
			*up = o.t.Tree.Turn[to]
		}
		if *up != log.None && o.turns[*up].walk == this {
			*up = log.None
		}
	}
	if turn != log.None {
		o.turns[turn].last = true
	}
	return way
}

// divide divides the way to an end into stretches.
func (o *outliner) divide(way []log.Node) {
	for _, turn := range slices.Backward(way) {
		a := &o.turns[turn]
		if o.begins(turn) {
			a.of = int32(len(o.stretches))
			o.stretches = append(o.stretches, o.from(turn))
		} else {
			a.of = o.turns[o.up.Up[turn]].of
		}
		s := &o.stretches[a.of]
		s.bottom = turn
		for _, n := range o.members(turn) {
			o.pass(s, n)
		}
	}
}

// begins reports whether a stretch begins with a turn. What comes before the first prompt, such as a
// command that needs no answer, belongs to the stretch of the prompt.
func (o *outliner) begins(turn log.Node) bool {
	if o.isTop(turn) {
		return true
	}
	s := &o.stretches[o.turns[o.up.Up[turn]].of]
	return o.all && o.prompts(turn) && (s.prompts > 0 || s.answered)
}

// isTop reports whether a turn has nothing, an end, a fork or a compaction above it.
func (o *outliner) isTop(turn log.Node) bool {
	up := o.up.Up[turn]
	return up == log.None || o.turns[up].last || o.t.Tree.Above[turn] == log.None || slices.ContainsFunc(o.members(turn), func(n log.Node) bool { return o.t.Tree.Is(n, log.Boundary) })
}

// from returns a stretch that begins with a turn.
func (o *outliner) from(turn log.Node) stretch {
	s := stretch{Node: drawing.Node{Parent: -1}, top: turn, last: log.None}
	up, isRoot := o.up.Up[turn], o.t.Tree.Above[turn] == log.None
	top := log.None
	if isRoot {
		top = o.t.Tree.Top(turn)
	}
	switch {
	case up != log.None:
		s.Parent, s.Dotted = o.turns[up].of, isRoot
		if isRoot && o.t.Tree.Is(turn, rule.Lost) {
			s.marks = []string{orphanMark}
		} else if isRoot && o.t.Tree.Is(turn, rule.Plan) {
			s.marks = []string{planMark}
		}
	case !isRoot || o.t.Has(o.t.Written[top]) && !o.t.Unchained:
		s.Torn, s.marks = true, []string{cycleMark}
	case o.t.RawParent(top) != nil:
		s.Torn, s.marks = true, []string{orphanMark}
	}
	for _, n := range o.members(turn) {
		if o.t.Tree.Is(n, log.Boundary) && o.t.Dialect.Summarizes(o.t.Entry(n)) {
			s.marks = append(s.marks, compactionMark)
			break
		}
	}
	return s
}

// gather counts each node in a stretch. A node that paths print because they pass a turn counts in the stretch
// of that turn. A node beside the way to an end counts in the stretch at which it hangs, unless a prompt begins
// what hangs there. One stretch folds all nodes on sidechains, and another all that are left.
func (o *outliner) gather(ways []log.Node) {
	for _, turn := range ways {
		for _, n := range o.members(turn) {
			o.count(o.stretchOf(turn), n)
		}
	}
	for _, turn := range ways {
		for _, n := range o.t.Tree.AppendAttached(nil, turn) {
			if !o.nodes[n].counted {
				o.count(o.stretchOf(turn), n)
				o.pass(o.stretchOf(turn), n)
			}
		}
	}
	drawn := func(n log.Node) bool { return n != log.None && o.turns[n].walk > 0 }
	main := o.leaf == log.None || !o.t.Tree.Is(o.leaf, log.Sidechain) // else all entries are on one, as in an agent's log
	isAside := func(turn log.Node) bool { return main && o.t.Tree.Is(turn, log.Sidechain) }
	above := o.up.Nearest(func(turn log.Node) bool { return drawn(turn) || isAside(turn) })
	prompt := o.up.Nearest(func(turn log.Node) bool { return drawn(turn) || o.prompts(turn) })
	aside := func(turn log.Node) bool { return turn != log.None && above(turn) != log.None && !drawn(above(turn)) }
	fold := stretch{Node: drawing.Node{Kind: drawing.Folded, Parent: -1}, top: log.None, last: log.None, bottom: log.None}
	sidechains, rest := fold, fold
	tops := 0 // of sidechains
	for n := range o.t.Count {
		turn, s := o.t.Tree.Turn[n], &rest
		if o.nodes[n].counted {
			continue
		}
		if at := above(turn); aside(turn) {
			s = &sidechains
			if turn == n && !aside(o.up.Up[turn]) {
				tops++
			}
		} else if drawn(at) && prompt(turn) == at {
			o.count(o.stretchOf(at), n)
			continue
		}
		o.count(s, n)
		o.pass(s, n)
	}
	if sidechains.entries > 0 {
		sidechains.marks = []string{counted(tops, "sidechain", "sidechains")}
		o.stretches = append(o.stretches, sidechains)
	}
	if rest.entries > 0 {
		rest.marks = []string{counted(rest.entries, "entry", "entries") + " above no end"}
		o.stretches = append(o.stretches, rest)
	}
}
