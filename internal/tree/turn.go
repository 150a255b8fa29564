package tree

import (
	"iter"
	"slices"
	"sort"

	"jl/internal/forest"
	"jl/internal/numbers"
)

// The turns of a log: a turn is the entries of one message, the results of its calls, and what is
// between them. A node that is in no such turn is one by itself. A turn has the name of its first
// node; the slices are by node.
type turns struct {
	*Tree
	of    []Node  // the turn of the node
	next  []Node  // the next node of its turn in the file, None for the last
	above []Node  // by turn: the turn above, or None
	state []state // by turn

	boundaries []Node // in file order
	forked     bool   // some turn has several below it
	beside     bool   // some turn is beside

	// What follows is made when it is first needed.
	child, sibling []Node        // by turn: the first turn below it, and the next one below the same
	newest         map[Node]Node // by boundary, see newestBefore
	crossings      map[Node]crossing
}

// A state is what is known of a turn, or for a moment of a node.
type state uint16

const (
	joined    state = 1 << iota // the node is an entry of a message, or a result in its turn
	prompted                    // a person typed an entry of it
	answered                    // it has an assistant entry
	asked                       // a person typed something in it or below, on no sidechain
	spoke                       // the same of an assistant entry
	stepAsked                   // along the newest line, a prompt comes first
	stepSaid                    // along the newest line, an answer comes first
	stepKnown
	above1  // a turn is below it
	above2  // several are
	beside  // it hangs beside another turn, and belongs to the path: see attach
	talks   // it has a conversation node: see findLeaves
	inner   // a turn with one is below it, or it was made of turns above each other
	past    // it is in the history of a compaction
	marked  // a walk has passed it
	checked // another walk has passed it
)

// turns returns the turns of the log.
func (t *Tree) turns() *turns {
	if t.made == nil {
		s := &turns{
			Tree: t, of: make([]Node, t.count), next: slices.Repeat([]Node{None}, int(t.count)),
			above: slices.Repeat([]Node{None}, int(t.count)), state: make([]state, t.count),
		}
		for n := range t.count {
			s.of[n] = n
			if t.Boundary(n) {
				s.boundaries = append(s.boundaries, n)
			}
		}
		if t.HasTurns() {
			s.addEntries()
			s.addResults()
			s.addBetween()
			s.name()
		}
		s.leave()
		if t.HasTurns() && s.forked {
			s.attach()
		}
		t.made = s
	}
	return t.made
}

// Turn returns the first node of the turn of n.
func (t *Tree) Turn(n Node) Node { return t.turns().of[n] }

// Top returns the node at which a path begins if its first turn is that of n: a root or an orphan, or, if
// parents lead to cycles only, the first node of the turn.
func (t *Tree) Top(n Node) Node { return t.turns().top(t.turns().of[n]) }

// Turns returns the forest of the turns, in which the first node of each stands for it. The caller must not
// change it.
func (t *Tree) Turns() *forest.Forest { return t.turns().forest() }

// Below yields the first nodes of the turns below that of n.
func (t *Tree) Below(n Node) iter.Seq[Node] { return t.turns().below(t.turns().of[n]) }

// Above returns the first node of the turn above that of n, or None.
func (t *Tree) Above(n Node) Node { return t.turns().above[t.turns().of[n]] }

// IsBeside reports whether the turn of n belongs to the paths through the turn above it, although these
// paths go on below another turn.
func (t *Tree) IsBeside(n Node) bool { return t.turns().state[t.turns().of[n]]&beside != 0 }

func (s *turns) forest() *forest.Forest { return &forest.Forest{Up: s.above} }

// members yields the nodes of a turn in file order.
func (s *turns) members(turn Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for n := turn; n != None && yield(n); n = s.next[n] {
		}
	}
}

// Members yields the nodes of the turn of n in file order.
func (t *Tree) Members(n Node) iter.Seq[Node] { return t.turns().members(t.turns().of[n]) }

// era counts the compactions above n in the file, with n itself.
func (s *turns) era(n Node) int {
	return sort.Search(len(s.boundaries), func(i int) bool { return s.boundaries[i] > n })
}

// key returns a key for an id of n. An equal id has another key in another session, on the main line rather
// than a sidechain, or between other compactions. So a turn never spans a compaction, and the copies of a
// conversation stay apart.
func (s *turns) key(n Node, id Hash) uint64 {
	return uint64(id) ^ uint64(s.era(n))*0x9e3779b97f4a7c15 ^ uint64(s.Strand(n))*0xc2b2ae3d27d4eb4f
}

// addEntries joins the entries of each message.
func (s *turns) addEntries() {
	byMessage, key, turn := numbers.New(s.messages.count), uint64(0), None
	for n := range s.count {
		id := s.Message(n)
		if id == 0 {
			continue
		}
		if k := s.key(n, id); turn == None || k != key { // most entries follow the last of their message
			is := func(n int32) bool { return s.key(Node(n-1), s.Message(Node(n-1))) == k }
			key, turn = k, Node(byMessage.At(k, int32(n)+1, is)-1)
		}
		s.of[n], s.state[n] = turn, joined
	}
}

// addResults adds results to the turns that make their calls, and those that answer no known call to
// the turn that they hang on.
func (s *turns) addResults() {
	var makers map[uint64]Node // by call: the first turn that makes it; made when a result needs it
	for n := range s.count {
		results := s.Results(n)
		if len(results) == 0 {
			continue
		}
		up, turn, found := s.up[n], None, false
		if up != None && slices.Contains(s.Calls(up), results[0]) && s.state[up]&joined != 0 && s.key(up, 0) == s.key(n, 0) {
			turn, found = s.of[up], true // as nearly always
		} else if makers == nil {
			makers = s.makers()
		}
		for i := 0; i < len(results) && !found; i++ {
			turn, found = makers[s.key(n, results[i])]
		}
		if !found && up != None && s.state[up]&joined != 0 && s.era(s.of[up]) == s.era(n) {
			turn, found = s.of[up], true
		}
		if found {
			s.of[n], s.state[n] = turn, joined
		}
	}
}

func (s *turns) makers() map[uint64]Node {
	makers := make(map[uint64]Node, len(s.tools))
	for n := range s.count {
		if s.state[n]&joined == 0 {
			continue
		}
		for _, c := range s.Calls(n) {
			if _, known := makers[s.key(n, c)]; !known {
				makers[s.key(n, c)] = s.of[n]
			}
		}
	}
	return makers
}

// addBetween adds to a turn the nodes between two of its nodes that are in no turn.
func (s *turns) addBetween() {
	const unasked Node = -2
	var nearest []Node // by node: the nearest joined node at or above it
	var passed []Node
	for n := range s.count {
		up := s.up[n]
		if s.state[n]&joined == 0 || up == None || s.state[up]&joined != 0 {
			continue
		}
		if nearest == nil {
			nearest = slices.Repeat([]Node{unasked}, int(s.count))
		}
		passed = passed[:0]
		x := up
		for x != None && s.state[x]&joined == 0 && nearest[x] == unasked {
			nearest[x] = None // until the end of the walk: it may be in a cycle
			passed = append(passed, x)
			x = s.up[x]
		}
		if x != None && s.state[x]&joined == 0 {
			x = nearest[x]
		}
		for _, p := range passed {
			nearest[p] = x
		}
		if x == None || s.of[x] != s.of[n] {
			continue
		}
		for p := up; s.of[p] != s.of[n]; p = s.up[p] {
			s.of[p] = s.of[n]
		}
	}
}

// name gives turns the names of their first nodes, and makes next.
func (s *turns) name() {
	first := s.above // a buffer: by the present name, the first node
	for n := s.count - 1; n >= 0; n-- {
		turn := s.of[n]
		s.next[n], first[turn] = first[turn], n
	}
	for n := range s.count {
		s.of[n] = first[s.of[n]]
	}
	for n := range first {
		first[n] = None
	}
}

// leave sets what is above each turn: where the parents of its first node lead out of it, or else those
// of the next, and so on.
func (s *turns) leave() {
	down := false // something is above a turn that begins before it
	for turn := range s.count {
		if s.of[turn] != turn {
			continue
		}
		for u := turn; u != None; u = s.next[u] {
			x := u
			for x != None && s.of[x] == turn && s.state[x]&marked == 0 {
				s.state[x] |= marked
				x = s.up[x]
			}
			if x != None && s.of[x] != turn {
				up := s.of[x]
				s.above[turn] = up
				down = down || up > turn
				if s.state[up]&above1 != 0 {
					s.state[up], s.forked = s.state[up]|above2, true
				}
				s.state[up] |= above1
				break
			}
		}
	}
	for n := range s.state {
		s.state[n] &^= marked
	}
	if down {
		s.mergeCycles()
	}
}

// mergeCycles makes one turn of turns that are above each other.
func (s *turns) mergeCycles() {
	var turns []Node
	for n := range s.count {
		if s.of[n] == n {
			turns = append(turns, n)
		}
	}
	var cycles [][]Node
	for top := range s.forest().Tops(turns) {
		if s.above[top[0]] != None {
			cycles = append(cycles, top)
		}
	}
	for _, cycle := range cycles {
		s.merge(cycle)
	}
	for n, up := range s.above {
		if up != None && len(cycles) > 0 {
			s.above[n] = s.of[up]
		}
	}
}

func (s *turns) merge(cycle []Node) {
	var nodes []Node
	for _, turn := range cycle {
		nodes = slices.AppendSeq(nodes, s.members(turn))
		s.above[turn] = None
	}
	slices.Sort(nodes)
	for i, n := range nodes {
		s.of[n], s.next[n] = nodes[0], None
		if i > 0 {
			s.next[nodes[i-1]] = n
		}
	}
	s.state[nodes[0]] |= inner | above2
	s.forked = true
}
