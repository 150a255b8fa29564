package tree

import "math/bits"

// A table holds a number, at first 0, for each key, in 12 bytes a place. Keys are evenly
// distributed, as hashes are.
type table struct {
	keys   []uint64
	values []int32
	count  int
}

// newTable returns a table with room for some keys. It grows if there are more.
func newTable(size int) *table {
	return &table{keys: make([]uint64, size*3/2+8), values: make([]int32, size*3/2+8)}
}

// at returns the place of the number of a key, which is valid until the next call.
func (t *table) at(key uint64) *int32 {
	key = max(key, 1)
	i := t.place(key)
	if t.keys[i] == 0 {
		if t.isFull() {
			t.grow(2 * t.count)
			i = t.place(key)
		}
		t.keys[i] = key
		t.count++
	}
	return &t.values[i]
}

// get returns the number of a key without making a place for it.
func (t *table) get(key uint64) int32 { return t.values[t.place(max(key, 1))] }

// place returns the index of a key, or of the free place for it.
func (t *table) place(key uint64) int {
	at, _ := bits.Mul64(key, uint64(len(t.keys)))
	i := int(at)
	for t.keys[i] != 0 && t.keys[i] != key {
		if i++; i == len(t.keys) {
			i = 0
		}
	}
	return i
}

// isFull reports whether t grows for the next key.
func (t *table) isFull() bool { return t.count*4 > len(t.keys)*3 }

// grow makes room for a number of keys.
func (t *table) grow(size int) {
	old := *t
	*t = *newTable(size)
	for i, key := range old.keys { // in about the order of the keys, so that the places are filled in order
		if key != 0 {
			j := t.place(key)
			t.keys[j], t.values[j] = key, old.values[i]
		}
	}
	t.count = old.count
}

// renumber replaces each number but 0 by 1 + that of numbers which has it as its index, counted from 1.
func (t *table) renumber(numbers []Node) {
	for i, v := range t.values {
		if v > 0 {
			t.values[i] = int32(numbers[v-1]) + 1
		}
	}
}
