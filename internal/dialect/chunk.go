package dialect

import (
	"bytes"
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
	words  []int64    // where each word of Only is next, an offset in the log; behind the lines for nowhere
	err    error      // what ended the lines, nil if they may go on

	dec           entry.Decoder
	damage        *entry.Damage // of the line that was decoded last
	next, entries int           // its next entry, and how many it has

	records     []*record // and those that can be used again
	count, used int       // how many are in use, and how many of them were taken
	done        chan struct{}
}

// A record is an entry and the Maker that was called with it, or a damaged line. The number of its line counts
// from the beginning of its chunk.
type record struct {
	entry   entry.Entry
	maker   Maker         // nil if the entry is not prepared
	walker  entry.Walker  // the maker, if it is one
	damage  *entry.Damage // of its line, nil if that is sound
	isFirst bool          // of a damaged line
	isLost  bool          // the line has no entry
}

// most is how many records a chunk has. An Entry takes nearly 800 bytes, so all of a chunk of tiny
// ones would take much memory.
const most = 1 << 12

func (r *Reader) newChunk() *chunk {
	return &chunk{dec: r.dec, done: make(chan struct{}, 1)}
}

// begin makes t the lines of c.
func (c *chunk) begin(t text) { c.text, c.number, c.count, c.used, c.words = t, 0, 0, 0, c.words[:0] }

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
			c.records = append(c.records, new(record))
		}
		to := c.records[c.count]
		if to.maker == nil && r.newMaker != nil {
			to.maker = r.newMaker()
			to.walker, _ = to.maker.(entry.Walker)
		}
		c.dec.Into(&to.entry)
		c.dec.Walker = to.walker
		isFirst := c.next == c.entries
		if isFirst && !c.decode(r.only) {
			return
		}
		if c.entries == 0 && c.damage == nil { // a blank line
			continue
		}
		to.damage, to.isFirst, to.isLost = c.damage, isFirst && c.damage != nil, c.entries == 0
		c.count++
		if to.isLost {
			continue
		}
		if c.damage != nil { // the line may have several
			c.dec.Entry(c.next)
		}
		c.next++
		if to.maker != nil {
			to.maker.Make(&to.entry)
		}
	}
}

// decode decodes the next line that holds one of some words; of none, the next. It reports false if there is none.
func (c *chunk) decode(words [][]byte) bool {
	n := 0
	for n < len(c.bytes) && c.bytes[n] == '\n' { // a log may have millions of them
		n++
	}
	c.skip(n, int64(n))
	if len(words) > 0 {
		n = c.find(words)
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

// find returns how many bytes are before the first of some words, all if there is none.
func (c *chunk) find(words [][]byte) int {
	n := len(c.bytes)
	for i, word := range words {
		if i == len(c.words) {
			c.words = append(c.words, -1)
		}
		if c.words[i] < c.offset {
			at := bytes.Index(c.bytes, word)
			if at < 0 {
				at = len(c.bytes)
			}
			c.words[i] = c.offset + int64(at)
		}
		n = min(n, int(c.words[i]-c.offset))
	}
	return n
}

// skip removes the next length bytes, and counts their lines.
func (c *chunk) skip(length int, lines int64) {
	c.bytes, c.offset, c.number = c.bytes[length:], c.offset+int64(length), c.number+lines
}

// A Maker makes of each entry what the caller of a Reader needs. If it is an [entry.Walker], too, it reads the
// message of the entry before that; [entry.Entry.Walked] reports whether it did.
type Maker interface{ Make(*entry.Entry) }

// Prepare lets Makers prepare the entries of r: Next steps to an entry that is made, and Made returns its
// Maker. Prepare is called before Next, and Close after it.
//
// If r reads a large file, other goroutines read entries ahead and call the Makers. So these must use nothing but
// the entry, and not the number of its line, which is not known yet. Each Maker is used for many entries, one
// after another, and may reuse its memory.
func (r *Reader) Prepare(newMaker func() Maker) { r.newMaker = newMaker }

// Made returns the Maker of the current entry. What that has made is valid until the next call of Next.
func (r *Reader) Made() Maker { return r.current.maker }

// Close ends what Prepare began. After it, the current entry is still valid.
func (r *Reader) Close() { r.ahead.stop() }

// These are in bytes. A log of fewer than aheadSize is read about as fast without other goroutines, and at less cost. A
// chunk of more than longAhead is read by the caller, because its last line may take nearly all memory.
var (
	aheadSize int64 = 8 << 20
	longAhead int64 = 1 << 20
)

// workers is how many goroutines read ahead. Each has a chunk, the caller has one, and one more waits for the
// caller, so that a worker goes on while the other one decodes a long line.
const workers = 2

// An ahead is the goroutines that read and decode chunks. The caller uses these in order.
type ahead struct {
	token chan struct{} // has a value if nobody reads; closed at the end of the log
	ready chan *chunk   // in the order of the log; closed at its end
	idle  chan *chunk
	quit  chan struct{} // closed if the caller stops
	work  sync.WaitGroup
}

// reads reports whether chunks are read ahead, and begins to do so when it is time.
func (r *Reader) reads() bool {
	if r.ahead == nil && r.newMaker != nil && r.lines.IsFile(aheadSize) && runtime.GOMAXPROCS(0) > 1 {
		a := &ahead{make(chan struct{}, 1), make(chan *chunk, workers+1), make(chan *chunk, workers+1), make(chan struct{}), sync.WaitGroup{}}
		r.ahead = a
		a.token <- struct{}{}
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
		case _, ok := <-a.token:
			if !ok {
				return
			}
		case <-a.quit:
			return
		}
		a.read(r, c)
	}
}

// read reads and decodes the next chunk. If that is long, the caller does so, and gives the token back.
func (a *ahead) read(r *Reader, c *chunk) {
	var ok bool
	if c.claim, ok = r.lines.Claim(&c.buf); !ok {
		close(a.ready)
		close(a.token)
		return
	}
	isLong := c.isLong()
	if a.ready <- c; isLong {
		return
	}
	a.token <- struct{}{}
	c.load(r)
	c.done <- struct{}{}
}

// next returns the next chunk, nil if there is none. Another one is used up.
func (a *ahead) next(r *Reader, used *chunk) *chunk {
	a.idle <- used
	c := <-a.ready
	switch {
	case c == nil: // the end
	case c.isLong():
		c.load(r)
		a.token <- struct{}{}
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
