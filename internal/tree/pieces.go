package tree

// Pieces hold values in pieces that do not move once they are full, so that growing copies little and leaves
// no garbage. The first piece grows as a slice does.
type pieces[T any] struct {
	all   [][]T
	count int
}

const (
	pieceBits = 12 // a piece has 4,096 values
	pieceMask = 1<<pieceBits - 1
)

// at returns the value i, which add may move.
func (p *pieces[T]) at(i int) *T { return &p.all[i>>pieceBits][i&pieceMask] }

func (p *pieces[T]) add(v T) {
	switch last := p.count >> pieceBits; {
	case last == 0 && p.count == 0:
		p.all = [][]T{{v}}
	case last < len(p.all):
		p.all[last] = append(p.all[last], v)
	default:
		p.all = append(p.all, append(make([]T, 0, 1<<pieceBits), v))
	}
	p.count++
}

// cut removes all values but the first n.
func (p *pieces[T]) cut(n int) {
	p.count, p.all = n, p.all[:(n+pieceMask)>>pieceBits]
	if n&pieceMask > 0 {
		last := &p.all[n>>pieceBits]
		*last = (*last)[:n&pieceMask]
	}
}
