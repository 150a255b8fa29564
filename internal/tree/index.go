package tree

import (
	"hash/maphash"
	"strconv"
)

// A key is the hash by which an id is known.
type key [2]uint64

const chunk = 1 << 12

func (t *Tree) at(n Node) *node { return &t.chunks[n/chunk][n%chunk] }

func (t *Tree) has(n Node) bool { return n >= 0 && t.at(n).flags&present != 0 }

func (t *Tree) key(id []byte) key {
	return key{maphash.Bytes(t.seeds[0], id), maphash.Bytes(t.seeds[1], id)}
}

// session returns the ordinal of a session id, from 1 on.
func (t *Tree) session(k key) int32 {
	s, ok := t.sessions[k]
	if !ok {
		s = int32(len(t.sessions) + 1)
		t.sessions[k] = s
	}
	return s
}

// slot returns where k stands in the index, or the free slot where it belongs.
func (t *Tree) slot(k key) int {
	for i := int(k[0]) & (len(t.slots) - 1); ; i = (i + 1) & (len(t.slots) - 1) {
		if n := t.slots[i]; n == None || t.at(n).id == k {
			return i
		}
	}
}

func (t *Tree) find(k key) Node { return t.slots[t.slot(k)] }

// intern returns the node of the id k, a new one that is not present if there
// is none yet.
func (t *Tree) intern(k key) Node {
	i := t.slot(k)
	if t.slots[i] != None {
		return t.slots[i]
	}
	if int(t.n)%chunk == 0 {
		t.chunks = append(t.chunks, make([]node, chunk))
	}
	n := t.n
	t.n++
	*t.at(n) = node{id: k, parent: None}
	t.slots[i] = n
	if int(t.n)*4 > len(t.slots)*3 {
		t.rehash(len(t.slots) * 2)
	}
	return n
}

// rehash makes the index anew with size slots, a power of two.
func (t *Tree) rehash(size int) {
	t.slots = make([]Node, size)
	for i := range t.slots {
		t.slots[i] = None
	}
	for n := Node(0); n < t.n; n++ {
		t.slots[t.slot(t.at(n).id)] = n
	}
}

// lineKey is the key of the id #LINE. A second entry of the same line has its
// offset behind it.
func (t *Tree) lineKey(line, offset int64) key {
	id := strconv.AppendInt([]byte{'#'}, line, 10)
	if k := t.key(id); t.find(k) == None {
		return k
	}
	return t.key(strconv.AppendInt(append(id, '+'), offset, 10))
}
