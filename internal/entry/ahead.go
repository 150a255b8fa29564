package entry

import (
	"cmp"
	"io"
	"iter"
	"runtime"
	"sync"

	"jl/internal/line"
)

// These are in bytes. A log of fewer than aheadSize is read about as fast as a goroutine is started.
var (
	aheadSize int64 = 4 << 20
	blockSize       = 256 << 10
)

// Ahead yields, for each entry of r in the order of the log, what prepare makes of it, which
// must not depend on another entry, nor on the number of its line, which is not known yet. If
// r reads a large file, two goroutines read the entries ahead and call prepare. When the loop ends,
// they have ended, and the last entry is invalid.
//
// While it lasts, [Reader.Entry] and [Reader.Damage] tell about the entry
// that was yielded last, and the functions of the caller run on its own goroutine, but for
// prepare. What is yielded is valid until the next entry; prepare finds what it made of an
// earlier one in its last argument, and may reuse the memory. If *T is a [Walker], it may have
// read the message of the entry already.
func Ahead[T any](r *Reader, prepare func(*Entry, *T)) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		s := stage[T]{r: r, prepare: prepare, yield: yield}
		r.dec.walker, _ = any(&s.made).(Walker)
		for r.Next() {
			if !s.one() {
				return
			}
			if r.next == r.count && runtime.GOMAXPROCS(0) > 1 {
				s.blocks = r.lines.Blocks(r.rest.offset, blockSize, aheadSize)
				if s.blocks != nil {
					s.run()
					return
				}
			}
		}
	}
}

// A stage yields what is made of the entries of a log. Two goroutines turn its blocks into batches,
// and the caller uses these in order.
type stage[T any] struct {
	r       *Reader
	prepare func(*Entry, *T)
	yield   func(*T) bool
	made    T // of an entry that the caller reads outside of a batch
	blocks  *line.Blocks

	mu    sync.Mutex     // held while a block is taken
	ended bool           // no other is
	row   chan *batch[T] // in the order of their blocks
	idle  chan *batch[T]
}

// batches is how many batches there are, more than goroutines because batches take different times.
const batches = 4

// one yields what is made of the entry of s.r. It reports whether to go on.
func (s *stage[T]) one() bool {
	s.prepare(s.r.entry, &s.made)
	return s.yield(&s.made)
}

// run yields what is made of the entries of the blocks.
func (s *stage[T]) run() {
	s.r.rest.bytes = nil // the first block begins there
	s.row, s.idle = make(chan *batch[T], batches), make(chan *batch[T], batches)
	for range batches {
		s.idle <- &batch[T]{done: make(chan struct{}, 1)}
	}
	var group sync.WaitGroup
	for range 2 {
		group.Go(s.work)
	}
	defer group.Wait()
	defer close(s.idle)
	for b := range s.row {
		<-b.done
		if !s.use(b) {
			return
		}
		s.idle <- b
	}
}

// work makes batches of the next blocks until the log ends or the caller stops.
func (s *stage[T]) work() {
	for b := range s.idle {
		if !s.take(b) {
			return
		}
		s.fill(b)
		b.done <- struct{}{}
	}
}

// take puts b into the row as the batch of the next block. It reports false if there is none.
func (s *stage[T]) take(b *batch[T]) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	if !s.blocks.Next(&b.block) {
		s.ended = true
		close(s.row)
		return false
	}
	s.row <- b
	return true
}

// use yields what was made of the entries of b, reads what b left out, and reports damaged lines.
// It reports whether to go on.
func (s *stage[T]) use(b *batch[T]) bool {
	if !s.useItems(b) {
		return false
	}
	r := s.r
	for r.step() {
		if !s.one() {
			return false
		}
	}
	if r.rest.offset < b.block.To {
		// What is left of the block begins with a long line, or all of it is. What was read before may
		// take as much memory.
		r.rest.bytes, r.dec.line, *r.dec.e, s.made = nil, nil, Entry{}, *new(T)
		r.lines.SeekLine(r.rest.offset, b.block.To-r.rest.offset)
		for r.limit = b.block.To; r.Next(); {
			if !s.one() {
				return false
			}
		}
		if b.err = cmp.Or(r.lines.Err(), b.err); r.rest.offset < b.block.To {
			b.err = cmp.Or(b.err, io.EOF)
		}
	}
	if b.err != nil && b.err != io.EOF {
		r.err = b.err
	}
	return b.err == nil
}
