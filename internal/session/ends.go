package session

import (
	"bytes"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

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
	dec        entry.Decoder
}

func newEndReader() *endReader {
	return &endReader{head: make([]byte, endSize), tail: make([]byte, endSize)}
}

// read returns the ends of an open log, which it closes. With an error it returns what
// it has read.
func (r *endReader) read(f *os.File) (ends, error) {
	l, err := newLog(f)
	if err != nil {
		return ends{}, err
	}
	defer l.Close()
	e := ends{compressed: l.Compressed()}
	if !l.InPlace() {
		return r.through(l, e)
	}
	at, size, err := l.At()
	if err != nil {
		return e, err
	}
	e.head, e.tail, err = r.inPlace(at, size)
	e.small = err == nil && size <= endSize
	if int64(len(e.head)) < min(size, endSize) && err != nil {
		e.head = r.inOrder(f)
	}
	return e, err
}

// inPlace returns the ends of a log of the given size. With an error it returns no tail,
// and as much of the head as it has read.
func (r *endReader) inPlace(at io.ReaderAt, size int64) (head, tail []byte, err error) {
	n, err := at.ReadAt(r.head[:min(size, endSize)], 0)
	head = r.head[:n]
	if err != nil && err != io.EOF {
		return head, nil, err
	}
	if size <= endSize {
		return head, head, nil
	}
	n, err = at.ReadAt(r.tail, size-endSize)
	if err != nil && err != io.EOF {
		return head, nil, err
	}
	return head, r.tail[:n], nil
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

// members yields where in text, at any depth, the value of each member with the name
// begins, if it begins with value, and whether there is a space before it: the two ways
// that JSON is written in. It searches for the rarest letter of the name first, because
// each byte that is not the right one costs time.
func members(text []byte, name, value string) iter.Seq2[int, bool] {
	rarest := 0
	for i := range len(name) {
		if rarity(name[i]) > rarity(name[rarest]) {
			rarest = i
		}
	}
	front, back := []byte(`"`+name[:rarest]), []byte(name[rarest:]+`":`)
	return func(yield func(int, bool) bool) {
		for i := 0; ; {
			n := bytes.Index(text[i:], back)
			if n < 0 {
				return
			}
			found := i + n
			i = found + len(back)
			at := valueAt(text, i)
			if bytes.HasSuffix(text[:found], front) && bytes.HasPrefix(text[at:], []byte(value)) && !yield(at, at > i) {
				return
			}
		}
	}
}

// valueAt returns where the value begins after a colon that ends at i.
func valueAt(text []byte, i int) int {
	if i < len(text) && text[i] == ' ' {
		i++
	}
	return i
}

// stringMembers yields each member of text, at any depth, that has one of the names and a string
// as its value: the offset of its colon, and its name. It looks for all names in one pass.
func stringMembers(text []byte, names []string) iter.Seq2[int, string] {
	var last [256]bool // the last letters of the names
	for _, name := range names {
		last[name[len(name)-1]] = true
	}
	return func(yield func(int, string) bool) {
		for colon := -1; ; {
			n := bytes.IndexByte(text[colon+1:], ':')
			if n < 0 {
				return
			}
			colon += 1 + n
			if colon < 2 || text[colon-1] != '"' || !last[text[colon-2]] {
				continue
			}
			start := bytes.LastIndexByte(text[:colon-1], '"')
			if start < 0 {
				continue
			}
			i := slices.Index(names, string(text[start+1:colon-1]))
			if i < 0 || !bytes.HasPrefix(text[valueAt(text, colon+1):], []byte(`"`)) {
				continue
			}
			if !yield(colon, names[i]) {
				return
			}
		}
	}
}

// linesNaming yields the lines of text that have members with some of the names: see stringMembers.
// It yields the names, too, in a map that is valid until the next line.
func linesNaming(text []byte, names []string) iter.Seq2[[]byte, map[string]bool] {
	return func(yield func([]byte, map[string]bool) bool) {
		start, end := 0, 0 // of the line
		has := map[string]bool{}
		for colon, name := range stringMembers(text, names) {
			if colon >= end && len(has) > 0 {
				if !yield(text[start:end], has) {
					return
				}
				clear(has)
			}
			for colon >= end {
				start, end = end, len(text)
				if n := bytes.IndexByte(text[start:], '\n'); n >= 0 {
					end = start + n + 1
				}
			}
			has[name] = true
		}
		if len(has) > 0 {
			yield(text[start:end], has)
		}
	}
}

// rarity tells how rare a letter is in English text and code.
func rarity(c byte) int {
	const frequent = "etaoinsrhldcumfpgwybvkxjqz"
	if i := strings.IndexByte(frequent, c); i >= 0 {
		return i
	}
	return len(frequent)
}

func hasMember(text []byte, name, value string) bool {
	for range members(text, name, value) {
		return true
	}
	return false
}

// firstString returns the first string that is the value of name anywhere in text,
// one written without a space before one with a space.
func firstString(text []byte, name string) string {
	withSpace, found := "", false
	for at, spaced := range members(text, name, `"`) {
		if spaced && found {
			continue
		}
		s, ok := stringAt(text[at+1:])
		switch {
		case ok && !spaced:
			return s
		case ok:
			withSpace, found = s, true
		}
	}
	return withSpace
}

// lastString returns the last string that is the value of name anywhere in text. It is
// fast if that is near the end.
func lastString(text []byte, name string) string {
	for size := 1 << 10; ; size *= 8 {
		end := text[max(0, len(text)-size):]
		var places []int
		for at := range members(end, name, `"`) {
			places = append(places, at)
		}
		for _, at := range slices.Backward(places) {
			if s, ok := stringAt(end[at+1:]); ok {
				return s
			}
		}
		if len(end) == len(text) {
			return ""
		}
	}
}

// stringAt returns the string whose inside text begins with; false if it does not
// end. A string that is not valid JSON is returned as it is written.
func stringAt(text []byte) (string, bool) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			quoted := append(append([]byte{'"'}, text[:i]...), '"')
			if !entry.Valid(quoted) {
				return string(text[:i]), true
			}
			return string(entry.Value(quoted).Text()), true
		}
	}
	return "", false
}
