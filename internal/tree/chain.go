package tree

// IsUnchained reports whether the ids of the log form no chain: no entry names a parent that is in
// the log, though several converse, as in a capture of stream-json. Such a log is one path in file
// order; [Tree.WrittenParent] tells what its entries name. But pi reads a log with its header as it is.
func (t *Tree) IsUnchained() bool { return t.unchained }

// chain makes the parents of a log whose ids form no chain: the parent of an entry is the last
// conversation entry before it, or, on a sidechain, the last entry before it on the same one. In a
// log without conversation entries, as in one of an unknown program, all entries count as such. A
// boundary that names its logical parent or what it keeps makes a chain, too, unless several other
// entries of the conversation name nothing.
func (t *Tree) chain() {
	converse, main, unknown, compacted, steps := 0, 0, 0, false, 2*t.nodes.count
	for n := range t.count {
		if t.has(t.at(n).parent) {
			return
		}
		if t.Boundary(n) {
			kept, _, _ := t.keptBy(n, &steps)
			compacted = compacted || t.namesLogical(n) || len(kept) > 0
		}
		if t.Conversation(n) {
			converse++
		}
		if t.isMain(n) {
			main++
		}
		if t.Kind(n) == link {
			unknown++
		}
	}
	if converse == 1 || main == 1 || converse+unknown < 2 {
		return
	}
	if compacted && t.roots() < 2 {
		return
	}
	t.unchained = true
	last, sides := None, map[string]Node{}
	for n := range t.count {
		if converse == 0 {
			t.at(n).kind = said
		}
		if t.Sidechain(n) {
			agent := t.dialect.Sidechain(t.Entry(n)).Key()
			up, ok := sides[agent]
			if !ok {
				up = None
			}
			t.up[n], sides[agent] = up, n
			continue
		}
		t.up[n] = last
		if t.Conversation(n) {
			last = n
		}
	}
}

// namesLogical reports whether the logical parent that n names is in the log.
func (t *Tree) namesLogical(n Node) bool {
	return t.has(t.LookUp(t.dialect.LogicalParentOf(t.Entry(n))))
}

// roots counts the conversation entries that name neither a parent nor a logical parent that is in the log.
// It counts no boundaries, and nothing on sidechains.
func (t *Tree) roots() (count int) {
	for n := range t.count {
		if t.isMain(n) && !t.Boundary(n) && t.at(n).parent == None && !t.namesLogical(n) {
			count++
		}
	}
	return count
}
