package log

import "jl/internal/rule"

// isMain reports whether n is a conversation node that is not on a sidechain.
func (t *Log) isMain(n Node) bool { return t.Tree.Flags[n]&(rule.Talks|rule.Sidechain) == rule.Talks }

// Ends is [rule.Table.EndsOf] of the leaves of the log.
func (t *Log) Ends() (ends []rule.End, last Node) { return t.Tree.EndsOf(t.Leaves) }

// choose sets the leaf, the leaves and the end that the dialect of the log has, where these are not the rule's own.
func (t *Log) choose() {
	t.Leaves, t.End = t.Tree.Leaves, t.Tree.End
	isClaude := t.Dialect.IsClaude()
	if !isClaude { // it is the last living entry
		t.End = t.find(t.ending.last)
		t.Leaf = t.End
	}
	switch {
	case t.ending.headless:
		t.Leaf, t.Leaves = None, nil
		t.NoLeaf = []Odd{{What: NoHeader, At: None, To: None}}
	case t.Dialect.IsList() && !isClaude:
		t.Leaves = t.listLeaves()
	case isClaude && len(t.Leaves) > 0:
		t.Leaf = t.Leaves[0]
	case isClaude && t.Count > 0:
		t.NoLeaf = []Odd{{What: NoConversation, At: None, To: None}}
	}
}
