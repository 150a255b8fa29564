package tree

import (
	"cmp"
	"slices"

	"jl/internal/memory"
)

// Ends returns the ends of the log, newest first: those of its leaves that no other
// leaf's default path contains. An end is as new as the newest leaf on its path. A leaf
// that is a parallel call, or the result of one, is on the path of every conversation that
// continues from its message. If none continues, the leaves of the message are on each
// other's paths, and one of them is the end: the one whose part of the message is deepest
// in the tree, or, if several are, the newest.
//
// The caller must not change the slice.
func (t *Tree) Ends() []Node {
	if t.ends == nil {
		t.findEnds()
	}
	return t.ends
}

// LastEnd returns the end whose path contains the leaf that is the last in the file, or None if
// the log has no leaf.
func (t *Tree) LastEnd() Node {
	if t.ends == nil {
		t.findEnds()
	}
	return t.lastEnd
}

func (t *Tree) findEnds() {
	var leaves []Node
	endOf := func(i int) Node { return leaves[i] }
	if t.Straight() && !t.dialect.LikeClaude() {
		leaves = t.Leaves()
	} else {
		f := t.newEndFinder()
		defer f.scratch.Free()
		f.prepare()
		leaves, endOf = f.leaves, f.endOf
	}
	seen, last := map[Node]bool{}, int64(-1)
	t.lastEnd = None
	for i, n := range leaves {
		end := endOf(i)
		if !seen[end] {
			seen[end] = true
			t.ends = append(t.ends, end)
		}
		if at := t.at(n).pos.offset(); at > last {
			last, t.lastEnd = at, end
		}
	}
}

// newestEnd returns the first of Ends, None if there is none.
func (t *Tree) newestEnd() Node {
	if len(t.ends) > 0 {
		return t.ends[0]
	}
	f := t.newEndFinder()
	defer f.scratch.Free()
	if len(f.leaves) == 0 {
		return None
	}
	return f.endOf(0)
}

// A home is the message that a leaf belongs to, as one of its calls or the result of one.
type home struct {
	message hash // 0 if the leaf belongs to none
	above   bool // an entry of the message is at or above the leaf
}

// An endFinder decides which leaves of a log are ends. Its answers take time linear in
// the log together, except for results whose parent is not an assistant entry: it walks
// each conversation that may contain some of these once.
type endFinder struct {
	*Tree
	leaves  []Node       // newest first
	scratch memory.Stock // what uses an endFinder frees it

	homes   []home                 // of leaves; nil until they are known
	best    map[hash]Node          // by message: its best leaf, or None
	entries map[hash][]Node        // by message: its entries, of messages with leaves
	below   []leavesBelow          // by node; the second is of another message than the first
	changed []leavesBelow          // by node: those whose paths a preserved list changes; nil until they are known
	others  map[hash][]Node        // by message: see othersBelow
	index   map[Node]int           // by leaf: its place in leaves; nil until it is needed
	paths   map[Node]map[Node]bool // by leaf: what its path contains
}

// leavesBelow are the newest leaf below a node, and the second newest of some kind: 1 + their
// indices in leaves, 0 if there is none.
type leavesBelow [2]int32

func (t *Tree) newEndFinder() *endFinder {
	return &endFinder{Tree: t, leaves: t.Leaves(), paths: map[Node]map[Node]bool{}, others: map[hash][]Node{}}
}

// endOf returns the end whose path contains leaf i. If messages share ids of calls, leaves may be
// on each other's paths: the newest of these is the end then.
func (f *endFinder) endOf(i int) Node {
	var passed []int
	for !slices.Contains(passed, i) {
		passed = append(passed, i)
		holder := f.holder(i)
		if holder == None {
			return f.leaves[i]
		}
		i = f.placeOf(holder)
	}
	return f.leaves[slices.Min(passed[slices.Index(passed, i):])]
}

// placeOf returns the place of a leaf in leaves.
func (f *endFinder) placeOf(leaf Node) int {
	if f.index == nil {
		f.index = map[Node]int{}
		for i, n := range f.leaves {
			f.index[n] = i
		}
	}
	return f.index[leaf]
}

// holder returns the newest leaf whose path contains leaf i, None if there is none, or if i is the
// best of the leaves of its message.
func (f *endFinder) holder(i int) Node {
	n := f.leaves[i]
	if x := f.otherChanged(n); x != None {
		return x
	}
	if f.homes == nil {
		if f.single(n) {
			return None
		}
		f.prepare()
	}
	h := f.homes[i]
	if h.message == 0 {
		return None
	}
	for _, x := range f.othersBelow(h.message) {
		if f.contains(x, n) {
			return x
		}
	}
	if best := f.best[h.message]; best != n && best != None && f.contains(best, n) {
		return best
	}
	return None
}

// otherChanged returns the newest leaf but n whose path the list of the last compaction changes so
// that its walk passes n, None if there is none. What was kept, and what is above it then, may be
// leaves.
func (f *endFinder) otherChanged(n Node) Node {
	if f.changed == nil {
		f.findChanged()
	}
	if len(f.changed) > 0 {
		for _, k := range f.changed[n] {
			if k > 0 && f.leaves[k-1] != n {
				return f.leaves[k-1]
			}
		}
	}
	return None
}

// findChanged finds the leaves whose paths the list of the last compaction changes.
func (f *endFinder) findChanged() {
	f.changed = []leavesBelow{}
	c := f.newChanger(&f.scratch)
	if c == nil {
		return
	}
	f.changed = memory.Make[leavesBelow](&f.scratch, int(f.n))
	for i, leaf := range f.leaves {
		if c.changes(leaf) {
			f.noteAbove(f.changed, c.linked, i, func(int32) bool { return true })
		}
	}
}

// noteAbove notes leaf i at the nodes above it in v, up to one that has two leaves, or a first one
// with which it is not to be the second.
func (f *endFinder) noteAbove(below []leavesBelow, v *view, i int, second func(first int32) bool) {
	k := int32(i + 1)
	for n, ok := f.leaves[i], true; ok; n, ok = v.up(n) {
		b := &below[n]
		if b[0] == 0 {
			b[0] = k
		} else if b[1] == 0 && b[0] != k && second(b[0]-1) {
			b[1] = k
		} else {
			break
		}
	}
}

// othersBelow returns leaves below the entries of a message that do not belong to it, newest first,
// at least one if there is one.
func (f *endFinder) othersBelow(message hash) []Node {
	others, ok := f.others[message]
	if !ok {
		for _, e := range f.entries[message] {
			for _, k := range f.below[e] {
				if k > 0 && f.homes[k-1].message != message && !slices.Contains(others, f.leaves[k-1]) {
					others = append(others, f.leaves[k-1])
				}
			}
		}
		slices.SortFunc(others, func(a, b Node) int { return f.placeOf(a) - f.placeOf(b) })
		f.others[message] = others
	}
	return others
}

// single reports whether n is the only entry of its message, or has neither a message nor
// results: then no other path can contain it.
func (f *endFinder) single(n Node) bool {
	m := f.messageOf(n)
	if m == 0 {
		return len(f.resultsOf(n)) == 0
	}
	return !slices.ContainsFunc(f.order, func(o Node) bool { return o != n && f.messageOf(o) == m })
}

// prepare finds the home of each leaf and what is below the entries of these messages.
func (f *endFinder) prepare() {
	f.homes, f.best, f.entries = make([]home, len(f.leaves)), map[hash]Node{}, map[hash][]Node{}
	if len(f.leaves) < 2 || f.plain() {
		return
	}
	f.findHomes()
	for _, h := range f.homes {
		if h.message != 0 {
			f.best[h.message] = None
		}
	}
	v := f.all()
	for _, n := range v.order {
		if m := f.messageOf(n); m != 0 {
			if _, ok := f.best[m]; ok {
				f.entries[m] = append(f.entries[m], n)
			}
		}
	}
	f.chooseBest()
	f.below = memory.Make[leavesBelow](&f.scratch, int(f.n))
	for i := range f.leaves {
		f.noteAbove(f.below, v, i, func(first int32) bool { return f.homes[first].message != f.homes[i].message })
	}
}

// findHomes finds the home of each leaf. The result of a call hangs below the call, maybe
// with links between; if its parent is not in the file, its call may be anywhere.
func (f *endFinder) findHomes() {
	v := f.all()
	above := v.nearest(f.Conversation)
	above.scratch = &f.scratch
	callers := map[hash]hash{} // by call that a lost result answers: the message that makes the call, 0 if none does
	for i, leaf := range f.leaves {
		if f.at(leaf).kind == assistant {
			f.homes[i] = home{f.messageOf(leaf), true}
			continue
		}
		results := f.resultsOf(leaf)
		if up, ok := v.up(leaf); ok && len(results) > 0 {
			if up = above.of(up); up != None {
				f.homes[i] = home{f.messageOf(up), true}
				continue
			}
		}
		for _, r := range results {
			callers[r] = 0
		}
	}
	if len(callers) == 0 {
		return
	}
	for _, n := range v.order {
		if m := f.messageOf(n); m != 0 {
			for _, c := range f.callsOf(n) {
				if _, ok := callers[c]; ok {
					callers[c] = m
				}
			}
		}
	}
	for i, leaf := range f.leaves {
		if h := &f.homes[i]; !h.above {
			for _, r := range f.resultsOf(leaf) {
				h.message = cmp.Or(h.message, callers[r])
			}
		}
	}
}

// chooseBest chooses the best leaf of each message: the one whose part of the message is
// deepest in the tree, because the parents of another part may be missing; or, if several
// are, the newest.
func (f *endFinder) chooseBest() {
	depths, tops := f.Depths(), map[Node]int32{}
	depthOf := map[hash]int32{}
	for i, leaf := range f.leaves { // newest first
		h := f.homes[i]
		if h.message == 0 || !h.above {
			continue
		}
		d := f.topDepth(leaf, h.message, depths, tops)
		if f.best[h.message] == None || d > depthOf[h.message] {
			f.best[h.message], depthOf[h.message] = leaf, d
		}
	}
}

// topDepth returns the depth of the uppermost entry of a message on the way up from one of
// its leaves. Tops holds what is known from other leaves.
func (f *endFinder) topDepth(leaf Node, message hash, depths []int32, tops map[Node]int32) int32 {
	v := f.all()
	top := depths[leaf]
	var passed []Node
	for n, ok := leaf, true; ok; n, ok = v.up(n) {
		if known, ok := tops[n]; ok {
			top = known
			break
		}
		ofMessage := f.messageOf(n) == message
		if n != leaf && !ofMessage && f.Conversation(n) {
			break
		}
		if ofMessage {
			top = depths[n]
		}
		tops[n] = top // until the end of the walk: it may be in a cycle
		passed = append(passed, n)
	}
	for _, n := range passed {
		tops[n] = top
	}
	return top
}

// contains reports whether the default path that ends at x, which passes an entry of the
// home of n, contains n.
func (f *endFinder) contains(x, n Node) bool {
	if f.at(n).kind == assistant {
		return true
	}
	if p := f.at(n).parent; p != None && f.has(p) && f.at(p).kind == assistant {
		return true
	}
	on := f.paths[x]
	if on == nil {
		on = SetOf(f.defaultPath(x, Options{}).Nodes)
		f.paths[x] = on
	}
	return on[n]
}
