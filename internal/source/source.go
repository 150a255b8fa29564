// Package source turns an operand of the command line into bytes.
//
// An operand is a path, or "-" for standard input. The first bytes, not the name, say
// whether it is plain, gzip or zstd, and the caller always gets decompressed bytes: in
// order with Read, or at any offset with At.
//
// Compressed input is read strictly. Consecutive gzip members or zstd frames are one
// stream; zstd's skippable frames are skipped. Any other bytes after the end, a missing
// end and a wrong checksum are errors. Decompression in order needs constant memory: for
// zstd the window that the frame asks for, at most 128 MiB, the default limit of zstd(1).
//
// # Archives
//
// An archive is what a [Writer] writes: zstd frames of up to 4 MiB and a seek
// table after them, so that At decompresses only the frames it is asked for. Any zstd
// reads it.
//
// Every truncation of an archive is an error, with two exceptions: the loss of the table of
// a single frame, which leaves the log whole, and the loss of all but three bytes, which
// count as plain text. To detect a cut between two frames, an archive of several begins
// with a marker, a skippable frame, and what begins with the marker must end with a seek
// table: only further archives may be appended.
//
// If one byte of an archive is changed, reading it is an error or yields the right bytes.
// Each frame has a checksum: Read checks it at the end of the frame, and the reader from At
// returns bytes of a frame only after it has checked all of it. Input that begins with no
// known magic but ends like an archive is an archive with a wrong first byte. Read finds
// that only at the end; the bytes before are not a log. A marker is recognized by its text
// even if its length is wrong. In the seek table, and in the checksum of the table, Read
// detects only a change of the last four bytes; At detects all changes, and then reads the
// archive from the start, like any zstd file. (The table of a single frame has no
// checksum; a change that At does not detect makes no difference.)
//
// A FILE that is named .zst or .gz but begins with no known magic is damaged, even if it is
// empty. Any other empty input is an empty log.
//
// At uses a seek table without a seal, that of a single frame or of another program, if its
// sizes add up to the file, each frame declares the size that the table gives, no frame is
// empty or over 16 MiB, and the table is not over 4 MiB. Any other file is read from the
// start.
//
// System errors are those of package os, unchanged.
package source

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/klauspost/compress/zstd"

	"jl/internal/nonblock"
)

// A Source is one open operand. Read and At are two ways to the same bytes; a caller
// uses one of them.
type Source struct {
	name  string
	file  *os.File    // nil for standard input, which the caller closes
	stdin *os.File    // standard input if it is read at offsets, else nil
	info  os.FileInfo // of the file or standard input, nil if that is not a file
	in    input
	kind  string    // how in is compressed: "gzip", "zstd" or "" for plain
	r     io.Reader // in, decompressed
	zstd  *unzstd   // r if in is zstd, else nil
	err   error     // what ended Read

	raw     *io.SectionReader // the file before decompression; nil if it is not a regular file
	whole   *io.SectionReader // what At returns; nil before it is known
	spooled *os.File          // the unlinked file under whole, if there is one
}

// Open opens the operand name: a path, or "-" for stdin. It reads, and waits for, only
// the few bytes that it needs to recognise the format.
//
// If ready is not nil, Open and Read call it before everything that may block, so that a
// filter can write what it has: before each read of an operand that is not a regular
// file, and before such an operand is opened.
//
// A directory cannot be opened. Damage is found later, by Read, At or the reader that At
// returns.
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
	s.in = input{r: nonblock.Reader{R: r}, ready: ready}
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
		s.kind = s.named()
	}
	switch s.kind {
	case "", "gzip", "zstd":
	default:
		return fmt.Errorf("%s data is not supported: decompress it first", s.kind)
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

// isPlain reports whether a regular file that begins with no known magic is plain, and not an
// unreadable file or a damaged archive.
func (s *Source) isPlain() bool {
	if s.raw == nil || s.in.err != nil && s.in.err != io.EOF {
		return false
	}
	return !isFooterEnd(readBytes(s.raw, s.raw.Size()-int64(TailLen), int64(TailLen)))
}

// named returns how the operand is compressed according to its name, "" if not at all.
func (s *Source) named() string {
	switch {
	case strings.HasSuffix(s.name, ".gz"):
		return "gzip"
	case strings.HasSuffix(s.name, ".zst"):
		return "zstd"
	}
	return ""
}

// Read reads the next bytes, decompressed. It reads a growing file to its present end,
// which may be after the size that At returns. It may return bytes of compressed input
// before it finds the damage after them: they count only once Read has returned io.EOF.
// After an error, Read returns that error again.
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
// operand failed, that is the error, whatever a decoder made of it.
func (s *Source) explain(err error) error {
	switch {
	case s.in.err != nil && s.in.err != io.EOF:
		return s.in.err
	case err == io.EOF && s.kind != "" && len(s.in.first) == 0:
		err = errors.New("the file is empty")
	case err == io.EOF:
		return cmp.Or(s.in.archiveError(s.kind), err)
	case errors.Is(err, zstd.ErrUnknownDictionary):
		return errors.New("zstd data that needs a dictionary is not supported: decompress it first")
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return fmt.Errorf("zstd window over %d MiB, or damaged data: %w", maxWindow>>20, err)
	}
	return fmt.Errorf("damaged %s data: %w", s.kind, err)
}

// Info returns what the system knew of the operand when it was opened, nil if it is not a
// file.
func (s *Source) Info() os.FileInfo { return s.info }

// Size returns the size of the operand in bytes, as it is stored, if it is a regular file.
// For anything else, where a read may wait, it returns 0.
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
	if s.zstd != nil {
		s.zstd.close()
		s.zstd, s.r, s.err = nil, nil, fs.ErrClosed
	}
	if s.spooled != nil {
		s.spooled.Close() // its name is gone already
	}
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
