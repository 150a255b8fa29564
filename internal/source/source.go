// Package source turns an operand of the command line into bytes.
//
// An operand is a path, or "-" for standard input. Plain, gzip and zstd are told
// apart by the first bytes, not by the name, and what comes out is always
// decompressed. The bytes can be had in order with Read, or at any place
// with At.
//
// Compressed input is read strictly. Gzip members and zstd frames that follow
// one another are one stream, with zstd's skippable frames left out; anything else
// after the end, a missing
// end and a wrong checksum are errors. Decompression in order needs constant
// memory: for zstd the window that the frame asks for, which may be 128 MiB at
// most (what zstd(1) opens without being told to).
//
// # Archives
//
// An archive is what a [Writer] writes: zstd frames of up to 1.5 MiB and a seek
// table behind them, so that At decompresses only the frames it is asked for. Any zstd
// reads it.
//
// Every truncation of an archive is an error, except to the bytes before the seek table
// of a single frame, which are all of the log, and to nothing. To detect a cut between
// two frames, an archive of several begins with a marker, a skippable frame, and what
// begins with the marker must end with a seek table: only further archives may be
// appended.
//
// If one byte of an archive is changed, reading it is an error or yields the right
// bytes. A frame has a checksum: Read checks it at the end of the frame, and the reader
// from At returns no byte of a frame before it has checked all of it. What begins as no
// format but ends as an archive does is an archive with a wrong first byte; Read finds
// that at the end, behind bytes that are no log. A marker with its text in place is
// known whatever its other bytes are. In the seek table, and in its checksum, Read
// detects a change of the last four bytes only; At detects all changes, and reads the
// archive from the start, as any zstd file. (The table of a single frame has no
// checksum; a change that it does not detect makes no difference.)
//
// A FILE that is named .zst or .gz and begins as no format is damaged, even if it is
// empty. Without such a name, three bytes or fewer of a compressed file are plain text,
// and nothing is an empty log.
//
// The seek tables of other programs are used if the sizes in them add up to the
// file, no frame is empty or over 16 MiB, and the table is not over 4 MiB. They
// have no checksum, so a changed size may go unnoticed, and shift offsets, until
// the frame it belongs to is read.
//
// Errors carry no file name: the caller knows it.
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

// A Source is one opened operand. Read and At are two ways to the same bytes;
// use one of them.
type Source struct {
	name string
	file *os.File // nil for stdin, which is not ours to close
	in   input
	kind string        // how in is compressed: "gzip", "zstd" or "" for plain
	r    io.Reader     // in, decompressed
	zstd *zstd.Decoder // r if in is zstd, else nil
	err  error         // what ended Read

	itself  *io.SectionReader // the file as it is; nil if it is no regular one
	whole   *io.SectionReader // what At gives; nil until it is known
	spooled *os.File          // the unlinked file under whole, if there is one
}

// Open opens the operand name: a path, or "-" for stdin. It reads no more than
// the few bytes that tell the format, and does not wait for as many if the
// first ones do.
//
// If ready is not nil it is called before everything that may block, so that
// a filter can write what it has: each read of an operand that is no
// regular file, and the opening of one.
//
// A directory cannot be opened. Damage is found later, by Read, At or the reader
// that At returns.
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
			// Others have no size but hold bytes. Stdin may have been read from.
			if size := info.Size() - start; size > 0 {
				s.itself = io.NewSectionReader(f, start, size)
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
			s.whole = s.itself
		}
	}
	return nil
}

// isPlain reports whether a regular file that does not begin as compressed data is
// plain. It may have been unreadable so far, or be a damaged archive.
func (s *Source) isPlain() bool {
	if s.itself == nil || s.in.err != nil && s.in.err != io.EOF {
		return false
	}
	n := int64(len(footerEnd))
	return !isFooterEnd(readBytes(s.itself, s.itself.Size()-n, n))
}

// Name returns the operand as it was given: what a message calls the source.
func (s *Source) Name() string { return s.name }

// Read reads the next bytes, decompressed. A regular file is read to the end it
// has by then, beyond the size that At gives. Bytes of compressed input may
// come out before the damage behind them is found: they count only
// once Read has returned io.EOF. An error stays.
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

// explain returns what a caller is told of err, an error of s.r: if reading the
// operand failed, that, whatever a decoder made of it.
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

// named returns how the operand is compressed by its name, "" if it is not. Standard
// input has no name.
func (s *Source) named() string {
	switch {
	case strings.HasSuffix(s.name, ".gz"):
		return "gzip"
	case strings.HasSuffix(s.name, ".zst"):
		return "zstd"
	}
	return ""
}

// Close releases what the Source holds, with it what At returned. It does not
// close stdin.
func (s *Source) Close() error {
	if s.zstd != nil {
		s.zstd.Close()
	}
	if s.spooled != nil {
		s.spooled.Close() // it is gone from the directory already
	}
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
