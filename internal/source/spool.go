package source

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// spoolMemory is how many bytes At keeps in memory before it takes a file.
const spoolMemory = 8 << 20

// spoolBuffer is how many bytes are copied to that file at once.
const spoolBuffer = 256 << 10

// At returns a reader of the decompressed bytes at any place, and how many there
// are. They are valid until Close.
//
// A plain regular file answers itself, with the size it had when it was opened;
// the bytes of one that is stdin count from where stdin stood. So does a zstd
// file with a sound seek table, such as a Writer writes: the frames that are
// asked for are decompressed, and the last two kept, each of 16 MiB at most.
// Everything else is read to its end first: up to 8 MiB are kept in memory, more
// in a file of mode 0600 in TMPDIR that has no name and vanishes with Close.
//
// If reading fails part-way, At returns what was read before together with the
// error. If the file in TMPDIR cannot be made or written, it returns no bytes
// and the error. The reader is never nil.
func (s *Source) At() (io.ReaderAt, int64, error) {
	if s.whole == nil {
		s.seek()
	}
	if s.whole == nil {
		s.spool()
	}
	if s.err == io.EOF {
		return s.whole, s.whole.Size(), nil
	}
	return s.whole, s.whole.Size(), s.err
}

// seek makes a file that has a seek table the whole.
func (s *Source) seek() {
	if s.itself == nil || s.zstd == nil {
		return
	}
	if table := readTable(s.itself, s.itself.Size()); table != nil {
		f := &frames{file: s.itself, table: table, zstd: s.zstd}
		s.whole = io.NewSectionReader(f, 0, int64(table.Size()))
	}
}

// spool reads all that is left into whole.
func (s *Source) spool() {
	head, _ := io.ReadAll(io.LimitReader(s, spoolMemory+1)) // its error is s.err
	if len(head) <= spoolMemory {
		s.whole = io.NewSectionReader(bytes.NewReader(head), 0, int64(len(head)))
		return
	}
	size, err := s.spoolFile(head)
	if err != nil {
		s.err = temporary(err)
	}
	s.whole = io.NewSectionReader(tempFile{s.spooled}, 0, size)
}

// A tempFile is the file in TMPDIR; its errors say so.
type tempFile struct{ *os.File }

func (f tempFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	if err != nil && err != io.EOF {
		err = temporary(err)
	}
	return n, err
}

func temporary(err error) error {
	return fmt.Errorf("temporary file in %s: %w", os.TempDir(), err)
}

// spoolFile writes head and all that is left to a new file, spooled, and returns
// its size. The error is one of that file; one of Read is in s.err.
func (s *Source) spoolFile(head []byte) (size int64, err error) {
	if s.spooled, err = os.CreateTemp("", "jl-*"); err == nil {
		err = os.Remove(s.spooled.Name())
	}
	if err != nil {
		return 0, err
	}
	buf := make([]byte, spoolBuffer)
	for p := head; ; {
		if _, err := s.spooled.Write(p); err != nil {
			return 0, err
		}
		size += int64(len(p))
		if s.err != nil {
			return size, nil
		}
		n, _ := s.Read(buf)
		p = buf[:n]
	}
}
