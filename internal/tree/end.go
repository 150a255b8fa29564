package tree

import (
	"slices"

	"jl/internal/entry"
)

// End returns the live end of the log: the last conversation node in the file that
// is on no sidechain, or, if all are on one, the last; of a pi log the last entry.
// It is None if there is none.
func (t *Tree) End() Node {
	if t.dialect == entry.Pi {
		return t.pi.last
	}
	main := t.mainNodes(t.all())
	for _, n := range slices.Backward(t.order) {
		if main[n] {
			return n
		}
	}
	return None
}

// Conversation reports whether n is a conversation node.
func (t *Tree) Conversation(n Node) bool { return t.conversation(n) }

// Entry returns the entry of n, valid until the next call of any method.
func (t *Tree) Entry(n Node) *entry.Entry { return t.entry(n) }
