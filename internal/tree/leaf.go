package tree

import (
	"cmp"
	"slices"

	"jl/internal/memory"
)

// Leaves returns the leaves of the log by the suite's own rule, newest first. In a straight log
// that is not Claude's these are the last living entry and the last of each stretch that was
// undone. Else they are the conversation nodes that are not on a sidechain (or all, if all are on
// one) from which no other of them descends, directly or through links and sidechains. Those with
// a user or assistant entry at or above them come first, because a boundary that a crash left
// alone is not a conversation. The newest has the latest timestamp; those without one are the
// oldest. Among equals, the later in the file comes first.
func (t *Tree) Leaves() []Node {
	if t.pi.headless {
		return nil
	}
	if t.Straight() && !t.dialect.LikeClaude() {
		return t.straightLeaves()
	}
	var scratch memory.Stock
	defer scratch.Free()
	v := t.all()
	main := t.mainNodes(v, &scratch)
	inner := t.inner(v, main, &scratch)
	var leaves []Node
	for _, n := range v.order {
		if main[n] && !inner[n] {
			leaves = append(leaves, n)
		}
	}
	spoken := v.nearest(v.isMessage)
	spoken.scratch = &scratch
	slices.SortFunc(leaves, func(a, b Node) int {
		x, y := t.at(a), t.at(b)
		switch speaks := spoken.of(a) != None; {
		case speaks != (spoken.of(b) != None):
			if speaks {
				return -1
			}
			return 1
		case x.flags&timed != y.flags&timed:
			return int(y.flags&timed) - int(x.flags&timed)
		}
		return cmp.Or(cmp.Compare(y.timeOrZero(), x.timeOrZero()), cmp.Compare(y.pos.offset(), x.pos.offset()))
	})
	return leaves
}

// Leaf returns given, or the leaf that the rules choose if given is None. It returns None
// and remarks that say why if there is no leaf, or if the rules have no path to given.
func (t *Tree) Leaf(given Node) (Node, []Remark) {
	if given == None && t.rules == Default && t.dialect.LikeClaude() {
		if leaf := t.newestEnd(); leaf != None {
			return leaf, nil
		}
		return None, t.noLeaf().Remarks
	}
	if given != None && t.rules == Default && !t.pi.headless {
		return given, nil
	}
	p := t.Path(given, Options{})
	if len(p.Nodes) == 0 {
		return None, p.Remarks
	}
	return p.Leaf, nil
}

// Above reports whether a is b or an ancestor of b.
func (t *Tree) Above(a, b Node) bool {
	return slices.Contains(t.all().chain(b), a)
}

// all returns the view of all nodes, which must not be changed.
func (t *Tree) all() *view {
	if t.whole == nil {
		t.whole = t.view(t.order)
	}
	return t.whole
}

// Conversation reports whether n is a conversation node.
func (t *Tree) Conversation(n Node) bool {
	return t.at(n).kind.inConversation()
}

// mainNodes marks the conversation nodes that are not on a sidechain, or, if there are
// none, all conversation nodes.
func (t *Tree) mainNodes(v *view, scratch *memory.Stock) []bool {
	main := memory.Make[bool](scratch, int(t.n))
	allSide := v.allSide()
	for _, n := range v.order {
		main[n] = t.Conversation(n) && (allSide || t.at(n).flags&sidechain == 0)
	}
	return main
}

// inner marks the nodes of main that are the nearest ancestor in main of a node of main. On
// a cycle that may be the same node.
func (t *Tree) inner(v *view, main []bool, scratch *memory.Stock) []bool {
	inner := memory.Make[bool](scratch, int(t.n))
	above := v.nearest(func(n Node) bool { return main[n] })
	above.scratch = scratch
	for _, n := range v.order {
		if up, ok := v.up(n); ok && main[n] {
			if m := above.of(up); m != None {
				inner[m] = true
			}
		}
	}
	return inner
}

// Pinned returns the node that the last last-prompt entry with a leaf names. It returns
// None if there is no such entry, a compaction follows it, or the node is not in the log.
func (t *Tree) Pinned() Node {
	if !t.pinned {
		return None
	}
	if n := t.find(t.pin); t.has(n) {
		return n
	}
	return None
}

// Depths returns, by present node, the number of its ancestors. On a cycle it counts from the node
// at which the cycle was entered. The caller must not change the slice.
func (t *Tree) Depths() []int32 {
	if t.depths == nil {
		t.depths = t.findDepths()
	}
	return t.depths
}

func (t *Tree) findDepths() []int32 {
	v := t.all()
	const unknown, passing = -1, -2
	depth := lasting[int32](t, int(t.n))
	for n := range depth {
		depth[n] = unknown
	}
	var passed []Node
	for _, n := range v.order {
		passed = passed[:0]
		ok := true
		for ; ok && depth[n] == unknown; n, ok = v.up(n) {
			depth[n] = passing
			passed = append(passed, n)
		}
		d := int32(0)
		if ok && depth[n] != passing {
			d = depth[n] + 1
		}
		for _, w := range slices.Backward(passed) {
			depth[w] = d
			d++
		}
	}
	return depth
}

// allSide reports whether all conversation nodes are on sidechains, as in an agent's log.
func (v *view) allSide() bool {
	for n := range v.backward() {
		if v.isMain(n) {
			return false
		}
	}
	return true
}
