package says

import (
	"bytes"
	"fmt"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
)

var grok = agent{
	tells: []string{`"sessionId"`},
	about: grokAbout,
	says:  grokSays,
}

func grokAbout(e *entry.Entry) Session {
	return Session{ID: e.Member("params").Member("sessionId").NonEmpty()}
}

// grokSilent are the updates of Grok Build that say nothing to a reader.
var grokSilent = []string{"", "plan", "available_commands_update", "current_mode_update", "usage_update", "session_info_update", "background_tasks"}

// grokSays tells what an update of Grok Build says. A text comes in pieces.
func grokSays(e *entry.Entry, t *Telling) {
	u := entry.FieldsOf(dialect.GrokUpdate(e))
	t.Session = e.Member("params").Member("sessionId").NonEmpty()
	switch kind := u.Get("sessionUpdate"); string(kind.Text()) {
	case "user_message_chunk":
		meta := u.Get("_meta")
		if meta.Member("hostTurn").Truthy() {
			t.text(Context, u.Get("content"))
		} else {
			t.say(Thing{Is: Prompt, Text: u.Get("content"), Piece: true, Message: meta.Member("promptIndex")})
		}
	case "agent_message_chunk":
		t.say(Thing{Is: Answer, Text: u.Get("content"), Piece: true})
	case "agent_thought_chunk":
		t.say(Thing{Is: Thinking, Text: u.Get("content"), Piece: true})
	case "tool_call":
		t.say(Thing{Is: Call, Call: u.Get("toolCallId"), Name: entry.First(u.Get("title"), u.Get("kind")), Input: u.Get("rawInput")})
	case "tool_call_update":
		t.Cwd = u.Get("rawOutput").Member("current_dir").NonEmpty() // of a shell
		if status := u.Get("status"); status.Is("completed") || status.Is("failed") {
			grokResult(u, status.Is("failed"), t)
		}
	case "compaction_checkpoint":
		t.say(Thing{Is: Compaction})
	case "rewind_marker":
		t.say(Thing{Is: Undone})
	case "turn_completed":
		grokUsage(u, t)
	default:
		if !matches(kind, grokSilent[1:]) && len(kind.Text()) > 0 {
			t.unread("update", string(kind.Text()))
		}
	}
}

// grokResult tells the result of a call, and what it changed: the content has a part of the file, before and after, and
// the output what the model was told.
func grokResult(u entry.Fields, isFailure bool, t *Telling) {
	out := u.Get("rawOutput")
	text, changes := entry.First(u.Get("content"), out), entry.Value(nil)
	isFailure = isFailure || failed(out.Member("exit_code"))
	for v := range u.Get("content").Elements() {
		if v.Member("type").Is("diff") {
			changes, text = grokChanges(changes, v), grokReply(out)
		}
	}
	if changes != nil {
		t.ended(u.Get("toolCallId"), isFailure, append(changes, ']'))
	}
	t.say(Thing{Is: Result, Call: u.Get("toolCallId"), Text: entry.First(text, quoted("")), Failed: isFailure})
}

// grokReply returns what Grok tells the model of an edit, nil if it has no words.
func grokReply(out entry.Value) entry.Value {
	for _, v := range out.Members() {
		if told := entry.First(v.Member("tool_output_for_prompt"), v.Member("message")); told != nil {
			return told
		}
	}
	return entry.First(out.Member("output_for_prompt"))
}

// grokChanges adds the edits of a file to an array of changes that is not closed. The text of an edit may end inside of
// a line, and what follows on that line is not told; at the end of a file it cannot be seen whether anything does.
func grokChanges(changes, diff entry.Value) entry.Value {
	add := func(line, to int64, before, after entry.Value) {
		if changes == nil {
			changes = entry.Value{'['}
		} else {
			changes = append(changes, ',')
		}
		changes = fmt.Appendf(changes, `{"path":%s,"kind":"update"`, diff.Member("path"))
		if before != nil {
			changes = fmt.Appendf(changes, `,"line":%d,"to":%d,"before":%s,"after":%s`, line, to, before, after)
		}
		changes = append(changes, '}')
	}
	for v := range diff.Member("_meta").Member("details").Elements() {
		m := entry.FieldsOf(v)
		above, prefix, below := m.Get("context_before").Text(), m.Get("line_prefix").Text(), m.Get("context_after").Text()
		old, now := m.Get("old_string").Text(), m.Get("new_string").Text()
		isWhole := len(old) == 0 && len(above)+len(below) == 0 || bytes.HasSuffix(old, []byte("\n")) && (len(now) == 0 || bytes.HasSuffix(now, []byte("\n")))
		line, ok := m.Get("old_line").Int()
		to, hasTo := m.Get("new_line").Int()
		if !ok || !hasTo || !isWhole {
			add(0, 0, nil, nil)
			continue
		}
		lines := int64(bytes.Count(above, []byte("\n")))
		text := func(edited []byte) entry.Value { return quoted(string(slices.Concat(above, prefix, edited, below))) }
		add(line-lines, to-lines, text(old), text(now))
	}
	return changes
}

// grokUsage tells the tokens of a turn, by model.
func grokUsage(u entry.Fields, t *Telling) {
	usage, turn := u.Get("usage"), string(u.Get("prompt_id").Text())
	n := 0
	for model, v := range usage.Member("modelUsage").Members() {
		id := turn
		if n++; n > 1 {
			id = fmt.Sprintf("%s %d", turn, n)
		}
		t.usage(v, true, Thing{Message: quoted(id), Model: model})
	}
	if n == 0 {
		t.usage(usage, true, Thing{Message: quoted(turn)})
	}
}
