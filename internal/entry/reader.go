package entry

// Lines are the lines of a log, first to last; line.Forward has this interface. Bytes
// returns the current line, Number its number, counted from 1, and Offset where it begins
// in the log. Once Next has reported false, Number and Offset are the number of lines and
// of bytes read, and Err is the error that ended the lines, nil at the end of the log.
type Lines interface {
	Next() bool
	Bytes() []byte
	Number() int64
	Offset() int64
	Err() error
}

// A Reader reads the entries of a log from its lines. It recovers the whole entries of
// damaged lines, and reports each such line to a function.
type Reader struct {
	dec     Decoder
	lines   Lines
	damaged func(*Damage)

	settled     bool // dec is final
	next, count int  // the next entry of the current line, and how many the line holds
	damage      *Damage
	entry       *Entry
}

// NewReader returns a Reader of lines. It decodes by the rules of dec, but those of Claude's
// readers, Strict and RejectBOM, do not apply to a pi log. If damaged is not nil, Next
// calls it for each line that is not one whole entry, before it steps to the entries
// recovered from that line.
func NewReader(lines Lines, dec Decoder, damaged func(*Damage)) *Reader {
	return &Reader{dec: dec, lines: lines, damaged: damaged, settled: !dec.Strict}
}

// Next steps to the next entry. It reports false at the end of the log, or after an
// error of the lines.
func (r *Reader) Next() bool {
	for r.next == r.count {
		if !r.lines.Next() {
			return false
		}
		if !r.settled {
			r.settle()
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

// settle looks for the first entry of the log in the current line, and ends strict reading
// if it is pi's.
func (r *Reader) settle() {
	var probe Decoder
	if n, _ := probe.Decode(r.lines.Bytes(), r.lines.Number(), r.lines.Offset()); n > 0 {
		r.settled = true
		if DialectOf(probe.Entry(0)) == Pi {
			r.dec = Decoder{}
		}
	}
}

// Entry returns the current entry. It is part of the current line, and valid until the
// next call of Next.
func (r *Reader) Entry() *Entry { return r.entry }

// Damage returns the damage of the line of the current entry, nil if the line is sound.
func (r *Reader) Damage() *Damage { return r.damage }

// Read returns how many lines and bytes were read. It is meaningful once Next has
// reported false.
func (r *Reader) Read() (lines, bytes int64) { return r.lines.Number(), r.lines.Offset() }

// Err returns the error that ended the lines, nil at the end of the log. It is meaningful
// once Next has reported false.
func (r *Reader) Err() error { return r.lines.Err() }
