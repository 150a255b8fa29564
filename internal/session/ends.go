package session

import (
	"io"
	"os"

	"jl/internal/entry"
	"jl/internal/source"
)

// endSize is how much is looked at of each end of a log.
const endSize = 64 << 10

// throughSize is how much of a compressed log is read to find its end.
const throughSize = 16 << 20

// ends are the two ends of a log, decompressed. A small log is both of its ends. The
// tail is nil if it was not reached.
type ends struct {
	head, tail []byte
	small      bool
	compressed bool
}

// An endReader reads the ends of logs. What it returns is valid until the next call.
type endReader struct {
	head, tail []byte
	e          entry.Entry
}

func newEndReader() *endReader {
	return &endReader{head: make([]byte, endSize), tail: make([]byte, endSize)}
}

// read returns the ends of an open log of size bytes, as it is stored, and closes it. With an
// error it returns what it has read.
func (r *endReader) read(f *os.File, size int64) (ends, error) {
	// Most logs are plain, and two reads are all that these need.
	if e, err := r.inPlace(f, size); err == nil && source.IsPlain(e.head, e.tail) {
		f.Close()
		return e, nil
	}
	l, err := newLog(f)
	if err != nil {
		return ends{}, err
	}
	defer l.Close()
	if !l.InPlace() {
		return r.through(l, ends{compressed: l.Compressed()})
	}
	at, size, err := l.At()
	if err != nil {
		return ends{compressed: l.Compressed()}, err
	}
	e, err := r.inPlace(at, size)
	e.compressed = l.Compressed()
	if int64(len(e.head)) < min(size, endSize) && err != nil {
		e.head = r.inOrder(f)
	}
	return e, err
}

// inPlace returns the ends of a log that has size bytes. With an error it returns no tail, and as
// much of the head as it has read.
func (r *endReader) inPlace(at io.ReaderAt, size int64) (ends, error) {
	n, err := at.ReadAt(r.head[:min(size, endSize)], 0)
	e := ends{head: r.head[:n]}
	if err != nil && err != io.EOF {
		return e, err
	}
	if size <= endSize {
		e.tail, e.small = e.head, true
		return e, nil
	}
	n, err = at.ReadAt(r.tail, size-endSize)
	if err != nil && err != io.EOF {
		return e, err
	}
	e.tail = r.tail[:n]
	return e, nil
}

// inOrder returns the head of a log that cannot be read in place. A wrong seek table
// does not matter to one who reads in order.
func (r *endReader) inOrder(f *os.File) []byte {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil
	}
	src, err := source.Open("-", f, nil)
	if err != nil {
		return nil
	}
	defer src.Close()
	n, _ := io.ReadFull(src, r.head) // the error is known
	return r.head[:n]
}

// through reads a log from its beginning to its end, or to a bound.
func (r *endReader) through(log io.Reader, e ends) (ends, error) {
	n, err := io.ReadFull(log, r.head)
	e.head = r.head[:n]
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		e.tail, e.small = e.head, true
		return e, nil
	case err != nil:
		return e, err
	}
	// The tail is the last endSize bytes of what is in window.
	window := append(make([]byte, 0, 2*endSize), e.head...)
	for read := len(e.head); read < throughSize; {
		if len(window) == cap(window) {
			window = window[:copy(window, window[len(window)-endSize:])]
		}
		n, err := log.Read(window[len(window):cap(window)])
		window, read = window[:len(window)+n], read+n
		if err == io.EOF {
			n := copy(r.tail, window[max(0, len(window)-endSize):])
			e.tail = r.tail[:n]
			return e, nil
		}
		if err != nil {
			return e, err
		}
	}
	return e, nil
}
