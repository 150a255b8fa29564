package frames

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// The most bytes of input that a frame holds, unless it is a long one. Repetitions in text may
// be far apart, too: with frames of 1.5 MiB the output for some logs is 12 % larger than the
// output of zstd -3, with these 1 %.
const (
	frameSize = 4 << 20  // of several lines
	maxFrame  = 16 << 20 // of one long line
)

// MaxLevel is the highest compression level, and defaultLevel is the one that 0 means.
const (
	MaxLevel     = 19
	defaultLevel = 3
)

// A Writer compresses what is written to it as seekable zstd: independent frames, and a
// seek table in a skippable frame. Input of a single frame gets a 25-byte table, to keep
// small archives small.
//
// A frame ends with the last line that ends within 4 MiB of input. A longer line is a frame
// of its own, and is cut every 16 MiB. If a frame repeats text of the 128 MiB before it, which the
// encoder does not find, it becomes part of a long frame, which ends at 512 MiB or after 128 MiB
// without a repeat.
//
// Two frames are compressed at the same time, unless they hold a long line. So a Writer holds two
// frames, or a long line, 12 bytes for each frame, and hashes of up to half a million pieces of the
// log. An unlinked file in TMPDIR holds up to 128 MiB before the frame, compressed.
//
// The output depends only on the input and the level. It is complete once Close has returned
// nil. After an error, Write and Close return that error again.
type Writer struct {
	w    io.Writer
	enc  *zstd.Encoder
	pool *sync.Pool // that enc returns to

	// Size is how many bytes of input a frame of several lines holds, 4 MiB, and Line how many one of a
	// long line, 16 MiB. Both may be made smaller before the first Write.
	Size, Line int

	in     []byte    // the input of the next frame so far
	idle   []*making // whose memory is free
	making []*making // the frames that are being compressed, in order
	repeater
	table []byte // the entries of the seek table so far; empty before the first frame
	err   error  // what ended the output
}

// A making is a frame that is being compressed.
type making struct {
	in, out []byte
	sync.WaitGroup
}

// ahead is how many frames are compressed while the input of the next is collected.
const ahead = 1

// encoders keeps the encoders of closed Writers, by level, because making one takes as long
// as compressing a small log.
var encoders [zstd.SpeedBestCompression + 1]sync.Pool

// NewWriter returns a Writer that writes to w. Levels are numbered as in zstd(1), from 1
// to 19, and 0 is the default, 3. The encoder has four, which compress about as well as levels
// 1, 3, 5 and 8 of zstd(1).
func NewWriter(w io.Writer, level int) (*Writer, error) {
	if level == 0 {
		level = defaultLevel
	}
	if level < 1 || level > MaxLevel {
		return nil, fmt.Errorf("compression level %d is not from 1 to %d", level, MaxLevel)
	}
	// Not zstd.EncoderLevelFromZstd: for logs, the encoder's levels are as good as higher
	// numbers than those which that function maps to them.
	speed := zstd.SpeedBestCompression
	switch {
	case level < 3:
		speed = zstd.SpeedFastest
	case level < 5:
		speed = zstd.SpeedDefault
	case level < 8:
		speed = zstd.SpeedBetterCompression
	}
	pool := &encoders[speed]
	enc, ok := pool.Get().(*zstd.Encoder)
	if !ok {
		atOnce := ahead + 1
		if speed == zstd.SpeedBestCompression {
			atOnce = 1 // it needs 32 MiB for each
		}
		enc, _ = zstd.NewWriter(nil, // it fails with other options only
			zstd.WithEncoderLevel(speed),
			zstd.WithAllLitEntropyCompression(true), // base64 repeats nothing, but needs 6 bits a byte
			zstd.WithEncoderConcurrency(atOnce),
			zstd.WithLowerEncoderMem(true), // as fast, and 8 MiB less
			zstd.WithWindowSize(frameSize), // few frames are longer
			zstd.WithEncoderCRC(true),
			zstd.WithSingleSegment(true)) // so that each frame declares its length
	}
	z := &Writer{w: w, enc: enc, pool: pool, Size: frameSize, Line: maxFrame}
	z.window, z.most = farWindow, longFrame
	z.begin()
	return z, nil
}

// Continue writes the frames of an archive, all but the last, as they are, and returns how many
// bytes they hold. What is written next belongs after those. It writes no frame of an archive
// that has only one or that no Writer has made. An error is from reading it or from the
// underlying writer.
func (z *Writer) Continue(archive *os.File) (int64, error) {
	info, err := archive.Stat()
	if err != nil {
		return 0, err
	}
	table := readTable(archive, info.Size())
	if table == nil || table.NumFrames() < 4 { // the marker, a frame and the seal
		return 0, nil
	}
	last, _ := table.EntryByID(table.NumFrames() - 2)
	if _, err := io.Copy(z.w, io.NewSectionReader(archive, 0, int64(last.CompressedOffset))); err != nil {
		return 0, err
	}
	for id := range last.ID {
		e, _ := table.EntryByID(id)
		z.entry(int(e.CompressedSize), int(e.DecompressedSize), e.Checksum)
	}
	z.pos = int64(last.DecompressedOffset)
	z.begin()
	return z.pos, nil
}

// Write compresses p. It writes to the underlying writer when a frame is complete. An error
// is from that writer; with it, Write returns how many bytes of p it took before.
func (z *Writer) Write(p []byte) (int, error) {
	n := 0
	for n < len(p) && z.err == nil {
		n += z.take(p[n:])
	}
	return n, z.err
}

// take adds bytes of p to the input, up to the next point where a frame may end, and
// returns how many. Whether the frame ends depends only on the bytes in it.
func (z *Writer) take(p []byte) int {
	if len(z.in) < z.Size {
		p = p[:min(len(p), z.Size-len(z.in))]
		z.in = append(z.in, p...)
		if len(z.in) == z.Size {
			if end := bytes.LastIndexByte(z.in, '\n') + 1; end > 0 {
				z.flush(end)
			}
		}
		return len(p)
	}
	// A line that is longer than a frame continues.
	z.in = slices.Grow(z.in, z.Line-len(z.in))
	p = p[:min(len(p), z.Line-len(z.in))]
	end := bytes.IndexByte(p, '\n') + 1
	if end > 0 {
		p = p[:end]
	}
	z.in = append(z.in, p...)
	if end > 0 || len(z.in) == z.Line {
		z.flush(len(z.in))
	}
	return len(p)
}

// flush writes the first n bytes of the input, at least one, as one frame of several.
func (z *Writer) flush(n int) {
	if len(z.table) == 0 {
		z.entry(len(marker), 0, emptySum)
		z.write([]byte(marker))
	}
	f, rest, most := new(making), z.in[n:], ahead
	if k := len(z.idle); k > 0 {
		f, z.idle = z.idle[k-1], z.idle[:k-1]
	}
	f.in = z.in[:n]
	if n > z.Size { // a long line takes as much memory as several frames
		z.settle(0)
		z.idle, most = nil, 0
	}
	z.making = append(z.making, f)
	f.Go(func() { f.out = z.enc.EncodeAll(f.in, f.out[:0]) })
	z.settle(most)
	if k := len(z.idle); k > 0 {
		z.in, z.idle[k-1].in = z.idle[k-1].in[:0], nil
	} else {
		z.in = make([]byte, 0, z.Size)
	}
	z.in = append(z.in, rest...)
}

// settle writes the frames that are being compressed, but for the last n.
func (z *Writer) settle(n int) {
	for len(z.making) > n {
		f := z.making[0]
		f.Wait()
		z.frame(f)
		z.making, z.idle = z.making[1:], append(z.idle, f)
	}
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

// write writes b to the underlying writer, unless that has failed.
func (z *Writer) write(b []byte) {
	if z.err != nil {
		return
	}
	n, err := z.w.Write(b)
	if n < len(b) && err == nil {
		err = io.ErrShortWrite
	}
	z.err = err
}

// Close writes the last frame and the seek table. It does not close the underlying
// writer. If Write has failed, Close writes nothing and returns that error. A closed
// Writer cannot be used again.
func (z *Writer) Close() error {
	if z.err == nil {
		z.end()
	}
	for _, f := range z.making {
		f.Wait()
	}
	z.spool.Close()
	if z.err != nil {
		return z.err
	}
	z.err = fs.ErrClosed
	z.pool.Put(z.enc)
	return nil
}

// end writes the rest of the output.
func (z *Writer) end() {
	if len(z.table) == 0 && len(z.in) < z.Size {
		out := z.enc.EncodeAll(z.in, nil)
		z.write(append(out, tableFrame(shortEntry(len(out), len(z.in)), 1, shortEnd)...))
		return
	}
	if len(z.in) > 0 {
		z.flush(len(z.in))
	}
	z.settle(0)
	if z.open {
		z.endLong()
	}
	z.release()
	z.entry(sealLen, 0, emptySum)
	frame := tableFrame(z.table, len(z.table)/entryLen, footerEnd)
	seal := binary.LittleEndian.AppendUint32([]byte(sealHead), crc32.ChecksumIEEE(frame))
	z.write(append(seal, frame...))
}
