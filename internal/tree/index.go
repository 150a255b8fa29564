package tree

// at returns what the tree keeps of n.
func (t *Tree) at(n Node) *node { return t.nodes.at(int(n)) }

// has reports whether n is a node whose entry is in the log.
func (t *Tree) has(n Node) bool { return n >= 0 && t.at(n).flags&present != 0 }

// session returns the ordinal of a session id, counted from 1.
func (t *Tree) session(id Hash) int32 {
	s, ok := t.sessions[id]
	if !ok {
		s = int32(len(t.sessionIDs))
		t.sessions[id], t.sessionIDs = s, append(t.sessionIDs, id)
	}
	return s
}

// find returns the node of an id, or None if no entry has or names it.
func (t *Tree) find(id Hash) Node {
	return Node(t.byID.get(uint64(id), func(n int32) bool { return t.at(Node(n-1)).id == id }) - 1)
}

// intern returns the node of an id. If there is none, it adds one that is not present.
func (t *Tree) intern(id Hash) Node {
	if last := Node(t.nodes.count - 1); last >= 0 && t.at(last).id == id {
		return last // as the parent of most entries
	}
	if t.byID.isFull() {
		t.byID.grow(t.expected(t.nodes.count))
	}
	next := int32(t.nodes.count + 1)
	n := t.byID.at(uint64(id), next, func(n int32) bool { return t.at(Node(n-1)).id == id })
	if n == next {
		t.nodes.add(node{id: id, parent: None})
	}
	return Node(n - 1)
}

// expected returns how many there will be at the end of the log of what there are n of so far, if
// the rest is like what was read: at least five quarters of n, and at most four times n.
func (t *Tree) expected(n int) int {
	most := 2 * n
	if t.reached > 0 {
		most = int(float64(n) * float64(t.size) / float64(t.reached))
	}
	return min(max(most, n+n/4+64), 32*n+64)
}

// grow returns s with room for n more elements, as many as are expected at the end of the log.
func grow[T any](t *Tree, s []T, n int) []T {
	if len(s)+n <= cap(s) {
		return s
	}
	return append(make([]T, 0, max(t.expected(len(s)), len(s)+n)), s...)
}
