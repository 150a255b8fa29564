package frames

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"sync"

	seekable "github.com/SaveTheRbtz/zstd-seekable-format-go/pkg"
	"github.com/klauspost/compress/zstd"

	"jl/internal/tempfile"
)

// maxTable is the length of the longest seek table that is used, for 340 GiB from a Writer.
// Parsed, a table needs four times as much memory.
const maxTable = 4 << 20

// maxPacked bounds the compressed length of a frame.
const maxPacked = maxFrame + maxFrame>>7

// slack is the free space after a frame's data that makes the decoder fast.
const slack = 16

// Open returns a Reader of a zstd file of the given size, or nil if it has no sound seek table. The Reader also
// decodes with z, which the caller does not use meanwhile, and closes.
func Open(file io.ReaderAt, size int64, z *Stream) *Reader {
	table := readTable(file, size)
	if table == nil {
		return nil
	}
	return &Reader{file: file, table: table, zstd: z}
}

// Size returns how many decompressed bytes there are.
func (f *Reader) Size() int64 { return int64(f.table.Size()) }

// readTable returns the seek table at the end of a zstd file of the given size, or nil if it
// is missing, unreliable or cannot be read. It allocates memory for the bytes that the file
// has, not for those that it declares.
func readTable(file io.ReaderAt, size int64) *seekable.SeekTable {
	end := readBytes(file, size-footerLen, footerLen)
	if end == nil {
		return nil
	}
	length := int64(entryLen)
	if end[4]&0x80 == 0 {
		length -= 4 // no checksum
	}
	length = headLen + length*int64(binary.LittleEndian.Uint32(end)) + footerLen
	if length > min(size, maxTable) {
		return nil
	}
	start := size - length
	frame := readBytes(file, start, length)
	table, err := seekable.NewSeekTable(frame)
	if err != nil {
		return nil
	}
	sealed := string(readBytes(file, 0, int64(len(marker)))) == marker
	if sealed {
		seal := binary.LittleEndian.AppendUint32([]byte(sealHead), crc32.ChecksumIEEE(frame))
		if string(readBytes(file, start-int64(sealLen), int64(sealLen))) != string(seal) {
			return nil
		}
	}
	last := table.NumFrames() - 1
	for i := range last + 1 {
		e, _ := table.EntryByID(i)
		// Any other frame that the table calls empty would never be read.
		empty := sealed && (i == 0 && e.CompressedSize == uint32(len(marker)) || i == last && e.CompressedSize == uint32(sealLen))
		if (e.DecompressedSize == 0) != empty || !sealed && (isLong(e) || !declares(file, e)) {
			return nil
		}
		start -= int64(e.CompressedSize)
	}
	if start != 0 {
		return nil
	}
	return table
}

// isLong reports whether a frame is too long to be decoded in memory.
func isLong(e seekable.FrameOffsetEntry) bool {
	return e.DecompressedSize > maxFrame || e.CompressedSize > maxPacked
}

// declares reports whether a frame begins where e says, and declares the length that e gives.
// A table without a seal may be wrong; this finds it before the first byte is returned.
func declares(file io.ReaderAt, e seekable.FrameOffsetEntry) bool {
	var head zstd.Header
	b := readBytes(file, int64(e.CompressedOffset), int64(min(e.CompressedSize, zstd.HeaderMaxSize)))
	return head.Decode(b) == nil && head.HasFCS && head.FrameContentSize == uint64(e.DecompressedSize)
}

// readBytes returns the n bytes at off, or nil if they cannot be read.
func readBytes(r io.ReaderAt, off, n int64) []byte {
	if off < 0 {
		return nil
	}
	b := make([]byte, n)
	if got, _ := r.ReadAt(b, off); got < len(b) {
		return nil
	}
	return b
}

// A Reader reads the decompressed bytes of a seekable zstd file at any offset. It keeps the last
// two frames, or four if none is longer than 4 MiB, so a caller that reads backward in blocks decodes
// each frame once, even if a block is in two frames. When the caller has read four frames in a row,
// forward or backward, the next two are decoded on other goroutines. A long frame is kept in a
// temporary file.
type Reader struct {
	file  io.ReaderAt
	table *seekable.SeekTable
	zstd  *Stream

	mu   sync.Mutex // guards what follows: an io.ReaderAt allows parallel calls
	kept []*frame   // the one used last comes first, then those that will be used next
	last int64      // the id of the frame that was used for the first time last, and
	step int64      // how far that is from the one before, and
	row  int        // how many such steps there were in a row
}

// A frame is a decoded frame.
type frame struct {
	id    int64
	begun bool           // it is decoded, or being decoded
	used  bool           // it was read from
	buf   []byte         // what it was decoded from
	data  []byte         // empty for
	file  *tempfile.File // a long one
	err   error          // why it could not be decoded

	sync.WaitGroup // until it is decoded ahead
}

// noFrame is the id of no frame.
const noFrame = -1

// ReadAt reads len(p) bytes at off. It returns bytes of a frame only after it has
// decoded the whole frame and checked its length and checksum.
func (f *Reader) ReadAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for n < len(p) {
		at := uint64(off) + uint64(n)
		e, ok := f.table.EntryByDecompressedOffset(at)
		if !ok {
			return n, io.EOF
		}
		k, err := f.frame(e)
		if err != nil {
			return n, err
		}
		off := int64(at - e.DecompressedOffset)
		if k.file == nil {
			n += copy(p[n:], k.data[off:])
			continue
		}
		more, err := k.file.ReadAt(p[n:], off)
		if n += more; err != nil && err != io.EOF {
			return n, err
		}
	}
	return n, nil
}

// frame returns the frame of e, valid until the next call, or its error.
func (f *Reader) frame(e seekable.FrameOffsetEntry) (*frame, error) {
	k := f.keep(e, 0)
	if !k.used {
		k.used = true
		step := e.ID - f.last
		if f.row++; step != f.step {
			f.row = 1
		}
		if (step == 1 || step == -1) && f.row > 2 && runtime.GOMAXPROCS(0) > 1 { // the end of a log is often enough
			f.ahead(e.ID+step, 1)
			f.ahead(e.ID+2*step, 2)
		}
		f.last, f.step = e.ID, step
	}
	if !k.begun {
		k.begun = true
		k.decode(f.file, e, f.zstd)
	}
	if k.Wait(); k.err != nil {
		k.id = noFrame
	}
	return k, k.err
}

// ahead decodes a frame on another goroutine, as kept[at]. No long one is decoded ahead, because
// several might take too much memory.
func (f *Reader) ahead(id int64, at int) {
	e, ok := f.table.EntryByID(id)
	if !ok || e.DecompressedSize == 0 || e.DecompressedSize > frameSize {
		return
	}
	if k := f.keep(e, at); !k.begun {
		k.begun = true
		k.Go(func() {
			z := NewStream(nil)
			defer z.Close()
			k.decode(f.file, e, z)
		})
	}
}

// keep returns the frame of e, as kept[at]. If it is not kept, it takes the place of the one that was
// used longest ago, unless there is room for one more.
func (f *Reader) keep(e seekable.FrameOffsetEntry, at int) *frame {
	i := slices.IndexFunc(f.kept, func(k *frame) bool { return k.id == e.ID })
	if i < 0 {
		most := 4
		if e.DecompressedSize > frameSize {
			most = 2
		}
		if len(f.kept) < most {
			f.kept = append(f.kept, new(frame))
		}
		i = min(len(f.kept), most) - 1
		for _, k := range f.kept[i:] {
			k.Wait()
			k.file.Close()
		}
		k := f.kept[i]
		k.id, k.used, k.begun, k.file, k.err = e.ID, false, false, nil, nil
		f.kept = f.kept[:i+1]
	}
	k := f.kept[i]
	f.kept = slices.Insert(slices.Delete(f.kept, i, i+1), min(at, len(f.kept)-1), k)
	return k
}

// Close waits until nothing is decoded, and removes the temporary files.
func (f *Reader) Close() {
	for _, k := range f.kept {
		k.Wait()
		k.file.Close()
	}
}

// decode decodes the frame that e says.
func (k *frame) decode(file io.ReaderAt, e seekable.FrameOffsetEntry, z *Stream) {
	var size int64
	var broken, err error
	if isLong(e) {
		z := NewStream(io.NewSectionReader(file, int64(e.CompressedOffset), int64(e.CompressedSize)))
		defer z.Close()
		if k.file, err = tempfile.New(); err == nil {
			size, err = io.Copy(k.file, z.Decoder)
		}
		if !errors.As(err, new(tempfile.Error)) {
			broken, err = err, nil
		}
	} else {
		if cap(k.buf) < int(e.CompressedSize) {
			k.buf = make([]byte, e.CompressedSize+e.CompressedSize/4) // the next frame may be a little longer
		}
		k.buf = k.buf[:e.CompressedSize]
		n, failed := file.ReadAt(k.buf, int64(e.CompressedOffset))
		if n < len(k.buf) && failed != io.EOF {
			k.err = failed
			return
		}
		if cap(k.data) < int(e.DecompressedSize)+slack {
			size := e.DecompressedSize
			if size > frameSize/2 { // as most of several frames, and none of them is as long as the next
				size = max(size, frameSize)
			}
			k.data = make([]byte, 0, size+slack) // slices.Grow takes as much again under the race detector
		}
		k.data, broken = z.DecodeAll(k.buf[:n], k.data[:0])
		size = int64(len(k.data))
	}
	if err == nil && broken == nil && size != int64(e.DecompressedSize) {
		broken = errors.New("not as long as the seek table says")
	}
	if broken != nil {
		err = fmt.Errorf("damaged zstd data: frame at byte %d: %w", e.CompressedOffset, broken)
	}
	k.err = err
}
