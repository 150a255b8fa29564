package tree

import (
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
)

// A straight is what the tree remembers while it reads a straight log.
type straight struct {
	thread *dialect.Thread // nil if the log is not straight
	living []Node

	side    map[string]Node // by sidechain: its last entry
	hasMain bool            // some entry is not on a sidechain
	last    Node            // the last entry, unless hasMain
}

// top returns the last living entry, None if there is none.
func (s *straight) top() Node {
	if len(s.living) == 0 {
		return None
	}
	return s.living[len(s.living)-1]
}

// leaf returns the last living entry, or, if all entries are on sidechains, the last one.
func (s *straight) leaf() Node {
	if s.hasMain {
		return s.top()
	}
	return s.last
}

// addStraight adds an entry of a straight log.
func (t *Tree) addStraight(e *entry.Entry, f *Facts) {
	s := &t.straight
	step := s.thread.Next(e)
	s.living = s.living[:step.Keep]
	switch {
	case !step.Node:
		t.pi.aside(t.dialect)
	case step.Agent != nil:
		agent := step.Agent.Key()
		up, ok := s.side[agent]
		if !ok {
			up = None
		}
		if s.side == nil {
			s.side = map[string]Node{}
		}
		s.side[agent] = t.addInOrder(e, f, up)
		if !s.hasMain {
			s.last = s.side[agent]
		}
	case step.At < len(s.living): // the newest text of that node
		old := t.at(s.living[step.At])
		n := t.nodeOf(e, f)
		n.id, n.parent = old.id, old.parent
		*old = n
	default:
		s.living = append(s.living, t.addInOrder(e, f, s.top()))
		s.hasMain = true
	}
}

// addInOrder adds the node that e becomes, with its parent. If the log has its id already,
// the earlier entry goes on as #LINE: it may be on another branch.
func (t *Tree) addInOrder(e *entry.Entry, f *Facts, parent Node) Node {
	n := t.nodeOf(e, f)
	k := f.id
	if !f.hasID {
		k = t.lineKey(n.pos)
	} else if old := t.find(k); t.has(old) {
		t.rename(k, t.lineKey(t.at(old).pos))
	}
	n.id, n.parent = k.id, parent
	at := t.intern(k)
	*t.at(at) = n
	return at
}

// straightLeaves is Leaves for a straight log that is not Claude's.
func (t *Tree) straightLeaves() []Node {
	var leaves []Node
	leaf := t.pi.last
	if leaf != None {
		leaves = append(leaves, leaf)
	}
	inner := make([]bool, t.n)
	for _, n := range t.order {
		if up := t.at(n).parent; up != None {
			inner[up] = true
		}
	}
	for _, n := range slices.Backward(t.order) {
		if n != leaf && !inner[n] && t.at(n).flags&sidechain == 0 {
			leaves = append(leaves, n)
		}
	}
	return leaves
}
