// Package list implements a list whose elements never move, so that it grows without copies
// and without garbage. It knows nothing about the elements, and removes none.
package list

import (
	"iter"

	"jl/internal/memory"
)

// A List is a list of elements. The zero List is empty. It takes memory for [Piece] elements
// at a time from its Stock. Unless that is nil, T must have no pointers, and the List ends with
// the Stock.
type List[T any] struct {
	Stock *memory.Stock

	pieces [][]T // those in use, and those that Clear has kept
	count  int   // of the pieces in use
	used   int   // elements of the last of them
}

// Piece is how many elements a List makes room for at once, unless more are added together.
const Piece = 1 << 10

// Add adds n zero elements, at least one, that are next to each other, and returns the place of
// the first. Places of elements that are added one by one count from 0.
func (l *List[T]) Add(n int) int {
	if l.count == 0 || l.used+n > len(l.pieces[l.count-1]) {
		l.next(max(Piece, n))
	}
	at := (l.count-1)*Piece + l.used
	l.used += n
	return at
}

// next begins a piece of at least n zero elements.
func (l *List[T]) next(n int) {
	l.used = 0
	l.count++
	if l.count > len(l.pieces) {
		l.pieces = append(l.pieces, nil)
	}
	switch p := &l.pieces[l.count-1]; {
	case cap(*p) >= n: // it had more elements than Piece if more were added together
		*p = (*p)[:n]
		clear(*p)
	default:
		*p = memory.Make[T](l.Stock, n)
	}
}

// Clear removes all elements. Others get their memory.
func (l *List[T]) Clear() { l.count, l.used = 0, 0 }

// At returns the element at a place. The pointer stays valid.
func (l *List[T]) At(i int) *T { return &l.pieces[i/Piece][i%Piece] }

// All yields the elements of a list to which they were added one by one.
func (l *List[T]) All() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i, p := range l.pieces[:l.count] {
			if i == l.count-1 {
				p = p[:l.used]
			}
			for k := range p {
				if !yield(&p[k]) {
					return
				}
			}
		}
	}
}

// From returns the elements from a place on, at least those that were added with it. The slice
// stays valid.
func (l *List[T]) From(i int) []T { return l.pieces[i/Piece][i%Piece:] }
