package log

import "slices"

// chain makes the parents of a log whose ids form no chain: the parent of an entry is the last
// conversation entry before it, or, on a sidechain, the last entry before it on the same one. In a
// log without conversation entries, as in one of an unknown program, all entries count as such. A
// boundary that names its logical parent or what it keeps makes a chain, too, unless several other
// entries of the conversation name nothing.
func (t *Log) chain() {
	converse, main, unknown, compacted, segments := 0, 0, 0, false, newSegments(t)
	for n := range t.Count {
		if t.Has(t.Written[n]) {
			return
		}
		if t.Tree.Is(n, Boundary) {
			kept, _ := segments.keptBy(n)
			compacted = compacted || t.namesLogical(n) || len(kept) > 0
		}
		if t.Tree.Is(n, Talks) {
			converse++
		}
		if t.isMain(n) {
			main++
		}
		if t.Kinds[n] == link {
			unknown++
		}
	}
	if converse == 1 || main == 1 || converse+unknown < 2 {
		return
	}
	if compacted && t.roots() < 2 {
		return
	}
	t.Unchained, t.Tree.Parent = true, slices.Clone(t.Tree.Parent)
	last, sidechains := None, map[string]Node{}
	for n := range t.Count {
		if converse == 0 {
			t.Kinds[n], t.Tree.Flags[n] = spoken, t.Tree.Flags[n]|flagsOf(spoken)
		}
		if t.Tree.Is(n, Sidechain) {
			agent := t.Dialect.Sidechain(t.Entry(n)).Key()
			up, ok := sidechains[agent]
			if !ok {
				up = None
			}
			t.Tree.Parent[n], sidechains[agent] = up, n
			continue
		}
		t.Tree.Parent[n] = last
		if t.Tree.Is(n, Talks) {
			last = n
		}
	}
}

// namesLogical reports whether the logical parent that n names is in the log.
func (t *Log) namesLogical(n Node) bool {
	return t.Has(t.LookUp(t.Dialect.LogicalParentOf(t.Entry(n))))
}

// roots counts the conversation entries that name neither a parent nor a logical parent that is in the log.
// It counts no boundaries, and nothing on sidechains.
func (t *Log) roots() (count int) {
	for n := range t.Count {
		if t.isMain(n) && !t.Tree.Is(n, Boundary) && t.Written[n] == None && !t.namesLogical(n) {
			count++
		}
	}
	return count
}
