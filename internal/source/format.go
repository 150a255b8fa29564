package source

import (
	"bufio"
	"compress/gzip"
	"io"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// frameMagic is what a zstd frame begins with.
const frameMagic = "\x28\xb5\x2f\xfd"

// magics are the bytes that compressed input begins with. No JSON begins with them.
var magics = []struct{ kind, bytes string }{
	{"gzip", "\x1f\x8b"},
	{"zstd", frameMagic},
	{"zstd", "\x50\x2a\x4d\x18"}, // a skippable frame; its first byte is 50 to 5f

	// These cannot be read:
	{"xz", "\xfd7zX"},
	{"bzip2", "BZh"},
	{"lz4", "\x04\x22\x4d\x18"},
	{"lzip", "LZIP"},
	{"compress", "\x1f\x9d"},
	{"zip", "PK\x03\x04"},
	{"7z", "7z\xbc\xaf"},
}

// magicLen is the length of the longest magic.
const magicLen = 4

// Kind returns how a file is compressed by its first bytes: "gzip", "zstd", the name of another
// format, or "". An error comes from file.
func Kind(file io.ReaderAt) (string, error) {
	head := make([]byte, magicLen)
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	kind, _ := detect(head[:n])
	return kind, nil
}

// detect returns the kind of an input that begins with head. It is sure if more bytes
// cannot change the answer.
func detect(head []byte) (kind string, sure bool) {
	h := string(head)
	if h != "" && h[0]&0xf0 == 0x50 {
		h = "\x50" + h[1:]
	}
	sure = true
	for _, m := range magics {
		if strings.HasPrefix(h, m.bytes) {
			return m.kind, true
		}
		sure = sure && !strings.HasPrefix(m.bytes, h)
	}
	return "", sure
}

// An input is the bytes of an operand before decompression. It keeps its error: after
// the end, it does not ask a terminal for more.
type input struct {
	r     io.Reader
	ready func() // called before each read; nil if r does not block
	head  []byte // what sniff has read and Read has not returned yet
	err   error  // what ended r

	first []byte               // its first bytes, as many as a marker has
	last  [len(footerEnd)]byte // its last bytes, after zeros if it is shorter
}

func (in *input) Read(p []byte) (int, error) {
	if len(in.head) > 0 {
		n := copy(p, in.head)
		in.head = in.head[n:]
		return n, nil
	}
	if in.err != nil {
		return 0, in.err
	}
	if in.ready != nil {
		in.ready()
	}
	n, err := in.r.Read(p)
	in.err = err
	in.note(p[:n])
	return n, err
}

// note keeps the first and the last bytes of the input; b was read last.
func (in *input) note(b []byte) {
	in.first = append(in.first, b[:min(len(b), len(marker)-len(in.first))]...)
	k := min(len(b), len(in.last))
	copy(in.last[:], in.last[k:])
	copy(in.last[len(in.last)-k:], b[len(b)-k:])
}

// archiveError returns what is wrong with an input that was read to its end as kind, if it
// is a changed archive or a part of one, as the package comment says.
func (in *input) archiveError(kind string) error {
	first := string(in.first)
	whole := len(first) >= len(in.last) && isFooterEnd(in.last[:])
	switch {
	case kind == "" && whole,
		kind == "zstd" && first != marker && strings.HasSuffix(first, markerText):
		return errFirst
	case first == marker && !whole:
		return errCut
	}
	return nil
}

// sniff returns the kind of the input. It reads until the kind is sure; an input that ends
// or fails earlier is plain.
func (in *input) sniff() string {
	for {
		kind, sure := detect(in.first)
		if sure || in.err != nil {
			in.head = in.first
			return kind
		}
		_, _ = in.Read(make([]byte, magicLen-len(in.first))) // which keeps them in first
	}
}

// inputBuffer is how many compressed bytes are read at once.
const inputBuffer = 64 << 10

// maxWindow bounds the memory for the data that a zstd frame may refer back to.
const maxWindow = 128 << 20

// An unzstd decompresses zstd frames.
type unzstd struct {
	*zstd.Decoder
	in *bufio.Reader
}

// decoders keeps the decoders of closed Sources, because making one takes as long as
// decompressing a small log.
var decoders sync.Pool

// newUnzstd returns a decoder that starts no goroutine. It trusts a frame's header only
// for the window, up to maxWindow. DecodeAll decodes no more than it is given room for.
func newUnzstd(r io.Reader) *unzstd {
	d, ok := decoders.Get().(*unzstd)
	if !ok {
		d = &unzstd{in: bufio.NewReaderSize(nil, inputBuffer)}
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

// close leaves the decoder to the next Source.
func (d *unzstd) close() {
	d.in.Reset(nil)
	_ = d.Reset(nil)
	decoders.Put(d)
}

// A gunzip decompresses gzip members. It reads the first header in the first Read, so that
// opening an input does not wait for it.
type gunzip struct {
	r io.Reader
	z *gzip.Reader // nil before the first Read
}

func (g *gunzip) Read(p []byte) (int, error) {
	if g.z == nil {
		z, err := gzip.NewReader(bufio.NewReaderSize(g.r, inputBuffer))
		if err != nil {
			return 0, err
		}
		g.z = z
	}
	return g.z.Read(p)
}
