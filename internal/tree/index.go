package tree

import "jl/internal/numbers"

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
	return Node(t.byID.Get(uint64(id), func(n int32) bool { return t.at(Node(n-1)).id == id }) - 1)
}

// name returns a number that stands for the node of an id until finish, which makes the index.
func (t *Tree) name(id Hash) Node {
	t.named = append(t.named, id)
	return None - Node(len(t.named))
}

// index makes the index of the ids, and gives the nodes their parents. Of the entries with one id the
// last one counts. It does so after all entries are read, because a processor waits for many places of the
// index at once if nothing else comes between the look-ups.
func (t *Tree) index() {
	if t.enter(); int(t.count) < t.nodes.count {
		t.cut()
		t.enter()
	}
	for n := range t.count {
		if p := t.at(n).parent; p < None {
			id, next := t.named[None-p-1], Node(t.nodes.count)
			if t.at(n).parent = t.intern(id, next); t.at(n).parent == next {
				t.nodes.add(node{id: id, parent: None})
			}
		}
	}
	t.named = nil
}

// cut removes the nodes that are not present.
func (t *Tree) cut() {
	kept := Node(0)
	for n := range Node(t.nodes.count) {
		if !t.has(n) {
			continue
		}
		x := *t.at(n)
		switch last := n - 1; {
		case last < 0 || x.parent != last:
		case t.has(last):
			x.parent = kept - 1
		default:
			x.parent = t.name(t.at(last).id)
		}
		*t.at(kept) = x
		kept++
	}
	t.nodes.cut(int(kept))
}

// enter makes the index of the ids. An entry whose id a later one has is no longer present.
func (t *Tree) enter() {
	t.byID, t.count = numbers.New(t.nodes.count), 0
	for n := Node(t.nodes.count - 1); n >= 0; n-- {
		x := t.at(n)
		if t.intern(x.id, n) == n {
			t.count++
			continue
		}
		x.flags &^= present
		if t.IsList() { // a later text of what is in the list
			t.first[x.id] = x.pos
		} else {
			t.replaced = append(t.replaced, replaced{x.id, x.pos, x.kind.Conversation() && x.flags&sidechain == 0})
		}
	}
}

// intern returns the node of an id. If there is none, it makes next that node.
func (t *Tree) intern(id Hash, next Node) Node {
	return Node(t.byID.At(uint64(id), int32(next)+1, func(n int32) bool { return t.at(Node(n-1)).id == id }) - 1)
}
