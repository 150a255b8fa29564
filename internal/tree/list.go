package tree

// A list is elements in pieces that never move, so that it grows without garbage.
type list[T any] struct {
	pieces [][]T
	used   int // elements of the last piece
}

// piece is the usual number of elements of a piece.
const piece = 1 << 12

// add adds n zero elements, at least one, that are next to each other, and returns the place of
// the first. Places of elements that are added one by one count from 0.
func (l *list[T]) add(n int) int {
	if last := len(l.pieces) - 1; last < 0 || l.used+n > len(l.pieces[last]) {
		l.pieces = append(l.pieces, make([]T, max(piece, n)))
		l.used = 0
	}
	at := (len(l.pieces)-1)*piece + l.used
	l.used += n
	return at
}

// at returns the element at a place.
func (l *list[T]) at(i int) *T { return &l.pieces[i/piece][i%piece] }

// from returns the elements from a place on, at least those that were added with it.
func (l *list[T]) from(i int) []T { return l.pieces[i/piece][i%piece:] }
