// Package memory gives memory outside of Go's heap, in huge pages if the system has them. It is
// for much data without pointers that is used for long: the blocks and the long lines of a log,
// the nodes of its tree.
//
// The first use of a page interrupts a program for as long as it takes to copy some pages: for
// 0.2 to 10 µs, most in a virtual machine. A huge page needs one interruption, where small pages
// need 512, and the processor finds its place faster.
//
// No collection frees this memory, and none looks at it: whoever takes it gives it back, and must
// not use it afterwards.
//
// It also gives memory of the heap: where nobody can give it back, and for what is small.
package memory

import "unsafe"

// A Stock gives out memory piece by piece, and takes it back all at once. The zero Stock is
// ready for use; Free ends it. A nil Stock gives out memory of the heap, which a collection
// finds; before it takes much, the heap gives back what nothing holds. A Stock is not safe for
// concurrent use.
type Stock struct {
	heap  int // bytes of the heap that were given out
	rooms []Room
	rest  []byte // of the last of rooms
}

// These are in bytes. A Stock takes smaller pieces than largePiece from the heap until they are
// smallStock together: a small log is not worth a huge page.
const (
	largePiece = 256 << 10
	smallStock = 512 << 10
)

// Make returns n zero elements, which belong to the caller until [Stock.Free]. Their type must
// have no pointers, because a collection would not see what these point to.
func Make[T any](s *Stock, n int) []T {
	var t T
	size := n * int(unsafe.Sizeof(t))
	if s == nil {
		makeWay(size)
		return make([]T, n)
	}
	if size < largePiece && s.heap+size <= smallStock && len(s.rooms) == 0 {
		s.heap += size
		return make([]T, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(s.take(size)))), n)
}

// take returns size bytes of a room.
func (s *Stock) take(size int) []byte {
	const align = 64 // a line of the cache, and enough for elements of any type
	taken := (size + align - 1) / align * align
	if taken > len(s.rest) {
		var r Room
		r.Resize(max(taken, hugePage))
		s.rooms, s.rest = append(s.rooms, r), r[:cap(r)]
	}
	b := s.rest[:size:taken]
	s.rest = s.rest[taken:]
	return b
}

// Free gives all memory back.
func (s *Stock) Free() {
	if s == nil {
		return
	}
	for i := range s.rooms {
		s.rooms[i].Free()
	}
	*s = Stock{}
}
