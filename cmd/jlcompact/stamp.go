package main

import (
	"errors"
	"strconv"

	"jl/internal/cut"
	"jl/internal/entry"
	"jl/internal/log"
)

// stamp prints the whole log with the place of its cut in its header.
func (p *printer) stamp(of cut.Cut) {
	if of.Head == 0 || !of.Dialect.NeedsHeader() {
		p.file.Fail(errors.New("it has no header to stamp: not a pi log"))
		return
	}
	header := p.file.Header(of.Dialect)
	if header == nil {
		p.file.Fail(log.ErrChanged)
		return
	}
	p.copy(0, header.At(0))
	p.print(stamped(header.Bytes, of))
	p.copy(header.At(len(header.Bytes)), p.size)
}

// stamped returns a header with the place of the cut. The offset counts in the output, whose header
// may be longer or shorter than the header of the input.
func stamped(header entry.Value, of cut.Cut) []byte {
	bare := header.Rewrite(nil, func(name, value entry.Value) entry.Value {
		if name.Is("lastCompactionId") || name.Is("resumeOffset") {
			return nil
		}
		return value
	})
	bare = bare[:len(bare)-1]
	if of.Compaction != nil {
		bare = entry.AppendMember(bare, entry.Value(`"lastCompactionId"`), of.Compaction)
	}
	// The length of the header depends on the offset, and the offset on the length: a longer
	// header never makes a shorter one, so both settle.
	for length := 0; ; {
		offset := strconv.AppendInt(nil, of.Offset+int64(length-len(header)), 10)
		out := append(entry.AppendMember(bare, entry.Value(`"resumeOffset"`), offset), '}')
		if len(out) == length {
			return out
		}
		length = len(out)
	}
}
