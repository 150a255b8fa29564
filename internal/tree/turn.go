package tree

import (
	"cmp"
	"math/bits"
	"slices"

	"jl/internal/forest"
)

// The turns of a log. A turn is the entries of one message, the results of its calls, and what hangs
// between them. All of a turn is on each path that one of its nodes is on.
type turns struct {
	of     []int32 // by node: its turn, counted from 1, or 0; negative for an adopted result
	starts []int32 // by turn: where its nodes begin in nodes; they end where those of the next begin
	nodes  []Node  // of each turn first the entries and then the rest, both in file order
	merged *turns  // the same, but those that are above each other, and what is between, are one
}

// turn returns the turn of n, 0 if it is in none or only adopted by one.
func (s *turns) turn(n Node) int32 { return max(s.of[n], 0) }

// belongs returns the turn that n is in, or that has adopted it, or 0: an adopted node answers a call of the
// turn, but has lost the conversation above it.
func (s *turns) belongs(n Node) int32 { return max(s.of[n], -s.of[n]) }

// members returns the nodes of a turn.
func (s *turns) members(turn int32) []Node { return s.nodes[s.starts[turn]:s.starts[turn+1]] }

// turns returns the turns of the log.
func (t *Tree) turns() *turns {
	if t.made == nil {
		m := turnMaker{Tree: t, turns: &turns{of: make([]int32, len(t.nodes))}, up: t.Forest().Up, all: t.WithCopies()}
		if t.kept != nil {
			slices.SortStableFunc(m.all, t.byOffset)
		}
		m.root = t.Forest().Root()
		m.speaker = t.Forest().Nearest(m.isSpeaker)
		m.addEntries()
		rest := m.addResults()
		m.addBetween()
		m.adopt(rest)
		m.sort()
		m.tie()
		m.merge()
		t.made = m.turns
	}
	return t.made
}

// Turn returns the turn that n belongs to: a number that the entries of one message, the results
// of its calls and what hangs between them have in common. It is 0 if n is in no such turn.
func (t *Tree) Turn(n Node) int {
	if !t.HasTurns() {
		return 0
	}
	return int(t.turns().belongs(n))
}

// A turnMaker makes the turns of a log.
type turnMaker struct {
	*Tree
	*turns
	all     []Node // the nodes and copies, in the order of their entries in the file
	up      []Node
	speaker func(Node) Node // the nearest speaker at or above a node
	root    func(Node) Node
	count   int32 // how many turns there are
}

// isSpeaker reports whether n begins something else than the results of the message above it.
func (m *turnMaker) isSpeaker(n Node) bool {
	at := m.at(n)
	return at.kind == Assistant || at.kind == User && len(m.Results(n)) == 0 || at.flags&boundary != 0
}

// seal returns h changed such that entries on sidechains, and those of other eras, have other
// messages and calls than the rest.
func (m *turnMaker) seal(n Node, h Hash) uint64 {
	x := uint64(h)
	if m.at(n).flags&sidechain != 0 {
		x = bits.RotateLeft64(x, 21)
	}
	return x ^ uint64(m.era(n))*0x9e3779b97f4a7c15
}

// era returns the number of compactions with lists before n, as the place of its root tells: a path has lost
// what it hung on. It is one more if n is kept and after the boundary, and so not the copy.
func (m *turnMaker) era(n Node) int {
	if len(m.cuts) == 0 || m.root(n) == None {
		return 0
	}
	era, _ := slices.BinarySearchFunc(m.cuts, m.root(n), func(b, root Node) int { return cmp.Or(m.byOffset(b, root), -1) })
	if era == len(m.cuts) && m.Kept(n) && !m.Copied(n) {
		era++
	}
	return era
}

// addEntries gives the entries of each message a turn.
func (m *turnMaker) addEntries() {
	byMessage := newTable(len(m.messages))
	for _, n := range m.all {
		id := m.Message(n)
		if id == 0 {
			continue
		}
		turn := byMessage.at(m.seal(n, id))
		if *turn == 0 {
			m.count++
			*turn = m.count
		}
		m.of[n] = *turn
	}
}

// isEntry reports whether n is an entry of the message of its turn.
func (m *turnMaker) isEntry(n Node) bool { return m.at(n).kind == Assistant && m.of[n] > 0 }

// addResults adds the results of calls to the turns of the calls: those directly below an entry,
// and those with nothing but context, links and results between, if they name a call of the
// message. It returns the other results.
func (m *turnMaker) addResults() (rest []Node) {
	for _, n := range m.all {
		if len(m.Results(n)) == 0 {
			continue
		}
		if up := m.up[n]; up != None && m.isEntry(up) {
			m.of[n] = m.of[up]
		} else {
			rest = append(rest, n)
		}
	}
	if len(rest) == 0 {
		return nil
	}
	made := newTable(len(m.tools))
	for n := range m.of {
		for _, c := range m.callsOf(Node(n)) {
			*made.at(pair(m.of[n], c)) = 1
		}
	}
	return slices.DeleteFunc(rest, func(n Node) bool {
		s := m.entryAbove(n)
		if s == None || !slices.ContainsFunc(m.Results(n), func(c Hash) bool { return made.get(pair(m.of[s], c)) != 0 }) {
			return false
		}
		m.of[n] = m.of[s]
		return true
	})
}

// callsOf returns the calls that n makes for a turn.
func (m *turnMaker) callsOf(n Node) []Hash {
	if !m.isEntry(n) {
		return nil
	}
	return m.Calls(n)
}

// pair returns a key for a turn and a call.
func pair(turn int32, c Hash) uint64 { return uint64(c) ^ uint64(turn)*0x9e3779b97f4a7c15 }

// entryAbove returns the nearest speaker above n if it is an entry of a turn, or None.
func (m *turnMaker) entryAbove(n Node) Node {
	if up := m.up[n]; up != None {
		if s := m.speaker(up); s != None && m.isEntry(s) {
			return s
		}
	}
	return None
}

// addBetween adds what hangs between the entries and results of turns.
func (m *turnMaker) addBetween() {
	for n, turn := range m.of {
		if turn == 0 || m.up[n] == None || m.of[m.up[n]] == turn {
			continue
		}
		if s := m.entryAbove(Node(n)); s != None && m.of[s] == turn {
			m.fill(Node(n))
		}
	}
}

// fill adds what is between n and the nearest node of its turn above it to the turn.
func (m *turnMaker) fill(n Node) {
	for up := m.up[n]; m.of[up] != m.of[n]; up = m.up[up] {
		m.of[up] = m.of[n]
	}
}

// adopt gives those of rest that have lost the conversation above them to the turns of the calls
// that they answer, unless the turn is below them, another result of the turn answers the call, or another
// turn makes it too.
func (m *turnMaker) adopt(rest []Node) {
	above := m.Forest().Nearest(m.Conversation)
	rest = slices.DeleteFunc(rest, func(n Node) bool { return m.of[n] != 0 || m.Kept(n) || above(m.up[n]) != None })
	if len(rest) == 0 {
		return
	}
	lost := forest.SetOf(rest)
	lostAbove := m.Forest().Nearest(func(n Node) bool { return lost[n] })
	const several = -1
	makers := newTable(len(m.tools)) // by call: the turn that makes it
	settled := newTable(0)           // by turn and a call that a result of it answers, or a lost result above it
	for n, turn := range m.of {
		for _, c := range m.callsOf(Node(n)) {
			if maker := makers.at(m.seal(Node(n), c)); *maker == 0 {
				*maker = turn
			} else if *maker != turn {
				*maker = several
			}
		}
		if turn > 0 {
			for _, c := range m.Results(Node(n)) {
				*settled.at(pair(turn, c)) = 1
			}
			if up := lostAbove(Node(n)); up != None {
				*settled.at(pair(turn, m.at(up).id)) = 1
			}
		}
	}
	for _, n := range rest {
		for _, c := range m.Results(n) {
			turn := makers.get(m.seal(n, c))
			if turn > 0 && settled.get(pair(turn, c)) == 0 && settled.get(pair(turn, m.at(n).id)) == 0 {
				m.of[n] = -turn
				break
			}
		}
	}
}

// sort sets starts and nodes.
func (m *turnMaker) sort() {
	m.starts = make([]int32, m.count+2)
	for n := range m.of {
		if turn := m.belongs(Node(n)); turn != 0 {
			m.starts[turn+1]++
		}
	}
	for i := range m.starts[1:] {
		m.starts[i+1] += m.starts[i]
	}
	next := slices.Clone(m.starts)
	m.turns.nodes = make([]Node, m.starts[m.count+1])
	for _, entries := range []bool{true, false} {
		for _, n := range m.all {
			turn := m.belongs(n)
			if turn != 0 && m.isEntry(n) == entries {
				m.turns.nodes[next[turn]] = n
				next[turn]++
			}
		}
	}
}

// tie hangs what else is in a turn with copies on one of them: on each path, the boundary is above
// the copies that it made.
func (m *turnMaker) tie() {
	copies := map[int32]Node{} // by turn
	for n := m.copies; int(n) < m.Cap(); n++ {
		copies[m.of[n]] = n
	}
	for n, turn := range m.of {
		n := Node(n)
		if c, ok := copies[turn]; ok && turn > 0 && m.root(n) != m.kept.boundary && (m.up[n] == None || m.of[m.up[n]] != turn) {
			m.hangOn(n, c)
		}
	}
}

// merge sets merged. In most logs no turns are above each other: then each has a higher number than
// those above it, and nothing but a turn is between its nodes.
func (m *turnMaker) merge() {
	near := m.Forest().Nearest(func(n Node) bool { return m.of[n] > 0 })
	above := func(n Node) int32 { // the turn above n, 0 if there is none
		if up := near(m.up[n]); up != None && m.of[n] > 0 {
			return m.of[up]
		}
		return 0
	}
	m.merged = m.turns
	if !slices.ContainsFunc(m.turns.nodes, func(n Node) bool {
		return above(n) > m.of[n] || m.of[n] > 0 && above(n) == m.of[n] && m.of[m.up[n]] != m.of[n]
	}) {
		return
	}
	targets := make([]int32, len(m.turns.nodes))
	for i, n := range m.turns.nodes {
		targets[i] = above(n) - 1
	}
	components := forest.Components(m.starts[1:], targets)
	o := *m
	o.turns = &turns{of: make([]int32, len(m.of))}
	for n, turn := range m.of {
		if turn > 0 {
			o.of[n] = components[turn-1]
		} else if turn < 0 {
			o.of[n] = -components[-turn-1]
		}
	}
	for _, n := range m.turns.nodes {
		if up := near(m.up[n]); m.of[n] > 0 && up != None && o.of[up] == o.of[n] {
			o.fill(n)
		}
	}
	o.sort()
	m.merged = o.turns
}
