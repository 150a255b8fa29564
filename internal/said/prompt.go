package said

import (
	"bytes"
	"hash/maphash"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/shape"
)

// A queue has the prompts that wait, and those that were taken out of it.
type queue struct {
	waiting []waiting      // in order
	taken   []waiting      // left the queue to be said, until a prompt says none of them
	said    map[uint64]int // how often each text was said while it waited; what takes it out of the queue may come later
	held    []held         // were taken from the queue, or are unsure: another entry may say them again
}

// A waiting is a text in the queue: a hash of it as the log has it, and the inside of the JSON string of what a person typed in it.
type waiting struct {
	raw   uint64
	typed []byte
}

// A held is the row of a prompt that is printed unless the next prompt says the same.
type held struct {
	text   uint64
	row    []byte
	unsure bool
}

// prompt makes the rows of a text in the name of the user: what was typed, and what the client put in.
func (r *Rows) prompt(x *dialect.Thing) {
	if x.Unsure && r.sure || !r.kinds.Has(dialect.Prompt, dialect.Picture, dialect.Failure, dialect.Shell, dialect.Task, dialect.Member) {
		return
	}
	if r.head.agent != nil || r.head.side { // nobody typed that
		r.say(x, r.joined(x.Text), "model")
		return
	}
	var typed []byte
	n := 0
	for text := range shape.Words(x.Text) {
		var words []byte
		if shape.IsPlain(text) {
			if isBlank(text) {
				continue
			}
			words = text[1 : len(text)-1]
		} else if words = r.typedIn(text); len(words) == 0 {
			continue
		}
		if n++; n > 1 {
			typed = append(append(slices.Clip(typed), `\n`...), words...)
		} else {
			typed = words
		}
	}
	r.queue.say(x.Text, typed)
	if n > 0 || countPictures(x.Text, x.Media) > 0 {
		r.say(x, typed, "")
	}
}

// typedIn returns the inside of the JSON string of what a person typed in a string, and makes the rows of what the client put in.
// If that is all of the string, the result is part of it.
func (r *Rows) typedIn(text entry.Value) []byte {
	decoded := text.Text()
	r.notices(decoded)
	typed, _ := shape.Typed(decoded)
	if bytes.Equal(typed, decoded) {
		return text[1 : len(text)-1]
	}
	return inside(typed)
}

// inside returns the inside of the JSON string of a text.
func inside(text []byte) []byte {
	s := entry.AppendString(nil, text)
	return s[1 : len(s)-1]
}

// say makes the row of a prompt, whose text is the inside of a JSON string, and those of its pictures.
func (r *Rows) say(x *dialect.Thing, text []byte, by string) {
	h := maphash.Bytes(seed, text)
	q := &r.queue
	if x.Unsure { // until it is known whether the log has a better form
		r.hold(h, true, func() { r.promptRow(text, countPictures(x.Text, x.Media), nil, by) })
		return
	}
	if i := slices.IndexFunc(q.held, func(w held) bool { return w.text == h }); i >= 0 {
		r.flushTo(i) // it is said again
		q.held = q.held[1:]
	} else {
		r.flush()
	}
	r.promptRow(text, countPictures(x.Text, x.Media), nil, by)
	r.pictures(x.Text, nil)
	r.pictures(x.Media, nil)
}

// hold keeps the row that a function prints.
func (r *Rows) hold(text uint64, unsure bool, end func()) {
	if row := r.rowOf(end); row != nil {
		r.queue.held = append(r.queue.held, held{text, row, unsure})
	}
}

func (r *Rows) promptRow(text []byte, pictures int, call entry.Value, by string) {
	if !r.kinds.Has(dialect.Prompt) {
		return
	}
	r.begin(dialect.Prompt)
	r.inside("text", text)
	r.number64("images", int64(pictures))
	if call != nil {
		r.value("call", call)
	}
	if by != "" {
		r.string("by", []byte(by))
	}
	r.end()
}

// flush prints the prompts that no entry has said again.
func (r *Rows) flush() { r.flushTo(len(r.queue.held)) }

func (r *Rows) flushTo(n int) {
	q := &r.queue
	for _, w := range q.held[:n] {
		if !w.unsure || !r.sure {
			r.print(w.row)
		}
	}
	q.held = q.held[n:]
}

// queued takes a text that waits. What is no text, such as a picture, has its place in the queue, too.
func (r *Rows) queued(x *dialect.Thing) {
	var typed []byte
	if x.Text.IsString() {
		typed = r.typedQuietly(x.Text)
	}
	r.queue.waiting = append(r.queue.waiting, waiting{maphash.Bytes(seed, x.Text), typed})
}

// say takes what a prompt says, as the log has it or as a person typed it: one for each text, even if more of the same wait.
func (q *queue) say(content entry.Value, typed []byte) {
	if len(q.waiting)+len(q.taken) == 0 {
		return
	}
	take := func(fits func(waiting) bool) bool {
		if i := slices.IndexFunc(q.taken, fits); i >= 0 {
			q.taken = slices.Delete(q.taken, i, i+1)
			return true
		}
		i := slices.IndexFunc(q.waiting, fits)
		if i >= 0 {
			q.said[maphash.Bytes(seed, q.waiting[i].typed)]++
			q.waiting = slices.Delete(q.waiting, i, i+1)
		}
		return i >= 0
	}
	known := false
	for text := range shape.Words(content) {
		h := maphash.Bytes(seed, text)
		known = take(func(w waiting) bool { return w.raw == h }) || known
	}
	if !known && (len(typed) == 0 || !take(func(w waiting) bool { return bytes.Equal(w.typed, typed) })) {
		q.taken = nil
	}
}

// typedQuietly is typedIn, but makes no rows, and returns a copy.
func (r *Rows) typedQuietly(text entry.Value) []byte {
	if shape.IsPlain(text) {
		return bytes.Clone(text[1 : len(text)-1])
	}
	typed, _ := shape.Typed(text.Text())
	return inside(typed)
}

// unqueued takes a text from the queue. If it was neither said while it waited nor is said again, this is the only place of it.
func (r *Rows) unqueued(x *dialect.Thing) {
	q := &r.queue
	if x.Again {
		if x.All {
			q.waiting = nil
		} else if len(q.waiting) > 0 {
			q.taken = append(q.taken, q.waiting[0])
			q.waiting = q.waiting[1:]
		}
		return
	}
	var text []byte
	switch {
	case x.Text.IsString():
		text = r.typedQuietly(x.Text)
	case len(q.waiting) > 0: // it does not say which: the first
		text = q.waiting[0].typed
	}
	i := slices.IndexFunc(q.waiting, func(w waiting) bool { return bytes.Equal(w.typed, text) })
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	switch h := maphash.Bytes(seed, text); {
	case len(text) == 0, text[0] == '/' && bytes.IndexByte(text, ' ') < 0: // a command for the client
	case i < 0 && q.said[h] > 0:
		q.said[h]--
	default:
		r.hold(h, false, func() { r.promptRow(text, 0, nil, "") })
	}
}

// notices makes the rows of what a client tells the model in the name of the user.
func (r *Rows) notices(text []byte) {
	if bytes.HasPrefix(bytes.TrimSpace(text), shape.Interrupted) {
		r.plain(&dialect.Thing{Is: dialect.Failure, Text: entry.AppendString(nil, text)})
		return
	}
	if !bytes.Contains(text, []byte("</")) {
		return
	}
	if command, out := shape.Inside(text, "bash-input"), join(shape.Inside(text, "bash-stdout"), shape.Inside(text, "bash-stderr")); len(command)+len(out) > 0 {
		x := dialect.Thing{Is: dialect.Shell, Text: entry.AppendString(nil, out)}
		if len(command) > 0 {
			x.Input = entry.AppendString(nil, command)
		}
		r.plain(&x)
	}
	if bytes.Contains(text, []byte("</task-notification>")) {
		said := join(shape.Inside(text, "summary"), shape.Inside(text, "result"))
		x := dialect.Thing{Is: dialect.Task, Text: entry.AppendString(nil, said), Failed: string(shape.Inside(text, "status")) == "failed"}
		if call := shape.Inside(text, "tool-use-id"); len(call) > 0 {
			x.Call = entry.AppendString(nil, call)
		}
		r.plain(&x)
	}
	for _, part := range bytes.Split(text, []byte("<teammate-message"))[1:] {
		in, _, ok := bytes.Cut(part, []byte("</teammate-message>"))
		attributes, body, _ := bytes.Cut(in, []byte(">"))
		if !ok {
			continue
		}
		_, name, _ := bytes.Cut(attributes, []byte(`teammate_id="`))
		name, _, _ = bytes.Cut(name, []byte(`"`))
		r.plain(&dialect.Thing{Is: dialect.Member, What: string(name), Text: entry.AppendString(nil, bytes.TrimSpace(body))})
	}
}

// join returns the texts that are not empty, each on lines of its own.
func join(texts ...[]byte) []byte {
	return bytes.Join(slices.DeleteFunc(texts, func(b []byte) bool { return len(b) == 0 }), []byte("\n"))
}

// --- Pictures ---

// countPictures returns how many pictures there are among blocks, and in an array of pictures.
func countPictures(blocks, media entry.Value) (n int) {
	for v := range blocks.Elements() {
		if b := dialect.BlockOf(v); b.Is == dialect.Picture {
			n++
		}
	}
	for range media.Elements() {
		n++
	}
	return n
}

// pictures makes the rows of the pictures among blocks, of the result of a call if that is not nil.
func (r *Rows) pictures(blocks, call entry.Value) {
	if !r.kinds.Has(dialect.Picture) {
		return
	}
	for v := range blocks.Elements() {
		if b := dialect.BlockOf(v); b.Is == dialect.Picture || v.IsString() || b.Media != nil {
			r.picture(v, call)
		}
	}
}

// picture makes the row of a picture: a block, or an address, which may hold the data itself.
func (r *Rows) picture(v, call entry.Value) {
	if !r.kinds.Has(dialect.Picture) {
		return
	}
	b := dialect.BlockOf(v)
	media, data := b.Media, b.Body
	if v.IsString() {
		data = v
	}
	var address entry.Value
	if data.IsObject() {
		source := data
		media = first(source.Member("media_type"), source.Member("mimeType"), media)
		address = first(source.Member("url"), source.Member("path"), source.Member("file_id"))
		data = first(source.Member("data"), address)
	}
	if text := data.Text(); bytes.HasPrefix(text, []byte("data:")) {
		kind, rest, _ := bytes.Cut(text[len("data:"):], []byte(","))
		kind, _, _ = bytes.Cut(kind, []byte(";"))
		media, data, address = entry.AppendString(nil, kind), entry.AppendString(nil, rest), nil
	} else if bytes.Contains(text, []byte("://")) || v.IsString() || v.Member("path") != nil {
		address = data
	}
	r.begin(dialect.Picture)
	if call != nil {
		r.value("call", call)
	}
	r.value("media", media)
	if address != nil {
		r.value("url", address)
	} else {
		r.value("data", data)
	}
	r.end()
}

// --- Pieces ---

// A piece is a text that may go on in the next entry.
type piece struct {
	thing dialect.Thing // its values are copies
	text  []byte        // the inside of a JSON string
	head  head
}

// goesOn reports whether x goes on with the piece that is open.
func (r *Rows) goesOn(x *dialect.Thing) bool {
	p := r.piece
	return x.Piece && x.Is == p.thing.Is && bytes.Equal(x.Message, p.thing.Message) && bytes.Equal(r.head.agent, p.head.agent)
}

func (r *Rows) addPiece(x *dialect.Thing) {
	if r.piece == nil {
		thing := dialect.Thing{Is: x.Is, Model: bytes.Clone(x.Model), Message: bytes.Clone(x.Message)}
		r.piece = &piece{thing: thing, head: r.head.keep()}
	}
	r.piece.text = append(r.piece.text, r.joined(x.Text)...)
}

// endPiece makes the row of the piece that is open, if one is.
func (r *Rows) endPiece() {
	p := r.piece
	if p == nil {
		return
	}
	r.piece = nil
	now := r.head
	r.head = p.head
	p.thing.Text = slices.Concat(entry.Value{'"'}, p.text, entry.Value{'"'})
	if p.thing.Is == dialect.Prompt {
		p.thing.Message = nil
	}
	r.thing(&p.thing)
	r.head = now
}
