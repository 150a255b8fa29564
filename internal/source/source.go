// Package source turns an operand of the command line into bytes.
//
// An operand is a path, or "-" for standard input. The first bytes, not the name, tell
// whether it is plain, gzip or zstd, and the caller always gets decompressed bytes: in
// order with Read, or at any offset with At. System errors are those of package os.
//
// Consecutive gzip members or zstd frames are one stream, without the skippable frames of
// zstd. Any other bytes after the end, a missing end and a wrong checksum are errors.
// Decompression in order needs constant memory: for zstd the window that the frame asks for,
// at most 128 MiB, the default limit of zstd(1). A FILE that is named .zst or .gz but begins
// with no known magic is damaged, even if it is empty.
//
// Package frames says what an archive is. At decompresses only the frames of one that it is asked for.
package source

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"jl/internal/frames"
	"jl/internal/nonblock"
	"jl/internal/tempfile"
)

// A Source is one open operand. Read and At are two ways to the same bytes; a caller
// uses one of them.
type Source struct {
	name  string
	file  *os.File    // nil for standard input, which the caller closes
	stdin *os.File    // standard input if it is read at offsets, else nil
	info  os.FileInfo // of the file or standard input, nil if that is not a file
	in    input
	kind  string         // how in is compressed: "gzip", "zstd" or "" for plain
	r     io.Reader      // in, decompressed
	zstd  *frames.Stream // r if in is zstd, else nil
	err   error          // what ended Read
	ahead []byte         // what Peek has read and Read has not returned yet

	raw     *io.SectionReader // the file before decompression; nil if it is not a regular file
	whole   *io.SectionReader // what At returns; nil before it is known
	spooled *tempfile.File    // under whole, if there is one
	frames  *frames.Reader    // under whole, if there is a seek table, else nil
}

// Open opens the operand name: a path, or "-" for stdin. It waits only for the few bytes
// that tell the format.
//
// If ready is not nil, Open and Read call it before they open or read an operand that is not a
// regular file, so that a filter can write what it has before it blocks.
//
// Open refuses a directory. Read, At and the reader that At returns report damage.
func Open(name string, stdin io.Reader, ready func()) (*Source, error) {
	s := &Source{name: name}
	r := stdin
	if name != "-" {
		if ready != nil {
			// Opening a named pipe waits for a writer.
			if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
				ready()
			}
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		s.file, r = f, f
	}
	return s.begin(r, ready)
}

// Of returns the Source of a file that is open. Closing it, or a failure, closes the file.
func Of(f *os.File) (*Source, error) {
	return (&Source{file: f}).begin(f, nil)
}

// begin reads r, and closes s if it fails.
func (s *Source) begin(r io.Reader, ready func()) (*Source, error) {
	s.in = input{r: nonblock.Reader{R: r}, ready: ready}
	if err := s.look(r); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// look looks at what was opened and chooses how to read it.
func (s *Source) look(r io.Reader) error {
	if f, ok := r.(*os.File); ok {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if s.info = info; info.IsDir() {
			return syscall.EISDIR
		}
		// Some files of /proc and /sys are regular, but cannot seek and may block.
		if start, err := f.Seek(0, io.SeekCurrent); err == nil && info.Mode().IsRegular() {
			s.in.ready = nil
			// Others hold bytes and have a size of 0. Part of stdin may have been read.
			if size := info.Size() - start; size > 0 {
				s.raw = io.NewSectionReader(f, start, size)
				if s.file == nil {
					s.stdin = f
				}
			}
		}
	}
	if s.kind = s.in.sniff(); s.kind == "" {
		s.kind = kinds[filepath.Ext(s.name)]
	}
	switch s.kind {
	case "gzip":
		s.r = &gunzip{r: &s.in}
	case "zstd":
		s.zstd = frames.NewStream(&s.in)
		s.r = s.zstd
	case "":
		s.r = &s.in
		plain, err := s.isPlain()
		if err != nil {
			return err
		}
		if plain {
			s.whole = s.raw
		}
	default:
		return fmt.Errorf("%s data is not supported: decompress it first", s.kind)
	}
	return nil
}

// kinds tells how an operand is compressed by the end of its name.
var kinds = map[string]string{".gz": "gzip", ".zst": "zstd"}

// isPlain reports whether a regular file that begins with no known magic is plain, and not an
// unreadable file or a damaged archive. The error comes from reading its last bytes.
func (s *Source) isPlain() (bool, error) {
	if s.raw == nil || s.in.err != nil && s.in.err != io.EOF {
		return false, nil
	}
	var end [frames.TailLen]byte
	n, err := s.raw.ReadAt(end[:], max(0, s.raw.Size()-int64(len(end))))
	if err == io.EOF {
		err = nil
	}
	return !frames.EndsTable(end[:n]), err
}

// Read reads the next decompressed bytes. It reads a growing file to its present end, which may
// be after the size that At returns. It may return bytes before it finds that the input is
// damaged: they count only once Read has returned io.EOF. After an error, Read returns that
// error again.
func (s *Source) Read(p []byte) (int, error) {
	if len(s.ahead) > 0 {
		n := copy(p, s.ahead)
		s.ahead = s.ahead[n:]
		return n, nil
	}
	return s.readOn(p)
}

// readOn reads what comes after the bytes that Peek has read.
func (s *Source) readOn(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(p)
	if err != nil {
		s.err = s.explain(err)
	}
	return n, s.err
}

// Peek returns the first decompressed bytes, which Read and At return again: at least as many as enough wants, or all
// if there are no more. It waits for no others. Peek is called before Read and At.
func (s *Source) Peek(enough func([]byte) bool) []byte {
	const first = 8 << 10
	if s.InPlace() {
		for size := int64(first); ; size *= 4 {
			b := make([]byte, min(size, s.whole.Size()))
			n, err := s.whole.ReadAt(b, 0)
			if b = b[:n]; err != nil || int64(n) == s.whole.Size() || enough(b) {
				return b
			}
		}
	}
	for s.err == nil && !enough(s.ahead) {
		s.ahead = slices.Grow(s.ahead, max(first, len(s.ahead)))
		n, _ := s.readOn(s.ahead[len(s.ahead):cap(s.ahead)]) // the error is s.err
		s.ahead = s.ahead[:len(s.ahead)+n]
	}
	return slices.Clone(s.ahead)
}

// explain returns the error that Read returns for err, an error of s.r. If reading the
// operand failed, that is the error, whatever a decoder made of it.
func (s *Source) explain(err error) error {
	switch {
	case s.in.err != nil && s.in.err != io.EOF:
		return s.in.err
	case err == io.EOF && s.kind != "" && len(s.in.first) == 0:
		err = errors.New("the file is empty")
	case err == io.EOF:
		if s.kind != "gzip" {
			err = cmp.Or(frames.Damage(s.in.first, s.in.last[:], s.kind == "zstd"), err)
		}
		return err
	case s.zstd != nil:
		return err
	}
	return fmt.Errorf("damaged %s data: %w", s.kind, err)
}

// Info returns what the system knew of the operand when it was opened, or nil if that is not a
// file.
func (s *Source) Info() os.FileInfo { return s.info }

// Size returns the stored size of a regular file in bytes. For anything else, where a read may
// wait, it returns 0.
func (s *Source) Size() int64 {
	if s.raw == nil {
		return 0
	}
	return s.raw.Size()
}

// Compressed reports whether the operand is gzip or zstd data.
func (s *Source) Compressed() bool { return s.kind != "" }

// Close releases what the Source and the reader from At hold. It does not close stdin, but
// leaves it at its end, as if it had been read in order.
func (s *Source) Close() error {
	if s.stdin != nil {
		_, _ = s.stdin.Seek(0, io.SeekEnd) // if it fails, stdin is only read again
	}
	if s.frames != nil {
		s.frames.Close()
	}
	if s.zstd != nil {
		s.zstd.Close()
		s.zstd, s.r, s.err = nil, nil, fs.ErrClosed
	}
	s.spooled.Close()
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
