package tree

import (
	"slices"
)

// Ends returns the ends of the log, newest first: those of its leaves that no other
// leaf's default path contains. A leaf that is a parallel call, or the result of one, is
// on the path of every conversation that continues from its message. If none continues,
// the leaves of the message are on each other's paths, and one of them is the end: the one
// whose part of the message is deepest in the tree, or, if several are, the newest.
//
// The caller must not change the slice.
func (t *Tree) Ends() []Node {
	if t.ends == nil {
		t.ends = t.findEnds()
	}
	return t.ends
}

func (t *Tree) findEnds() []Node {
	if t.Straight() && !t.dialect.LikeClaude() {
		return t.Leaves()
	}
	f := t.newEndFinder()
	f.prepare()
	ends := slices.DeleteFunc(slices.Clone(f.leaves), func(n Node) bool { return !f.isEnd(n) })
	if len(ends) == 0 && len(f.leaves) > 0 {
		return f.leaves[:1] // if messages share ids of calls, each path may contain another leaf
	}
	return ends
}

// newestEnd returns the first of Ends, None if there is none.
func (t *Tree) newestEnd() Node {
	if len(t.ends) > 0 {
		return t.ends[0]
	}
	f := t.newEndFinder()
	if len(f.leaves) == 0 {
		return None
	}
	return f.leaves[max(0, slices.IndexFunc(f.leaves, f.isEnd))]
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
	leaves []Node // newest first

	homes   map[Node]home          // by leaf
	best    map[hash]Node          // by message: its best leaf, or None
	entries map[hash][]Node        // by message: its entries, of messages with leaves
	below   [][2]Node              // by node: the newest leaf below it, and the newest of another message
	others  map[hash][]Node        // by message: see othersBelow
	keepers []Node                 // see keptBy; nil until it is needed
	nearest *nearest               // finds the nearest conversation node
	callers map[hash]hash          // by call: the message that makes it; nil until it is needed
	paths   map[Node]map[Node]bool // by leaf: what its path contains
}

func (t *Tree) newEndFinder() *endFinder {
	return &endFinder{Tree: t, leaves: t.Leaves(), paths: map[Node]map[Node]bool{}, others: map[hash][]Node{}}
}

// isEnd reports whether no other leaf's path contains the leaf n, or n is the best of the
// leaves of its message.
func (f *endFinder) isEnd(n Node) bool {
	if f.keptBy(n) {
		return false
	}
	if f.homes == nil {
		if f.single(n) {
			return true
		}
		f.prepare()
	}
	h := f.homes[n]
	if h.message == 0 {
		return true
	}
	if slices.ContainsFunc(f.othersBelow(h.message), func(x Node) bool { return f.contains(x, n) }) {
		return false
	}
	best := f.best[h.message]
	return best == n || best == None || !f.contains(best, n)
}

// keptBy reports whether the last compaction kept the leaf n for a conversation that ends
// at another leaf.
func (f *endFinder) keptBy(n Node) bool {
	if f.plain() {
		return false
	}
	kept, linked := f.linked()
	if kept == nil || !kept.kept[n] {
		return false
	}
	if f.keepers == nil {
		f.keepers = []Node{}
		for _, x := range f.leaves {
			// The anchor itself may be a leaf, above what was kept.
			if kept.changes(f.all(), f.all().chain(x)) && slices.Contains(linked.chain(x), kept.last()) {
				f.keepers = append(f.keepers, x)
			}
		}
	}
	return slices.ContainsFunc(f.keepers, func(x Node) bool { return x != n })
}

// othersBelow returns leaves below the entries of a message that do not belong to it, at
// least one if there is one.
func (f *endFinder) othersBelow(message hash) []Node {
	others, ok := f.others[message]
	if !ok {
		for _, e := range f.entries[message] {
			for _, x := range f.below[e] {
				if x != None && f.homes[x].message != message && !slices.Contains(others, x) {
					others = append(others, x)
				}
			}
		}
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
	f.homes, f.best, f.entries = map[Node]home{}, map[hash]Node{}, map[hash][]Node{}
	if len(f.leaves) < 2 || f.plain() {
		return
	}
	for _, n := range f.leaves {
		h := f.findHome(n)
		f.homes[n] = h
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
	f.below = make([][2]Node, f.n)
	for i := range f.below {
		f.below[i] = [2]Node{None, None}
	}
	for _, leaf := range f.leaves {
		for n, ok := leaf, true; ok; n, ok = v.up(n) {
			b := &f.below[n]
			if b[0] == None {
				b[0] = leaf
			} else if b[1] == None && b[0] != leaf && f.homes[b[0]].message != f.homes[leaf].message {
				b[1] = leaf
			} else {
				break
			}
		}
	}
}

// findHome returns the home of a leaf. The result of a call hangs below the call, maybe
// with links between; if its parent is not in the file, its call may be anywhere.
func (f *endFinder) findHome(leaf Node) home {
	if f.at(leaf).kind == assistant {
		return home{f.messageOf(leaf), true}
	}
	results := f.resultsOf(leaf)
	if len(results) == 0 {
		return home{}
	}
	v := f.all()
	if f.nearest == nil {
		f.nearest = v.nearest(f.Conversation)
	}
	if up, ok := v.up(leaf); ok {
		if up = f.nearest.of(up); up != None {
			return home{f.messageOf(up), true}
		}
	}
	if f.callers == nil {
		f.callers = map[hash]hash{}
		for _, n := range v.order {
			if m := f.messageOf(n); m != 0 {
				for _, c := range f.callsOf(n) {
					f.callers[c] = m
				}
			}
		}
	}
	for _, r := range results {
		if m := f.callers[r]; m != 0 {
			return home{message: m}
		}
	}
	return home{}
}

// chooseBest chooses the best leaf of each message: the one whose part of the message is
// deepest in the tree, because the parents of another part may be missing; or, if several
// are, the newest.
func (f *endFinder) chooseBest() {
	depths, tops := f.Depths(), map[Node]int32{}
	depthOf := map[hash]int32{}
	for _, leaf := range f.leaves { // newest first
		h := f.homes[leaf]
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
		on = setOf(f.defaultPath(x, Options{}).Nodes)
		f.paths[x] = on
	}
	return on[n]
}
