package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"jl/internal/entry"
)

// stamp prints the whole log with the place of its cut in its header. The place is
// that in the output, whose header may be longer or shorter than the one read.
func (p *printer) stamp(of part) error {
	if of.head == 0 {
		p.c.Fail(p.name, errors.New("it has no header to stamp: not a pi log"))
		return nil
	}
	b := make([]byte, of.head)
	if _, err := io.ReadFull(io.NewSectionReader(p.r, 0, of.head), b); err != nil {
		p.trouble(err)
		return nil
	}
	var dec entry.Decoder
	if n, _ := dec.Decode(b, 1, 0); n == 0 {
		p.trouble(errors.New("the file changed while it was read"))
		return nil
	}
	old := dec.Entry(0).Bytes // the line may be damaged and hold more
	start := bytes.Index(b, old)
	end := start + len(old) - 1
	bare := without(old, "lastCompactionId", "resumeOffset")
	header := b
	for i := 0; i < 4; i++ { // the number of digits settles at once or after one round
		stamped := bytes.Clone(bare[:len(bare)-1])
		if of.compaction != nil {
			stamped = append(append(stamped, `,"lastCompactionId":`...), of.compaction...)
		}
		stamped = fmt.Appendf(stamped, `,"resumeOffset":%d}`, of.cut-of.head+int64(len(header)))
		next := bytes.Join([][]byte{b[:start], stamped, b[end+1:]}, nil)
		settled := len(next) == len(header)
		if header = next; settled {
			break
		}
	}
	if _, err := p.w.Write(header); err != nil {
		return err
	}
	return p.copy(of.head, p.size)
}

// without returns the object as it is but for the members with the names.
func without(object entry.Value, names ...string) []byte {
	var out []byte
	done, kept := 0, false
	for name, value := range object.Members() {
		at, end := object.Offset(name), object.Offset(value)+len(value)
		drop := false
		for _, n := range names {
			drop = drop || name.Is(n)
		}
		if done == 0 {
			out = append(out, object[:at]...)
		}
		if !drop {
			if kept {
				out = append(out, object[done:at]...)
			}
			kept = true
			out = append(out, object[at:end]...)
		}
		done = end
	}
	return append(out, object[done:]...)
}
