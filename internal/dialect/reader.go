package dialect

import (
	"cmp"
	"io"

	"jl/internal/entry"
	"jl/internal/line"
)

// A Reader reads the entries of a log from its lines, and finds its dialect. It recovers the whole
// entries of damaged lines, and reports each such line to a function. If no line of the first
// megabyte is an entry, what it reads is not a log: see [ErrNotLog].
//
// The first entry that shows what program wrote it decides about the dialect. A log of Claude Code is
// a tree if a conversation entry has an id, else a list of its conversation entries. A log in which
// nothing decides is read to its end before the first entry is yielded, or for 8 MiB.
type Reader struct {
	lines   *line.Forward
	dec     entry.Decoder // has the rules for all chunks
	damaged func(*entry.Damage)
	log     recognizer

	only  [][]byte // of which each line that counts holds one; nil for all lines
	isLog bool     // whatever the lines hold
	begun bool     // it is known what the lines are
	first []text   // what was read to know that, and not yet used
	err   error    // wraps ErrNotLog, or what ended a chunk, or nil

	own     *chunk // has the memory of the lines and entries that are read first
	second  []byte // has that of the second lines
	chunk   *chunk // the current one, nil before the first
	current *record
	number  int64 // how many lines are above those of chunk
	end     int64 // the offset at which the lines end that were used up

	newMaker func() Maker // of Prepare, else nil
	ahead    *ahead       // what reads ahead, else nil
}

// NewReader returns a Reader of lines. Dec may set Strict, SDK and Faults; Strict and SDK apply only
// to the logs of Claude Code. If damaged is not nil, Next calls it for each line that is not one whole
// entry, before it steps to the entries recovered from that line, but not before it knows that it
// reads a log.
func NewReader(lines *line.Forward, dec entry.Decoder, damaged func(*entry.Damage)) *Reader {
	r := &Reader{own: &chunk{}}
	r.reset(lines, dec, damaged)
	return r
}

// A Spare has Readers that nobody uses, for what reads logs one after another: there may be thousands of small ones.
// The zero Spare has none; a nil one keeps none.
type Spare []*Reader

// Take returns what NewReader does. It has the memory of a Reader of s, if there is one.
func (s *Spare) Take(lines *line.Forward, dec entry.Decoder, damaged func(*entry.Damage)) *Reader {
	if s == nil || len(*s) == 0 {
		return NewReader(lines, dec, damaged)
	}
	last := len(*s) - 1
	r := (*s)[last]
	*s = (*s)[:last]
	r.reset(lines, dec, damaged)
	return r
}

// Give puts a Reader into s, which is closed if it has Makers, but not one that has much memory. What it has yielded
// last is valid until it is taken.
func (s *Spare) Give(r *Reader) {
	if s == nil || r.ahead != nil || max(len(r.own.buf), len(r.second)) > keptMost {
		return
	}
	r.reset(nil, entry.Decoder{}, nil) // it lets go of the log
	*s = append(*s, r)
}

// keptMost is how many bytes of the lines of a chunk are kept for the next ones.
const keptMost = 4 << 20

// reset makes r what NewReader returns, with the memory that r has.
func (r *Reader) reset(lines *line.Forward, dec entry.Decoder, damaged func(*entry.Damage)) {
	own := &chunk{buf: r.own.buf, records: r.own.records, done: make(chan struct{}, 1)}
	for _, x := range own.records {
		x.maker, x.walker = nil, nil
	}
	*r = Reader{lines: lines, dec: dec, damaged: damaged, log: recognizer{strict: dec.Strict}, own: own, second: r.second}
}

// TakeAs makes r take the lines for those of a log in the dialect d, whatever they hold. It is called
// before Next.
func (r *Reader) TakeAs(d Dialect) { r.log.dialect, r.begun = d, true }

// Only makes r skip the lines that hold none of some words, and take the rest for a log. It is called
// before Next.
func (r *Reader) Only(words ...[]byte) { r.only, r.isLog = words, true }

// Next steps to the next entry. It reports false at the end of the log, or after an error.
func (r *Reader) Next() bool {
	if !r.begun {
		r.begin()
	}
	for {
		for c := r.chunk; c != nil && c.used < c.count; {
			r.current = c.records[c.used]
			c.used++
			r.current.entry.Pos.Line += r.number
			if r.current.isFirst {
				r.current.damage.Pos.Line += r.number
				if r.damaged != nil {
					r.damaged(r.current.damage)
				}
			}
			if !r.current.isLost {
				return true
			}
		}
		if r.err != nil || !r.more() {
			return false
		}
	}
}

// more decodes more of the current chunk, or of the next one. It reports false if there is none.
func (r *Reader) more() bool {
	c := r.chunk
	if c != nil && !c.isDone() {
		c.fill(r)
		return true
	}
	if c != nil {
		r.number, r.end, r.err = r.number+c.number, c.offset, c.err
	}
	switch {
	case c == nil:
		c = r.own
		c.dec = r.dec
	case len(c.buf) > keptMost && (r.ahead != nil || r.lines.IsFile(0)): // the next line may need that memory
		c, r.current = r.newChunk(), nil
		r.own = c
	}
	switch r.chunk = nil; {
	case r.err != nil:
	case len(r.first) > 0:
		c.begin(r.first[0])
		r.first, r.chunk = r.first[1:], c
		c.fill(r)
	case r.reads():
		r.chunk = r.ahead.next(r, c)
	default:
		if b, offset, ok := r.lines.Fill(&c.buf); ok {
			c.begin(text{b, offset})
			r.chunk = c
			c.fill(r)
		}
	}
	if r.chunk == nil {
		r.err = cmp.Or(r.err, r.lines.Err(), io.EOF)
	}
	return r.chunk != nil
}

// Dialect returns the dialect of the log. It is known once Next has reported true, and does not
// change then.
func (r *Reader) Dialect() Dialect { return r.log.dialect }

// Entry returns the current entry. It is part of the current line, and valid until the
// next call of Next.
func (r *Reader) Entry() *entry.Entry { return &r.current.entry }

// Damage returns the damage of the line of the current entry, nil if the line is sound.
func (r *Reader) Damage() *entry.Damage { return r.current.damage }

// Bounds returns the offsets in the log at which the line of the current entry begins and
// ends.
func (r *Reader) Bounds() (start, end int64) {
	p := r.current.entry.Pos
	end = p.Offset + p.Length
	switch d := r.current.damage; {
	case d != nil:
		return d.Pos.Offset, d.Pos.Offset + d.Pos.Length
	case p.Line == 1: // maybe behind a byte order mark
		return 0, end
	}
	return p.Offset, end
}

// Read returns how many lines and bytes were read. It is meaningful once Next has
// reported false.
func (r *Reader) Read() (lines, bytes int64) { return r.number, r.end }

// Err returns the error that ended the lines, or one that wraps [ErrNotLog]; nil at the end of the
// log. It is meaningful once Next has reported false.
func (r *Reader) Err() error {
	if r.err == io.EOF {
		return nil
	}
	return r.err
}

// Of returns the dialect of an entry, or of an edge, that is alone.
func Of(e *entry.Entry) Dialect {
	var r recognizer
	r.ask(e)
	return r.dialect
}

// A recognizer finds the dialect of a log. It asks the entries one after another, because the first
// may show nothing: they may be of types that are new.
type recognizer struct {
	strict  bool // the log is read as other programs read it, which know no lists
	asked   bool
	dialect Dialect // Unknown once an entry was asked, until one answers
	shown   bool    // some entry shows the program
	final   bool    // the dialect does not change any more
}

// ask looks at the next entry of the log.
func (r *recognizer) ask(e *entry.Entry) {
	if r.final {
		return
	}
	first := !r.asked
	if r.asked = true; !r.shown {
		r.dialect = Claude
		for r.dialect < Unknown && !dialects[r.dialect].fits(e, first) {
			r.dialect++
		}
		r.shown = r.dialect < Unknown
	}
	switch {
	case r.dialect == Pi && first && isPiHeader(e) && !r.strict: // so begins a capture of pi --mode json, too
	case r.dialect == Pi && e.Get(entry.Type).Is("agent_start"):
		r.dialect, r.final = Unknown, true
	case !r.dialect.is(likeClaude):
		r.final = r.shown
	case r.strict, Claude.IsConversation(e) && Claude.IDOf(e) != nil:
		r.dialect, r.final = Claude, true
	case Claude.IsConversation(e):
		r.dialect = ClaudeNoIDs // unless an id follows
	}
}
