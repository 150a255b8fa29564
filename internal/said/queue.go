package said

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"

	"jl/internal/entry"
	"jl/internal/says"
	"jl/internal/shape"
)

// A Queue finds out which of the texts that waited in the queue of a session no entry says: neither a prompt nor what
// the client put in, on any branch, behind the entry that tells that the text waits. They have no other place in the
// log. What a user took back to change it, and then typed, is said in other words.
type Queue struct {
	unsaid map[uint64][]*waiting // by a hash of what an entry may say, the texts that none has said, in order
	first  map[uint64][]*waiting // by a hash of the first line of what a person typed, the same
	all    []*waiting            // in order; some may be said
	count  int                   // how many of all are unsaid
	waits  []*waiting            // those that are in the queue now, in order; some may have left it
	typed  []*waiting            // those of them that a person typed
	joins  int                   // how often texts were sought that are one message
	due    int                   // how many were said while they waited, and not taken from the queue since
	back   []*waiting            // those that are in the input line again
	undone bool                  // some were once
	known  map[uint64]bool       // the hashes of all texts so far
	number int                   // of the current message
	waited bool                  // what was said last waited while something else was said or done
}

func newQueue() Queue {
	return Queue{unsaid: map[uint64][]*waiting{}, first: map[uint64][]*waiting{}, known: map[uint64]bool{}}
}

// A waiting is a text that waits. Its values are copies.
type waiting struct {
	text   entry.Value // as the log has it
	typed  []byte      // the inside of the JSON string of what a person typed in it
	from   origin
	offset int64 // of the entry
	number int   // of the message
	hashes []uint64
	said   bool // by an entry, or in other words
	left   bool // it is not in the queue any more
	waited bool // something was said or done before it left the queue
	joined int  // the last search that met it
}

// isTyped reports whether a person typed w. A client queues notifications, too.
func (w *waiting) isTyped() bool { return len(w.typed) > 0 || countPictures(w.text, nil) > 0 }

// isCommand reports whether w is a command for the client, not for the model.
func (w *waiting) isCommand() bool {
	return len(w.typed) > 0 && w.typed[0] == '/' && !bytes.ContainsRune(w.typed, ' ')
}

// hashWords returns a hash of what a text says, the inside of a string of JSON: however it is escaped, and without the
// white space around it.
func hashWords(inside []byte) uint64 {
	text := inside
	if bytes.IndexByte(inside, '\\') >= 0 {
		text = slices.Concat(entry.Value{'"'}, inside, entry.Value{'"'}).Text()
	}
	return maphash.Bytes(seed, bytes.TrimSpace(text))
}

// firstLine returns the first line of the inside of a string of JSON.
func firstLine(inside []byte) []byte {
	line, _, _ := bytes.Cut(inside, []byte(`\n`))
	return line
}

// add adds a text that waits, or that left the queue without having been in it.
func (q *Queue) add(text entry.Value, h origin, offset int64) *waiting {
	w := &waiting{text: bytes.Clone(text), from: h.clone(new(store)), offset: offset, number: q.number}
	w.typed = typedIn(w.text)
	w.hashes = append(w.hashes, maphash.Bytes(seed, w.text))
	if w.text.IsString() {
		w.hashes = append(w.hashes, hashWords(w.text[1:len(w.text)-1]))
	}
	if w.isTyped() {
		w.hashes = append(w.hashes, hashWords(w.typed))
		line := hashWords(firstLine(w.typed))
		q.first[line] = append(q.first[line], w)
	} else if message := heard(w.text); message != nil {
		w.hashes = append(w.hashes, maphash.Bytes(seed, message))
	}
	for _, hash := range w.hashes {
		q.unsaid[hash] = append(q.unsaid[hash], w)
		q.known[hash] = true
	}
	q.all = append(q.all, w)
	q.count++
	return w
}

// enqueue adds a text to the queue. If texts were taken back, what a person types next is those after a change.
func (q *Queue) enqueue(text entry.Value, h origin, offset int64) {
	w := q.add(text, h, offset)
	if len(w.typed) > 0 && !w.isCommand() {
		q.changed()
	}
	q.waits = append(q.waits, w)
	if w.isTyped() {
		q.typed = append(q.typed, w)
	}
}

// changed notes that what is in the input line was said, in other words.
func (q *Queue) changed() {
	for _, w := range q.back {
		q.say(w)
	}
	q.back = nil
}

// leaves takes a text out of the queue. A client that is idle puts a prompt into the queue and takes it out at once.
func (q *Queue) leaves(w *waiting) {
	w.left, w.waited = true, q.number > w.number+1
}

// say notes that a text was said.
func (q *Queue) say(w *waiting) {
	if w.said {
		return
	}
	w.said = true
	q.count--
	if !w.left {
		q.due++
		q.leaves(w)
	}
	q.waited = q.waited || w.waited
	if len(q.all) > 2*q.count+8 {
		q.all = slices.DeleteFunc(q.all, func(w *waiting) bool { return w.said })
	}
}

// last returns the last text of some that is unsaid, nil for none. It forgets those that were said.
func last(of map[uint64][]*waiting, hash uint64) *waiting {
	list := of[hash]
	for n := len(list); n > 0; n-- {
		if w := list[n-1]; !w.said {
			of[hash] = list[:n]
			return w
		}
	}
	delete(of, hash)
	return nil
}

// take notes that a text of a hash was said: the last that is unsaid. It reports whether there is one.
func (q *Queue) take(hash uint64) bool {
	w := last(q.unsaid, hash)
	if w != nil {
		q.say(w)
	}
	return w != nil
}

// unqueue takes a text from the queue, or all, as an entry tells.
func (q *Queue) unqueue(x *says.Thing, h origin, offset int64) {
	if x.All {
		for _, w := range q.waits {
			if !w.left {
				q.leaves(w)
				q.back, q.undone = append(q.back, w), true
			}
		}
		q.waits, q.typed, q.due = nil, nil, 0
		return
	}
	if x.Text != nil {
		hash := maphash.Bytes(seed, x.Text)
		if w := last(q.unsaid, hash); w != nil {
			q.leaves(w)
		} else if q.known[hash] {
			q.due = max(q.due-1, 0)
		} else {
			q.add(x.Text, h, offset).left = true
		}
		return
	}
	if q.due > 0 { // said before
		q.due--
		return
	}
	// It does not say which: the first, or, if it is not to be said again, the first that a person typed.
	w := first(&q.waits)
	if typed := first(&q.typed); typed != nil && !x.Again {
		w = typed
	}
	if w != nil {
		q.leaves(w)
	}
}

// first returns the first text of some that has not left the queue, nil for none. It forgets those before it.
func first(of *[]*waiting) *waiting {
	for len(*of) > 0 {
		if w := (*of)[0]; !w.left {
			return w
		}
		*of = (*of)[1:]
	}
	return nil
}

// says notes what a message says: each text of a content, or what a person typed in it, or peers said. It reports
// whether some of it waited while something else was said or done.
func (q *Queue) says(content entry.Value, typed []byte, number int) bool {
	if q.count > 0 {
		q.number, q.waited = number, false
		q.match(content, typed)
		return q.waited
	}
	return false
}

// match notes what a message says.
func (q *Queue) match(content entry.Value, typed []byte) {
	if message := heard(content); message != nil && q.take(maphash.Bytes(seed, message)) || q.take(maphash.Bytes(seed, content)) {
		return
	}
	known := false
	for text := range says.Words(content) {
		known = q.saysText(text) || known
	}
	if len(typed) > 0 {
		known = known || q.take(hashWords(typed)) || q.joined(typed)
		if !known && !beginsWith(content, string(shape.Interrupted)) {
			q.changed()
		}
	}
}

// saysText notes that one text of a message was said, and reports whether it waited. A command waited as it was typed;
// one for a shell may have waited with the sign that makes it one.
func (q *Queue) saysText(text entry.Value) bool {
	if q.take(hashWords(text[1 : len(text)-1])) {
		return true
	}
	if shape.IsPlain(text) {
		return false
	}
	decoded := text.Text()
	if name := shape.Inside(decoded, "command-name"); len(name) > 0 && q.take(hashWords(inside(slices.Concat(name, []byte{' '}, shape.Inside(decoded, "command-args"))))) {
		return true
	}
	if command := shape.Inside(decoded, "bash-input"); len(command) > 0 {
		words := inside(command)
		return q.take(hashWords(words)) || q.take(hashWords(append([]byte{'!'}, words...))) || q.take(hashWords(append([]byte("! "), words...)))
	}
	typed := typedIn(text)
	return len(typed) > 0 && q.take(hashWords(typed))
}

// joined notes that texts that wait were said, if what a person typed is just these, each on lines of its own.
func (q *Queue) joined(typed []byte) bool {
	var all []*waiting
	q.joins++
	for rest := typed; ; {
		var next *waiting
		for _, w := range q.first[hashWords(firstLine(rest))] {
			if after, ok := bytes.CutPrefix(rest, w.typed); ok && !w.said && (len(after) == 0 || bytes.HasPrefix(after, []byte(`\n`))) {
				next = w
			}
		}
		if next == nil || next.joined == q.joins {
			return false
		}
		next.joined = q.joins
		all = append(all, next)
		if rest = rest[len(next.typed):]; len(rest) == 0 {
			break
		}
		rest = rest[len(`\n`):]
	}
	for _, w := range all {
		q.say(w)
	}
	return true
}

// left returns the texts that no entry says and that have rows, in order.
func (q *Queue) left() []*waiting {
	return slices.DeleteFunc(slices.Clone(q.all), func(w *waiting) bool { return w.said || w.isCommand() })
}

// --- Rows ---

// Waits reports whether a text that was in the queue is said by no entry so far.
func (r *Rows) Waits() bool {
	return slices.ContainsFunc(r.order, func(s *state) bool { return s.queue.count > 0 })
}

// Sought returns a word for each text that waits so far: an entry that says the text holds the word. If it can, it
// takes one that is not in common, a piece of the log, in which the names of folders are, for example. It reports
// false if any entry may say one of the texts.
func (r *Rows) Sought(common []byte) (words [][]byte, ok bool) {
	for _, s := range r.order {
		for _, w := range s.queue.left() {
			word := w.word(common)
			if word == nil || s.queue.undone {
				return nil, false
			}
			words = append(words, word)
		}
	}
	slices.SortFunc(words, bytes.Compare)
	return slices.CompactFunc(words, bytes.Equal), true
}

// byFrequency are letters and digits, from the most frequent of a log on. The search for a word is as fast as its
// first letter is rare.
const byFrequency = "etaonirslcdupm0h1f2gb34y58679wvkxTISEACRPDNMOLFBHUGVWjqzYKXQJZ"

// word returns letters and digits of a text that each entry has that says it, however it is escaped; nil if it has no
// two in a row.
func (w *waiting) word(common []byte) (word []byte) {
	var text []byte
	if len(w.typed) > 0 {
		text = slices.Concat(entry.Value{'"'}, w.typed, entry.Value{'"'}).Text()
	} else if text = heard(w.text); text == nil {
		for part := range says.Words(w.text) {
			text = append(append(text, part.Text()...), ' ')
		}
	}
	const long = 4
	var rarity int
	for run := range bytes.FieldsFuncSeq(text, func(c rune) bool { return !strings.ContainsRune(byFrequency, c) }) {
		for i := range len(run) - 1 {
			part := run[i:min(len(run), i+16)]
			n := min(len(part), long)*len(byFrequency) + strings.IndexByte(byFrequency, part[0])
			if n > rarity && !bytes.Contains(common, part) {
				word, rarity = part, n
			}
		}
	}
	return bytes.Clone(word)
}

// Waiting returns the offsets of the entries whose texts are said by no other so far.
func (r *Rows) Waiting() map[int64]bool {
	offsets := map[int64]bool{}
	for _, s := range r.order {
		for _, w := range s.queue.left() {
			offsets[w.offset] = true
		}
	}
	return offsets
}

// queued follows the queue. The row of a text that no entry says comes where the text was queued, if that is known,
// else at the end.
func (r *Rows) queued(x *says.Thing) {
	if !r.asksPrompts() {
		return
	}
	at := r.entry.Pos.Offset
	if r.Ahead != nil {
		if r.unsaid == nil {
			r.unsaid = r.Ahead(r.log)
		}
		if r.unsaid[at] && x.Text != nil {
			r.fromQueue(x.Text, typedIn(x.Text))
		}
	}
	if r.queue.number = r.number; x.Is == says.Queued {
		r.queue.enqueue(x.Text, r.from, at)
	} else {
		r.queue.unqueue(x, r.from, at)
	}
}

// endQueue makes the rows of the texts that no entry says, unless they have them.
func (r *Rows) endQueue() {
	if r.Ahead != nil {
		return
	}
	now := r.from
	for _, w := range r.queue.left() {
		r.from = w.from
		r.fromQueue(w.text, w.typed)
	}
	r.from = now
}

// fromQueue makes the rows of a text that is only in the queue.
func (r *Rows) fromQueue(text entry.Value, typed []byte) {
	r.prompted(&says.Thing{Text: text, Queued: true}, typed)
}

// beginsWith reports whether the first text of a content begins with some words.
func beginsWith(v entry.Value, words string) bool {
	for text := range says.Words(v) {
		return bytes.HasPrefix(text[1:], []byte(words))
	}
	return false
}
