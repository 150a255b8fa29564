package session

import (
	"bytes"
	"io"
	"iter"
	"os"

	"jl/internal/entry"
	"jl/internal/says"
	"jl/internal/source"
)

// endSize is how many bytes are looked at of each end of a log.
const endSize = 64 << 10

// throughSize is how many bytes of a compressed log are read to find its end.
const throughSize = 16 << 20

// ends are the two ends of a log, decompressed. A small log is both of its ends. The
// tail is nil if it was not reached.
type ends struct {
	head, tail []byte
	compressed bool
}

// An endReader reads the ends of logs. What it returns is valid until the next call.
type endReader struct {
	head   []byte
	last   keeper
	e      entry.Entry
	dec    entry.Decoder
	isPart bool // they are parts of the log, which is not small
	reader reader

	// What the log tells:
	seen        survey
	said, aside words // on the main line, and on sidechains

	// Of the entry that was read last:
	told  says.Telling
	line  []byte // without the white space around it
	whole bool   // it is the line
}

func newEndReader() *endReader {
	return &endReader{head: make([]byte, endSize), last: make([]byte, endSize)}
}

// read returns the ends of an open log that has size bytes, and closes it. With an error it returns what
// it has read.
func (r *endReader) read(f *os.File, size int64) (ends, error) {
	// Nearly all are plain, and there are thousands of them: each look at what a file is costs.
	if e, err := r.inPlace(f, size); err == nil && len(e.head) > 0 && e.head[0] == '{' {
		return e, f.Close()
	}
	l, err := source.Of(f)
	if err != nil {
		return ends{}, err
	}
	defer l.Close()
	var e ends
	if l.InPlace() {
		at, size, _ := l.At() // it fails only where it reads all of the log
		if e, err = r.inPlace(at, size); err != nil && len(e.head) < endSize {
			n, _ := io.ReadFull(l, r.head) // a wrong seek table does not matter to one who reads in order
			e.head = r.head[:n]
		}
	} else {
		e, err = r.through(l)
	}
	e.compressed = l.Compressed()
	return e, err
}

// inPlace returns the ends of a log that has size bytes. With an error it returns no tail, and as
// much of the head as it has read.
func (r *endReader) inPlace(at io.ReaderAt, size int64) (ends, error) {
	n, err := at.ReadAt(r.head[:min(size, endSize)], 0)
	e := ends{head: r.head[:n]}
	r.isPart = true
	switch {
	case err != nil && err != io.EOF:
		return e, err
	case size <= endSize:
		e.tail, r.isPart = e.head, false
		return e, nil
	}
	if n, err = at.ReadAt(r.last[:endSize], size-endSize); err == nil || err == io.EOF {
		e.tail, err = r.last[:n], nil
	}
	return e, err
}

// through reads a log from its beginning to its end, or to a bound.
func (r *endReader) through(log io.Reader) (ends, error) {
	n, err := io.ReadFull(log, r.head)
	e := ends{head: r.head[:n]}
	r.isPart = true
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		e.tail, r.isPart = e.head, false
		return e, nil
	case err != nil:
		return e, err
	}
	r.last = append(r.last[:0], e.head...)
	if _, err = io.CopyN(&r.last, log, throughSize-endSize); err == io.EOF {
		e.tail, err = r.last, nil
	}
	return e, err
}

// linesIn yields the lines of an end of a log, without the white space around them.
func linesIn(end []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(end) {
			if !yield(bytes.Trim(line, " \t\r\n")) {
				return
			}
		}
	}
}

// entriesIn yields the entries in the lines of an end of a log, also those in damaged lines, which it notes.
// It takes nothing from a line that the end cuts.
func (r *endReader) entriesIn(end []byte) iter.Seq[*entry.Entry] {
	return func(yield func(*entry.Entry) bool) {
		cut := r.isPart && len(end) > 0 && &end[0] != &r.head[0]
		for line := range bytes.Lines(end) { // not linesIn: one iterator is faster than two
			isCut := cut || r.isPart && !bytes.HasSuffix(line, []byte("\n"))
			cut = false
			r.line = bytes.Trim(line, " \t\r\n")
			if r.whole = r.e.Scan(r.line); r.whole { // as nearly all, and faster
				if !yield(&r.e) {
					return
				}
				continue
			}
			if isCut {
				continue
			}
			count, damage := r.dec.Decode(r.line, 1, 0)
			r.seen.damaged = r.seen.damaged || damage != nil
			for i := range count {
				if !yield(r.dec.Entry(i)) {
					return
				}
			}
		}
	}
}

// A keeper keeps the last endSize bytes that are written to it.
type keeper []byte

func (t *keeper) Write(p []byte) (int, error) {
	all := append(*t, p...)
	*t = all[:copy(all, all[max(0, len(all)-endSize):])]
	return len(p), nil
}
