package line

import (
	"io"
	"iter"

	"jl/internal/ahead"
	"jl/internal/memory"
)

// ReadAhead lets b read blocks before it is asked for them, once it has read some: another
// goroutine helps to read them. Stop ends the goroutine, and the use of b. ReadAhead does
// nothing if a goroutine does not pay.
func (b *Backward) ReadAhead() (stop func()) {
	if ahead.Pays(b.end) {
		b.patience = patience
	}
	return func() {
		if b.ahead != nil {
			b.ahead.stop()
		}
	}
}

// patience is how many blocks are read before others are read ahead: a caller that wants
// the last lines only has them by then.
const patience = 8

// A prefetch reads blocks before they are asked for, each the one above the last.
type prefetch struct {
	pull func() (*slab, bool)
	end  func()
	bufs memory.Stock // of the slabs, and so of what next returns
}

// A slab is a block that is read ahead, and where lines begin in it.
type slab struct {
	base   int64
	buf    []byte
	starts []int32
	err    error
}

// newPrefetch returns what reads the blocks of r before base.
func newPrefetch(r io.ReaderAt, block int, base int64) *prefetch {
	p := new(prefetch)
	next := func(s *slab) bool {
		size := min(int64(block), base)
		base -= size
		s.base = base
		if cap(s.buf) < block {
			s.buf = memory.Make[byte](&p.bufs, block)
		}
		s.buf = s.buf[:size]
		return size > 0
	}
	work := func(s *slab) {
		if s.err = readAt(r, s.buf, s.base); s.err == nil {
			s.starts = lineStarts(s.starts[:0], s.buf, s.base == 0)
		}
	}
	p.pull, p.end = iter.Pull(ahead.Jobs(next, work))
	return p
}

// stop ends the goroutine, and the blocks.
func (p *prefetch) stop() {
	p.end()
	p.bufs.Free()
}

// next returns the next block, and where lines begin in it. Its arguments are used for
// another. There is a next block as long as the last one did not begin at 0.
func (p *prefetch) next(buf []byte, starts []int32) ([]byte, []int32, error) {
	s, _ := p.pull()
	s.buf, buf = buf, s.buf
	s.starts, starts = starts, s.starts
	return buf, starts, s.err
}
