package said

import (
	"bytes"
	"hash/maphash"

	"jl/internal/dialect"
	"jl/internal/shape"
)

// words makes the row of an answer or of thoughts, unless they are empty.
func (r *Rows) words(x *dialect.Thing) {
	if !r.kinds.Has(x.Is) && !(x.Is == dialect.Answer && r.kinds.Has(dialect.Hook)) || shape.IsBlank(x.Text) {
		return
	}
	if x.Is == dialect.Answer {
		text := r.joined(x.Text)
		h := maphash.Bytes(seed, text)
		if x.Again && h == r.last || r.anew.has(x.Is, text) {
			return
		}
		r.last = h
		r.hooked = nil
	}
	if !r.kinds.Has(x.Is) {
		return
	}
	r.begin(x.Is)
	r.text("text", x.Text)
	r.value("model", dialect.First(x.Model.NonEmpty(), r.Model))
	if message := x.Message; message != nil {
		r.value("message", message)
	}
	if !x.Unsure {
		r.end()
		return
	}
	r.endAnswer()
	r.answer = &answer{text: bytes.Clone(x.Text.Text()), row: r.rowOf(r.end)}
}

// An answer is the row of one that the next entry may tell as the summary of a compaction.
type answer struct{ text, row []byte }

// endAnswer prints the answer that waits, if one does.
func (r *Rows) endAnswer() {
	if r.answer != nil {
		r.print(r.answer.row)
		r.answer = nil
	}
}

// compare ends the waiting of an answer, unless the next entry tells no more than its tokens.
func (r *Rows) compare(t *dialect.Telling) {
	if r.answer == nil {
		return
	}
	others := len(t.Things) == 0
	for i := range t.Things {
		x := &t.Things[i]
		if x.Is == dialect.Summary && bytes.HasSuffix(x.Text.Text(), r.answer.text) {
			r.answer = nil
			return
		}
		others = others || x.Is != dialect.Usage
	}
	if others {
		r.endAnswer()
	}
}
