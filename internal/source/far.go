package source

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

// A log may hold the same images or records again and again, farther apart than a frame is
// long. So a Writer remembers where pieces of the log were, by their hashes. If an eighth of
// a frame repeats what was before it, that frame and the following ones become one long
// frame, which begins with the frames that the Writer has held back. In a long frame a repeat
// is a block that copies it. What is between two repeats is compressed as a frame is, and
// the blocks are taken from that frame: they refer to nothing before them, because the
// encoder writes three offsets in each block before it uses an earlier one again.
const (
	farWindow = 128 << 20 // how far apart repeats may be: beyond it, zstd -d needs an option
	longFrame = 512 << 20 // the most bytes of a long frame, about

	minRepeat = 4 << 10  // the fewest bytes that a block copies
	maxPiece  = 16 << 10 // of the log that is remembered
	minPiece  = 2 << 10  // of several texts
	longText  = 4 << 10  // the fewest bytes of a text that is not cut with others
	maxPieces = 1 << 17  // that are remembered
)

const (
	longHead = frameMagic + "\x04\x88" // with a checksum, with a window of 128 MiB
	longTail = "\x01\x00\x00"          // an empty last block
	blockMax = 128 << 10               // the most bytes that a block of zstd holds
)

// A repeater finds repeats for a Writer, and knows the frames that may refer to each other.
type repeater struct {
	window, most int64 // farWindow and longFrame; tests make them small

	pieces map[uint64]int64 // where each was last, by its hash
	pos    int64            // how much input was searched
	into   int              // bytes of a text that continues there

	start  int64         // where the first frame began that is held, or the open one
	held   []packedFrame // the frames since start, if no long frame is open
	open   bool          // a long frame is open
	packed int           // bytes of it that are written
	last   int64         // where its last repeat ended
	sum    xxhash.Digest // of the input since start
}

// A packedFrame is a frame of n bytes of input.
type packedFrame struct {
	bytes []byte
	n     int
}

// A finding is the repeats in some input of what begins at start or later, and the bytes of those
// whose first copy is in that input itself, or before it.
type finding struct {
	repeats   []repeat
	near, far int
}

// A repeat is n bytes that were also dist bytes before.
type repeat struct{ at, n, dist int }

// seed keeps anyone from writing a log in which different pieces have the same hash.
var seed = maphash.MakeSeed()

// find finds the repeats in b, the next input. It cuts b into pieces, in the same way wherever
// the same bytes are: at one of 8 quotation marks, chosen by the bytes that follow; and a long
// text without one, such as an image, every 16 KiB from its beginning.
func (r *repeater) find(b []byte) finding {
	if len(r.pieces) > maxPieces || r.pieces == nil {
		r.pieces = map[uint64]int64{}
	}
	var found finding
	from, text := 0, -r.into // where the piece begins, and the text that is there
	for at := 0; at < len(b); {
		end := at + bytes.IndexByte(b[at:], '"') + 1
		closed := end > at
		if !closed {
			end = len(b)
		}
		start := text
		if end-at >= longText-minPiece {
			if i := bytes.LastIndexByte(b[from:at], '"'); i >= 0 {
				start = from + i + 1
			}
		}
		switch {
		case end-start >= longText && end-at >= longText-minPiece:
			r.piece(&found, b, from, max(start, 0))
			for from = max(start, 0); from < end; {
				to := min(end, from+maxPiece-(from-start)%maxPiece)
				r.piece(&found, b, from, to)
				from = to
			}
			if text = end; !closed {
				text = start
			}
			at = end + minPiece
		case len(b)-end >= 8 && binary.LittleEndian.Uint64(b[end:])*0x9e3779b97f4a7c15>>61 == 0:
			r.piece(&found, b, from, end)
			from, text = end, end
			at = end + minPiece
		default:
			at = end
		}
	}
	r.piece(&found, b, from, len(b))
	if i := bytes.LastIndexByte(b[from:], '"'); i >= 0 {
		text = from + i + 1
	}
	r.into = len(b) - text
	found.repeats = slices.DeleteFunc(found.repeats, func(p repeat) bool {
		was := r.pos + int64(p.at-p.dist)
		switch {
		case p.n < minRepeat || was < r.start:
			return true
		case was < r.pos:
			found.far += p.n
		default:
			found.near += p.n
		}
		return false
	})
	r.pos += int64(len(b))
	return found
}

// piece looks for an earlier copy of a piece of b, and remembers this one.
func (r *repeater) piece(found *finding, b []byte, from, to int) {
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
	if n := len(found.repeats); n > 0 {
		if last := &found.repeats[n-1]; last.at+last.n == from && last.dist == dist {
			last.n += to - from
			return
		}
	}
	found.repeats = append(found.repeats, repeat{from, to - from, dist})
}

// frame compresses b, the next input, as a frame of several or as a part of a long one.
func (z *Writer) frame(b []byte) {
	r := &z.repeater
	if r.open && (r.pos-r.last > r.window || r.pos+int64(len(b))-r.start > r.most) {
		z.endLong()
	}
	found := r.find(b)
	_, _ = r.sum.Write(b) // never fails
	if r.open {
		z.long(b, found.repeats)
		return
	}
	z.out = z.enc.EncodeAll(b, z.out[:0])
	many := func(n int) bool { return n > len(b)/8 && len(z.out) > len(b)/64 }
	// The encoder finds near repeats in text, but not in images.
	if many(found.far) || many(found.near) && len(z.out) > (len(b)-found.near)/5*4 {
		z.long(b, found.repeats)
		return
	}
	r.held = append(r.held, packedFrame{bytes.Clone(z.out), len(b)})
	if r.pos-r.start > r.window {
		z.release()
	}
}

// release writes the frames that are held.
func (z *Writer) release() {
	for _, f := range z.held {
		// A frame ends with the checksum that its entry has to repeat.
		z.entry(len(f.bytes), f.n, binary.LittleEndian.Uint32(f.bytes[len(f.bytes)-4:]))
		z.write(f.bytes)
	}
	z.begin()
}

// begin forgets the frames before the next input.
func (r *repeater) begin() {
	r.start, r.held, r.open, r.packed = r.pos, r.held[:0], false, 0
	r.sum.Reset()
}

// long writes b as a part of a long frame.
func (z *Writer) long(b []byte, repeats []repeat) {
	if !z.open {
		z.open = true
		z.part([]byte(longHead))
		for _, f := range z.held {
			z.part(blocks(f.bytes))
		}
		z.held = nil
	}
	at := 0
	for _, p := range append(repeats, repeat{at: len(b)}) {
		if p.at > at {
			z.out = z.enc.EncodeAll(b[at:p.at], z.out[:0])
			z.part(blocks(z.out))
		}
		z.part(appendCopies(nil, p.n, p.dist))
		at = p.at + p.n
	}
	if len(repeats) > 0 {
		z.last = z.pos
	}
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
