package log

import "jl/internal/rule"

// isMain reports whether n is a conversation node that is not on a sidechain.
func (t *Log) isMain(n Node) bool { return t.Flags[n]&(rule.Talks|rule.Sidechain) == rule.Talks }

// choose sets the leaf, the leaves and the end that the dialect of the log has, where these are not the rule's own.
func (t *Log) choose() {
	hasTurns := t.Dialect.IsClaude()
	if !hasTurns { // it is the last living entry
		t.End = t.find(t.ending.last)
		t.Leaf = t.End
	}
	switch {
	case t.ending.headless:
		t.Leaf, t.Leaves = None, nil
		t.NoLeaf = []Odd{{What: NoHeader, At: None, To: None}}
	case t.Dialect.IsList() && !hasTurns:
		t.Leaves = t.listLeaves()
	case hasTurns && len(t.Leaves) > 0:
		t.Leaf = t.Leaves[0]
	case hasTurns && t.Count > 0:
		t.NoLeaf = []Odd{{What: NoConversation, At: None, To: None}}
	}
}
