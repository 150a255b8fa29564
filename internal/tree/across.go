package tree

import (
	"slices"

	"jl/internal/entry"
)

// A crossing is how a path goes on above a boundary that is a root.
type crossing struct {
	boundary Node
	to       Node   // where it goes on, or None
	odd      string // what is wrong with the logical parent, "" if nothing is; maybe with a verb for id
	id       string // of a logical parent that is not in the log, quoted
}

// cross returns how a path goes on above the first boundary of a turn: at its logical parent, or, if
// that is not in the log or among what the boundary kept, at the newest node before it. In the
// second case the user summarised from the middle on. If the turn has no boundary, that is None.
func (s *turns) cross(turn Node) crossing {
	for b := range s.members(turn) {
		switch {
		case s.HasTurns() && s.Boundary(b):
			return s.crossAt(b)
		case s.IsList():
			for _, r := range s.resumed {
				if r[0] == s.at(b).id {
					return crossing{boundary: b, to: s.find(r[1])}
				}
			}
		}
	}
	return crossing{boundary: None, to: None}
}

func (s *turns) crossAt(b Node) crossing {
	if c, ok := s.crossings[b]; ok {
		return c
	}
	c := crossing{boundary: b}
	id := s.dialect.LogicalParentOf(s.Entry(b))
	c.to = s.LookUp(id)
	_, kept := slices.BinarySearch(s.kept[b].nodes, c.to)
	switch {
	case id.IsEmpty():
		c.odd = "it names no logical parent"
	case !s.has(c.to):
		c.odd, c.id = "its logical parent %s is not in the file", entry.Quote(string(id.Text()))
	}
	if kept || c.odd != "" {
		c.to = s.newestBefore(b)
	}
	if s.crossings == nil {
		s.crossings = map[Node]crossing{}
	}
	s.crossings[b] = c
	return c
}

// logical returns the turn at which a path with [Options].Through goes on above a turn with nothing
// above it, or None.
func (s *turns) logical(turn Node) Node {
	if to := s.cross(turn).to; to != None {
		return s.of[to]
	}
	return None
}

// Logical returns the node at which a path with [Options].Through goes on above the turn of n, or None if
// there is none, or a turn above it.
func (t *Tree) Logical(n Node) Node {
	if s := t.turns(); s.above[s.of[n]] == None {
		return s.cross(s.of[n]).to
	}
	return None
}

// newestBefore returns the newest conversation node before a boundary in the file that is in another
// turn and, as the boundary is, on a sidechain or on none. It returns None if there is none.
func (s *turns) newestBefore(b Node) Node {
	if s.newest == nil {
		s.newest = map[Node]Node{}
		var first, other [2]Node // the newest by sidechain, and the newest of other turns than its
		for i := range first {
			first[i], other[i] = None, None
		}
		isNewer := func(a, b Node) bool { return b == None || s.instant(a) >= s.instant(b) }
		for n := range s.count {
			side := s.Strand(n) & 1
			if s.Boundary(n) {
				s.newest[n] = first[side]
				if first[side] != None && s.of[first[side]] == s.of[n] {
					s.newest[n] = other[side]
				}
			}
			switch {
			case !s.Conversation(n):
			case first[side] == None || s.of[n] == s.of[first[side]]:
				if isNewer(n, first[side]) {
					first[side] = n
				}
			case isNewer(n, first[side]):
				first[side], other[side] = n, first[side]
			case isNewer(n, other[side]):
				other[side] = n
			}
		}
	}
	return s.newest[b]
}
