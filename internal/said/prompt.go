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

// asksPrompts reports whether somebody asked for what entries in the name of the user say.
func (r *Rows) asksPrompts() bool {
	return r.kinds.Has(says.Prompt, says.Context, says.Picture, says.Failure, says.Shell, says.Task, says.Member)
}

// prompt makes the rows of a text in the name of the user: what was typed, and what the client put in.
func (r *Rows) prompt(x *says.Thing) {
	if x.Unsure && r.sure || !r.asksPrompts() {
		return
	}
	typed := typedIn(x.Text)
	if (r.from.agent != nil || r.from.sidechain) && !x.Human && r.asker != shape.Person || x.Untyped {
		if !x.Unsure {
			r.flushUnsure()
		}
		if r.peers(x.Text) {
			return
		}
		if len(typed) == 0 && !x.Unsure {
			typed = r.joined(x.Text)
		}
		if len(typed) > 0 || !x.Unsure {
			r.say(x, typed, "model")
		}
		return
	}
	if !x.Unsure {
		r.flushUnsure()
		x.Queued = r.queue.says(x.Text, typed, r.number)
	}
	r.prompted(x, typed)
}

// prompted makes the rows of a text in the name of the user, in which a person typed a part.
func (r *Rows) prompted(x *says.Thing, typed []byte) {
	for text := range says.Words(x.Text) {
		if !shape.IsPlain(text) {
			r.notices(text.Text())
		}
	}
	if len(typed) > 0 || countPictures(x.Text, x.Media) > 0 {
		r.say(x, typed, "")
	}
}

// typedIn returns the inside of the JSON string of what a person typed in a content, nil if nothing. It may be part of
// content.
func typedIn(content entry.Value) (typed []byte) {
	for text := range says.Words(content) {
		words := text[1 : len(text)-1]
		if !shape.IsPlain(text) {
			decoded := text.Text()
			if part, _ := shape.Typed(decoded); !bytes.Equal(part, decoded) {
				words = inside(part)
			}
		}
		if len(words) == 0 || says.IsBlank(text) {
			continue
		}
		if typed != nil {
			words = slices.Concat(typed, []byte(`\n`), words)
		}
		typed = words
	}
	return typed
}

// inside returns the inside of the JSON string of a text.
func inside(text []byte) []byte {
	s := entry.AppendString(make([]byte, 0, len(text)+len(text)/16+2), text)
	return s[1 : len(s)-1]
}

// say makes the row of a prompt, whose text is the inside of a JSON string, and those of its pictures.
func (r *Rows) say(x *says.Thing, text []byte, by string) {
	if r.anew.has(says.Prompt, text, r.from.out) {
		return
	}
	pictures := countPictures(x.Text, x.Media)
	if x.Unsure {
		if r.kinds.Has(says.Prompt) {
			r.promptRow(x, text, pictures, nil, by)
			if row, ok := r.rowOf(); ok {
				r.unsure = append(r.unsure, row)
			}
		}
		return
	}
	if r.kinds.Has(says.Prompt) {
		r.promptRow(x, text, pictures, x.Call, by)
		r.endRow()
	}
	r.pictures(x.Text, nil)
	r.pictures(x.Media, nil)
}

// flushUnsure makes the rows of the prompts that the log may tell in a better form, unless it does.
func (r *Rows) flushUnsure() {
	for _, row := range r.unsure {
		if !r.sure {
			r.emit(row)
		}
	}
	r.unsure = r.unsure[:0]
}

// promptRow begins the row of a prompt.
func (r *Rows) promptRow(x *says.Thing, text []byte, pictures int, call entry.Value, by string) {
	r.beginRow(says.Prompt, text, call)
	r.inside("text", text)
	r.int("images", int64(pictures))
	if x.Mode != nil {
		r.value("mode", x.Mode)
	}
	if x.Queued {
		r.flag("queued", true)
	}
	if call != nil {
		r.value("call", call)
	}
	if by != "" {
		r.string("by", []byte(by))
	}
	if title := planIn(x, text); title != "" {
		r.string("plan", []byte(title))
	}
}

// planIn returns the name of the plan that a prompt, whose text is the inside of a JSON string, tells the model to
// carry out; "" if it tells none.
func planIn(x *says.Thing, text []byte) string {
	if !x.Plan && !shape.IsPlanText(text) { // no letter of the sentence needs an escape
		return ""
	}
	words := entry.Value(slices.Concat([]byte{'"'}, text, []byte{'"'})).Text()
	return shape.Line(bytes.TrimSpace(shape.Title(bytes.TrimSpace(words))))
}

// unescaped undoes what Claude Code does to what a command of the user's own printed. The command itself is as it was
// typed.
var unescaped = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">")

// notices makes the rows of what a client tells the model in the name of the user. It reports whether there are any.
func (r *Rows) notices(text []byte) (any bool) {
	begin := bytes.TrimSpace(text)
	if isInterruption := bytes.HasPrefix(begin, shape.Interrupted); isInterruption || bytes.HasPrefix(begin, shape.AskedAgain) {
		is := says.Context
		if isInterruption {
			is = says.Failure
		}
		r.plain(&says.Thing{Is: is, Text: entry.AppendString(nil, text)})
		return true
	}
	if !bytes.Contains(text, []byte("</")) {
		return false
	}
	if command, out := shape.Inside(text, "bash-input"), join(shape.Inside(text, "bash-stdout"), shape.Inside(text, "bash-stderr")); len(command)+len(out) > 0 {
		x := says.Thing{Is: says.Shell, Text: entry.AppendString(nil, []byte(unescaped.Replace(string(out))))}
		if len(command) > 0 {
			x.Input = entry.AppendString(nil, command)
		}
		r.plain(&x)
		any = true
	}
	for task := range shape.TaskNotices(text) {
		any = true
		said := join(shape.Inside(task, "summary"), shape.Inside(task, "event"), shape.Inside(task, "result"))
		x := says.Thing{Is: says.Task, Text: entry.AppendString(nil, said), Failed: string(shape.Inside(task, "status")) == "failed"}
		if call := shape.Inside(task, "tool-use-id"); len(call) > 0 {
			x.Call = entry.AppendString(nil, call)
		}
		r.plain(&x)
	}
	return r.members(text) || any
}

// members makes the rows of what peers say in a text. It reports whether there are any.
func (r *Rows) members(text []byte) bool {
	messages := shape.PeerMessages(text)
	for _, m := range messages {
		r.plain(&says.Thing{Is: says.Member, What: string(m.Name), Text: entry.AppendString(nil, m.Text)})
	}
	return len(messages) > 0
}

// peers is members of a content.
func (r *Rows) peers(content entry.Value) (any bool) {
	for text := range says.Words(content) {
		any = r.members(text.Text()) || any
	}
	return any
}

// heard returns all that peers say in a content, nil if none does.
func heard(content entry.Value) (all []byte) {
	for text := range says.Words(content) {
		if shape.IsPlain(text) {
			continue
		}
		for _, m := range shape.PeerMessages(text.Text()) {
			all = append(append(append(all, m.Name...), 0), m.Text...)
		}
	}
	return all
}

// context makes the row of what the client told the model, or those of what tasks and peers did. It may have waited in
// the queue.
func (r *Rows) context(x *says.Thing) {
	if x.Whole {
		r.plain(x)
		return
	}
	if x.Message != nil { // in the name of the model; a capture says it again at its end
		r.answered(maphash.Bytes(seed, r.joined(x.Text)))
	}
	r.queue.says(x.Text, nil, r.number)
	any := false
	for text := range says.Words(x.Text) {
		if !shape.IsPlain(text) {
			any = r.notices(text.Text()) || any
		}
	}
	if any {
		var rest entry.Value
		if r.kinds.Has(says.Context) {
			rest = slices.Concat([]byte{'"'}, typedIn(x.Text), []byte{'"'})
		}
		x = &says.Thing{Is: x.Is, Text: rest}
	}
	r.plain(x)
}

// join returns the texts that are not empty, each on lines of its own.
func join(texts ...[]byte) []byte {
	return bytes.Join(slices.DeleteFunc(texts, func(b []byte) bool { return len(b) == 0 }), []byte("\n"))
}

// --- Pictures ---

// countPictures returns how many pictures there are among blocks, and in an array of pictures.
func countPictures(blocks, media entry.Value) (n int) {
	for _, b := range says.Blocks(blocks) {
		if b.Is == says.Picture {
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
	if !r.kinds.Has(says.Picture) {
		return
	}
	for v, b := range says.Blocks(blocks) {
		if b.Is == says.Picture || v.IsString() || b.Media != nil {
			r.picture(v, call)
		}
	}
}

// picture makes the row of a picture: a block, or an address, which may hold the data itself.
func (r *Rows) picture(v, call entry.Value) {
	if !r.kinds.Has(says.Picture) {
		return
	}
	b := says.BlockOf(v)
	media, data := b.Media, b.Body
	if v.IsString() {
		data = v
	}
	var address entry.Value
	if data.IsObject() {
		source := data
		media = entry.First(source.Member("media_type"), source.Member("mimeType"), media)
		address = entry.First(source.Member("url"), source.Member("path"), source.Member("file_id"))
		data = entry.First(source.Member("data"), address)
	}
	if text := data.Text(); bytes.HasPrefix(text, []byte("data:")) {
		kind, rest, _ := bytes.Cut(text[len("data:"):], []byte(","))
		kind, _, _ = bytes.Cut(kind, []byte(";"))
		media, data, address = entry.AppendString(nil, kind), entry.AppendString(nil, rest), nil
	} else if bytes.Contains(text, []byte("://")) || v.IsString() || v.Member("path") != nil {
		address = data
	}
	r.beginRow(says.Picture, call, data)
	if call != nil {
		r.value("call", call)
	}
	r.value("media", media)
	if address != nil {
		r.value("url", address)
	} else {
		r.value("data", data)
	}
	r.endRow()
}

// --- Pieces ---

// A piece is a text that may go on in the next entry.
type piece struct {
	store store
	thing says.Thing // its values are copies
	text  []byte     // the inside of a JSON string
	from  origin
}

// goesOn reports whether x goes on with the piece that is open.
func (r *Rows) goesOn(x *says.Thing) bool {
	p := r.piece
	return x.Piece && x.Is == p.thing.Is && bytes.Equal(x.Message, p.thing.Message) && bytes.Equal(r.from.agent, p.from.agent)
}

func (r *Rows) addPiece(x *says.Thing) {
	if r.piece == nil {
		p := new(piece)
		p.thing = says.Thing{Is: x.Is, Model: p.store.copy(x.Model), Message: p.store.copy(x.Message)}
		p.from = r.from.clone(&p.store)
		r.piece = p
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
	now := r.from
	r.from = p.from
	p.thing.Text = slices.Concat(entry.Value{'"'}, p.text, entry.Value{'"'})
	r.thing(&p.thing)
	r.from = now
}
