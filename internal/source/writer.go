package source

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// frameSize is how many bytes of input a frame holds at most if the lines in
// it are no longer. What a log repeats may lie far apart: in frames of 1 MiB the
// output of some logs is 8 % larger than that of zstd -3, in these 2 %.
const frameSize = 3 << 19

// maxFrame is how many bytes of input a frame holds at most.
const maxFrame = 16 << 20

// maxLevel is the highest compression level, and defaultLevel what 0 means.
const (
	maxLevel     = 19
	defaultLevel = 3
)

// A Writer compresses what is written to it as seekable zstd: independent frames
// of up to 1.5 MiB of input that begin at a line start, and a seek table in a
// skippable frame. Input that is one frame gets no more than that and a table
// without checksums, 25 bytes, as a log of 1 kB takes no more than 500.
//
// A frame ends with the last line that ends within 1.5 MiB of input. A longer line
// is a frame of its own, up to 16 MiB. A line longer than that is cut every 16
// MiB, and there alone does a frame begin within a line. So a Writer holds one
// frame and what it is compressed to, however long the lines are, and 12 bytes
// for each frame before it.
//
// The bytes that come out depend on the input and the level, not on how the
// input is cut into calls of Write or on the number of CPUs. They are whole
// once Close has returned nil. An error stays.
type Writer struct {
	w    io.Writer
	enc  *zstd.Encoder
	size int // frameSize and maxFrame: tests make them small
	max  int

	in    []byte // the input of the next frame, as far as it is known
	out   []byte // bytes to be written before that frame
	table []byte // the entries of the seek table so far; empty before the first frame
	err   error  // what ended it
}

// NewWriter returns a Writer that writes to w. Levels are numbered as in
// zstd(1), from 1 to 19, and 0 is the default, 3. The encoder knows four: 1, 2, 3
// to 5, and 6 to 19, of which each makes its output about as small as zstd(1)
// does with the first of these numbers.
func NewWriter(w io.Writer, level int) (*Writer, error) {
	if level == 0 {
		level = defaultLevel
	}
	if level < 1 || level > maxLevel {
		return nil, fmt.Errorf("compression level %d is not from 1 to %d", level, maxLevel)
	}
	// Not zstd.EncoderLevelFromZstd: in frames of this size each of the
	// encoder's levels falls short of the numbers it is said to match.
	speed := zstd.SpeedBestCompression
	switch level {
	case 1:
		speed = zstd.SpeedFastest
	case 2:
		speed = zstd.SpeedDefault
	case 3, 4, 5:
		speed = zstd.SpeedBetterCompression
	}
	enc, _ := zstd.NewWriter(nil, // fails with other options only
		zstd.WithEncoderLevel(speed),
		zstd.WithEncoderConcurrency(1),
		zstd.WithLowerEncoderMem(true), // as fast, and 8 MiB less
		zstd.WithEncoderCRC(true),
		zstd.WithSingleSegment(true)) // so that each frame says how long it is
	return &Writer{w: w, enc: enc, size: frameSize, max: maxFrame}, nil
}

// Write compresses p. Most of it is written when a frame is complete. On an
// error, which is one of the underlying writer, it returns how many bytes of p
// it took before.
func (z *Writer) Write(p []byte) (int, error) {
	n := 0
	for n < len(p) && z.err == nil {
		n += z.take(p[n:])
	}
	return n, z.err
}

// take takes bytes from p, up to the next place where it must be decided
// whether a frame ends, and returns how many. What it decides depends on the
// bytes in the frame alone.
func (z *Writer) take(p []byte) int {
	if len(z.in) < z.size {
		p = p[:min(len(p), z.size-len(z.in))]
		z.in = append(z.in, p...)
		if len(z.in) == z.size {
			if end := bytes.LastIndexByte(z.in, '\n') + 1; end > 0 {
				z.flush(end)
			}
		}
		return len(p)
	}
	// The line that fills the frame goes on.
	z.in = slices.Grow(z.in, z.max-len(z.in))
	p = p[:min(len(p), z.max-len(z.in))]
	end := bytes.IndexByte(p, '\n') + 1
	if end > 0 {
		p = p[:end]
	}
	z.in = append(z.in, p...)
	if end > 0 || len(z.in) == z.max {
		z.flush(len(z.in))
	}
	return len(p)
}

// flush writes the first n bytes of the input, which are not 0, as a frame of
// several.
func (z *Writer) flush(n int) {
	if len(z.table) == 0 {
		z.out = append(z.out, marker...)
		z.entry(len(marker), 0, emptySum)
	}
	before := len(z.out)
	z.out = z.enc.EncodeAll(z.in[:n], z.out)
	// A frame ends with the very checksum that its entry has to repeat.
	sum := binary.LittleEndian.Uint32(z.out[len(z.out)-4:])
	z.entry(len(z.out)-before, n, sum)
	z.in = append(z.in[:0], z.in[n:]...)
	z.write()
}

// entry adds an entry to the seek table.
func (z *Writer) entry(compressed, decompressed int, sum uint32) {
	z.table = append(z.table, shortEntry(compressed, decompressed)...)
	z.table = binary.LittleEndian.AppendUint32(z.table, sum)
}

// shortEntry returns an entry of a table without checksums.
func shortEntry(compressed, decompressed int) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(compressed))
	return binary.LittleEndian.AppendUint32(b, uint32(decompressed))
}

// tableFrame returns the skippable frame of a seek table with n entries.
func tableFrame(entries []byte, n int, end string) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(tableMagic), uint32(len(entries)+footerLen))
	b = append(b, entries...)
	b = binary.LittleEndian.AppendUint32(b, uint32(n))
	return append(b, end...)
}

// write writes out.
func (z *Writer) write() {
	n, err := z.w.Write(z.out)
	if n < len(z.out) && err == nil {
		err = io.ErrShortWrite
	}
	z.out, z.err = z.out[:0], err
}

// Close writes the last frame and the seek table. It does not close the
// underlying writer. If Write has failed it writes nothing and returns that
// error. A Writer that is closed is not to be used any more.
func (z *Writer) Close() error {
	if z.err == nil {
		z.end()
	}
	if z.err != nil {
		return z.err
	}
	z.err = fs.ErrClosed
	return nil
}

// end writes what Close has to write.
func (z *Writer) end() {
	if len(z.table) == 0 && len(z.in) < z.size {
		z.out = z.enc.EncodeAll(z.in, z.out)
		z.out = append(z.out, tableFrame(shortEntry(len(z.out), len(z.in)), 1, shortEnd)...)
		z.write()
		return
	}
	if len(z.in) > 0 {
		if z.flush(len(z.in)); z.err != nil {
			return
		}
	}
	z.entry(sealLen, 0, emptySum)
	frame := tableFrame(z.table, len(z.table)/entryLen, footerEnd)
	z.out = append(z.out, sealHead...)
	z.out = binary.LittleEndian.AppendUint32(z.out, crc32.ChecksumIEEE(frame))
	z.out = append(z.out, frame...)
	z.write()
}
