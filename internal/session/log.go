package session

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"os"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/source"
)

// A logFile is an open log of the home, decompressed.
type logFile struct {
	*source.Source
	file *os.File
}

func (h *Home) openLog(name string) (*logFile, error) {
	f, err := h.Open(name)
	if err != nil {
		return nil, err
	}
	return newLog(f)
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

// Entries yields the entries of the log called name in order. An entry is valid until
// the next one is yielded. An error is a [*PlaceError]: the log cannot be opened or read
// to its end, or a line is damaged, which comes before the entries that were recovered
// from it.
func (h *Home) Entries(name string) iter.Seq2[*entry.Entry, error] { return h.entriesWith(name, nil) }

// entriesWith yields the entries in those lines of a log that hold a word.
func (h *Home) entriesWith(name string, word []byte) iter.Seq2[*entry.Entry, error] {
	return func(yield func(*entry.Entry, error) bool) {
		fail := func(err error) bool { return yield(nil, &PlaceError{Name: name, Err: err}) }
		l, err := h.openLog(name)
		if err != nil {
			fail(err)
			return
		}
		defer l.Close()
		more := true
		r := dialect.NewReader(&linesWith{line.NewForward(l), word}, entry.Decoder{}, func(d *entry.Damage) { more = more && fail(d) })
		r.Part = word != nil
		for r.Next() && more {
			more = yield(r.Entry(), nil)
		}
		if err := r.Err(); err != nil && more {
			fail(err)
		}
	}
}

// linesWith are the lines that hold a word.
type linesWith struct {
	*line.Forward
	word []byte
}

func (l *linesWith) Next() bool {
	for l.Forward.Next() {
		if bytes.Contains(l.Bytes(), l.word) {
			return true
		}
	}
	return false
}

// firstSession returns the first sessionId in the log called name, "" if there is none.
func (h *Home) firstSession(name string) (string, error) {
	l, err := h.openLog(name)
	if err != nil {
		return "", err
	}
	defer l.Close()
	return firstSessionIn(l)
}

// firstSessionIn returns the first sessionId in what r reads, "" if there is none. It returns an
// error of r if that came first, or if r has more than an agent's first entries can need.
func firstSessionIn(r io.Reader) (string, error) {
	const usual, most = 256 << 10, 16 << 20
	var head []byte
	for _, size := range []int{usual, most} {
		known := len(head)
		head = slices.Grow(head, size-known)[:size]
		n, err := io.ReadFull(r, head[known:])
		head = head[:known+n]
		if id := sessionIn(head); id != "" {
			return id, nil
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return "", nil
		}
		if err != nil {
			return "", err
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
	const key = `"sessionId":"`
	if _, rest, ok := bytes.Cut(head, []byte(key)); ok && len(rest) >= idLen && IsID(string(rest[:idLen])) {
		return string(rest[:idLen])
	}
	return ""
}
