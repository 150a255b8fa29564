package session

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"os"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/source"
)

// A logFile is an open log, decompressed.
type logFile struct {
	*source.Source
	file *os.File
}

// newLog returns the log that f is. It closes f if it fails.
func newLog(f *os.File) (*logFile, error) {
	src, err := source.Open("-", f, nil)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &logFile{src, f}, nil
}

func (l *logFile) Close() error {
	l.Source.Close()
	return l.file.Close()
}

// Entries yields the entries of the log called name in order. An entry is valid until the next
// one is yielded. An error is a [*PlaceError]: the log cannot be opened or read to its end, or a
// line is damaged, which comes before the entries that were recovered from it.
func (h *Home) Entries(name string) iter.Seq2[*entry.Entry, error] { return h.entriesWith(name, nil) }

// entriesWith yields the entries in those lines of a log that hold a word.
func (h *Home) entriesWith(name string, word []byte) iter.Seq2[*entry.Entry, error] {
	return func(yield func(*entry.Entry, error) bool) {
		more := true
		fail := func(err error) { more = more && (err == nil || yield(nil, &PlaceError{Name: name, Err: err})) }
		f, err := h.Open(name)
		if err != nil {
			fail(err)
			return
		}
		l, err := newLog(f)
		if err != nil {
			fail(err)
			return
		}
		defer l.Close()
		r := dialect.NewReader(line.NewForward(l), entry.Decoder{}, func(d *entry.Damage) { fail(d) })
		if word != nil {
			r.Only(word)
		}
		for r.Next() && more {
			more = yield(r.Entry(), nil)
		}
		fail(r.Err())
	}
}

// sessionOf returns the first sessionId in a log, "" if there is none, and closes it. It returns
// an error if the log cannot be read up to there, or has more than an agent's first entries can need.
func sessionOf(f *os.File) (string, error) {
	l, err := newLog(f)
	if err != nil {
		return "", err
	}
	defer l.Close()
	return firstSessionIn(l)
}

// firstSessionIn returns the first sessionId in what r reads.
func firstSessionIn(r io.Reader) (string, error) {
	var head []byte
	for _, size := range []int64{256 << 10, 16 << 20} { // the first is usually enough
		more, err := io.ReadAll(io.LimitReader(r, size-int64(len(head))))
		head = append(head, more...)
		if id := sessionIn(head); id != "" {
			return id, nil
		}
		if err != nil {
			return "", err
		}
		if int64(len(head)) < size {
			return "", nil
		}
	}
	return "", errors.New("its first 16 MiB name no session")
}

// sessionIn returns the first sessionId in the beginning of a log, "" if there is none.
func sessionIn(head []byte) string {
	d := dialect.NewDecoder()
	for line := range bytes.Lines(head) {
		count, _ := d.Decode(line, 1, 0)
		for i := range count {
			if id := d.Entry(i).Get(entry.SessionID).Text(); len(id) > 0 {
				return string(id)
			}
		}
	}
	// The first line may be longer than head.
	_, rest, _ := bytes.Cut(head, []byte(`"sessionId":"`))
	if len(rest) >= idLen && IsID(string(rest[:idLen])) {
		return string(rest[:idLen])
	}
	return ""
}
