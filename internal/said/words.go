package said

import (
	"bytes"
	"hash/maphash"
	"slices"

	"jl/internal/entry"
	"jl/internal/says"
)

// words makes the row of an answer or of thoughts, unless they are empty.
func (r *Rows) words(x *says.Thing) {
	if !r.kinds.Has(x.Is) && !(x.Is == says.Answer && r.kinds.Has(says.Hook)) || says.IsBlank(x.Text) {
		return
	}
	if x.Is == says.Answer {
		text := r.joined(x.Text)
		h := maphash.Bytes(seed, text)
		if x.Again && slices.Contains(r.answers[:], h) || r.anew.has(x.Is, text, r.from.out) {
			return
		}
		r.answered(h)
		r.hooked = nil
	}
	if !r.kinds.Has(x.Is) || x.Is == says.Thinking && (r.thoughtBefore(x) || r.anew.has(x.Is, r.joined(x.Text), r.from.out)) {
		return
	}
	r.beginRow(x.Is, idBeside(x.Message, r.from.uuid), r.joined(x.Text))
	r.text("text", x.Text)
	r.value("model", entry.First(x.Model.NonEmpty(), r.model))
	if message := x.Message; message != nil {
		r.value("message", message)
	}
	if !x.Unsure {
		r.endRow()
		return
	}
	row, ok := r.rowOf()
	switch {
	case !ok:
	case x.Is == says.Thinking:
		r.thoughts = append(r.thoughts, thought{bytes.Clone(r.joined(x.Text)), row})
	default:
		r.endAnswer()
		r.answer = &answer{text: bytes.Clone(x.Text.Text()), row: row}
	}
}

// answered remembers a hash of an answer: the last lines of turns that ran at once may come together, and tell it again.
func (r *Rows) answered(hash uint64) {
	copy(r.answers[1:], r.answers[:])
	r.answers[0] = hash
}

// A thought is the row of thoughts, and their text, which the next entry may tell again.
type thought struct {
	text []byte
	row  row
}

// thoughtBefore reports whether thoughts that are unsure are those before. Others take the place of what was told
// unsure.
func (r *Rows) thoughtBefore(x *says.Thing) bool {
	text := r.joined(x.Text)
	if x.Unsure {
		return isPart(text, r.thought)
	}
	r.thoughts = slices.DeleteFunc(r.thoughts, func(t thought) bool { return isPart(t.text, text) })
	r.thought = append(r.thought[:0], text...)
	return false
}

// isPart reports whether a text is some lines of another. Both are insides of strings of JSON.
func isPart(text, of []byte) bool {
	end := []byte(`\n`)
	return bytes.Contains(slices.Concat(end, of, end), slices.Concat(end, text, end))
}

// endThoughts prints the thoughts that wait.
func (r *Rows) endThoughts() {
	for _, t := range r.thoughts {
		r.emit(t.row)
	}
	r.thoughts = nil
}

// An answer is the row of one that the next entry may tell as the summary of a compaction.
type answer struct {
	text []byte
	row  row
}

// endAnswer prints the answer that waits, if one does.
func (r *Rows) endAnswer() {
	if r.answer != nil {
		r.emit(r.answer.row)
		r.answer = nil
	}
}

// compare ends the waiting of an answer, unless the next entry tells no more than its tokens.
func (r *Rows) compare(t *says.Telling) {
	if r.answer == nil {
		return
	}
	others := len(t.Things) == 0
	for i := range t.Things {
		x := &t.Things[i]
		if x.Is == says.Summary && bytes.HasSuffix(x.Text.Text(), r.answer.text) {
			r.answer = nil
			return
		}
		others = others || x.Is != says.Usage
	}
	if others {
		r.endAnswer()
	}
}
