package said

import (
	"bytes"
	"hash/maphash"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/shape"
)

// A queue has the prompts that wait, and those that left it. What no entry says again has no other place in the log.
type queue struct {
	waiting []*waiting     // in order
	taken   []*waiting     // left the queue to be said or to be changed, until a prompt says none of them
	removed []*waiting     // left the queue without a word, until the next entry says another thing
	due     int            // how many that a person typed were said while they waited, and not taken from the queue since
	back    bool           // some of those that were taken are in the input line
	said    map[uint64]int // how often each text, as the log has it or as it was typed, was said while it waited; what takes it out of the queue may come later
}

// A waiting is a text in the queue. Its values are copies.
type waiting struct {
	text  entry.Value // as the log has it
	typed []byte      // the inside of the JSON string of what a person typed in it
	head  head
	raw   uint64 // a hash of text
	own   uint64 // a hash of typed, or of what peers say
	back  bool   // it is in the input line again
	told  bool   // it has its row, because an answer came before a prompt
}

// isTyped reports whether a person typed w. A client queues notifications, too.
func (w *waiting) isTyped() bool { return len(w.typed) > 0 || countPictures(w.text, nil) > 0 }

// isCommand reports whether w is a command for the client, not for the model.
func (w *waiting) isCommand() bool {
	return len(w.typed) > 0 && w.typed[0] == '/' && bytes.IndexByte(w.typed, ' ') < 0
}

// queued takes a text that waits. A picture without a text has its place in the queue, too. If a text was taken back, what a person
// types next is that text after a change.
func (r *Rows) queued(x *dialect.Thing) {
	if !r.asksPrompts() {
		return
	}
	w := r.newWaiting(x.Text)
	q := &r.queue
	if q.back && len(w.typed) > 0 && !w.isCommand() {
		q.taken = slices.DeleteFunc(q.taken, func(w *waiting) bool { return w.back })
		q.back = false
	}
	q.waiting = append(q.waiting, w)
}

func (r *Rows) newWaiting(text entry.Value) *waiting {
	text = bytes.Clone(text)
	w := &waiting{text: text, typed: typedIn(text), head: r.head.keep()}
	w.raw, w.own = maphash.Bytes(seed, w.text), maphash.Bytes(seed, w.typed)
	if !w.isTyped() {
		w.own = maphash.Bytes(seed, heard(text))
	}
	r.queue.said[w.raw] += 0
	r.queue.said[w.own] += 0
	return w
}

// without returns a list without element i. It reuses the list.
func without(list []*waiting, i int) []*waiting {
	if i == 0 { // nearly always
		return list[1:]
	}
	return slices.Delete(list, i, i+1)
}

// unqueued takes a text from the queue, or all.
func (r *Rows) unqueued(x *dialect.Thing) {
	q := &r.queue
	switch {
	case !r.asksPrompts():
	case x.All:
		for _, w := range q.waiting {
			w.back = true
		}
		q.taken, q.back = append(q.taken, q.waiting...), true
		q.waiting, q.due = nil, 0
	case x.Text == nil && q.due > 0: // said before
		q.due--
	case x.Again:
		n := min(1, len(q.waiting))
		q.taken = append(q.taken, q.waiting[:n]...)
		q.waiting = q.waiting[n:]
	case x.Text == nil: // it does not say which: the first that a person typed
		i := slices.IndexFunc(q.waiting, (*waiting).isTyped)
		if i = max(i, 0); i < len(q.waiting) {
			r.remove(q.waiting[i])
			q.waiting = without(q.waiting, i)
		}
	default:
		h := maphash.Bytes(seed, x.Text)
		i := -1
		said, known := q.said[h]
		if known {
			i = slices.IndexFunc(q.waiting, func(w *waiting) bool { return w.raw == h })
		}
		switch {
		case i >= 0:
			r.remove(q.waiting[i])
			q.waiting = without(q.waiting, i)
		case said > 0:
			q.said[h]--
			if q.due > 0 && len(typedIn(x.Text)) > 0 {
				q.due--
			}
		default:
			r.remove(r.newWaiting(x.Text))
		}
	}
}

// had reports whether a text of a content, or what peers say in it, has been in the queue.
func (q *queue) had(content entry.Value, heard []byte) bool {
	for text := range shape.Words(content) {
		if _, known := q.said[maphash.Bytes(seed, text)]; known {
			return true
		}
	}
	_, known := q.said[maphash.Bytes(seed, heard)]
	return known && heard != nil
}

// remove keeps what left the queue without a word, which is said now.
func (r *Rows) remove(w *waiting) {
	w.head = r.head.keep()
	r.queue.removed = append(r.queue.removed, w)
}

// saidAgain takes what a prompt says out of the queue, as the log has it or as a person typed it: one for each text, even if more of
// the same wait. It makes the rows of what was removed before that. It reports whether some of it has its row, and then returns what
// a person typed in the rest.
func (r *Rows) saidAgain(content entry.Value, typed []byte) (rest []byte, told bool) {
	q := &r.queue
	if len(q.waiting)+len(q.taken)+len(q.removed) == 0 {
		return typed, false
	}
	again := false // what was removed
	take := func(text []byte) (known, isTold bool) {
		h := maphash.Bytes(seed, text)
		if _, known := q.said[h]; !known {
			return false, false
		}
		fits := func(w *waiting) bool { return w.raw == h || w.own == h }
		if i := slices.IndexFunc(q.taken, fits); i >= 0 {
			isTold = q.taken[i].told
			q.taken = without(q.taken, i)
			return true, isTold
		}
		if i := slices.IndexFunc(q.removed, fits); i >= 0 {
			again = true
			r.flushTo(i)
			q.removed = q.removed[1:]
			return true, false
		}
		i := slices.IndexFunc(q.waiting, fits)
		if i >= 0 {
			q.said[q.waiting[i].raw]++
			if q.waiting[i].isTyped() {
				q.due++
			}
			q.waiting = without(q.waiting, i)
		}
		return i >= 0, false
	}
	known := false
	var left [][]byte
	for text := range shape.Words(content) {
		isKnown, isTold := take(text)
		known, told = known || isKnown, told || isTold
		if !isTold {
			left = append(left, typedIn(text))
		}
	}
	if !known && len(typed) > 0 {
		if known, told = take(typed); !known {
			known, told = q.takeJoined(typed)
		}
		if told {
			left = nil
		}
	}
	if !known && !beginsWith(content, string(shape.Interrupted)) {
		q.taken = nil
	}
	if !again {
		r.flushTo(len(q.removed))
	}
	if !told {
		return typed, false
	}
	return bytes.Join(left, []byte(`\n`)), true
}

// takeJoined takes all texts that have their rows out of the queue, if a prompt says just these, each on lines of its own.
func (q *queue) takeJoined(typed []byte) (known, told bool) {
	var all [][]byte
	for _, w := range q.taken {
		if w.told {
			all = append(all, w.typed)
		}
	}
	if len(all) == 0 || !bytes.Equal(bytes.Join(all, []byte(`\n`)), typed) {
		return false, false
	}
	q.taken = slices.DeleteFunc(q.taken, func(w *waiting) bool { return w.told })
	return true, true
}

// answered makes the rows of what was taken from the queue, which the model answers although no entry says it.
func (r *Rows) answered() {
	for _, w := range r.queue.taken {
		if !w.back && !w.told {
			w.told = true
			r.fromQueue([]*waiting{w})
		}
	}
}

// flush makes the rows of the prompts that no entry has said again. What a sub-agent says comes between them and their entry.
func (r *Rows) flush() {
	r.flushUnsure()
	if r.head.agent == nil && !r.head.side {
		r.flushTo(len(r.queue.removed))
	}
}

// flushTo makes the rows of the first n texts that were removed.
func (r *Rows) flushTo(n int) {
	removed := r.queue.removed[:n]
	r.queue.removed = r.queue.removed[n:]
	r.fromQueue(removed)
}

// endQueue makes the rows of what still waits, or was taken out and not said.
func (r *Rows) endQueue() {
	q := &r.queue
	taken := slices.DeleteFunc(q.taken, func(w *waiting) bool { return w.told })
	left := slices.Concat(q.removed, taken, q.waiting)
	q.removed, q.taken, q.waiting = nil, nil, nil
	r.fromQueue(left)
}

// fromQueue makes the rows of texts that are only in the queue.
func (r *Rows) fromQueue(texts []*waiting) {
	now := r.head
	for _, w := range texts {
		if !w.isCommand() {
			r.head = w.head
			r.prompted(&dialect.Thing{Is: dialect.Prompt, Text: w.text}, w.typed)
		}
	}
	r.head = now
}

// beginsWith reports whether the first text of a content begins with some words.
func beginsWith(v entry.Value, words string) bool {
	for text := range shape.Words(v) {
		return bytes.HasPrefix(text[1:], []byte(words))
	}
	return false
}
