package rule

import "slices"

// Across says above which roots paths go on: see [Table.Crossing].
type Across uint8

const (
	Compactions Across                       = 1 << iota // boundaries, and other nodes of Table.Compactions
	Gaps                                                 // nodes whose parents are not in the log
	Plans                                                // approved plans that began afresh
	Through     = Compactions | Gaps | Plans             // all, to the true beginning
)

// history returns the turns at which a path goes on above a root: first where it crosses, and then what a
// boundary in the root kept, which has a history too.
func (l *Table) history(turn Node, across Across) (turns []Node) {
	if across&l.kind(turn) == 0 {
		return nil
	}
	if to := l.Crossing(turn); to != None {
		turns = append(turns, l.Turn[to])
	}
	for b := turn; b != None; b = l.Next[b] {
		for _, k := range slices.Backward(l.Compactions[b].Kept) {
			turns = append(turns, l.Turn[k])
		}
	}
	return turns
}

// kind returns what a path crosses above a root.
func (l *Table) kind(turn Node) Across {
	switch {
	case l.Compaction(turn) != None:
		return Compactions
	case l.Is(turn, Lost):
		return Gaps
	}
	return Plans
}

// Walks are climbs from turn to turn. Each passes the turns that no earlier one has passed.
type walks struct {
	passed []int32 // by turn: the number of the climb that passed it, counted from 1, or 0
	climbs int32
	turns  []Node // that were passed, in order
	loops  []Node // those whose parents lead a climb back to itself
	met    []Node // those that another climb had passed
}

// up climbs from turns, to roots across which it must not go or to turns that were passed.
func (w *walks) up(l *Table, from []Node, across Across) {
	if w.passed == nil {
		w.passed = make([]int32, len(l.Up))
	}
	first := w.climbs + 1
	for todo := [][]Node{from}; len(todo) > 0; {
		next := &todo[len(todo)-1]
		if len(*next) == 0 {
			todo = todo[:len(todo)-1]
			continue
		}
		t := (*next)[0]
		*next = (*next)[1:]
		for w.climbs++; t != None && w.passed[t] == 0; {
			w.passed[t], w.turns = w.climbs, append(w.turns, t)
			at := t
			if t = l.Above[at]; t != None && w.passed[t] == w.climbs {
				w.loops = append(w.loops, at)
			}
			if t == None && across != 0 {
				if history := l.history(at, across); len(history) > 0 {
					w.climbs++ // what comes back from here is no cycle of parents
					t = history[0]
					todo = append(todo, history[1:])
				}
			}
		}
		if t != None && w.passed[t] < first {
			w.met = append(w.met, t)
		}
	}
}

// A Climb is the conversation that ends at some leaves.
type Climb struct {
	Nodes []Node // in file order
	Turns []Node // that the climbs from the leaves passed, each below the next unless that begins another climb
	Loops []Node // those of Turns whose parents lead a climb back to itself, in the same order
}

// Climb returns the turns of leaves and all turns above, what belongs to these, and what the compactions among
// them kept. Across says above which roots it goes on. Apart from sorting, Climb takes time linear in its length.
// The caller owns the slices.
func (l *Table) Climb(leaves []Node, across Across) Climb {
	w := &l.walks
	w.turns, w.loops = nil, nil
	for _, leaf := range leaves {
		w.up(l, []Node{l.Turn[leaf]}, across)
	}
	p := Climb{l.Part(w.turns), w.turns, w.loops}
	for _, t := range w.turns { // for the next path
		w.passed[t] = 0
	}
	return p
}

// Part returns the nodes that paths have because of the turns that they pass, in file order.
func (l *Table) Part(turns []Node) []Node {
	var nodes []Node
	for _, t := range turns {
		nodes = l.appendPart(nodes, t)
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// appendPart appends what a path has because it passes a turn: its nodes, and what is beyond.
func (l *Table) appendPart(dst []Node, turn Node) []Node {
	for n := turn; n != None; n = l.Next[n] {
		dst = append(dst, n)
	}
	return l.AppendAttached(dst, turn)
}

// AppendAttached appends the nodes that a path has because it passes a turn, but that are not in the turn: what
// belongs to it, and what its compactions kept. They are in no order.
func (l *Table) AppendAttached(dst []Node, turn Node) []Node {
	if l.Attached != nil {
		for t := l.Attached[turn]; t != None; t = l.NextAttached[t] {
			for n := t; n != None; n = l.Next[n] {
				dst = append(dst, n)
			}
		}
	}
	for n := turn; n != None; n = l.Next[n] {
		dst = append(dst, l.Compactions[n].Kept...)
	}
	return dst
}
