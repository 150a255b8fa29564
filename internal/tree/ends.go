package tree

import (
	"cmp"
	"slices"

	"jl/internal/entry"
)

// Ends returns the ends of the log, newest first: those of its leaves that no other
// leaf's default path contains. A leaf that is a parallel call, or the result of one, is
// on the path of every conversation that goes on from its message. If none goes on, the
// leaves of the message are on each other's paths, and one of them is the end: the newest, but one whose
// parents lead on goes before one whose parents are missing.
func (t *Tree) Ends() []Node {
	f := t.newEndFinder()
	ends := slices.DeleteFunc(slices.Clone(f.leaves), func(n Node) bool { return !f.isEnd(n) })
	if len(ends) == 0 && len(f.leaves) > 0 {
		return f.leaves[:1] // ids of calls that several messages share can make a ring of paths
	}
	return ends
}

// newestEnd returns the first of Ends, None if there is none.
func (t *Tree) newestEnd() Node {
	f := t.newEndFinder()
	for _, n := range f.leaves {
		if f.isEnd(n) {
			return n
		}
	}
	if len(f.leaves) > 0 {
		return f.leaves[0]
	}
	return None
}

// A home is the message that a leaf belongs to, as one of its calls or the result of one.
type home struct {
	message string // "" if the leaf belongs to none
	above   bool   // an entry of the message is at or above the leaf
}

// An endFinder decides which leaves of a log are ends. Its answers take time linear in
// the log together, but for leaves that hang neither below their call nor beside it:
// each conversation that may contain some of these is walked once.
type endFinder struct {
	*Tree
	leaves []Node // newest first

	rank    map[Node]int      // by leaf: its index in leaves
	depths  []int32           // by node; nil until it is needed
	homes   map[Node]home     // by leaf
	members map[string][]Node // by message: its leaves
	entries map[string][]Node // by message: its entries, of messages with leaves
	below   [][2]Node         // by node: the newest leaf below it, and the newest of another message
	callers map[string]string // by call: the message that makes it; nil until it is needed
	paths   map[Node][]bool   // by leaf: what its path contains
}

func (t *Tree) newEndFinder() *endFinder {
	return &endFinder{Tree: t, leaves: t.Leaves(), paths: map[Node][]bool{}}
}

// isEnd reports whether no other leaf's path contains the leaf n, or n stands for those
// that do.
func (f *endFinder) isEnd(n Node) bool {
	if len(f.leaves) < 2 || f.dialect == entry.Pi || f.numbered || f.single(n) {
		return true
	}
	if f.homes == nil {
		f.prepare()
	}
	h := f.homes[n]
	if h.message == "" {
		return true
	}
	for _, e := range f.entries[h.message] {
		for _, x := range f.below[e] {
			if x != None && f.homes[x].message != h.message && f.contains(x, n) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(f.members[h.message], func(x Node) bool {
		return x != n && f.homes[x].above && (!h.above || f.stands(x, n)) && f.contains(x, n)
	})
}

// stands reports whether x stands for n, two leaves of one message: its part of the
// message is further from where its parents end, or as far, and it is newer.
func (f *endFinder) stands(x, n Node) bool {
	if d := cmp.Compare(f.depthOf(x), f.depthOf(n)); d != 0 {
		return d > 0
	}
	return f.rank[x] < f.rank[n]
}

// depthOf returns the depth of the uppermost entry of its message above a leaf.
func (f *endFinder) depthOf(leaf Node) int32 {
	if f.depths == nil {
		f.depths = f.Depths()
	}
	d, m := f.depths[leaf], f.textHash(f.homes[leaf].message)
	seen := map[Node]bool{}
	v := f.all()
	for n, ok := leaf, true; ok && !seen[n]; n, ok = v.up(n) {
		seen[n] = true
		if f.at(n).message == m {
			d = f.depths[n]
		}
	}
	return d
}

// single reports whether n is an entry of a message that has no other.
func (f *endFinder) single(n Node) bool {
	m := f.at(n).message
	if f.at(n).kind != assistant || m == 0 {
		return f.at(n).kind != user
	}
	return !slices.ContainsFunc(f.order, func(o Node) bool { return o != n && f.at(o).message == m })
}

// prepare finds the home of each leaf and what is below the entries of these messages.
func (f *endFinder) prepare() {
	f.homes, f.members, f.entries, f.rank = map[Node]home{}, map[string][]Node{}, map[string][]Node{}, map[Node]int{}
	hashes := map[uint32]bool{}
	for i, n := range f.leaves {
		f.rank[n] = i
		h := f.findHome(n)
		f.homes[n] = h
		if h.message != "" {
			f.members[h.message] = append(f.members[h.message], n)
			hashes[f.textHash(h.message)] = true
		}
	}
	v := f.all()
	for _, n := range v.order {
		if a := f.at(n); a.kind == assistant && hashes[a.message] {
			if m := f.messageOf(n); f.members[m] != nil {
				f.entries[m] = append(f.entries[m], n)
			}
		}
	}
	f.below = make([][2]Node, f.n)
	for i := range f.below {
		f.below[i] = [2]Node{None, None}
	}
	for _, leaf := range f.leaves {
		for n, ok := leaf, true; ok; n, ok = v.up(n) {
			b := &f.below[n]
			switch {
			case b[0] == None:
				b[0] = leaf
			case b[1] == None && b[0] != leaf && f.homes[b[0]].message != f.homes[leaf].message:
				b[1] = leaf
			default:
				ok = false
			}
			if !ok {
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
	seen := map[Node]bool{}
	up, ok := v.up(leaf)
	for ok && !seen[up] && !f.Conversation(up) {
		seen[up] = true
		up, ok = v.up(up)
	}
	if ok {
		return home{f.messageOf(up), true}
	}
	if f.callers == nil {
		f.callers = map[string]string{}
		for _, n := range v.order {
			if f.at(n).kind == assistant && f.at(n).message != 0 {
				k := v.peek(n)
				for _, c := range k.calls {
					f.callers[c] = k.id
				}
			}
		}
	}
	for _, r := range results {
		if m := f.callers[r]; m != "" {
			return home{message: m}
		}
	}
	return home{}
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
		on = make([]bool, f.n)
		for _, m := range f.defaultPath(x, Options{}).Nodes {
			on[m] = true
		}
		f.paths[x] = on
	}
	return on[n]
}
