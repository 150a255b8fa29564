package entry

import (
	"cmp"
	"io"
	"iter"

	"jl/internal/ahead"
)

// Blocks are the lines of a log by blocks, which can be read at the same time; line.Blocks
// has this interface.
//
// Next returns the length of the block of whole lines at the offset from, and an error, io.EOF
// at the end of the log, if it is the last. Lines returns the lines of a block that fit into
// buf. Unless Lines fails, the bytes of the block after these are one long line. Long returns
// that line, without the bytes at its beginning that were dropped. Both return the error that
// ended the lines. Each block that is in use has a buf of its own, nil at first. The line of Long
// is valid until the next call, or Close. Size is the size of the log.
type Blocks interface {
	Next(from int64, buf *[]byte) (length int64, err error)
	Lines(from, length int64, buf []byte) ([]byte, error)
	Long(from, length int64) (line []byte, dropped int64, err error)
	Size() int64
	Close()
}

// Ahead yields, for each entry of r in the order of the log, what prepare makes of it, which
// must not depend on another entry, nor on the number of its line, which is not known yet. If
// blocks is not nil, it holds the same lines as r. If they are many, another goroutine helps
// to read the entries ahead and to call prepare. It has ended when the iteration ends, and blocks,
// if they were used, are closed; so the entry that was yielded last must not be used any more.
//
// While it lasts, [Reader.Entry] and [Reader.Damage] tell about the entry
// that was yielded last, and the functions of the caller run on its own goroutine, but for
// prepare. What is yielded is valid until the next entry; prepare finds what it made of an
// earlier one in its last argument, and may reuse the memory. If *T is a [Walker], it may have
// read the message of the entry already.
func Ahead[T any](r *Reader, blocks Blocks, prepare func(*Entry, *T)) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		var made T
		r.dec.walker, _ = any(&made).(Walker)
		large := blocks != nil && ahead.Pays(blocks.Size())
		for r.Next() {
			prepare(r.entry, &made)
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

// most is how many entries, and how many damaged lines, of a block are read ahead. An Entry takes
// nearly 800 bytes, besides what is made of it, so a block of tiny ones would take much memory.
const most = 1 << 12

// A block is some lines, and what was made of their entries. A long line at its end is left
// to the caller, because several at the same time might not fit into memory.
type block[T any] struct {
	from, length int64 // where it begins, and how many bytes it has
	buf          []byte
	err          error // what ended the log, nil if it goes on

	dec     Decoder
	lines   int64       // how many lines were decoded
	items   [][]item[T] // what they hold, and those that can be used again, itemPiece together
	count   int         // how many are in use
	damaged []damagedLine
	rest    heldLine // the lines that were not decoded, as one
	long    int64    // the length of the line behind these, 0 if there is none
}

// itemPiece is how many items a block makes room for at once. An item is about 1 kB, and does
// not move: growing slices would copy most of that memory, and leave it to the collector.
const itemPiece = 1 << 5

// An item is an entry and what was made of it. The number of its line is counted from 1 in
// the block.
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
	prepare func(*Entry, *T)
	from    int64 // where the next block begins
	last    bool  // there is none
	used    ended // where those end that were used
}

// run yields what is made of the rest of the log.
func (a *aheadReader[T]) run(yield func(*T) bool) {
	a.from = a.r.lines.Offset() + int64(len(a.r.lines.Bytes()))
	a.used = ended{lines: a.r.lines.Number(), bytes: a.from}
	a.r.ahead = &a.used
	defer a.blocks.Close()
	for b := range ahead.Jobs(a.next, a.work) {
		if !a.use(b, yield) {
			return
		}
		if b.err != nil {
			if b.err != io.EOF {
				a.r.err = b.err
			}
			return
		}
	}
}

// next makes b the next block.
func (a *aheadReader[T]) next(b *block[T]) bool {
	if a.last {
		return false
	}
	b.from = a.from
	b.length, b.err = a.blocks.Next(a.from, &b.buf)
	a.from, a.last = a.from+b.length, b.err != nil
	return true
}

// work reads b and its entries.
func (a *aheadReader[T]) work(b *block[T]) {
	b.dec.Strict, b.dec.SDK, b.dec.Faults, b.dec.Shows = a.r.dec.Strict, a.r.dec.SDK, a.r.dec.Faults, a.r.dec.Shows
	b.lines, b.count, b.damaged, b.long = 0, 0, b.damaged[:0], 0
	lines, err := a.blocks.Lines(b.from, b.length, b.buf)
	if err == nil {
		b.long = b.length - int64(len(lines))
	} else {
		b.err = err
	}
	l := heldLine{bytes: lines, number: 1, offset: b.from}
	for len(l.bytes) > 0 {
		length := a.decode(b, l)
		if length == 0 {
			break
		}
		l.skip(length)
	}
	b.rest = l
}

// decode decodes the first of l, the next lines of b, and returns its length, 0 if b cannot hold
// its entries.
func (a *aheadReader[T]) decode(b *block[T], l heldLine) int {
	if len(b.damaged) == most {
		return 0
	}
	b.decodeInto(b.item(b.count))
	length, count, damage := b.dec.decodeFirst(l)
	if b.count+count > most {
		return 0
	}
	b.lines++
	if damage != nil {
		b.damaged = append(b.damaged, damagedLine{damage, b.count, count})
	}
	for i := range count {
		next := b.item(b.count)
		b.decodeInto(next)
		a.prepare(b.dec.Entry(i), &next.made)
		b.count++
	}
	return length
}

// skip cuts off the first line of l, which has length bytes.
func (l *heldLine) skip(length int) {
	*l = heldLine{bytes: l.bytes[length:], number: l.number + 1, offset: l.offset + int64(length)}
}

// item returns item i, which is not more than one behind the others.
func (b *block[T]) item(i int) *item[T] {
	if i == len(b.items)*itemPiece {
		b.items = append(b.items, make([]item[T], itemPiece))
	}
	return &b.items[i/itemPiece][i%itemPiece]
}

// decodeInto tells the decoder which entry to fill, and, if what is made of it is a Walker, to let
// that read the message.
func (b *block[T]) decodeInto(it *item[T]) {
	b.dec.e = &it.entry
	b.dec.walker, _ = any(&it.made).(Walker)
}

// use yields what was made of the entries of b, and reports its damaged lines. It reports
// whether to go on.
func (a *aheadReader[T]) use(b *block[T], yield func(*T) bool) bool {
	before := a.used.lines
	damaged, damagedEnd := b.damaged, 0
	for i := 0; ; i++ {
		for len(damaged) > 0 && damaged[0].first == i {
			damaged[0].damage.Pos.Line += before
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
		it := b.item(i)
		a.r.entry = &it.entry
		a.r.entry.Pos.Line += before
		if !yield(&it.made) {
			return false
		}
	}
	a.used.lines += b.lines
	a.used.bytes = b.rest.offset
	if !a.useLines(b, b.rest, yield) {
		return false
	}
	if b.long == 0 {
		return true
	}
	line, dropped, err := a.blocks.Long(a.used.bytes, b.long)
	b.err = cmp.Or(err, b.err)
	return a.useLines(b, heldLine{bytes: line, offset: a.used.bytes + dropped, dropped: dropped}, yield)
}

// useLines yields what is made of the entries of lines that were not decoded. It reports
// whether to go on.
func (a *aheadReader[T]) useLines(b *block[T], lines heldLine, yield func(*T) bool) bool {
	made := &b.item(0).made
	a.r.dec.walker, _ = any(made).(Walker)
	for len(lines.bytes) > 0 {
		a.used.lines++
		lines.number = a.used.lines
		length, count, damage := a.r.dec.decodeFirst(lines)
		lines.skip(length)
		a.used.bytes = lines.offset
		a.r.report(damage)
		a.r.count = count
		for a.r.next = 0; a.r.next < a.r.count; a.r.next++ {
			a.r.entry = a.r.dec.Entry(a.r.next)
			a.prepare(a.r.entry, made)
			if !yield(made) {
				return false
			}
		}
	}
	return true
}
