// Package list implements a list whose elements never move, so that it grows without copies
// and without garbage. It knows nothing about the elements, and removes none.
package list

import (
	"iter"

	"jl/internal/memory"
)

// A List is a list of elements. The zero List is empty. It takes memory for [Piece] elements
// at a time, from its Stock, if it has one: then T must have no pointers, and the List ends with
// the Stock.
type List[T any] struct {
	Stock *memory.Stock

	pieces [][]T
	used   int // elements of the last piece
}

// Piece is how many elements a List makes room for at once, unless more are added together.
const Piece = 1 << 12

// Add adds n zero elements, at least one, that are next to each other, and returns the place of
// the first. Places of elements that are added one by one count from 0.
func (l *List[T]) Add(n int) int {
	if last := len(l.pieces) - 1; last < 0 || l.used+n > len(l.pieces[last]) {
		l.pieces = append(l.pieces, l.piece(max(Piece, n)))
		l.used = 0
	}
	at := (len(l.pieces)-1)*Piece + l.used
	l.used += n
	return at
}

func (l *List[T]) piece(n int) []T {
	if l.Stock == nil {
		return make([]T, n)
	}
	return memory.Make[T](l.Stock, n)
}

// At returns the element at a place. The pointer stays valid.
func (l *List[T]) At(i int) *T { return &l.pieces[i/Piece][i%Piece] }

// All yields the elements of a list to which they were added one by one.
func (l *List[T]) All() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i, p := range l.pieces {
			if i == len(l.pieces)-1 {
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
