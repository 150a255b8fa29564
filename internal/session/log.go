package session

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/source"
)

// Entries yields the entries of the log called name in order. An entry is valid until the next
// one is yielded. An error is a [*PlaceError]: the log cannot be opened or read to its end, or a
// line is damaged, which comes before the entries that were recovered from it.
func (h *Home) Entries(name string) iter.Seq2[*entry.Entry, error] { return h.entriesWith(name, nil) }

// entriesWith yields the entries in those lines of a log that hold a word.
func (h *Home) entriesWith(name string, word []byte) iter.Seq2[*entry.Entry, error] {
	return func(yield func(*entry.Entry, error) bool) {
		more := true
		fail := func(err error) { more = more && (err == nil || yield(nil, h.placeError(name, "", err))) }
		f, err := h.Open(name)
		fail(eachEntry(f, err, word, func(d *entry.Damage) { fail(d) }, func(e *entry.Entry) bool {
			more = more && yield(e, nil)
			return more
		}))
	}
}

// eachEntry calls do with the entries in those lines of an open log that hold a word, until do returns false,
// and closes the log.
func eachEntry(f *os.File, err error, word []byte, damaged func(*entry.Damage), do func(*entry.Entry) bool) error {
	if err != nil {
		return err
	}
	l, err := source.Of(f)
	if err != nil {
		return err
	}
	defer l.Close()
	r := dialect.NewReader(line.NewForward(l), entry.Decoder{}, damaged)
	if word != nil {
		r.Only(word)
	}
	for r.Next() {
		if !do(r.Entry()) {
			return nil
		}
	}
	return r.Err()
}

// A teller is what the beginning of a log tells about its session.
type teller struct {
	id, parent string
	isAgent    bool // it is a sub-agent of the parent
	goesOn     bool // from another log of the session
}

// told returns what the beginning of the log with the name tells.
func (h *Home) told(name string) (teller, error) { return toldBy(h.open(name, 0)) }

// toldBy returns what the first entry of an open log that names its session tells, and closes the log. It
// returns an error if the log could not be opened, cannot be read up to there, or has more than the first
// entries can need.
func toldBy(f *os.File, _ fs.FileInfo, err error) (teller, error) {
	if err != nil {
		return teller{}, err
	}
	l, err := source.Of(f)
	if err != nil {
		return teller{}, err
	}
	defer l.Close()
	head := &io.LimitedReader{R: l, N: throughSize}
	lines, d := line.NewForward(head), entry.Decoder{}
	for _, line := range entry.Lines(lines) {
		count, _ := d.Decode(line, 1, 0)
		for i := range count {
			e := d.Entry(i)
			s := dialect.Of(e).Session(e)
			if s.ID == nil {
				s.ID = e.Get(entry.SessionID) // even if nothing shows the dialect
			}
			if id := s.ID.Text(); len(id) > 0 {
				return teller{string(id), string(s.Parent.Text()), s.IsAgent, s.Base.Is(string(id))}, nil
			}
		}
	}
	if head.N == 0 {
		return teller{}, errors.New("its first 16 MiB name no session")
	}
	return teller{}, lines.Err()
}

// agentID returns the id of the sub-agent whose log or metadata have a name in the home.
func (h *Home) agentID(name string) string {
	if h.agent.runs {
		if t, err := h.told(name); err == nil && t.id != "" {
			return t.id
		}
	}
	return cmp.Or(AgentID(name), h.agent.idIn(name), idOf(name))
}
