package tree

import "jl/internal/rule"

// isMain reports whether n is a conversation node that is not on a sidechain.
func (t *Tree) isMain(n Node) bool { return t.Flags[n]&(Talks|Sidechain) == Talks }

// Leaf returns given, or the first of Leaves if given is None; but in a log whose dialect takes the last
// entry, that. It returns None and why if there is no leaf.
func (t *Tree) Leaf(given Node) (Node, []Odd) {
	if t.tail.headless {
		return None, []Odd{{What: NoHeader, At: None, To: None}}
	}
	if given != None {
		return given, nil
	}
	if !t.Dialect.LeafIsNewest() {
		given = t.find(t.tail.last)
	} else if len(t.Leaves) > 0 {
		given = t.Leaves[0]
	}
	if given == None && t.Dialect.LeafIsNewest() && t.Count > 0 {
		return None, []Odd{{What: NoConversation, At: None, To: None}}
	}
	return given, nil
}

// End returns the node that the live conversation ends at: the last conversation node in
// the file that is not on a sidechain (of all, if all are on one) and has a user or
// assistant entry at or above it, or, if none has, the last. So a boundary that a crash
// left without its summary is not the end. In a log that is not like Claude's the end is the last
// living entry. A log without conversation nodes has the end None.
func (t *Tree) End() Node {
	if !t.Dialect.LeafIsNewest() {
		return t.find(t.tail.last)
	}
	for _, aside := range []rule.Flags{Sidechain, 0} { // without sidechains, and with them
		last := None
		for n := t.Count - 1; n >= 0; n-- {
			if t.Flags[n]&(Talks|aside) != Talks {
				continue
			}
			if t.IsSpoken(t.Turn[n]) {
				return n
			}
			last = max(last, n)
		}
		if last != None {
			return last
		}
	}
	return None
}
