package entry

import "jl/internal/line"

// A batch is the lines that begin in one block, and what was made of their entries.
type batch[T any] struct {
	block line.Block
	err   error // what ended the log, nil if it goes on
	done  chan struct{}

	dec     Decoder
	items   []*item[T] // what the lines hold, and those that can be used again
	count   int        // how many are in use
	damaged []damagedLine
	rest    part // the lines that were not decoded; lines are counted from 1
}

// An item is an entry and what was made of it. The number of its line is counted from 1 in
// its batch.
type item[T any] struct {
	entry Entry
	made  T
}

// A damagedLine is a line with damage. Its entries are count items of its batch from first
// on.
type damagedLine struct {
	damage       *Damage
	first, count int
}

// most is how many entries, and how many damaged lines, of a block are read ahead. An Entry takes
// nearly 800 bytes, besides what is made of it, so a block of tiny ones would take much memory.
const most = 1 << 12

// fill reads the block of b and its entries.
func (s *stage[T]) fill(b *batch[T]) {
	b.dec.Strict, b.dec.SDK, b.dec.Faults, b.dec.Shows = s.r.dec.Strict, s.r.dec.SDK, s.r.dec.Faults, s.r.dec.Shows
	b.count, b.damaged = 0, b.damaged[:0]
	b.rest = part{number: 1, offset: b.block.From}
	b.rest.bytes, b.err = s.blocks.Lines(&b.block)
	for b.rest.skipEmpty(); len(b.rest.bytes) > 0; b.rest.skipEmpty() {
		if !s.decode(b) {
			return
		}
	}
}

// decode decodes the next line of b. It reports false if b cannot hold its entries.
func (s *stage[T]) decode(b *batch[T]) bool {
	if len(b.damaged) == most {
		return false
	}
	b.decodeInto(b.item(b.count))
	rest := b.rest
	count, damage := b.dec.decodeFirst(&rest)
	if b.count+count > most {
		return false
	}
	b.rest = rest
	if damage != nil {
		b.damaged = append(b.damaged, damagedLine{damage, b.count, count})
	}
	for i := range count {
		next := b.item(b.count)
		b.decodeInto(next)
		s.prepare(b.dec.Entry(i), &next.made)
		b.count++
	}
	return true
}

// item returns item i, which exists or is the next one to make.
func (b *batch[T]) item(i int) *item[T] {
	if i == len(b.items) {
		b.items = append(b.items, new(item[T]))
	}
	return b.items[i]
}

// decodeInto tells the decoder which entry to fill, and, if what is made of it is a Walker, to let
// that read the message.
func (b *batch[T]) decodeInto(it *item[T]) {
	b.dec.e = &it.entry
	b.dec.walker, _ = any(&it.made).(Walker)
}

// useItems yields what was made of the entries of b, and reports its damaged lines. It reports
// whether to go on. The reader goes on with the rest of b.
func (s *stage[T]) useItems(b *batch[T]) bool {
	r := s.r
	before := r.rest.number - 1
	damaged, damagedEnd := b.damaged, 0
	for i := 0; ; i++ {
		for len(damaged) > 0 && damaged[0].first == i {
			damaged[0].damage.Pos.Line += before
			r.found(0, damaged[0].damage)
			damagedEnd = i + damaged[0].count
			damaged = damaged[1:]
		}
		if i == b.count {
			break
		}
		if i >= damagedEnd {
			r.damage = nil
		}
		it := b.items[i]
		r.entry = &it.entry
		r.entry.Pos.Line += before
		if !s.yield(&it.made) {
			return false
		}
	}
	r.rest = b.rest
	r.rest.number += before
	return true
}
