// Package source turns an operand of the command line into bytes.
//
// An operand is a path, or "-" for standard input. The first bytes, not the name, say
// whether it is plain, gzip or zstd, and the caller always gets decompressed bytes: in
// order with Read, or at any offset with At.
//
// Compressed input is read strictly. Gzip members or zstd frames that follow one
// another are one stream, without zstd's skippable frames. Any other bytes after the
// end, a missing end and a wrong checksum are errors. Decompression in order needs
// constant memory: for zstd the window that the frame asks for, at most 128 MiB, which
// is what zstd(1) accepts by default.
//
// # Archives
//
// An archive is what a [Writer] writes: zstd frames of up to 1.5 MiB and a seek
// table after them, so that At decompresses only the frames it is asked for. Any zstd
// reads it.
//
// Every truncation of an archive is an error, with two exceptions: the table of a
// single frame, without which the log is still whole, and the loss of all but three
// bytes, see below. To detect a cut between two frames, an archive of several begins
// with a marker, a skippable frame, and what begins with the marker must end with a
// seek table: only further archives may be appended.
//
// If one byte of an archive is changed, reading it is an error or yields the right
// bytes. Each frame has a checksum: Read checks it at the end of the frame, and the
// reader from At returns no byte of a frame before it has checked all of it. Input that
// begins as no format but ends as an archive does is an archive with a wrong first
// byte. Read finds that at the end only; the bytes before are not a log. A marker is
// recognised by its text even if its length is wrong. In the seek table, and in the
// checksum of the table, Read detects a change of the last four bytes only; At detects
// all changes, and then reads the archive from the start, as any zstd file. (The table
// of a single frame has no checksum; a change that it does not detect makes no
// difference.)
//
// A FILE that is named .zst or .gz and begins as no format is damaged, even if it is
// empty. Any other input that is empty is an empty log, and three bytes or fewer of a
// zstd stream are plain text.
//
// At uses the seek tables of other programs if the sizes in them add up to the file, no
// frame is empty or over 16 MiB, and the table is not over 4 MiB. They have no
// checksum, so a changed size may go unnoticed, and shift offsets, until the frame it
// belongs to is read.
//
// Errors of the system are those of package os, as they are.
package source

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/klauspost/compress/zstd"
)

// A Source is one open operand. Read and At are two ways to the same bytes; a caller
// uses one of them.
type Source struct {
	name string
	file *os.File // nil for standard input, which the caller closes
	in   input
	kind string        // how in is compressed: "gzip", "zstd" or "" for plain
	r    io.Reader     // in, decompressed
	zstd *zstd.Decoder // r if in is zstd, else nil
	err  error         // what ended Read

	raw     *io.SectionReader // the file before decompression; nil if it is not a regular file
	whole   *io.SectionReader // what At returns; nil before it is known
	spooled *os.File          // the unlinked file under whole, if there is one
}

// Open opens the operand name: a path, or "-" for stdin. It reads, and waits for, only
// the few bytes that it needs to recognise the format.
//
// If ready is not nil, it is called before everything that may block, so that a filter
// can write what it has: before each read of an operand that is not a regular file, and
// before such an operand is opened.
//
// A directory cannot be opened. Read, At or the reader that At returns find damage
// later.
func Open(name string, stdin io.Reader, ready func()) (*Source, error) {
	s := &Source{name: name}
	r := stdin
	if name != "-" {
		if ready != nil {
			// A named pipe does not open before it has a writer.
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
	s.in = input{r: retryReader{r}, ready: ready}
	if err := s.begin(r); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// begin looks at what was opened and chooses how to read it.
func (s *Source) begin(r io.Reader) error {
	if f, ok := r.(*os.File); ok {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if info.IsDir() {
			return syscall.EISDIR
		}
		// Some files of /proc and /sys are regular, but cannot seek and may block.
		if start, err := f.Seek(0, io.SeekCurrent); err == nil && info.Mode().IsRegular() {
			s.in.ready = nil
			// Others have a size of 0 and hold bytes. Part of stdin may have been read.
			if size := info.Size() - start; size > 0 {
				s.raw = io.NewSectionReader(f, start, size)
			}
		}
	}
	if s.kind = s.in.sniff(); s.kind == "" {
		s.kind = s.named()
	}
	switch s.kind {
	case "gzip":
		s.r = &gunzip{r: &s.in}
	case "zstd":
		s.zstd = newUnzstd(&s.in)
		s.r = s.zstd
	default:
		s.r = &s.in
		if s.isPlain() {
			s.whole = s.raw
		}
	}
	return nil
}

// isPlain reports whether a regular file that begins as no format is plain, and not an
// unreadable file or a damaged archive.
func (s *Source) isPlain() bool {
	if s.raw == nil || s.in.err != nil && s.in.err != io.EOF {
		return false
	}
	n := int64(len(footerEnd))
	return !isFooterEnd(readBytes(s.raw, s.raw.Size()-n, n))
}

// named returns how the operand is compressed by its name, "" if the name does not say.
func (s *Source) named() string {
	switch {
	case strings.HasSuffix(s.name, ".gz"):
		return "gzip"
	case strings.HasSuffix(s.name, ".zst"):
		return "zstd"
	}
	return ""
}

// Read reads the next bytes, decompressed. It reads a regular file to the end that the
// file has by then, which may lie after the size that At returns. It may return bytes
// of compressed input before it finds the damage after them: they count only once Read
// has returned io.EOF. After an error, Read returns that error again.
func (s *Source) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(p)
	if err != nil {
		s.err = s.explain(err)
	}
	return n, s.err
}

// explain returns the error that Read returns for err, an error of s.r. If reading the
// operand failed, it is that error, whatever a decoder made of it.
func (s *Source) explain(err error) error {
	switch {
	case s.in.err != nil && s.in.err != io.EOF:
		return s.in.err
	case err == io.EOF && s.kind != "" && len(s.in.first) == 0:
		err = errors.New("nothing is left of it")
	case err == io.EOF:
		return cmp.Or(s.in.archiveError(s.kind), err)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return fmt.Errorf("zstd window over %d MiB, or damaged data: %w", maxWindow>>20, err)
	}
	return fmt.Errorf("damaged %s data: %w", s.kind, err)
}

// Compressed reports whether the operand is gzip or zstd data.
func (s *Source) Compressed() bool { return s.kind != "" }

// Close releases what the Source and the reader from At hold. It does not close stdin.
func (s *Source) Close() error {
	if s.zstd != nil {
		s.zstd.Close()
	}
	if s.spooled != nil {
		s.spooled.Close() // its name is gone already
	}
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
