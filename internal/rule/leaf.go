package rule

import "slices"

// pasts finds the turns below which another one talks, those in or above which somebody speaks, and those
// that a compaction summed up, or kept, before the conversation went on.
func (l *Table) pasts() {
	for _, t := range slices.Backward(l.Order) {
		if up := l.Above[t]; up != None && l.state[t]&(talks|over) != 0 && l.state[t]&underAttached == 0 {
			l.state[up] |= over
		}
	}
	for _, t := range l.Order {
		if up := l.Above[t]; up != None {
			l.state[t] |= l.state[up] & spoken
		}
	}
	var w walks
	for b := range l.Compactions {
		if l.Is(b, Boundary) && l.state[l.Turn[b]]&(talks|over) == talks|over {
			w.up(l, l.history(l.Turn[b], Through), Through)
		}
	}
	for _, t := range w.turns {
		l.state[t] |= past
	}
}

// living fills Leaves: the turns that talk below which none does that does not belong to them, but what is in
// the past of a compaction, unless all are.
func (l *Table) living() {
	var all, free, living []Node
	for _, t := range l.Order {
		s := l.state[t]
		if s&talks == 0 {
			continue
		}
		all = append(all, t)
		if s&(over|underAttached) != 0 {
			continue
		}
		free = append(free, t)
		if s&past == 0 {
			living = append(living, t)
		}
	}
	if len(living) == 0 {
		living = free
	}
	if len(living) == 0 {
		living = all
	}
	leaves := make([]leaf, len(living))
	for i, t := range living {
		leaves[i] = l.leaf(t)
	}
	slices.SortFunc(leaves, func(a, b leaf) int {
		switch {
		case a.spoken && !b.spoken:
			return -1
		case b.spoken && !a.spoken:
			return 1
		}
		return l.compare(b.newest, a.newest)
	})
	seen := make(map[Node]bool, len(leaves)) // turns on cycles may belong to each other
	for _, x := range leaves {
		if !seen[x.last] {
			seen[x.last], l.Leaves = true, append(l.Leaves, x.last)
		}
	}
}

// end finds the node that the live conversation ends at.
func (l *Table) end() Node {
	for _, aside := range []Flags{Sidechain, 0} { // without sidechains, and with them
		last := None
		for n := Node(len(l.Up)) - 1; n >= 0; n-- {
			if l.Flags[n]&(Talks|aside) != Talks {
				continue
			}
			if l.state[l.Turn[n]]&spoken != 0 {
				return n
			}
			last = max(last, n)
		}
		if last != None {
			return last
		}
	}
	return None
}

// A leaf is a turn that is one, with what belongs to it.
type leaf struct {
	last   Node // the last conversation node
	newest Node // the newest one
	spoken bool // somebody speaks in the turn or above
}

func (l *Table) leaf(turn Node) leaf {
	x := leaf{None, None, l.state[turn]&spoken != 0}
	for t := turn; t != None; t = l.following(turn, t) {
		for n := t; n != None; n = l.Next[n] {
			if l.Is(n, Talks) {
				x.last, x.newest = max(x.last, n), l.newer(x.newest, n)
			}
		}
	}
	return x
}

// following returns the turn after t among a turn and those that belong to it, or None.
func (l *Table) following(turn, t Node) Node {
	switch {
	case l.Attached == nil:
		return None
	case t == turn:
		return l.Attached[turn]
	}
	return l.NextAttached[t]
}

// An End is a leaf that no newer end has in its history, and in whose own part somebody speaks.
type End struct {
	Leaf Node
	Fork Node // the last node of the nearest turn that a newer end has in its history, or None
	Own  int  // the number of conversation nodes in its history that no newer end has
}

// EndsOf returns the ends among some leaves, in their order, which is newest first. The leaves are those of the table,
// or those that a reader chose in place of them. The history of an end is its path to the true beginning. The leaf that
// comes last in the file is in the history of one end: last is the leaf of that end, None if there are no leaves.
// EndsOf looks at each turn once, however many leaves there are.
func (l *Table) EndsOf(leaves []Node) (ends []End, last Node) {
	const none = -1
	owners, covered := make([]int32, len(l.Up)), make([]bool, len(l.Up)) // by turn: 1 + the index of the first end whose history has it, or none
	w, lastLeaf := walks{}, None
	last = None
	for _, leaf := range leaves {
		if owners[l.Turn[leaf]] == 0 {
			owner := int32(none)
			if e, speaks := l.endOf(leaf, &w, owners, covered); speaks || len(ends) == 0 || l.Plain {
				ends = append(ends, e)
				owner = int32(len(ends))
			}
			for _, t := range w.turns {
				for x := t; x != None; x = l.following(t, x) {
					owners[x] = owner
				}
			}
		}
		if owner := owners[l.Turn[leaf]]; owner != none && leaf > lastLeaf {
			last, lastLeaf = ends[owner-1].Leaf, leaf
		}
	}
	return ends, last
}

// endOf returns the end of a leaf, and reports whether somebody speaks in the turns of its history that have no owner.
// It covers the nodes of that, and leaves the turns that no end before it passed in w.
func (l *Table) endOf(leaf Node, w *walks, owners []int32, covered []bool) (e End, speaks bool) {
	e.Leaf, e.Fork = leaf, None
	w.turns, w.met = w.turns[:0], w.met[:0]
	w.up(l, []Node{l.Turn[leaf]}, Through)
	if len(w.met) > 0 {
		for n := w.met[0]; n != None; n = l.Next[n] {
			e.Fork = n
		}
	}
	var part []Node
	for _, t := range w.turns {
		for n := t; n != None; n = l.Next[n] {
			speaks = speaks || l.Is(n, Speaks) && owners[t] == 0
		}
		part = l.appendPart(part[:0], t)
		for _, n := range part {
			if !covered[n] && l.Is(n, Talks) {
				e.Own++
			}
			covered[n] = true
		}
	}
	return e, speaks
}
