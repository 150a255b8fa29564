package dialect

import (
	"jl/internal/entry"
	"jl/internal/line"
)

// A Reader reads the entries of a log and finds its dialect. The first entry that shows what program
// wrote it decides; a log in which none shows that is read to its end before the first entry is
// yielded, or for 8 MiB or 65,536 lines.
type Reader struct {
	*entry.Reader
	log recognizer
}

// NewReader returns a Reader of lines, as [entry.NewReader] does. Dec may set Strict, SDK and
// Faults. Strict and SDK apply only to the logs of Claude Code.
func NewReader(lines *line.Forward, dec entry.Decoder, damaged func(*entry.Damage)) *Reader {
	dec.Shows = shows
	r := &Reader{Reader: entry.NewReader(lines, dec, damaged)}
	r.Recognizer = &r.log
	return r
}

// Dialect returns the dialect of the log. It is known once Next has reported true, and does not
// change then.
func (r *Reader) Dialect() Dialect { return r.log.dialect }

// NewDecoder returns a decoder for lines of logs of all dialects.
func NewDecoder() entry.Decoder { return entry.Decoder{Shows: shows} }

// shows reports whether e shows what program wrote it.
func shows(e *entry.Entry) bool { return Of(e) != Unknown }

// Of returns the dialect of an entry, or of an edge, that is alone.
func Of(e *entry.Entry) Dialect {
	var r recognizer
	r.Ask(e)
	return r.dialect
}

// A recognizer finds the dialect of a log. It asks the entries one after another, because the first
// may show nothing: they may be of types that are new.
type recognizer struct {
	asked   bool
	dialect Dialect // Unknown once an entry was asked, until one answers
	done    bool    // dialect is final
}

// Ask looks at the next entry of the log. It reports whether the dialect is final.
func (r *recognizer) Ask(e *entry.Entry) bool {
	if r.done {
		return true
	}
	first := !r.asked
	r.asked, r.dialect = true, Unknown
	for d := range dialects {
		if fits := dialects[d].fits; fits != nil && fits(e, first) {
			r.dialect, r.done = Dialect(d), true
			break
		}
	}
	if r.dialect == ClaudeNoIDs {
		r.dialect = Claude // until the end of the log, because ids may follow
	}
	return r.done
}

// Settle makes dec read as the program does whose log it is.
func (r *recognizer) Settle(dec *entry.Decoder) {
	if !r.dialect.HasReaders() {
		dec.Strict, dec.SDK = false, false
	}
}
