package entry

import (
	"bytes"
	"io"
	"iter"

	"jl/internal/ahead"
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
		large := blocks != nil && ahead.Pays(blocks.Size())
		for r.Next() {
			prepare(r.entry, r.Dialect(), &made)
			if !yield(&made) {
				return
			}
			if large && r.next == r.count && len(r.held) == 0 {
				a := aheadReader[T]{r: r, blocks: blocks, prepare: prepare}
				a.run(yield)
				return
			}
		}
	}
}

// blockSize is how many bytes of the log a block takes. Two of them stay in the cache of the
// processor that a worker runs on. Smaller ones would end within long lines more often,
// and a line that goes on after its block is read by two workers.
const blockSize = 512 << 10

// most is how many lines, and how many entries, of a block are read ahead. An entry takes
// about 700 bytes, so a block of tiny ones would take much memory.
const most = 1 << 12

// A block is some lines, and what was made of their entries.
type block[T any] struct {
	from, to int64 // where its lines begin
	buffers  [2][]byte
	lines    []heldLine // its lines, several as one
	ends     []int      // where the first lines end in their elements of lines
	err      error      // what ended the log, nil if it may go on
	before   chan int64 // receives first
	after    chan int64 // receives last
	first    int64      // how many lines are before the block
	last     int64      // how many lines the log has up to its end

	dec     Decoder
	items   []item[T] // those in use and those that can be used again
	count   int       // how many are in use
	damaged []damagedLine
	rest    int // the index of the first line whose entries are not among the items
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

// An aheadReader reads the rest of a log ahead, block by block.
type aheadReader[T any] struct {
	r       *Reader
	blocks  Blocks
	prepare func(*Entry, Dialect, *T)
	from    int64      // where the next block begins
	numbers chan int64 // receives the number of lines before it
}

// run yields what is made of the rest of the log.
func (a *aheadReader[T]) run(yield func(*T) bool) {
	a.from = a.r.lines.Offset() + int64(len(a.r.lines.Bytes()))
	a.numbers = make(chan int64, 1)
	a.numbers <- a.r.lines.Number()
	read := &ended{bytes: a.from}
	a.r.ahead = read
	for b := range ahead.Jobs(a.next, a.work) {
		if !a.use(b, yield) {
			return
		}
		read.lines = b.last
		for _, l := range b.lines {
			read.bytes = l.offset + int64(len(l.bytes))
		}
		if b.err != nil {
			if b.err != io.EOF {
				a.r.err = b.err
			}
			return
		}
	}
}

// next makes b the next block. That the log has ended is only known once it is read.
func (a *aheadReader[T]) next(b *block[T]) bool {
	b.from, b.to = a.from, a.from-a.from%blockSize+blockSize
	a.from = b.to
	b.before, b.after = a.numbers, make(chan int64, 1)
	a.numbers = b.after
	return true
}

// work reads b and its entries.
func (a *aheadReader[T]) work(b *block[T]) {
	b.lines, b.ends = b.lines[:0], b.ends[:0]
	count := 0
	b.err = a.blocks.Between(b.from, b.to, &b.buffers, func(lines []byte, offset, dropped int64) {
		b.lines = append(b.lines, heldLine{bytes: lines, offset: offset, dropped: dropped})
		count += b.split(lines)
	})
	b.first = <-b.before
	b.last = b.first + int64(count)
	b.after <- b.last

	b.dec.Strict, b.dec.RejectBOM = a.r.dec.Strict, a.r.dec.RejectBOM
	b.count, b.damaged, b.rest = 0, b.damaged[:0], 0
	for i, l := range b.linesFrom(0) {
		b.rest = i
		if i == most {
			break
		}
		b.dec.e = &b.item(b.count).entry
		count, damage := b.dec.decode(l)
		if b.count+count > most {
			break
		}
		b.rest = i + 1
		if damage != nil {
			b.damaged = append(b.damaged, damagedLine{damage, b.count, count})
		}
		for i := range count {
			next := b.item(b.count)
			b.dec.e = &next.entry
			a.prepare(b.dec.Entry(i), a.r.Dialect(), &next.made)
			b.count++
		}
	}
}

// split appends to ends where lines end, and returns how many lines there are.
func (b *block[T]) split(lines []byte) (count int) {
	for end := 0; end < len(lines); count++ {
		if len(b.ends) == most {
			count += bytes.Count(lines[end:], newline)
			if lines[len(lines)-1] != '\n' {
				count++
			}
			return count
		}
		end += lineEnd(lines[end:])
		b.ends = append(b.ends, end)
	}
	return count
}

var newline = []byte{'\n'}

// lineEnd returns where the first line of b ends. The last line of a log may lack the newline.
func lineEnd(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// linesFrom yields the lines of b from the one with the index first on, and their indices.
func (b *block[T]) linesFrom(first int) iter.Seq2[int, heldLine] {
	return func(yield func(int, heldLine) bool) {
		i := 0
		for _, lines := range b.lines {
			l := heldLine{offset: lines.offset, dropped: lines.dropped}
			for start := 0; start < len(lines.bytes); i++ {
				end := 0
				if i < len(b.ends) {
					end = b.ends[i]
				} else {
					end = start + lineEnd(lines.bytes[start:])
				}
				l.bytes, l.number = lines.bytes[start:end:end], b.first+int64(i)+1
				if i >= first && !yield(i, l) {
					return
				}
				l.offset, l.dropped = l.offset+int64(end-start), 0
				start = end
			}
		}
	}
}

// item returns item i, which is not more than one behind the others.
func (b *block[T]) item(i int) *item[T] {
	if i == len(b.items) {
		b.items = append(b.items, item[T]{})
	}
	return &b.items[i]
}

// use yields what was made of the entries of b, and reports its damaged lines. It reports
// whether to go on.
func (a *aheadReader[T]) use(b *block[T], yield func(*T) bool) bool {
	damaged, damagedEnd := b.damaged, 0
	for i := 0; ; i++ {
		for len(damaged) > 0 && damaged[0].first == i {
			a.r.report(damaged[0].damage)
			damagedEnd = i + damaged[0].count
			damaged = damaged[1:]
		}
		if i == b.count {
			break
		}
		if i >= damagedEnd {
			a.r.damage = nil
		}
		a.r.entry = &b.items[i].entry
		if !yield(&b.items[i].made) {
			return false
		}
	}
	made := &b.item(0).made
	for _, l := range b.linesFrom(b.rest) {
		count, damage := a.r.dec.decode(l)
		a.r.report(damage)
		for i := range count {
			a.r.entry = a.r.dec.Entry(i)
			a.prepare(a.r.entry, a.r.Dialect(), made)
			if !yield(made) {
				return false
			}
		}
	}
	return true
}
