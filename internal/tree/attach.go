package tree

import (
	"iter"
	"slices"
)

// attach finds the turns that are beside. What hangs below a turn beside another turn is a choice of the
// user, with two exceptions: an answer without a prompt, where another side goes on to the next prompt
// without any answer, because the client recovered from an error; and prompts without an answer,
// where another side goes on with an answer, because they were sent while the turn went on.
func (s *turns) attach() {
	s.sum()
	s.firstSteps()
	type sides struct{ prompts, answers int }
	below := map[Node]sides{} // by turn with several below it: how many of these go on to a prompt without any answer, and to an answer
	forks := func(yield func(turn Node, goesOn sides) bool) {
		for turn := range s.count {
			if up := s.above[turn]; s.of[turn] != turn || up == None || s.state[up]&above2 == 0 {
				continue
			}
			var goesOn sides
			switch s.state[turn] & (stepAsked | stepSaid | prompted) {
			case stepAsked:
				goesOn.prompts = 1
			case stepSaid:
				goesOn.answers = 1
			}
			if !yield(turn, goesOn) {
				return
			}
		}
	}
	for turn, goesOn := range forks {
		b := below[s.above[turn]]
		below[s.above[turn]] = sides{b.prompts + goesOn.prompts, b.answers + goesOn.answers}
	}
	for turn, goesOn := range forks {
		all, is := below[s.above[turn]], s.state[turn]&(asked|spoke)
		if is == spoke && all.prompts > goesOn.prompts || is == asked && all.answers > goesOn.answers {
			s.state[turn] |= beside
			s.beside = true
		}
	}
}

// sum sets what was asked and said in each turn, and in it or below.
func (s *turns) sum() {
	for n := range s.count {
		turn, main := s.of[n], state(0)
		if s.at(n).flags&asks != 0 {
			s.state[turn] |= prompted
			main = asked
		} else if s.Kind(n) == Assistant {
			s.state[turn] |= answered
			main = spoke
		}
		if s.Sidechain(n) {
			continue
		}
		for ; turn != None && s.state[turn]&main != main; turn = s.above[turn] {
			s.state[turn] |= main
		}
	}
}

// firstSteps sets what comes first at or below each turn along the newest line: a prompt, an answer or
// neither.
func (s *turns) firstSteps() {
	newest := make([]Node, s.count) // by turn: 1 + the turn below it whose last node is the last in the file
	for n := s.count - 1; n >= 0; n-- {
		if up := s.above[s.of[n]]; s.next[n] == None && up != None && newest[up] == 0 {
			newest[up] = s.of[n] + 1
		}
	}
	var walk []Node
	for turn := range s.count {
		if s.of[turn] != turn {
			continue
		}
		step := stepKnown
		walk = walk[:0]
		for x := turn; x != None; x = newest[x] - 1 {
			if s.state[x]&stepKnown != 0 {
				step = s.state[x] & (stepKnown | stepAsked | stepSaid)
				break
			}
			walk = append(walk, x)
			if s.state[x]&prompted != 0 {
				step |= stepAsked
				break
			}
			if s.state[x]&answered != 0 {
				step |= stepSaid
				break
			}
		}
		for _, x := range walk {
			s.state[x] |= step
		}
	}
}

// appendBeside appends the turns beside a turn, which its paths have, to dst: those that are beside and hang
// at the turn, and all below them, but sidechains.
func (s *turns) appendBeside(dst []Node, turn Node) []Node {
	if !s.beside {
		return dst
	}
	from := len(dst)
	for c := range s.below(turn) {
		if s.state[c]&beside != 0 {
			dst = append(dst, c)
		}
	}
	for i := from; i < len(dst); i++ {
		dst = slices.AppendSeq(dst, s.below(dst[i]))
	}
	return append(dst[:from], slices.DeleteFunc(dst[from:], func(turn Node) bool {
		for n := range s.members(turn) {
			if !s.Sidechain(n) {
				return false
			}
		}
		return true
	})...)
}

// below yields the turns below a turn.
func (s *turns) below(turn Node) iter.Seq[Node] {
	if s.child == nil {
		s.child, s.sibling = slices.Repeat([]Node{None}, int(s.count)), slices.Repeat([]Node{None}, int(s.count))
		for c := s.count - 1; c >= 0; c-- {
			if up := s.above[c]; s.of[c] == c && up != None {
				s.sibling[c], s.child[up] = s.child[up], c
			}
		}
	}
	return func(yield func(Node) bool) {
		for c := s.child[turn]; c != None && yield(c); c = s.sibling[c] {
		}
	}
}
