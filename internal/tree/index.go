package tree

import (
	"hash/maphash"

	"jl/internal/list"
	"jl/internal/memory"
)

// A key stands for an id: its hash, and a tag, which is 32 bits of another hash. Two ids of a
// million have the same key with a probability below 1 in 10^16.
type key struct {
	id  hash
	tag uint32
}

func (t *Tree) at(n Node) *node { return t.nodes.At(int(n)) }

// has reports whether n is a node whose entry is in the log.
func (t *Tree) has(n Node) bool { return n >= 0 && t.at(n).flags&present != 0 }

func (t *Tree) key(id []byte) key {
	return key{t.hash(id), uint32(maphash.Bytes(t.seeds[1], id))}
}

// session returns the ordinal of a session id, counted from 1.
func (t *Tree) session(id hash) int32 {
	s, ok := t.sessions[id]
	if !ok {
		s = int32(len(t.sessions) + 1)
		t.sessions[id] = s
	}
	return s
}

// A slot is a place in the index, a hash table with open addressing. The tag is that of the key
// of the node: most nodes with another key need not be looked at. It also says where the search
// for the node begins: the larger the tag, the further on.
type slot struct {
	node Node // 1 + the node, 0 if the slot is free
	tag  uint32
}

// slot returns the slot that holds k, or the free slot for it.
func (t *Tree) slot(k key) *slot {
	for i := t.place(k.tag); ; i++ {
		if i == len(t.slots) {
			i = 0
		}
		s := &t.slots[i]
		if s.node == 0 || s.tag == k.tag && t.at(s.node-1).id == k.id {
			return s
		}
	}
}

// place returns the index of the slot at which the search for a tag begins.
func (t *Tree) place(tag uint32) int { return int(uint64(tag) * uint64(len(t.slots)) >> 32) }

// find returns the node of the id k, None if no entry has or names the id.
func (t *Tree) find(k key) Node { return t.slot(k).node - 1 }

// intern returns the node of the id k. If there is none, it adds one that is not present.
func (t *Tree) intern(k key) Node {
	if last := t.n - 1; last >= 0 && t.at(last).id == k.id {
		return last // as the parent of most entries
	}
	s := t.slot(k)
	if s.node != 0 {
		return s.node - 1
	}
	n := t.alloc(k)
	*s = slot{n + 1, k.tag}
	t.grow()
	return n
}

// firstSlots is how many slots an index begins with.
const firstSlots = 1 << 10

// grow makes room for the next node in the index. The new size is that of which two thirds will be
// used, if the rest of the log is like what was read, but at least five quarters of the old one,
// and at most four times. The index of a log that is read backwards doubles.
func (t *Tree) grow() {
	size := len(t.slots)
	if int(t.n)*4 <= size*3 {
		return
	}
	want := 2 * size
	if t.reached > 0 {
		want = int(float64(t.n) * 1.5 * float64(t.size) / float64(t.reached))
	}
	old, oldStock := t.slots, t.slotStock
	defer oldStock.Free()
	t.slotStock = memory.Stock{}
	t.slots = memory.Make[slot](&t.slotStock, min(max(want, size+size/4), 4*size))
	for _, s := range old { // in about the order of the tags, so that the new slots are filled in order
		if s.node == 0 {
			continue
		}
		i := t.place(s.tag)
		for t.slots[i].node != 0 {
			i = (i + 1) % len(t.slots)
		}
		t.slots[i] = s
	}
}

// alloc returns a new node with the id k, which is not in the index.
func (t *Tree) alloc(k key) Node {
	*t.nodes.At(t.nodes.Add(1)) = node{id: k.id, parent: None}
	t.n++
	return t.n - 1
}

// clear removes all nodes, and makes room for size slots.
func (t *Tree) clear(size int) {
	t.nodes, t.n = list.List[node]{Stock: &t.stock}, 0
	t.slotStock.Free()
	t.slots = memory.Make[slot](&t.slotStock, size)
}
