package tree

import (
	"hash/maphash"
	"strconv"
)

// A key is the hash of an id under seeds that each Tree chooses anew.
type key [2]uint64

func (t *Tree) at(n Node) *node { return t.nodes.at(int(n)) }

// has reports whether n is a node whose entry is in the log.
func (t *Tree) has(n Node) bool { return n >= 0 && t.at(n).flags&present != 0 }

func (t *Tree) key(id []byte) key {
	return key{maphash.Bytes(t.seeds[0], id), maphash.Bytes(t.seeds[1], id)}
}

// session returns the ordinal of a session id, counted from 1.
func (t *Tree) session(k key) int32 {
	s, ok := t.sessions[k]
	if !ok {
		s = int32(len(t.sessions) + 1)
		t.sessions[k] = s
	}
	return s
}

// slot returns the slot that holds k, or the free slot for it.
func (t *Tree) slot(k key) int {
	for i := int(k[0]) & (len(t.slots) - 1); ; i = (i + 1) & (len(t.slots) - 1) {
		if n := t.slots[i]; n == None || t.at(n).id == k {
			return i
		}
	}
}

// find returns the node of the id k, None if no entry has or names the id.
func (t *Tree) find(k key) Node { return t.slots[t.slot(k)] }

// intern returns the node of the id k. If there is none, it adds one that is not present.
func (t *Tree) intern(k key) Node {
	i := t.slot(k)
	if t.slots[i] != None {
		return t.slots[i]
	}
	n := t.alloc(k)
	t.slots[i] = n
	t.grow()
	return n
}

// grow makes room for the next node in the index.
func (t *Tree) grow() {
	if int(t.n)*4 > len(t.slots)*3 {
		t.rehash(len(t.slots) * 2)
	}
}

// alloc returns a new node with the id k, which is not in the index.
func (t *Tree) alloc(k key) Node {
	*t.nodes.at(t.nodes.add(1)) = node{id: k, parent: None}
	t.n++
	return t.n - 1
}

// rename gives n the id k, which no entry has. A new node takes the old id.
func (t *Tree) rename(n Node, k key) {
	was := t.at(n).id
	t.slots[t.slot(was)] = t.alloc(was)
	t.at(n).id = k
	t.slots[t.slot(k)] = n
	t.grow()
}

// rehash rebuilds the index with size slots, a power of two.
func (t *Tree) rehash(size int) {
	t.slots = make([]Node, size)
	for i := range t.slots {
		t.slots[i] = None
	}
	for n := Node(0); n < t.n; n++ {
		t.slots[t.slot(t.at(n).id)] = n
	}
}

// lineKey returns the key of the id #LINE, or, if an entry already has that id, of
// #LINE+OFFSET, because a damaged line can hold several entries.
func (t *Tree) lineKey(line, offset int64) key {
	id := strconv.AppendInt([]byte{'#'}, line, 10)
	if k := t.key(id); t.find(k) == None {
		return k
	}
	return t.key(strconv.AppendInt(append(id, '+'), offset, 10))
}
