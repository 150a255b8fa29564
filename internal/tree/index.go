package tree

import (
	"hash/maphash"
	"strconv"
)

// A key is the hash of an id under seeds that each Tree chooses anew.
type key [2]uint64

func (t *Tree) at(n Node) *node { return t.nodes.At(int(n)) }

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

// A slot is a place in the index. The tag is a part of the key of the node: most nodes with
// another key need not be looked at.
type slot struct {
	node Node // None if the slot is free
	tag  uint32
}

func (k key) tag() uint32 { return uint32(k[1]) }

// slot returns the slot that holds k, or the free slot for it.
func (t *Tree) slot(k key) *slot {
	for i := int(k[0]); ; i++ {
		s := &t.slots[i&(len(t.slots)-1)]
		if s.node == None || s.tag == k.tag() && t.at(s.node).id == k {
			return s
		}
	}
}

// find returns the node of the id k, None if no entry has or names the id.
func (t *Tree) find(k key) Node { return t.slot(k).node }

// intern returns the node of the id k. If there is none, it adds one that is not present.
func (t *Tree) intern(k key) Node {
	if last := t.n - 1; last >= 0 && t.at(last).id == k {
		return last // as the parent of most entries
	}
	s := t.slot(k)
	if s.node != None {
		return s.node
	}
	n := t.alloc(k)
	*s = slot{n, k.tag()}
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
	*t.nodes.At(t.nodes.Add(1)) = node{id: k, parent: None}
	t.n++
	return t.n - 1
}

// rename gives n the id k, which no entry has. A new node takes the old id.
func (t *Tree) rename(n Node, k key) {
	was := t.at(n).id
	t.slot(was).node = t.alloc(was)
	t.at(n).id = k
	*t.slot(k) = slot{n, k.tag()}
	t.grow()
}

// rehash rebuilds the index with size slots, a power of two.
func (t *Tree) rehash(size int) {
	t.slots = make([]slot, size)
	for i := range t.slots {
		t.slots[i].node = None
	}
	for n := Node(0); n < t.n; n++ {
		k := t.at(n).id
		*t.slot(k) = slot{n, k.tag()}
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
