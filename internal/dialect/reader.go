package dialect

import (
	"jl/internal/entry"
	"jl/internal/line"
)

// A Reader reads the entries of a log and finds its dialect. The first entry that shows what program
// wrote it decides. A log of Claude Code is a tree if a conversation entry has an id, else a list of its
// conversation entries. A log in which nothing decides is read to its end before the first entry is
// yielded, or for 8 MiB.
type Reader struct {
	*entry.Reader
	log recognizer
}

// NewReader returns a Reader of lines, as [entry.NewReader] does. Dec may set Strict, SDK and
// Faults. Strict and SDK apply only to the logs of Claude Code.
func NewReader(lines *line.Forward, dec entry.Decoder, damaged func(*entry.Damage)) *Reader {
	dec.Shows = shows
	r := &Reader{Reader: entry.NewReader(lines, dec, damaged), log: recognizer{strict: dec.Strict}}
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
	strict  bool // the log is read as other programs read it, which know no lists
	asked   bool
	dialect Dialect // Unknown once an entry was asked, until one answers
	shown   bool    // some entry shows the program
}

// Ask looks at the next entry of the log. It reports whether the dialect is final.
func (r *recognizer) Ask(e *entry.Entry) bool {
	first := !r.asked
	if r.asked = true; !r.shown {
		r.dialect = Claude
		for r.dialect < Unknown && !dialects[r.dialect].fits(e, first) {
			r.dialect++
		}
		r.shown = r.dialect < Unknown
	}
	switch {
	case !r.dialect.HasReaders():
		return r.shown
	case r.strict, Claude.IsConversation(e) && Claude.IDOf(e) != nil:
		r.dialect = Claude
		return true
	case Claude.IsConversation(e):
		r.dialect = ClaudeNoIDs // unless an id follows
	}
	return false
}

// Settle makes dec read as the program does whose log it is.
func (r *recognizer) Settle(dec *entry.Decoder) {
	if !r.dialect.HasReaders() {
		dec.Strict, dec.SDK = false, false
	}
}
