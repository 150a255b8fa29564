package line

import (
	"bytes"
	"io"
)

// Blocks are the lines of a part of a file, block by block. One goroutine at a time can call Next,
// any number can call Lines.
type Blocks struct {
	r         io.ReaderAt
	next, end int64
	size      int // of a block in bytes, but for the rest of its last line
	rest      int // the most bytes of that rest that are read with the block
}

// A Block is whole lines of a file. The zero Block is ready for use by Next.
type Block struct {
	From, To int64 // the offsets at which its lines begin and end
	buf      []byte
	err      error
}

// Blocks returns the lines from an offset on, at which a line begins, in blocks of size bytes and of
// the rest of the last line.
// Blocks frees the buffer of f: of its methods, only SeekLine may be called next. If the reader is not an
// [io.SectionReader], or has fewer bytes than least from there on, Blocks returns nil and does nothing.
func (f *Forward) Blocks(offset int64, size int, least int64) *Blocks {
	if f.file == nil || f.file.Size()-offset < least {
		return nil
	}
	f.buf, f.lo, f.hi, f.lines = nil, 0, 0, nil
	return &Blocks{f.file, offset, f.file.Size(), size, size}
}

// step is how many bytes are read at first to find the end of the last line.
const step = 16 << 10

// Next makes block the next one. It reports false if there is none.
func (b *Blocks) Next(block *Block) bool {
	if b.next >= b.end {
		return false
	}
	block.From, block.To, block.err = b.next, min(b.next+int64(b.size), b.end), nil
	if block.buf == nil {
		block.buf = make([]byte, b.size+b.rest)
	}
	rest := block.buf[b.size:]
	for n, filled := step, 0; block.To < b.end && block.err == nil; n *= 2 {
		if filled == len(rest) {
			filled = 0 // a long line, which is read again
		}
		n, block.err = b.r.ReadAt(rest[filled:min(filled+n, len(rest))], block.To)
		if b.endsIn(block, rest[filled:filled+n]) {
			block.err = nil
			break
		}
		filled += n
	}
	if block.To == b.end {
		block.err = nil
	}
	if b.next = block.To; block.err != nil {
		b.end = b.next
	}
	return true
}

// endsIn adds text, which follows on block, to it as far as the end of its last line. It reports false if
// that is not in text.
func (b *Blocks) endsIn(block *Block, text []byte) bool {
	i := bytes.IndexByte(text, '\n')
	if i < 0 {
		block.To += int64(len(text))
		return false
	}
	block.To += int64(i) + 1
	return true
}

// Lines reads the lines of block that fit into memory for one block. It returns them, and the
// error, io.EOF if the file ends too early, that ends the lines. What they lack of the block is long
// lines, or many: several of these at the same time might need too much memory.
//
// The bytes before an error are lines, as they are at the end of the file.
func (b *Blocks) Lines(block *Block) ([]byte, error) {
	size := int(min(block.To-block.From, int64(b.size)))
	n, err := b.r.ReadAt(block.buf[:size], block.From)
	if n < size {
		block.To = block.From + int64(n)
		return block.buf[:n], err
	}
	if length := block.To - block.From; length <= int64(len(block.buf)) {
		return block.buf[:length], block.err
	}
	return block.buf[:lastLine(block.buf[:size])], block.err
}
