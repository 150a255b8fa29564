package dialect

import (
	"bytes"
	"iter"
	"runtime"
	"sync"

	"jl/internal/entry"
	"jl/internal/line"
)

// A text is whole lines of a log, and their offset in it.
type text struct {
	bytes  []byte
	offset int64
}

// A chunk is the lines of one read, with their entries and damaged lines in order.
type chunk struct {
	text              // what is not yet decoded
	number int64      // how many lines were
	buf    []byte     // the memory of the lines
	claim  line.Claim // to the lines, if they are read ahead
	err    error      // what ended the lines, nil if they may go on

	dec           entry.Decoder
	damage        *entry.Damage // of the line that was decoded last
	next, entries int           // its next entry, and how many it has

	records     []*record // and those that can be used again
	count, used int       // how many are in use, and how many of them were taken
	done        chan struct{}
}

// A record is an entry and what was made of it, or a damaged line. The number of its line counts from the
// beginning of its chunk.
type record struct {
	entry   entry.Entry
	made    any
	damage  *entry.Damage // of its line, nil if that is sound
	isFirst bool          // of a damaged line
	isLost  bool          // the line has no entry
}

// most is how many records a chunk has. An Entry takes nearly 800 bytes, so all of a chunk of tiny
// ones would take much memory.
const most = 1 << 12

func (r *Reader) newChunk() *chunk {
	c := &chunk{dec: r.dec, done: make(chan struct{}, 1)}
	if r.hooks != nil && r.hooks.walk != nil {
		c.dec.Walk = func(at entry.Cursor) entry.Cursor { return r.hooks.walk(at, c.records[c.count].made) }
	}
	return c
}

// begin makes t the lines of c.
func (c *chunk) begin(t text) { c.text, c.number, c.count, c.used = t, 0, 0, 0 }

// load loads and decodes what c claims.
func (c *chunk) load(r *Reader) {
	b, err := c.claim.Load(&c.buf)
	c.begin(text{b, c.claim.From})
	c.err = err
	c.fill(r)
}

// isLong reports whether a line that c claims may take nearly all memory.
func (c *chunk) isLong() bool { return c.claim.To-c.claim.From > longAhead }

// isDone reports whether all lines of c are decoded.
func (c *chunk) isDone() bool { return len(c.bytes) == 0 && c.next == c.entries }

// fill decodes the next lines of c.
func (c *chunk) fill(r *Reader) {
	for c.count, c.used = 0, 0; c.count < most; {
		if c.count == len(c.records) {
			next := new(record)
			if r.hooks != nil {
				next.made = r.hooks.make()
			}
			c.records = append(c.records, next)
		}
		to := c.records[c.count]
		c.dec.Into(&to.entry)
		isFirst := c.next == c.entries
		if isFirst && !c.decode(r.only) {
			return
		}
		if c.entries == 0 && c.damage == nil { // a blank line
			continue
		}
		to.damage, to.isFirst, to.isLost = c.damage, isFirst && c.damage != nil, c.entries == 0
		if !to.isLost {
			e := c.dec.Entry(c.next)
			c.next++
			if r.hooks != nil {
				r.hooks.prepare(e, to.made)
			}
		}
		c.count++
	}
}

// decode decodes the next line that holds a word. It reports false if there is none.
func (c *chunk) decode(word []byte) bool {
	n := 0
	for n < len(c.bytes) && c.bytes[n] == '\n' { // a log may have millions of them
		n++
	}
	c.skip(n, int64(n))
	if word != nil {
		if n = bytes.Index(c.bytes, word); n < 0 {
			n = len(c.bytes)
		}
		n = bytes.LastIndexByte(c.bytes[:n], '\n') + 1
		c.skip(n, int64(bytes.Count(c.bytes[:n], []byte{'\n'})))
	}
	if len(c.bytes) == 0 {
		return false
	}
	n, c.entries, c.damage = c.dec.DecodeFirst(c.bytes, c.number+1, c.offset)
	c.next = 0
	c.skip(n, 1)
	return true
}

// skip removes the next length bytes, and counts their lines.
func (c *chunk) skip(length int, lines int64) {
	c.bytes, c.offset, c.number = c.bytes[length:], c.offset+int64(length), c.number+lines
}

// The hooks make of each entry what the caller of Ahead needs.
type hooks struct {
	make    func() any
	walk    func(entry.Cursor, any) entry.Cursor // nil if the message is not read
	prepare func(*entry.Entry, any)
}

// Ahead calls prepare for each entry of r, and yields the results in the order of the log. If walk is not nil, it
// reads the message of the entry before that; [entry.Entry.Walked] reports whether it did.
//
// If r reads a large file, other goroutines read entries ahead and call walk and prepare. So these must use
// nothing but the entry, and not the number of its line, which is not known yet. All other functions of the
// caller run on its own goroutine. The goroutines end before the loop does.
//
// During the loop, the methods of r tell about the entry that was yielded last. A result is valid until the next
// one: walk and prepare get it as their last argument when they are called for a later entry, and may reuse its
// memory.
func Ahead[T any](r *Reader, walk func(entry.Cursor, *T) entry.Cursor, prepare func(*entry.Entry, *T)) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		r.hooks = &hooks{make: func() any { return new(T) }, prepare: func(e *entry.Entry, made any) { prepare(e, made.(*T)) }}
		if walk != nil {
			r.hooks.walk = func(c entry.Cursor, made any) entry.Cursor { return walk(c, made.(*T)) }
		}
		defer func() { r.ahead.stop() }()
		for r.Next() && yield(r.current.made.(*T)) {
		}
	}
}

// These are in bytes. A log of fewer than aheadSize is read about as fast as goroutines are started. A
// chunk of more than longAhead is read by the caller, because its last line may take nearly all memory.
var (
	aheadSize int64 = 4 << 20
	longAhead int64 = 1 << 20
)

// workers is how many goroutines read ahead. Each has a chunk, the caller has one, and one more waits for the
// caller, so that a worker goes on while the other one decodes a long line.
const workers = 2

// An ahead is the goroutines that read and decode chunks. The caller uses these in order.
type ahead struct {
	turn chan struct{} // has a value if nobody reads; closed at the end of the log
	row  chan *chunk   // in the order of the log; closed at its end
	idle chan *chunk
	quit chan struct{} // closed if the caller stops
	work sync.WaitGroup
}

// reads reports whether chunks are read ahead, and begins to do so when it is time.
func (r *Reader) reads() bool {
	if r.ahead == nil && r.hooks != nil && r.lines.IsFile(aheadSize) && runtime.GOMAXPROCS(0) > 1 {
		a := &ahead{make(chan struct{}, 1), make(chan *chunk, workers+1), make(chan *chunk, workers+1), make(chan struct{}), sync.WaitGroup{}}
		r.ahead = a
		a.turn <- struct{}{}
		a.idle <- r.newChunk()
		for range workers { // besides the current one
			a.idle <- r.newChunk()
			a.work.Go(func() { a.run(r) })
		}
	}
	return r.ahead != nil
}

// run reads and decodes chunks until the log ends or the caller stops.
func (a *ahead) run(r *Reader) {
	for {
		var c *chunk
		select {
		case c = <-a.idle:
		case <-a.quit:
			return
		}
		select {
		case _, ok := <-a.turn:
			if !ok {
				return
			}
		case <-a.quit:
			return
		}
		a.read(r, c)
	}
}

// read reads and decodes the next chunk. If that is long, the caller does so, and gives the turn back.
func (a *ahead) read(r *Reader, c *chunk) {
	var ok bool
	if c.claim, ok = r.lines.Claim(&c.buf); !ok {
		close(a.row)
		close(a.turn)
		return
	}
	isLong := c.isLong()
	if a.row <- c; isLong {
		return
	}
	a.turn <- struct{}{}
	c.load(r)
	c.done <- struct{}{}
}

// next returns the next chunk, nil if there is none. Another one is used up.
func (a *ahead) next(r *Reader, used *chunk) *chunk {
	a.idle <- used
	c := <-a.row
	switch {
	case c == nil: // the end
	case c.isLong():
		c.load(r)
		a.turn <- struct{}{}
	default:
		<-c.done
	}
	return c
}

// stop ends the goroutines, if there are any.
func (a *ahead) stop() {
	if a != nil {
		close(a.quit)
		a.work.Wait()
	}
}
