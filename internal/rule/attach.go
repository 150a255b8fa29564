package rule

import "slices"

// speech finds what was asked and said in each turn, and in it or below, and what comes first along its newest
// line: that of the turn below whose last node is the last in the file.
func (l *Table) speech() {
	l.state = make([]state, len(l.Up))
	aside := !slices.ContainsFunc(l.Flags, func(f Flags) bool { return f&(Talks|Sidechain) == Talks }) // all that talks is on sidechains
	for n, turn := range l.Turn {
		l.state[turn] |= stateOf(l.Flags[n], aside)
	}
	newest := l.blank(0) // by turn: the one below it whose last node is the last in the file
	for _, turn := range slices.Backward(l.Turn) {
		if up := l.Above[turn]; up != None && newest[up] == None {
			newest[up] = turn
		}
	}
	for _, t := range slices.Backward(l.Order) {
		if s := l.state[t]; s&prompted != 0 {
			l.state[t] |= nextAsked
		} else if s&answered == 0 && newest[t] != None {
			l.state[t] |= l.state[newest[t]] & nextAsked
		}
		if up := l.Above[t]; up != None {
			l.state[up] |= l.state[t] & (asked | replied | spokenIn | talksIn)
		}
	}
}

// stateOf returns what the flags of a node tell about its turn. Aside says that all that talks is on sidechains.
func stateOf(f Flags, aside bool) (s state) {
	main := f&Sidechain == 0
	if main {
		s |= onMain
	}
	if f&Prompt != 0 {
		s |= prompted | when(asked, main)
	} else if f&Answer != 0 {
		s |= answered | when(replied, main)
	}
	if f&Talks != 0 {
		s |= when(talks, main || aside) | when(talksIn, main)
	}
	if f&Speaks != 0 {
		s |= spoken
	}
	if f&(User|Answer) != 0 {
		s |= when(spokenIn, main)
	}
	return s
}

// when returns x if is is true, or else 0.
func when[T ~uint16 | ~int32](x T, is bool) T {
	if is {
		return x
	}
	return 0
}

// attach finds the turns that belong to the turn above. What hangs below a turn is a choice of the user, but for
// three things, without sidechains: that in which nobody speaks, because it is what a hook or the client said
// to the turn; prompts without an answer that hang on a call, a result or a prompt, because they were sent while
// the turn went on; and an answer without a prompt where another side goes on to a prompt without any
// answer, because the client recovered from an error.
func (l *Table) attach() {
	resumes := l.blank(0) // by turn: None, and how many of the turns below it go on to a prompt without any answer
	for _, t := range l.Order {
		if up := l.Above[t]; up != None && l.resumes(t) {
			resumes[up]++
		}
	}
	some := false
	for _, t := range l.Order {
		up, s := l.Above[t], l.state[t]
		if up == None {
			continue
		}
		mute := s&(spokenIn|talksIn) == talksIn
		sent := s&(asked|replied) == asked && l.Up[t] != None && (l.Is(l.Up[t], Prompt) || l.hasTools(l.Up[t]))
		answer := s&(asked|replied) == replied && resumes[up] > None+when(Node(1), l.resumes(t))
		if mute || sent || answer {
			l.state[t] |= attached | underAttached
			some = true
		}
		l.state[t] |= l.state[up] & underAttached
	}
	if some {
		l.list()
	}
}

// resumes reports whether a prompt comes first below a turn, along its newest line.
func (l *Table) resumes(turn Node) bool { return l.state[turn]&(nextAsked|prompted) == nextAsked }

// list makes the lists of the turns that belong to each turn: those beside, and all below them, but sidechains.
func (l *Table) list() {
	owner := l.blank(1) // by turn: itself, or the turn that it belongs to
	l.Attached, l.NextAttached = l.column(), l.column()
	for _, t := range l.Order {
		if owner[t] = t; l.state[t]&underAttached == 0 {
			continue
		}
		if up := owner[l.Above[t]]; up != None { // else they make a cycle
			owner[t] = up
		}
	}
	for _, t := range slices.Backward(l.Order) {
		if up := owner[t]; up != t && l.state[t]&onMain != 0 {
			l.NextAttached[t], l.Attached[up] = l.Attached[up], t
		}
	}
}

// IsAttached reports whether a turn in which somebody speaks belongs to the paths through the turn above it, although
// these may go on below another turn.
func (l *Table) IsAttached(turn Node) bool {
	return l.state[turn]&attached != 0 && l.state[turn]&(asked|replied) != 0
}
