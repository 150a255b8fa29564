package entry

// Lines is what a Reader reads: the lines of a log, first to last, as line.Forward
// has them. After Next has reported false, Offset is the number of bytes read.
type Lines interface {
	Next() bool
	Bytes() []byte
	Number() int64
	Offset() int64
	Err() error
}

// A Reader reads the entries of a log from its lines. It is the one loop over lines
// of the suite: whole entries of damaged lines are recovered, and Damaged is told of
// each such line.
type Reader struct {
	dec     Decoder
	lines   Lines
	damaged func(*Damage)

	opened      bool // an entry was met, so the dialect is known
	next, count int  // of the entries of the current line
	damage      *Damage
	entry       *Entry
}

// NewReader returns a Reader of lines. It decodes by the rules of dec, but a pi log
// never strictly, because Strict and RejectBOM are rules of Claude's readers. If
// damaged is not nil, Next calls it for each line that is not one whole entry, before
// it returns the entries that were recovered from that line.
func NewReader(lines Lines, dec Decoder, damaged func(*Damage)) *Reader {
	return &Reader{dec: dec, lines: lines, damaged: damaged, opened: !dec.Strict}
}

// Next steps to the next entry. It reports false at the end of the log, or after an
// error of the lines.
func (r *Reader) Next() bool {
	for r.next == r.count {
		if !r.lines.Next() {
			return false
		}
		if !r.opened {
			r.open()
		}
		r.next = 0
		r.count, r.damage = r.dec.Decode(r.lines.Bytes(), r.lines.Number(), r.lines.Offset())
		if r.damage != nil && r.damaged != nil {
			r.damaged(r.damage)
		}
	}
	r.entry = r.dec.Entry(r.next)
	r.next++
	return true
}

// open ends strict reading if the first entry of the log is in the current line and
// is pi's.
func (r *Reader) open() {
	var probe Decoder
	if n, _ := probe.Decode(r.lines.Bytes(), r.lines.Number(), r.lines.Offset()); n > 0 {
		r.opened = true
		if DialectOf(probe.Entry(0)) == Pi {
			r.dec = Decoder{}
		}
	}
}

// Entry returns the current entry. It is a part of the current line and valid until
// the next call of Next.
func (r *Reader) Entry() *Entry { return r.entry }

// Damage returns what is wrong with the line of the current entry, nil if the line is
// sound.
func (r *Reader) Damage() *Damage { return r.damage }

// Line returns the current line, with its '\n' if it has one. It is valid until the
// next call of Next.
func (r *Reader) Line() []byte { return r.lines.Bytes() }

// Read returns how many lines and bytes were read. It has a meaning once Next has
// reported false.
func (r *Reader) Read() (lines, bytes int64) { return r.lines.Number(), r.lines.Offset() }

// Err returns the error that ended the lines, nil at the end of the log.
func (r *Reader) Err() error { return r.lines.Err() }
