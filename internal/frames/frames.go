// Package frames reads and writes zstd, above all seekable zstd: frames that do not depend on each other, and
// a seek table that says where each is. It is the only package that knows the format.
//
// A [Stream] decompresses any zstd in order; a [Reader] decompresses only the frames that it is asked for. A
// [Writer] writes frames of up to 4 MiB, longer ones where a log repeats what is far above, and the table. Any
// zstd reads them.
//
// Every truncation of an archive is an error, with two exceptions: the loss of the table of
// a single frame, which leaves the log whole, and the loss of all but three bytes, which
// count as plain text. To detect a cut between two frames, an archive of several begins
// with a marker, and what begins with the marker must end with a seek table.
//
// If one byte of an archive is changed, reading it is an error or yields the right bytes:
//
//	in a frame        its checksum is wrong; a Reader returns no byte of such a frame
//	the first bytes   Damage finds input without a known magic that ends like an archive,
//	                  and input with the text of a marker but another length
//	the seek table    Open notices, and the archive is read from the start, like any zstd
//	                  file; a Stream ignores the table, and Damage looks at its last bytes
//
// A seek table of a single frame or of another program has no seal. Open uses it only if its
// sizes add up to the file, each frame declares the size that the table gives, no frame is
// empty or over 16 MiB, and the table is not over 4 MiB.
package frames

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Magic is what a zstd frame begins with.
const Magic = "\x28\xb5\x2f\xfd"

// If its input needs several frames, a Writer writes the marker, which promises a seek
// table; the frames; the seal, which holds the CRC-32 of the seek table's frame; and the
// seek table. Marker and seal are skippable frames, which the table lists as frames without
// data. After a single frame, a Writer writes only a table without checksums.
const (
	marker     = "\x51\x2a\x4d\x18\x08\x00\x00\x00" + markerText
	markerText = "jl table"
	sealHead   = "\x51\x2a\x4d\x18\x04\x00\x00\x00"
	tableMagic = "\x5e\x2a\x4d\x18"
	footerEnd  = "\x80\xb1\xea\x92\x8f" // entries have checksums; the format's number
	shortEnd   = "\x00\xb1\xea\x92\x8f" // entries have no checksums
)

const (
	sealLen   = len(sealHead) + 4
	headLen   = 8  // of a skippable frame: magic, length
	entryLen  = 12 // in a table with checksums; else 8
	footerLen = 9  // number of entries, footerEnd or shortEnd
)

// emptySum is the checksum of no bytes.
const emptySum = 0x51d8e999

// HeadLen and TailLen are how many of the first and of the last bytes of an input tell [Damage] enough.
const (
	HeadLen = len(marker)
	TailLen = len(footerEnd)
)

var (
	errFirst = errors.New("damaged zstd data: one of the first bytes is wrong")
	errCut   = errors.New("damaged zstd data: cut off: the seek table is missing")
)

// EndsTable reports whether b, the last bytes of an input, end an archive. They are
// not UTF-8, so they do not end a log.
func EndsTable(b []byte) bool { return string(b) == footerEnd || string(b) == shortEnd }

// Damage returns what is wrong with an input that was read to its end, as zstd or else as plain text, if its
// first and last bytes show that it is a changed archive or a part of one.
func Damage(first, last []byte, isZstd bool) error {
	head := string(first)
	whole := len(head) >= TailLen && EndsTable(last)
	switch {
	case !isZstd && whole,
		isZstd && head != marker && strings.HasSuffix(head, markerText):
		return errFirst
	case head == marker && !whole:
		return errCut
	}
	return nil
}

// inputBuffer is how many compressed bytes are read at once.
const inputBuffer = 64 << 10

// maxWindow bounds the memory for the data that a zstd frame may refer back to.
const maxWindow = 128 << 20

// A Stream decompresses zstd frames in order. It needs the memory for the window that a frame asks for.
type Stream struct {
	*zstd.Decoder
	in *bufio.Reader
}

// decoders keeps closed Streams, because making one takes as long as
// decompressing a small log.
var decoders sync.Pool

// NewStream returns a Stream that reads r and starts no goroutine. It trusts a frame's header only
// for the window, up to maxWindow. DecodeAll decodes no more than it is given room for.
func NewStream(r io.Reader) *Stream {
	d, ok := decoders.Get().(*Stream)
	if !ok {
		d = &Stream{in: bufio.NewReaderSize(nil, inputBuffer)}
		d.Decoder, _ = zstd.NewReader(nil, // fails with other options only
			zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow),
			zstd.WithDecoderMaxMemory(maxWindow),
			zstd.WithDecodeAllCapLimit(true))
	}
	d.in.Reset(r)
	_ = d.Reset(d.in) // fails only after Close
	return d
}

// Read reads the next decompressed bytes. It may return bytes before it finds that the input is damaged.
func (d *Stream) Read(p []byte) (int, error) {
	n, err := d.Decoder.Read(p)
	switch {
	case err == nil, err == io.EOF:
	case errors.Is(err, zstd.ErrUnknownDictionary):
		err = errors.New("zstd data that needs a dictionary is not supported: decompress it first")
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		err = fmt.Errorf("zstd window over %d MiB, or damaged data: %w", maxWindow>>20, err)
	default:
		err = fmt.Errorf("damaged zstd data: %w", err)
	}
	return n, err
}

// Close leaves the decoder to the next Stream.
func (d *Stream) Close() {
	d.in.Reset(nil)
	_ = d.Reset(nil)
	decoders.Put(d)
}
