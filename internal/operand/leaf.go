package operand

import (
	"fmt"
	"slices"

	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
)

// NoteLeaf prints a note if a user may expect another leaf of t than the one that its rule chose: another
// end is the last in the file or pinned by a last-prompt entry, or the last entry of a pi log is not a
// message and another branch is longer. A pinned entry on the way to the leaf is not another choice.
func (f *File) NoteLeaf(t *log.Log, leaf, pinned log.Node) {
	switch {
	case leaf == log.None || t.Dialect.IsList() && !t.Dialect.IsClaude():
	case t.Dialect.IsClaude():
		if pinned != log.None && slices.Contains(t.Path(leaf, log.Options{}).Nodes, pinned) {
			pinned = leaf
		}
		last := LastEnd(t)
		if last == leaf && (pinned == leaf || pinned == log.None) {
			return
		}
		choices := fmt.Sprintf("newest is %s, last in the file is %s", entry.Quote(t.ID(leaf)), entry.Quote(t.ID(last)))
		if pinned != log.None {
			choices += fmt.Sprintf(", pinned by last-prompt is %s", entry.Quote(t.ID(pinned)))
		}
		f.Note("the rules disagree: %s; taken: newest", choices)
	case !t.Dialect.IsMessage(t.Entry(leaf)):
		depth := forest.Of(t.Tree.Up).Depth()
		for _, n := range t.Leaves {
			if n != leaf && depth(n) > depth(leaf) {
				f.Note("the last entry, %s, is not a message, and the branch that ends at %s is longer; taken: last",
					entry.Quote(t.ID(leaf)), entry.Quote(t.ID(n)))
				return
			}
		}
	}
}

// LastEnd returns the end that has the last leaf in the file, or None. It looks at other ends only if that is not
// the newest leaf.
func LastEnd(t *log.Log) log.Node {
	switch {
	case len(t.Leaves) == 0:
		return log.None
	case slices.Max(t.Leaves) == t.Leaves[0]:
		return t.Leaves[0]
	}
	_, last := t.Ends()
	return last
}
