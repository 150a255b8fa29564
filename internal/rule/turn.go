package rule

import (
	"slices"

	"jl/internal/numbers"
)

// A grouping is what group knows of the nodes.
type grouping struct {
	*Table
	joined []bool // an entry of a message, or a result in its turn
	era    []Node // the last boundary at or above it in the file, or None, until between
}

// group joins the entries of a message, the results of its calls, and what is between two of these. Until
// name, a turn is known by any one of its nodes.
func (l *Table) group(order []Node) {
	l.Turn, l.Next = make([]Node, len(l.Up)), l.column()
	for n := range l.Turn {
		l.Turn[n] = Node(n)
	}
	if l.Plain {
		return
	}
	g := grouping{l, make([]bool, len(l.Up)), l.blank(0)}
	g.entries()
	g.results()
	g.between(order)
	g.name()
}

// key returns a key for an id at a node. An equal id has another key on another strand, or between other
// compactions. So a turn never spans a compaction, and copies of a conversation stay apart.
func (g *grouping) key(n Node, id uint64) uint64 {
	return id ^ uint64(g.era[n])*0x9e3779b97f4a7c15 ^ uint64(g.Strand[n])*0xc2b2ae3d27d4eb4f
}

// entries joins the entries of each message.
func (g *grouping) entries() {
	messages, era, last := numbers.New(len(g.Messages)), None, None
	for n := range Node(len(g.Up)) {
		if g.Is(n, Boundary) {
			era = n
		}
		g.era[n] = era
		id := g.message(n)
		if id == 0 {
			continue
		}
		key := g.key(n, id)
		same := func(m int32) bool { return g.key(Node(m-1), g.message(Node(m-1))) == key }
		if last != None && same(int32(last+1)) { // as for most entries
			g.Turn[n] = g.Turn[last]
		} else {
			g.Turn[n] = Node(messages.At(key, int32(n+1), same) - 1)
		}
		g.joined[n], last = true, n
	}
}

// few is the number of calls of an entry among which a result looks for its own one by one.
const few = 16

// results adds results to the turns that make their calls, and those that answer no known call to the turn
// that they hang on.
func (g *grouping) results() {
	var makers map[uint64]Node // by call: the first turn that makes it; made when a result needs it
	for n := range Node(len(g.Up)) {
		results, up := g.Results(n), g.Up[n]
		if len(results) == 0 {
			continue
		}
		turn, hangs := None, up != None && g.joined[up]
		if hangs && g.key(up, 0) == g.key(n, 0) {
			if calls := g.Calls(up); slices.Contains(calls[:min(few, len(calls))], results[0]) { // as nearly always
				turn = g.Turn[up]
			}
		}
		if turn == None && makers == nil {
			makers = g.makers()
		}
		for i := 0; i < len(results) && turn == None; i++ {
			if maker, ok := makers[g.key(n, results[i])]; ok {
				turn = maker
			}
		}
		if turn == None && hangs && g.era[g.Turn[up]] == g.era[n] {
			turn = g.Turn[up]
		}
		if turn != None {
			g.Turn[n], g.joined[n] = turn, true
		}
	}
}

func (g *grouping) makers() map[uint64]Node {
	makers := make(map[uint64]Node, len(g.Tools))
	for n := Node(len(g.Up)) - 1; n >= 0; n-- {
		if g.message(n) == 0 {
			continue
		}
		for _, call := range g.Calls(n) {
			if call != 0 {
				makers[g.key(n, call)] = g.Turn[n]
			}
		}
	}
	return makers
}

// between joins to a turn the nodes in no turn that are between two of its nodes. The order is that of topDown.
func (g *grouping) between(order []Node) {
	near := g.blank(1) // by node: the nearest joined node at or above
	for _, n := range order {
		if near[n] = n; !g.joined[n] {
			near[n] = at(near, g.Up[n])
		}
	}
	inside := make([]bool, len(g.Up))
	for _, n := range slices.Backward(order) {
		up := g.Up[n]
		if up != None && !g.joined[up] && (inside[n] || g.joined[n] && near[up] != None && g.Turn[near[up]] == g.Turn[n]) {
			inside[up] = true
		}
	}
	for n := range inside {
		if inside[n] {
			g.Turn[n] = g.Turn[near[n]]
		}
	}
}

// name calls each turn by its first node, and links its nodes in file order.
func (l *Table) name() {
	first, last := l.blank(0), l.blank(1)
	for n, turn := range l.Turn {
		if first[turn] == None {
			first[turn] = Node(n)
		} else {
			l.Next[last[turn]] = Node(n)
		}
		last[turn], l.Turn[n] = Node(n), first[turn]
	}
}

// climb finds the turn above each turn: where the parents of its first node lead out of it, or else those of
// the next, and so on. The order is that of topDown; climb uses its memory.
func (l *Table) climb(order []Node) {
	out := l.blank(0)
	for _, n := range order {
		if up := l.Up[n]; up != None && l.Turn[up] != l.Turn[n] {
			out[n] = l.Turn[up]
		} else {
			out[n] = at(out, up)
		}
	}
	l.Above = l.column()
	for n, turn := range l.Turn {
		if l.Above[turn] == None {
			l.Above[turn] = out[n]
		}
	}
	l.Order = slices.DeleteFunc(topDown(l.Above, order[:0]), func(n Node) bool { return l.Turn[n] != n })
}

// Top returns the node at which the parents of a turn end: a root or an orphan; or, if they lead to cycles
// only, the first node of the turn. It is that of the first node that has one.
func (l *Table) Top(turn Node) Node {
	passed := map[Node]bool{}
	for n := turn; n != None; n = l.Next[n] {
		for x := n; x != None && l.Turn[x] == turn && !passed[x]; x = l.Up[x] {
			if passed[x] = true; l.Up[x] == None {
				return x
			}
		}
	}
	return turn
}
