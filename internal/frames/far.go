package frames

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/klauspost/compress/zstd"

	"jl/internal/checksum"
	"jl/internal/tempfile"
)

// A log may hold the same images or records again and again, farther apart than a frame is
// long. So a Writer remembers where pieces of the log were, by their hashes. If a frame becomes
// an eighth smaller by copying what repeats, that frame and the following ones become one long
// frame, which begins with the frames that the Writer has held back. In a long frame a repeat
// is a block that copies it. The text between two repeats is compressed alone, and the blocks of
// that frame are copied: they refer to nothing before them, because the encoder writes three
// offsets in each block before it uses an earlier one again.
const (
	farWindow = 128 << 20 // how far apart repeats may be: beyond it, zstd -d needs an option
	longFrame = 512 << 20 // the most bytes of a long frame, about

	minRepeat = 512      // the fewest bytes that a block copies, and of a string that is cut off
	maxPiece  = 16 << 10 // of the log that is remembered
	maxPieces = 1 << 19  // that are remembered

	skipped = 5 // frames after one in which copies were no gain
)

const (
	longHead = Magic + "\x04\x88" // with a checksum, with a window of 128 MiB
	longTail = "\x01\x00\x00"     // an empty last block
	blockMax = 128 << 10          // the most bytes that a block of zstd holds
)

// A repeater finds repeats for a Writer, and knows the frames that may refer to each other.
type repeater struct {
	window, most int64 // farWindow and longFrame; tests make them small

	pieces map[uint64]int64 // where each was last, by its hash
	pos    int64            // how much input was searched
	into   int              // bytes of a text that continues there

	start  int64           // where the first frame began that is held, or the open one
	held   []heldFrame     // the frames since start, if no long frame is open
	spool  *tempfile.File  // the bytes of the frames that are held; nil before the first
	open   bool            // a long frame is open
	packed int             // bytes of it that are written
	last   int64           // where its last repeat ended
	sum    checksum.Digest // of the input since start

	skip int // how many frames are not tried with copies from now on
}

// A heldFrame is a frame of size bytes that holds n bytes of input.
type heldFrame struct{ size, n int }

// A repeat is n bytes that were also dist bytes before.
type repeat struct{ at, n, dist int }

// seed keeps anyone from writing a log in which different pieces have the same hash.
var seed = maphash.MakeSeed()

// find finds the repeats in b, the next input, of text that begins at start or later. It cuts b into
// pieces, so that the same bytes are always cut at the same places: before and after a long string,
// because most repeats are such strings; every 16 KiB in it; and after about half of the quotation marks.
func (r *repeater) find(b []byte) []repeat {
	if len(r.pieces) > maxPieces || r.pieces == nil {
		r.pieces = map[uint64]int64{}
	}
	var found []repeat
	from, text := 0, -r.into // where the next piece and the string begin
	cut := func(to int) {
		for from < to {
			next := to
			if from >= text {
				next = min(to, from+maxPiece-(from-text)%maxPiece)
			}
			r.piece(&found, b, from, next)
			from = next
		}
	}
	for at := 0; at < len(b); {
		i := bytes.IndexByte(b[at:], '"')
		end := at + i + 1
		if i < 0 {
			end = len(b)
		}
		long := end-text >= minRepeat
		goesOn := i < 0 || i > 0 && b[end-2] == '\\' // the string does
		if long {
			cut(text)
		}
		chosen := len(b)-end >= 8 && binary.LittleEndian.Uint64(b[end:])*0x9e3779b97f4a7c15>>63 == 0
		if long && !goesOn || chosen && end-from >= minRepeat && (long || !goesOn) {
			cut(end)
		}
		if !goesOn {
			text = end
		}
		at = end
	}
	cut(len(b))
	r.into = len(b) - text
	at := r.pos
	r.pos += int64(len(b))
	return slices.DeleteFunc(found, func(p repeat) bool { return p.n < minRepeat || at+int64(p.at-p.dist) < r.start })
}

// piece looks for an earlier copy of a piece of b, and remembers this one.
func (r *repeater) piece(found *[]repeat, b []byte, from, to int) {
	if from == to {
		return
	}
	sum := maphash.Bytes(seed, b[from:to])
	at := r.pos + int64(from)
	was, ok := r.pieces[sum]
	r.pieces[sum] = at
	if !ok || at-was > r.window {
		return
	}
	dist := int(at - was)
	if n := len(*found); n > 0 {
		if last := &(*found)[n-1]; last.at+last.n == from && last.dist == dist {
			last.n += to - from
			return
		}
	}
	*found = append(*found, repeat{from, to - from, dist})
}

// frame writes f, the next frame of several, or makes it a part of a long one.
func (z *Writer) frame(f *making) {
	r, b := &z.repeater, f.in
	if r.open && (r.pos-r.last > r.window || r.pos+int64(len(b))-r.start > r.most) {
		z.endLong()
	}
	_, _ = r.sum.Write(b) // never fails
	var repeats []repeat
	if len(f.out) > len(b)/64 {
		repeats = r.find(b)
	} else { // copies would be no gain
		r.pos, r.into = r.pos+int64(len(b)), 0
	}
	copied := z.copied(f, repeats)
	switch {
	case copied != nil:
		if !r.open {
			r.open = true
			z.part([]byte(longHead))
			z.unhold(func(frame []byte, _ int) { z.part(blocks(frame)) })
		}
		z.part(copied)
		r.last = r.pos
	case r.open:
		z.part(blocks(f.out))
	default:
		z.hold(f)
		if r.pos-r.start > r.window {
			z.release()
		}
	}
}

// copied returns the input of f as blocks of a long frame in which repeats are copied, or nil if that is not
// a gain. A frame without copies takes less time, and the encoder finds more repeats in it. So copied looks
// only at a frame with many repeats of what is above it, and at fewer frames after one without a gain.
func (z *Writer) copied(f *making, repeats []repeat) (copied []byte) {
	r, b, n := &z.repeater, f.in, 0
	for _, p := range repeats {
		if p.dist > p.at { // the encoder has found the others
			n += p.n
		}
	}
	if n <= len(b)/8 || r.skip > 0 && n < len(b)/2 {
		r.skip = max(0, r.skip-1)
		return nil
	}
	var between []byte
	at := 0
	for _, p := range append(repeats, repeat{at: len(b)}) {
		if p.at > at {
			between = z.enc.EncodeAll(b[at:p.at], between[:0])
			copied = append(copied, blocks(between)...)
		}
		copied = appendCopies(copied, p.n, p.dist)
		at = p.at + p.n
	}
	if len(copied) < len(f.out)/8*7 || r.open && len(copied) < len(f.out) {
		return copied
	}
	r.skip = skipped
	return nil
}

// hold holds f back.
func (z *Writer) hold(f *making) {
	var err error
	if z.spool == nil {
		z.spool, err = tempfile.New()
	}
	if err == nil {
		_, err = z.spool.Write(f.out)
	}
	z.err = cmp.Or(z.err, err)
	z.held = append(z.held, heldFrame{len(f.out), len(f.in)})
}

// unhold calls do with each frame that is held, and its bytes of input. Then none is held.
func (z *Writer) unhold(do func(frame []byte, n int)) {
	var frame []byte
	at := int64(0)
	for _, f := range z.held {
		frame = slices.Grow(frame[:0], f.size)[:f.size]
		if _, err := z.spool.ReadAt(frame, at); err != nil {
			z.err = cmp.Or(z.err, err)
			return
		}
		do(frame, f.n)
		at += int64(f.size)
	}
	z.spool.Close()
	z.spool, z.held = nil, z.held[:0]
}

// release writes the frames that are held.
func (z *Writer) release() {
	z.unhold(func(frame []byte, n int) {
		// A frame ends with the checksum that its entry has to repeat.
		z.entry(len(frame), n, binary.LittleEndian.Uint32(frame[len(frame)-4:]))
		z.write(frame)
	})
	z.begin()
}

// begin forgets the frames before the next input.
func (r *repeater) begin() {
	r.start, r.open, r.packed = r.pos, false, 0
	r.sum.Reset()
}

// part writes a part of a long frame.
func (z *Writer) part(b []byte) {
	z.packed += len(b)
	z.write(b)
}

// endLong ends a long frame.
func (z *Writer) endLong() {
	sum := uint32(z.sum.Sum64())
	z.part(binary.LittleEndian.AppendUint32([]byte(longTail), sum))
	z.entry(z.packed, int(z.pos-z.start), sum)
	z.begin()
}

// blocks returns the blocks of a frame from the encoder. None of them is marked as the last.
func blocks(frame []byte) []byte {
	var head zstd.Header
	_ = head.Decode(frame) // never fails
	b := frame[head.HeaderSize : len(frame)-4]
	for at := 0; ; {
		header := uint32(b[at]) | uint32(b[at+1])<<8 | uint32(b[at+2])<<16
		if header&1 != 0 {
			b[at] &^= 1
			return b
		}
		size := int(header >> 3)
		if header>>1&3 == 1 { // one byte, repeated size times
			size = 1
		}
		at += 3 + size
	}
}

// appendCopies appends blocks that copy n bytes, none or at least minRepeat, from dist before.
//
// Such a block has no literals and one sequence. Each of its three codes is the only one of
// its kind, so that only the bits which belong to the codes follow, from the last one to the
// first, and the end is marked by a bit.
func appendCopies(b []byte, n, dist int) []byte {
	for n > 0 {
		size := min(n, blockMax)
		if rest := n - size; rest > 0 && rest < minRepeat {
			size -= minRepeat
		}
		n -= size
		offset, length := uint64(dist)+3, uint64(size)-3
		offsetCode, lengthBits := bits.Len64(offset)-1, bits.Len64(length)-1
		// The first bit of the offset marks the end.
		stream := binary.LittleEndian.AppendUint64(nil, offset<<lengthBits|length&(1<<lengthBits-1))
		stream = stream[:(offsetCode+lengthBits)/8+1]
		header := uint32(6+len(stream))<<3 | 2<<1
		b = append(b, byte(header), byte(header>>8), byte(header>>16))
		b = append(b, 0, 1, 0x54, 0, byte(offsetCode), byte(36+lengthBits))
		b = append(b, stream...)
	}
	return b
}
