package rule

import (
	"cmp"
	"slices"
	"sort"

	"jl/internal/forest"
)

// Crossing returns the node at which a path through the log goes on above a turn that is a root, None if nowhere
// or if the turn is no root:
//
//   - Across a compaction: at the logical parent. If the compaction kept that, and the user summarised what comes after
//     it: at the newest conversation node below it and before the boundary. If the logical parent is not in the log: at
//     the newest conversation node before the boundary.
//   - Above a node whose parent is not in the log: at the newest node that is not younger, or, if time gives none, at
//     the last before it in the file. That node is on a sidechain if the other is, and not below it.
//   - Above an approved plan that began afresh: at the newest conversation node before it in its session that is on no
//     sidechain.
//
// All but a logical parent that is in the log is a guess.
func (l *Table) Crossing(turn Node) Node {
	if l.crossing == nil || l.Above[turn] != None {
		return None
	}
	return l.crossing[turn]
}

// Depth returns a function that returns the number of nodes above another, to the true beginning: where a path crosses
// above a root, the nodes above that count too.
func (l *Table) Depth() func(Node) int {
	up := l.Up
	if l.crossing != nil {
		up = slices.Clone(up)
		for n, turn := range l.Turn {
			if up[n] == None {
				up[n] = l.Crossing(turn)
			}
		}
	}
	return forest.Of(up).Depth()
}

// Whole returns by turn the turn above, to the true beginning: Above, with what Crossing says of roots.
func (l *Table) Whole() []Node {
	up := slices.Clone(l.Above)
	if l.crossing != nil {
		for _, t := range l.Order {
			if up[t] == None {
				up[t] = at(l.Turn, l.crossing[t])
			}
		}
	}
	return up
}

// Compaction returns the first node of a turn above which a path goes on across a compaction, or None.
func (l *Table) Compaction(turn Node) Node {
	for n := turn; n != None; n = l.Next[n] {
		if _, ok := l.Compactions[n]; ok {
			return n
		}
	}
	return None
}

// cross finds where a path goes on above each turn.
func (l *Table) cross() {
	var some Flags
	for _, f := range l.Flags {
		some |= f
	}
	if some &= Lost | Plan; some == 0 && len(l.Compactions) == 0 {
		return
	}
	l.crossing = l.column()
	l.overCompactions()
	if some == 0 {
		return
	}
	root := l.blank(0) // by turn: the root above it; None on and below cycles
	for _, t := range l.Order {
		if root[t] = t; l.Above[t] != None {
			root[t] = root[l.Above[t]]
		}
	}
	if some&Lost != 0 {
		l.overGaps(root)
	}
	if some&Plan != 0 {
		l.overPlans(root)
	}
}

// overCompactions finds where a path goes on above the first compaction of each turn.
func (l *Table) overCompactions() {
	crossed := make(map[Node]bool, len(l.Compactions)) // turns
	newest := [2]Node{None, None}                      // the newest conversation node so far, by whether it is on a sidechain
	var below [2]*subtrees                             // by the same, once it is needed
	for n := range Node(len(l.Up)) {
		side := l.side(n)
		if c, ok := l.Compactions[n]; ok && !crossed[l.Turn[n]] {
			crossed[l.Turn[n]] = true
			to := c.Logical
			switch _, kept := slices.BinarySearch(c.Kept, to); {
			case to == None:
				to = newest[side]
			case c.From && kept:
				if below[side] == nil {
					below[side] = l.subtrees(side, n)
				}
				to = below[side].newest(l.Turn[to])
			}
			l.crossing[l.Turn[n]] = to
		}
		if !l.Is(n, Talks) {
			continue
		}
		newest[side] = l.newer(newest[side], n)
		if below[side] != nil {
			below[side].add(n)
		}
	}
}

// newer returns the newer of two nodes, of which either may be None.
func (l *Table) newer(a, b Node) Node {
	if a == None || b != None && l.compare(a, b) < 0 {
		return b
	}
	return a
}

// compare compares nodes by time; of one time the one that is later in the file is the newer.
func (l *Table) compare(a, b Node) int {
	return cmp.Or(cmp.Compare(l.Time[a], l.Time[b]), cmp.Compare(a, b))
}

// Subtrees know the newest node at or below each turn, of those that were added. To add a node or to ask takes time
// logarithmic in the number of turns.
type subtrees struct {
	*Table
	at   []Node // by turn: its place in an order in which all turns below it follow it
	size []Node // by turn: how many are at or below it
	tree []Node // in its second half the newest nodes by place, and in its first half, at i, the newer of those at 2i and 2i+1
}

// subtrees returns the Subtrees of the conversation nodes before end that are on a sidechain, or on none.
func (l *Table) subtrees(side int, end Node) *subtrees {
	s := &subtrees{l, make([]Node, len(l.Up)), make([]Node, len(l.Up)), slices.Repeat([]Node{None}, 2*len(l.Order))}
	isBelow := make([]bool, len(l.Up)) // by turn: it follows the one above in Order, as all do but one of a cycle
	for _, t := range l.Order {
		isBelow[t] = l.Above[t] != None && s.size[l.Above[t]] > 0
		s.size[t] = 1
	}
	for _, t := range slices.Backward(l.Order) {
		if isBelow[t] {
			s.size[l.Above[t]] += s.size[t]
		}
	}
	free, next := Node(0), make([]Node, len(l.Up)) // the places of the next root, and of the next turn below each
	for _, t := range l.Order {
		place := &free
		if isBelow[t] {
			place = &next[l.Above[t]]
		}
		s.at[t], next[t] = *place, *place+1
		*place += s.size[t]
	}
	for n := range end {
		if l.Is(n, Talks) && l.side(n) == side {
			s.add(n)
		}
	}
	return s
}

// add adds a node.
func (s *subtrees) add(n Node) {
	for i := len(s.tree)/2 + int(s.at[s.Turn[n]]); i > 0 && s.newer(s.tree[i], n) == n; i /= 2 {
		s.tree[i] = n
	}
}

// newest returns the newest node at or below a turn, or None.
func (s *subtrees) newest(turn Node) (newest Node) {
	newest = None
	half := len(s.tree) / 2
	i := half + int(s.at[turn])
	for j := i + int(s.size[turn]); i < j; i, j = i/2, j/2 {
		if i%2 == 1 {
			newest = s.newer(newest, s.tree[i])
			i++
		}
		if j%2 == 1 {
			j--
			newest = s.newer(newest, s.tree[j])
		}
	}
	return newest
}

// overGaps finds where a path goes on above roots whose parents are not in the log. Root tells the root above each
// turn. As no turn is below two roots, each node is passed over for one root only.
func (l *Table) overGaps(root []Node) {
	var byPlace, byTime [2][]Node // by whether they are on a sidechain
	for n := range Node(len(l.Up)) {
		side := l.side(n)
		byPlace[side] = append(byPlace[side], n)
	}
	for side, nodes := range byPlace {
		byTime[side] = slices.Clone(nodes)
		slices.SortStableFunc(byTime[side], func(a, b Node) int { return cmp.Compare(l.Time[a], l.Time[b]) })
	}
	for _, t := range l.Order {
		if l.Up[t] != None || l.Above[t] != None || l.kind(t) != Gaps {
			continue
		}
		side := l.side(t)
		last := func(nodes []Node, isBefore func(n Node) bool) Node { // of those that are before and not below t
			i := sort.Search(len(nodes), func(i int) bool { return !isBefore(nodes[i]) })
			return forest.Last(nodes[:i], func(n Node) bool { return root[l.Turn[n]] != t })
		}
		l.crossing[t] = last(byTime[side], func(n Node) bool { return l.Time[n] <= l.Time[t] })
		if l.crossing[t] == None {
			l.crossing[t] = last(byPlace[side], func(n Node) bool { return n < t })
		}
	}
}

// overPlans finds where a path goes on above approved plans. Root tells the root above each turn.
func (l *Table) overPlans(root []Node) {
	// By strand: the newest conversation node so far, and the newest that is below another root than that.
	newest := map[int32][2]Node{}
	for n := range Node(len(l.Up)) {
		found, ok := newest[l.Strand[n]]
		if !ok {
			found = [2]Node{None, None}
		}
		rootOf := func(x Node) Node { return root[l.Turn[x]] }
		if l.Turn[n] == n && l.Up[n] == None && l.Above[n] == None && l.Is(n, Plan) && l.kind(n) == Plans && !l.Is(n, Sidechain) {
			if l.crossing[n] = found[0]; found[0] != None && rootOf(found[0]) == n {
				l.crossing[n] = found[1]
			}
		}
		if !l.Is(n, Talks) {
			continue
		}
		switch {
		case found[0] == None || l.newer(found[0], n) == n:
			if found[0] != None && rootOf(found[0]) != rootOf(n) {
				found[1] = found[0]
			}
			found[0] = n
		case rootOf(found[0]) != rootOf(n):
			found[1] = l.newer(found[1], n)
		}
		newest[l.Strand[n]] = found
	}
}
