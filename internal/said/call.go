package said

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"jl/internal/entry"
	"jl/internal/says"
	"jl/internal/shape"
)

// A call waits for its result. Its values are copies.
type call struct {
	store   store // of its values, but for changes
	number  int   // of the calls of the log
	id      entry.Value
	name    entry.Value
	input   entry.Value
	asks    bool // the user
	ends    bool // see says.Thing.Ends
	ended   bool // an entry before its result has told whether it failed, and what it changed
	failed  bool
	changes entry.Value
	cwd     entry.Value
	of      *state
	from    origin

	agentType entry.Value // of the sub-agent that it starts
}

// callKey returns what a call is kept by: its id, with the session if another one may have the same id.
func (r *Rows) callKey(id entry.Value) string {
	if len(id) < ownLen {
		return string(r.session) + id.Key()
	}
	return id.Key()
}

// call makes the row of a call, and keeps the call for its result.
func (r *Rows) call(x *says.Thing) {
	if x.Call != nil && r.anew.has(says.Call, x.Call, r.from.out) {
		return
	}
	input, name := shape.Object(x.Input), x.Name
	if input == nil || string(input) == "null" {
		input = entry.Value("{}")
	}
	if name.IsEmpty() {
		name = entry.Value(`"tool"`)
	}
	asks := says.Asks(name)
	starts := r.kinds.Has(says.Usage) && says.StartsAgent(name)
	if x.Call != nil && (asks || starts || r.kinds.Has(says.Result, says.File, says.Todo, says.Task)) {
		r.callCount++
		c := r.spareCall
		if r.spareCall = nil; c == nil {
			c = new(call)
		}
		*c = call{store: c.store[:0], number: r.callCount, of: r.state, asks: asks, ends: x.Ends, cwd: r.cwd}
		c.from, c.id, c.name, c.input = r.from.clone(&c.store), c.store.copy(x.Call), c.store.copy(name), c.store.copy(input)
		if starts {
			c.agentType = c.store.copy(input.Member("subagent_type").NonEmpty())
		}
		r.calls[r.callKey(x.Call)] = c
	}
	if !r.kinds.Has(says.Call) {
		return
	}
	if len(x.Call) >= ownLen {
		r.beginRow(says.Call, x.Call)
	} else {
		r.beginRow(says.Call, x.Call, name, input)
	}
	r.value("id", x.Call)
	r.value("name", name)
	r.value("input", input)
	r.value("cwd", r.cwd)
	r.value("model", entry.First(x.Model.NonEmpty(), r.model))
	if x.Message != nil {
		r.value("message", x.Message)
	}
	r.endRow()
}

// result makes the rows of a result: its own, a prompt of what the user typed instead, and what its call did to files
// and lists.
func (r *Rows) result(x *says.Thing) {
	key := r.callKey(x.Call)
	c := r.calls[key]
	if c == nil && x.Again || x.Call != nil && r.anew.has(says.Result, x.Call, r.from.out) { // its call has it, or it is told again
		return
	}
	delete(r.calls, key)
	if c != nil && c.ended {
		x.Failed = c.failed
	}
	if x.Shared && (c == nil || !tellsOf(x.Extra, c.input)) {
		x.Extra, x.Agent = nil, nil
	}
	refused, why := x.Refused, []byte(nil)
	if x.Failed && !refused {
		for text := range says.Words(x.Text) {
			why, refused = says.Refused(text.Text())
			break
		}
	}
	if r.kinds.Has(says.Result) {
		if len(x.Call) >= ownLen {
			r.beginRow(says.Result, x.Call)
		} else {
			r.beginRow(says.Result, x.Call, r.joined(x.Text))
		}
		r.value("call", x.Call)
		name := x.Name
		if c != nil {
			name = c.name
		}
		r.value("name", name.NonEmpty())
		r.flag("failed", x.Failed)
		if refused {
			r.flag("refused", true)
		}
		if says.Asks(name) && !x.Failed {
			r.flag("answered", true)
		}
		if c != nil && c.from.instant >= 0 && r.from.instant >= 0 {
			r.float("seconds", math.Round(float64(r.from.instant-c.from.instant)/1e3)/1e3)
		} else {
			r.value("seconds", nil)
		}
		r.text("text", x.Text)
		r.int("images", int64(countPictures(x.Text, nil)))
		if x.Agent != nil {
			r.value("agent", x.Agent)
		}
		r.endRow()
	}
	if r.kinds.Has(says.Result, says.Unread) {
		r.unreadIn(x.Text)
	}
	r.pictures(x.Text, x.Call)
	r.replies(c, x, refused, why)
	if c != nil {
		r.files(c, x)
		r.todos(c, x)
		r.spareCall = c
	}
}

// tellsOf reports whether what a client tells of a result is about the call with an input: it repeats a text or a list
// of that, as the path of a file or the prompt of a sub-agent.
func tellsOf(told, input entry.Value) bool {
	for _, in := range input.Members() {
		if isBlock := in.IsString() && len(in) > 2 || in.IsArray(); !isBlock {
			continue
		}
		for _, v := range told.Members() {
			if bytes.Equal(v, in) {
				return true
			}
		}
	}
	return false
}

// unreadIn counts the blocks of a result that have no words and may have some that no rule reads.
func (r *Rows) unreadIn(blocks entry.Value) {
	for v := range says.Elements(blocks) {
		if b := says.BlockOf(v); b.HidesWords() && says.IsBlank(v) {
			r.count(b.What())
		}
	}
}

// replies makes a prompt of what a person typed where the client asked: why a call is refused, an answer that was not
// offered, and notes.
func (r *Rows) replies(c *call, x *says.Thing, refused bool, why []byte) {
	if !r.kinds.Has(says.Prompt) {
		return
	}
	questions := x.Extra.Member("questions")
	switch {
	case refused:
		r.reply(why, x.Call)
	case !x.Failed && questions != nil:
		answers, notes := x.Extra.Member("answers"), x.Extra.Member("annotations")
		for q := range questions.Elements() {
			question := string(q.Member("question").Text())
			if answer := answers.Member(question).Text(); !isOffered(string(answer), labels(nil, q.Member("options"))) {
				r.reply(answer, x.Call)
			}
			r.reply(notes.Member(question).Member("notes").Text(), x.Call)
		}
	case c != nil && c.asks && !x.Failed:
		offered := labels(nil, c.input.Member("choices"))
		for q := range c.input.Member("questions").Elements() {
			offered = labels(offered, q.Member("options"))
		}
		for _, of := range c.input.Member("requestedSchema").Member("properties").Members() {
			offered = labels(offered, of.Member("enum"))
		}
		for _, answer := range answersIn(x) {
			if !isOffered(answer, offered) {
				r.reply([]byte(answer), x.Call)
			}
		}
	}
}

func (r *Rows) reply(text []byte, call entry.Value) {
	text = bytes.TrimSpace(text)
	if len(text) > 0 && !bytes.HasPrefix(text, []byte("The user wants to clarify these questions.")) {
		r.promptRow(&says.Thing{}, inside(text), 0, call, "")
		r.endRow()
	}
}

// answersIn returns what the result of a question says that the user answered: in a list, in an object, or behind some
// words.
func answersIn(x *says.Thing) (answers []string) {
	for a := range x.Extra.Member("answers").Elements() { // Qwen Code's
		answers = append(answers, string(a.Member("answer").Text()))
	}
	if answers != nil {
		return answers
	}
	for text := range says.Words(x.Text) {
		said := bytes.TrimSpace(text.Text())
		if after, ok := bytes.CutPrefix(said, []byte("User responded: ")); ok { // Copilot CLI's
			answers = append(answers, string(after))
		} else if entry.Valid(said) { // Gemini CLI's
			for _, a := range entry.Value(said).Member("answers").Members() {
				answers = append(answers, string(a.Text()))
			}
		}
	}
	return answers
}

// labels adds the options that were offered, which are strings or objects.
func labels(offered []string, options entry.Value) []string {
	for o := range options.Elements() {
		label := o
		if o.IsObject() {
			label = o.Member("label")
		}
		if text := string(label.Text()); text != "" {
			offered = append(offered, `"`+text+`"`, text)
		}
	}
	return offered
}

// isOffered reports whether an answer is made of the options that were offered.
func isOffered(answer string, offered []string) bool {
	slices.SortFunc(offered, func(a, b string) int { return len(b) - len(a) })
	for _, label := range offered {
		answer = strings.ReplaceAll(answer, label, "")
	}
	return strings.Trim(answer, ", ") == ""
}
