package main

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"jl/internal/cut"
	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/tree"
)

// stamp prints the whole log with the place of its cut in its header: the offset in the
// output, whose header may be longer or shorter than that of the input.
func (p *printer) stamp(of cut.Cut) {
	if of.Head == 0 || !of.Dialect.NeedsHeader() {
		p.file.Fail(errors.New("it has no header to stamp: not a pi log"))
		return
	}
	head := make([]byte, of.Head)
	if _, err := io.ReadFull(io.NewSectionReader(p.r, 0, of.Head), head); err != nil {
		p.file.Fail(err)
		return
	}
	start := bytes.LastIndexByte(head[:len(head)-1], '\n') + 1 // of the header's line
	dec := dialect.NewDecoder()
	if n, _ := dec.Decode(head[start:], 1, int64(start)); n == 0 {
		p.file.Fail(tree.ErrChanged)
		return
	}
	e := dec.Entry(0)
	p.print(stamped(head, int(e.Body), e.Bytes, of))
	p.copy(of.Head, p.size)
}

// stamped returns lines that have the header at the offset start, with the place of the cut in it.
// The lines may be damaged and hold more.
func stamped(lines []byte, start int, header entry.Value, of cut.Cut) []byte {
	above := lines[:start:start]
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
	// The length of the line depends on the offset, and that on the length: a longer line
	// never makes a shorter one, so both settle.
	for length := 0; ; {
		offset := strconv.AppendInt(nil, of.Offset-of.Head+int64(length), 10)
		out := entry.AppendMember(append(above, bare...), entry.Value(`"resumeOffset"`), offset)
		out = append(append(out, '}'), lines[start+len(header):]...)
		if len(out) == length {
			return out
		}
		length = len(out)
	}
}
