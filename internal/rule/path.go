package rule

import "slices"

// cross finds where a path goes on above each turn with a compaction.
func (l *Log) cross() {
	l.Crossing = map[Node]Node{}
	if len(l.Compactions) == 0 {
		return
	}
	searches := 64
	newest := [2]Node{None, None} // the newest conversation node so far, by whether it is on a sidechain
	for n := range Node(len(l.Up)) {
		side := l.Flags[n] & Sidechain / Sidechain
		if c, ok := l.Compactions[n]; ok {
			to := c.Logical
			switch _, kept := slices.BinarySearch(c.Kept, to); {
			case to == None:
				to = newest[side]
			case c.From && kept && searches > 0:
				searches--
				to = l.newestBelow(l.Turn[to], n)
			}
			if _, ok := l.Crossing[l.Turn[n]]; !ok {
				l.Crossing[l.Turn[n]] = to
			}
		}
		if l.Is(n, Talks) && (newest[side] == None || l.Time[n] >= l.Time[newest[side]]) {
			newest[side] = n
		}
	}
}

// newestBelow returns the newest conversation node at or below a turn that is before the boundary b and, as that
// is, on a sidechain or on none; or None.
func (l *Log) newestBelow(top, b Node) Node {
	below, newest := make([]bool, len(l.Up)), None
	for _, t := range l.Order {
		below[t] = t == top || l.Above[t] != None && below[l.Above[t]]
	}
	for n := range b {
		if l.Is(n, Talks) && below[l.Turn[n]] && l.Flags[n]&Sidechain == l.Flags[b]&Sidechain && (newest == None || l.Time[n] >= l.Time[newest]) {
			newest = n
		}
	}
	return newest
}

// history returns the turns at which a path goes on above a root across a compaction: first where the boundary
// says, and then what it kept, which has a history too.
func (l *Log) history(turn Node) (turns []Node) {
	if to, ok := l.Crossing[turn]; ok && to != None {
		turns = append(turns, l.Turn[to])
	}
	for b := turn; b != None && len(l.Compactions) > 0; b = l.Next[b] {
		for _, k := range slices.Backward(l.Compactions[b].Kept) {
			turns = append(turns, l.Turn[k])
		}
	}
	return turns
}

// Walks are climbs from turn to turn. Each passes the turns that no earlier one has passed.
type walks struct {
	passed []int32 // by turn: the number of the climb that passed it, counted from 1, or 0
	climbs int32
	turns  []Node // that were passed, in order
	loops  []Node // those above which a climb came back to itself
	met    []Node // those that another climb had passed
}

// up climbs from turns, to roots or to turns that were passed. With through it goes on across compactions, with tie
// at the nodes to which orphans are tied.
func (w *walks) up(l *Log, from []Node, through bool, tie func(orphan Node) Node) {
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
			t = l.Above[at]
			if t == None && through {
				if history := l.history(at); len(history) > 0 {
					t = history[0]
					todo = append(todo, history[1:])
				}
			}
			if t == None && tie != nil {
				t = of(l.Turn, tie(l.Top(at)))
			}
			if t != None && w.passed[t] == w.climbs {
				w.loops = append(w.loops, at)
			}
		}
		if t != None && w.passed[t] < first {
			w.met = append(w.met, t)
		}
	}
}

// A Path is the conversation that ends at some leaves.
type Path struct {
	Nodes []Node // in file order
	Turns []Node // that the climbs from the leaves passed, each below the next unless that begins another climb
	Loops []Node // those of Turns above which a climb came back to itself, in the same order
}

// Path returns the turns of leaves and all turns above, what belongs to these, and what the compactions among
// them kept. With through it goes on across compactions. Tie, unless it is nil, returns what an orphan is tied
// to, or None; it is asked for roots, too. Apart from sorting, Path takes time linear in its length. The caller
// owns the slices.
func (l *Log) Path(leaves []Node, through bool, tie func(orphan Node) Node) Path {
	w := &l.walks
	w.turns, w.loops = nil, nil
	for _, leaf := range leaves {
		w.up(l, []Node{l.Turn[leaf]}, through, tie)
	}
	p := Path{l.Part(w.turns), w.turns, w.loops}
	for _, t := range w.turns { // for the next path
		w.passed[t] = 0
	}
	return p
}

// Part returns the nodes that paths have because of the turns that they pass, in file order.
func (l *Log) Part(turns []Node) []Node {
	var nodes []Node
	for _, t := range turns {
		nodes = l.appendPart(nodes, t)
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// appendPart appends what a path has because it passes a turn: its nodes, and what is beyond.
func (l *Log) appendPart(dst []Node, turn Node) []Node {
	for n := turn; n != None; n = l.Next[n] {
		dst = append(dst, n)
	}
	return l.AppendBeyond(dst, turn)
}

// AppendBeyond appends the nodes that a path has because it passes a turn, but that are not in the turn: what
// belongs to it, and what its compactions kept. They are in no order.
func (l *Log) AppendBeyond(dst []Node, turn Node) []Node {
	if l.Beside != nil {
		for t := l.Beside[turn]; t != None; t = l.More[t] {
			for n := t; n != None; n = l.Next[n] {
				dst = append(dst, n)
			}
		}
	}
	for n := turn; n != None && len(l.Compactions) > 0; n = l.Next[n] {
		dst = append(dst, l.Compactions[n].Kept...)
	}
	return dst
}
