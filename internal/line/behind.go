package line

import (
	"io"
	"runtime"
	"slices"
	"sync"
)

// ReadAhead lets b read blocks before it is asked for them, once it has read some: two
// goroutines read one each, while the caller uses others. Stop ends the goroutines, and the
// use of b. It does nothing if there is only one processor.
func (b *Backward) ReadAhead() (stop func()) {
	if runtime.GOMAXPROCS(0) > 1 {
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

const (
	readers = 2 // how many goroutines read ahead
	waiting = 2 // how many blocks may wait for the caller
)

// A behind reads blocks ahead, each the one before the last.
type behind struct {
	r     io.ReaderAt
	block int64

	mu   sync.Mutex // guards base, and the order of row
	base int64      // where the blocks begin that are in the row
	row  chan *slab // in the order in which next returns them
	idle chan *slab
	done chan struct{}

	group sync.WaitGroup
}

// A slab is a block that is being read, and where lines begin in it.
type slab struct {
	buf    []byte
	starts []int32
	read   chan error // receives when it was read
}

// newBehind begins to read the blocks before base.
func newBehind(r io.ReaderAt, block int, base int64) *behind {
	b := &behind{
		r:     r,
		block: int64(block),
		base:  base,
		row:   make(chan *slab, readers+waiting),
		idle:  make(chan *slab, readers+waiting),
		done:  make(chan struct{}),
	}
	for range readers + waiting {
		b.idle <- &slab{read: make(chan error, 1)}
	}
	for range readers {
		b.group.Go(b.work)
	}
	return b
}

func (b *behind) work() {
	for {
		select {
		case s := <-b.idle:
			size, at := b.take(s)
			if size == 0 {
				return
			}
			s.buf = slices.Grow(s.buf[:0], size)[:size]
			err := readAt(b.r, s.buf, at)
			if err == nil {
				s.starts = lineStarts(s.starts[:0], s.buf, at == 0)
			}
			s.read <- err
		case <-b.done:
			return
		}
	}
}

// take puts s into the row, for the next block: size bytes at offset at, none at the end.
func (b *behind) take(s *slab) (size int, at int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	size = int(min(b.block, b.base))
	b.base -= int64(size)
	if size > 0 {
		b.row <- s
	}
	return size, b.base
}

// next returns the next block, and where lines begin in it. Its arguments are used for
// another.
func (b *behind) next(buf []byte, starts []int32) ([]byte, []int32, error) {
	s := <-b.row
	err := <-s.read
	s.buf, buf = buf, s.buf
	s.starts, starts = starts, s.starts
	b.idle <- s
	return buf, starts, err
}

// stop ends the reading.
func (b *behind) stop() {
	close(b.done)
	b.group.Wait()
}
