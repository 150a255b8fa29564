package entry

import (
	"bytes"
	"io"
	"iter"
	"runtime"
	"sync"
)

// Blocks are the lines of a log by blocks, which can be read at the same time; line.Blocks
// has this interface.
//
// Between calls yield for the lines that begin at the offset from or after it and before to:
// never, or once or more with whole lines, their offset, and how many bytes before that
// belong to them, but were dropped. The lines are valid until the next call with the same
// buffers, which are zero at first. It returns nil if there may be more lines after these,
// io.EOF if there are none, or the error that ended the lines. Size is the size of the log.
type Blocks interface {
	Between(from, to int64, buffers *[2][]byte, yield func(lines []byte, offset, dropped int64)) error
	Size() int64
}

// Ahead yields, for each entry of r in the order of the log, what prepare makes of it, which
// must not depend on another entry. If blocks is not nil, it holds the same lines as r. If
// they are many, two goroutines then read the entries ahead and call prepare, while the
// caller uses what they have made before. They have ended when the iteration ends.
//
// While it lasts, [Reader.Entry], [Reader.Damage] and [Reader.Dialect] tell about the entry
// that was yielded last, and the functions of the caller run on its own goroutine, but for
// prepare. What is yielded is valid until the next entry; prepare finds what it made of an
// earlier one in its last argument, and may reuse the memory.
func Ahead[T any](r *Reader, blocks Blocks, prepare func(*Entry, Dialect, *T)) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		var made T
		ahead := blocks != nil && blocks.Size() >= aheadSize && runtime.GOMAXPROCS(0) > 1
		for r.Next() {
			prepare(r.entry, r.Dialect(), &made)
			if !yield(&made) {
				return
			}
			if ahead && r.next == r.count && len(r.held) == 0 {
				a := readAhead[T]{r: r, blocks: blocks, prepare: prepare}
				a.run(yield)
				return
			}
		}
	}
}

// A readAhead reads the rest of a log ahead, block by block. Each block goes in a circle: a
// worker takes an idle one, puts it into the row, fills it and reads the entries; the row is
// in the order of the log, in which the caller uses the blocks and makes them idle again.
type readAhead[T any] struct {
	r       *Reader
	blocks  Blocks
	prepare func(*Entry, Dialect, *T)

	mu      sync.Mutex // guards from and numbers, and the order of row
	from    int64      // where the blocks begin that are not in the row yet
	numbers chan int64 // receives the number of lines before them
	row     chan *block[T]
	done    chan struct{} // closed when the caller needs no more
}

// aheadSize is the size of the smallest log for which goroutines pay.
const aheadSize = 4 << 20

// blockSize is how many bytes of the log a block takes. Two of them stay in the cache of the
// processor that the worker runs on. Smaller ones would end within long lines more often,
// and a line that goes on after its block is read by two workers.
const blockSize = 512 << 10

// Two workers have two blocks each, so that they and the caller seldom wait. A worker keeps its
// blocks, because they are in its cache.
const (
	workers = 2
	each    = 2
)

// most is how many entries of a block are read before the caller uses them. An entry takes
// about 700 bytes, so a block of many short lines would take much memory.
const most = 1 << 10

// A block is some lines, their entries and what was made of them.
type block[T any] struct {
	home     chan *block[T] // where it goes when it is idle
	from, to int64          // where its lines begin
	buffers  [2][]byte
	lines    []heldLine // its lines, several as one
	number   int64      // how many lines the log has up to the end of the block
	err      error      // what ended the log, nil if it may go on
	before   chan int64 // receives the number of lines before the block
	after    chan int64 // receives number
	batch[T]
	ready chan bool     // receives whether a batch is the last one, when it can be used
	used  chan struct{} // receives when a batch was used that is not the last one
}

// A batch is entries of a block, in order.
type batch[T any] struct {
	items   []item[T] // those in use and those that can be used again
	count   int       // how many are in use
	damaged []damagedLine
}

// An item is an entry and what was made of it.
type item[T any] struct {
	entry Entry
	made  T
}

// A damagedLine is a line with damage. Its entries are those of a batch from first on and
// before end.
type damagedLine struct {
	damage     *Damage // nil if the batch before holds it, and other entries of the line
	first, end int
}

// run yields what is made of the rest of the log.
func (a *readAhead[T]) run(yield func(*T) bool) {
	lines := a.r.lines
	a.from = lines.Offset() + int64(len(lines.Bytes()))
	read := &ended{bytes: a.from}
	a.r.ahead = read
	a.numbers = make(chan int64, 1)
	a.numbers <- lines.Number()
	a.row = make(chan *block[T], workers*each)
	a.done = make(chan struct{})
	var group sync.WaitGroup
	for range workers {
		idle := make(chan *block[T], each)
		for range each {
			idle <- &block[T]{home: idle, ready: make(chan bool, 1), used: make(chan struct{}, 1)}
		}
		group.Go(func() { a.work(idle) })
	}
	for b := range a.row {
		if !a.use(b, yield) {
			break
		}
		read.lines = b.number
		for _, l := range b.lines {
			read.bytes = l.offset + int64(len(l.bytes))
		}
		if b.err != nil {
			if b.err != io.EOF {
				a.r.err = b.err
			}
			break
		}
		b.home <- b
	}
	close(a.done)
	group.Wait()
}

// work fills blocks until the caller needs no more.
func (a *readAhead[T]) work(idle chan *block[T]) {
	dec := Decoder{Strict: a.r.dec.Strict, RejectBOM: a.r.dec.RejectBOM}
	var ends []int
	for {
		var b *block[T]
		select {
		case b = <-idle:
		case <-a.done:
			return
		}
		a.take(b)
		b.lines, ends = b.lines[:0], ends[:0]
		b.err = a.blocks.Between(b.from, b.to, &b.buffers, func(lines []byte, offset, dropped int64) {
			b.lines = append(b.lines, heldLine{bytes: lines, offset: offset, dropped: dropped})
			ends = lineEnds(ends, lines)
		})
		number := <-b.before
		b.number = number + int64(len(ends))
		b.after <- b.number
		if !a.read(b, number, ends, &dec) {
			return
		}
		b.ready <- true
	}
}

// take gives b its place in the row.
func (a *readAhead[T]) take(b *block[T]) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b.from, b.to = a.from, a.from-a.from%blockSize+blockSize
	a.from = b.to
	b.before, b.after = a.numbers, make(chan int64, 1)
	a.numbers = b.after
	a.row <- b
}

// lineEnds appends to ends where the lines of b end.
func lineEnds(ends []int, b []byte) []int {
	for end := 0; end < len(b); {
		if i := bytes.IndexByte(b[end:], '\n'); i >= 0 {
			end += i + 1
		} else {
			end = len(b) // of the last line of the log
		}
		ends = append(ends, end)
	}
	return ends
}

// read reads the entries of b, batch by batch. Number lines are before them, and ends says
// where the lines end. It returns false if the caller needs no more.
func (a *readAhead[T]) read(b *block[T], number int64, ends []int, dec *Decoder) bool {
	b.clear()
	for _, lines := range b.lines {
		l := heldLine{number: number, offset: lines.offset, dropped: lines.dropped}
		for start := 0; start < len(lines.bytes); {
			end := ends[0]
			ends = ends[1:]
			l.bytes = lines.bytes[start:end:end]
			l.number++
			if b.count == most && !a.hand(b) {
				return false
			}
			dec.e = &b.next().entry
			count, damage := dec.decode(l)
			if damage != nil {
				b.damaged = append(b.damaged, damagedLine{damage, b.count, b.count + count})
			}
			for i := range count {
				if b.count == most {
					if !a.hand(b) {
						return false
					}
					b.damaged = append(b.damaged, damagedLine{nil, 0, count - i})
				}
				next := b.next()
				dec.e = &next.entry
				a.prepare(dec.Entry(i), a.r.Dialect(), &next.made)
				b.count++
			}
			l.offset, l.dropped = l.offset+int64(end-start), 0
			start = end
		}
		number = l.number
	}
	return true
}

// hand gives the batch of b to the caller, and begins another when it was used. It returns
// false if the caller needs no more.
func (a *readAhead[T]) hand(b *block[T]) bool {
	b.ready <- false
	select {
	case <-b.used:
		b.clear()
		return true
	case <-a.done:
		return false
	}
}

func (b *batch[T]) clear() { b.count, b.damaged = 0, b.damaged[:0] }

// next returns the item after those in use.
func (b *batch[T]) next() *item[T] {
	if b.count == len(b.items) {
		b.items = append(b.items, item[T]{})
	}
	return &b.items[b.count]
}

// use yields what was made of the entries of b, and reports its damaged lines. It reports
// whether to go on.
func (a *readAhead[T]) use(b *block[T], yield func(*T) bool) bool {
	for !<-b.ready {
		if !a.useBatch(&b.batch, yield) {
			return false
		}
		b.used <- struct{}{}
	}
	return a.useBatch(&b.batch, yield)
}

func (a *readAhead[T]) useBatch(b *batch[T], yield func(*T) bool) bool {
	damaged, damagedEnd := b.damaged, 0
	for i := 0; ; i++ {
		for len(damaged) > 0 && damaged[0].first == i {
			if d := damaged[0].damage; d != nil {
				a.r.report(d)
			}
			damagedEnd = damaged[0].end
			damaged = damaged[1:]
		}
		if i == b.count {
			return true
		}
		if i >= damagedEnd {
			a.r.damage = nil
		}
		a.r.entry = &b.items[i].entry
		if !yield(&b.items[i].made) {
			return false
		}
	}
}
