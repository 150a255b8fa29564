package source

import (
	"bufio"
	"compress/gzip"
	"io"
	"strings"

	"jl/internal/frames"
)

// magics are the bytes that compressed input begins with. No JSON begins with them.
var magics = []struct{ kind, bytes string }{
	{"gzip", "\x1f\x8b"},
	{"zstd", frames.Magic},
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

	first []byte               // its first bytes, as many as tell of damage
	last  [frames.TailLen]byte // its last bytes, after zeros if it is shorter
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
	in.first = append(in.first, b[:min(len(b), frames.HeadLen-len(in.first))]...)
	k := min(len(b), len(in.last))
	copy(in.last[:], in.last[k:])
	copy(in.last[len(in.last)-k:], b[len(b)-k:])
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
