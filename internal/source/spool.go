package source

import (
	"bytes"
	"errors"
	"io"

	"jl/internal/frames"
	"jl/internal/tempfile"
)

// spoolMemory is how many bytes At keeps in memory before it uses a file.
const spoolMemory = 8 << 20

// At returns a reader of the decompressed bytes at any offset, and how many there are.
// The reader is valid until Close. It is never nil.
//
// A plain regular file is read in place, up to the size that it had when it was opened; if
// it is stdin, offsets count from where stdin was then. A zstd file with a sound seek table
// is read in place too: the reader keeps two frames of up to 16 MiB in memory, or four of up to
// 4 MiB. A longer frame, and everything else, is read to its end first: up to 8 MiB are kept in memory, more
// in an unlinked file of mode 0600 in TMPDIR.
//
// If reading fails part-way, At returns what was read before and the error. If the file in
// TMPDIR cannot be created or written, it returns no bytes and the error. If a file that is read
// in place has shrunk, the reader returns an error at its end.
func (s *Source) At() (io.ReaderAt, int64, error) {
	if !s.InPlace() {
		s.spool()
	}
	err := s.err
	if err == io.EOF {
		err = nil
	}
	return fixedSize{s.whole}, s.whole.Size(), err
}

// errShrank reports that a file ended before the size that it had when it was opened.
var errShrank = errors.New("the file shrank while it was read")

// A fixedSize reads a file that should be as long as it was.
type fixedSize struct{ *io.SectionReader }

func (s fixedSize) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.SectionReader.ReadAt(p, off)
	if err == io.EOF && off+int64(n) < s.Size() {
		err = errShrank
	}
	return n, err
}

// InPlace reports whether At reads the operand in place. If not, At reads all of it first,
// and a caller that wants only a part may prefer Read.
func (s *Source) InPlace() bool {
	if s.whole == nil && s.raw != nil && s.zstd != nil {
		if s.frames = frames.Open(s.raw, s.raw.Size(), s.zstd); s.frames != nil {
			s.whole = io.NewSectionReader(s.frames, 0, s.frames.Size())
		}
	}
	return s.whole != nil
}

// spool reads the rest of the input into whole.
func (s *Source) spool() {
	head, _ := io.ReadAll(io.LimitReader(s, spoolMemory+1)) // its error is s.err
	if len(head) <= spoolMemory {
		s.whole = io.NewSectionReader(bytes.NewReader(head), 0, int64(len(head)))
		return
	}
	var size int64
	var err error
	if s.spooled, err = tempfile.New(); err == nil {
		size, err = io.Copy(s.spooled, io.MultiReader(bytes.NewReader(head), s)) // an error of s is s.err
	}
	if errors.As(err, new(tempfile.Error)) {
		s.err, size = err, 0
	}
	s.whole = io.NewSectionReader(s.spooled, 0, size)
}
