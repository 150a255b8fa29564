package entry

import (
	"bytes"
	"iter"
	"runtime"
	"sync"
)

// Blocks are Lines of which many can be read at once; line.Forward has this interface.
// NextBlock steps to the next lines, and Bytes, Offset and Dropped are then about all of
// them. The bytes are valid until the next call with the same buffers, which are zero at
// first. NextBlock does not count lines, and Next is not called after it.
type Blocks interface {
	Lines
	NextBlock(buffers *[2][]byte) bool
}

// Ahead yields, for each entry of r in the order of the log, what prepare makes of it, which
// must not depend on another entry. Size is that of the log in bytes, or 0 if a read may wait
// for more. If it is large, two goroutines read the entries ahead and call prepare, while
// the caller uses what they have made before. They have ended when the iteration ends.
//
// While it lasts, [Reader.Entry], [Reader.Damage] and [Reader.Dialect] tell about the entry
// that was yielded last, and the functions of the caller run on its own goroutine, but for
// prepare. What is yielded is valid until the next entry; prepare finds what it made of an
// earlier one in its last argument, and may reuse the memory.
func Ahead[T any](r *Reader, size int64, prepare func(*Entry, Dialect, *T)) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		var made T
		lines, ok := r.lines.(Blocks)
		ahead := ok && size >= aheadSize && runtime.GOMAXPROCS(0) > 1
		for r.Next() {
			prepare(r.entry, r.Dialect(), &made)
			if !yield(&made) {
				return
			}
			if ahead && r.next == r.count && len(r.held) == 0 {
				a := readAhead[T]{r: r, lines: lines, prepare: prepare}
				a.run(yield)
				return
			}
		}
	}
}

// A readAhead reads the rest of a log ahead, block by block. Each block of lines goes in a
// circle: a worker fills an idle one and puts it into the row before it reads the entries,
// so the row is in the order of the log; then the caller uses it, and makes it idle.
type readAhead[T any] struct {
	r       *Reader
	prepare func(*Entry, Dialect, *T)

	mu      sync.Mutex // held while a worker reads lines
	lines   Blocks
	numbers chan int64 // receives the number of lines before those that are not read yet
	idle    [workers]chan *block[T]
	row     chan *block[T] // closed at the end of the log
	done    bool           // row is closed
}

// aheadSize is the size of the smallest log for which goroutines pay.
const aheadSize = 4 << 20

// Two workers are enough, because only one at a time can read from the file, which takes
// about a third of their time. With two blocks each, they and the caller seldom wait. A
// worker keeps its blocks, because they are in the cache of the processor that it runs on.
const (
	workers = 2
	each    = 2
)

// A block is some lines, their entries and what was made of them.
type block[T any] struct {
	home    chan *block[T] // where it goes when it is idle
	buffers [2][]byte
	lines   heldLine   // all of them as one
	before  chan int64 // receives the number of lines before the block
	behind  chan int64 // receives the number of lines up to its end
	items   []item[T]  // those in use and those that can be used again
	count   int        // how many are in use
	damaged []damagedLine
	ready   chan struct{} // receives when the entries are read
}

// An item is an entry and what was made of it.
type item[T any] struct {
	entry Entry
	made  T
}

// A damagedLine is a line with damage. Its entries are count items of its block from first
// on.
type damagedLine struct {
	damage       *Damage
	first, count int
}

// run yields what is made of the rest of the log.
func (a *readAhead[T]) run(yield func(*T) bool) {
	a.row = make(chan *block[T], workers*each)
	a.numbers = make(chan int64, 1)
	a.numbers <- a.lines.Number()
	var group sync.WaitGroup
	for i := range a.idle {
		a.idle[i] = make(chan *block[T], each)
		for range each {
			a.idle[i] <- &block[T]{home: a.idle[i], ready: make(chan struct{}, 1)}
		}
		group.Go(func() { a.work(a.idle[i]) })
	}
	for b := range a.row {
		<-b.ready
		if !a.use(b, yield) {
			break
		}
		b.home <- b
	}
	a.mu.Lock()
	a.end()
	a.mu.Unlock()
	for _, idle := range a.idle {
		close(idle)
	}
	group.Wait()
	a.r.ahead = <-a.numbers
}

// end closes the row. The caller holds mu.
func (a *readAhead[T]) end() {
	if !a.done {
		a.done = true
		close(a.row)
	}
}

// work fills blocks until the log ends, or the caller stops.
func (a *readAhead[T]) work(idle chan *block[T]) {
	dec := Decoder{Strict: a.r.dec.Strict, RejectBOM: a.r.dec.RejectBOM}
	for b := range idle {
		if !a.next(b) {
			return
		}
		b.read(&dec, a.r.Dialect(), a.prepare)
		b.ready <- struct{}{}
	}
}

// next gives b the next lines, and its place in the row. It reports false if there are no
// more.
func (a *readAhead[T]) next(b *block[T]) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.done {
		return false
	}
	if !a.lines.NextBlock(&b.buffers) {
		a.end()
		return false
	}
	b.lines = heldLine{bytes: a.lines.Bytes(), offset: a.lines.Offset(), dropped: a.lines.Dropped()}
	b.before, b.behind = a.numbers, make(chan int64, 1)
	a.numbers = b.behind
	a.row <- b
	return true
}

// read reads the entries of the lines of b.
func (b *block[T]) read(dec *Decoder, d Dialect, prepare func(*Entry, Dialect, *T)) {
	b.count, b.damaged = 0, b.damaged[:0]
	all := b.lines.bytes
	lines := bytes.Count(all, newline)
	if all[len(all)-1] != '\n' {
		lines++ // the last line of the log
	}
	number := <-b.before
	b.behind <- number + int64(lines)
	l := heldLine{number: number + 1, offset: b.lines.offset, dropped: b.lines.dropped}
	for start, end := 0, 0; start < len(all); start = end {
		if i := bytes.IndexByte(all[start:], '\n'); i >= 0 {
			end = start + i + 1
		} else {
			end = len(all)
		}
		l.bytes = all[start:end:end]
		dec.e = &b.item(b.count).entry
		count, damage := dec.decode(l)
		if damage != nil {
			b.damaged = append(b.damaged, damagedLine{damage, b.count, count})
		}
		for i := range count {
			next := b.item(b.count)
			dec.e = &next.entry
			prepare(dec.Entry(i), d, &next.made)
			b.count++
		}
		l.number, l.offset, l.dropped = l.number+1, l.offset+int64(end-start), 0
	}
}

var newline = []byte{'\n'}

// item returns item i, which is not more than one behind the others.
func (b *block[T]) item(i int) *item[T] {
	if i == len(b.items) {
		b.items = append(b.items, item[T]{})
	}
	return &b.items[i]
}

// use yields what was made of the entries of b, and reports its damaged lines. It reports
// whether to go on.
func (a *readAhead[T]) use(b *block[T], yield func(*T) bool) bool {
	damaged, damagedEnd := b.damaged, 0
	for i := 0; ; i++ {
		for len(damaged) > 0 && damaged[0].first == i {
			a.r.report(damaged[0].damage)
			damagedEnd = i + damaged[0].count
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
