// Package numbers finds numbers by hashes.
package numbers

// A Table finds numbers, which count from 1, by 64-bit hashes, in 8 bytes a place: the first half of the
// hash and the number. Whoever looks one up tells whether a number is the right one. Hashes are evenly
// distributed.
type Table struct {
	places []uint64
	count  int
}

// New returns a Table with room for some numbers. It grows if there are more.
func New(size int) *Table { return &Table{places: make([]uint64, size*3/2+8)} }

// At returns the number of a hash for which is returns true, or else next, which it adds.
func (t *Table) At(hash uint64, next int32, is func(int32) bool) int32 {
	i := t.place(hash>>32, is)
	if t.places[i] != 0 {
		return int32(t.places[i])
	}
	if t.count*4 > len(t.places)*3 {
		t.grow()
		i = t.place(hash>>32, is)
	}
	t.places[i] = hash>>32<<32 | uint64(next)
	t.count++
	return next
}

// Get returns the number of a hash for which is returns true, or 0.
func (t *Table) Get(hash uint64, is func(int32) bool) int32 {
	return int32(t.places[t.place(hash>>32, is)])
}

// place returns the index of the place of a hash, or of the free one for it.
func (t *Table) place(half uint64, is func(int32) bool) int {
	for i := int(half * uint64(len(t.places)) >> 32); ; i++ {
		if i == len(t.places) {
			i = 0
		}
		if p := t.places[i]; p == 0 || p>>32 == half && is(int32(p)) {
			return i
		}
	}
}

// grow makes room for twice as many numbers.
func (t *Table) grow() {
	old := t.places
	t.places = New(2 * t.count).places
	other := func(int32) bool { return false }
	for _, p := range old { // in about the order of the hashes, so that the places are filled in order
		if p != 0 {
			t.places[t.place(p>>32, other)] = p
		}
	}
}
