package says

import (
	"bytes"
	"slices"

	"jl/internal/dialect"
	"jl/internal/entry"
)

var gemini = agent{
	tells:   []string{`Id"`, `$set"`, `"model"`},
	about:   geminiAbout,
	says:    geminiSays,
	refuses: []refusal{{"[Operation Cancelled] Reason: User denied", "", ""}},
}

func geminiAbout(e *entry.Entry) Session {
	if dialect.Gemini.IsHeader(e) {
		s := Session{ID: e.Get(entry.SessionID).NonEmpty(), Created: e.Member("startTime"), Changed: e.Member("lastUpdated")}
		for dir := range e.Member("directories").Elements() {
			s.Cwd = dir.NonEmpty()
			break
		}
		return s
	}
	set := e.Member("$set")
	return Session{Changed: set.Member("lastUpdated").NonEmpty(), Model: e.Member("model").NonEmpty()}
}

// geminiSays tells what an entry of Gemini CLI says. A $set of messages is a new list of them, most of which were told
// before.
func geminiSays(e *entry.Entry, t *Telling) {
	switch set := e.Member("$set"); {
	case set.IsObject():
		for m := range set.Member("messages").Elements() {
			from := len(t.Things)
			fields := entry.FieldsOf(m)
			geminiMessage(fields, t)
			for i := from; i < len(t.Things); i++ {
				x := &t.Things[i]
				x.Of, x.Time = fields.Get("id").NonEmpty(), fields.Get("timestamp").NonEmpty()
			}
		}
	case e.Member("$rewindTo") != nil:
	case dialect.Gemini.IsHeader(e):
		s := geminiAbout(e)
		t.Session, t.Cwd = s.ID, s.Cwd
		if e.Member("kind").Is("subagent") {
			t.AgentOfLog = s.ID
		}
		t.say(Thing{Is: Setting, Time: s.Created})
	default:
		geminiMessage(entry.FieldsOf(e.Bytes), t)
	}
}

// geminiMessage tells what a message says. It has its calls and their results, which its parts and those of the next
// message may repeat.
func geminiMessage(m entry.Fields, t *Telling) {
	content := m.Get("content")
	switch typ := m.Get("type"); {
	case typ.Is("user"):
		text := firstOf(content)
		t.Anew = t.Anew || hasPrefix(text, "<session_context>")
		if summary := geminiSummary(content); summary != nil {
			t.compaction(nil, summary)
			return
		} else if command, out, ok := geminiShell(text); ok {
			t.say(Thing{Is: Shell, Input: command, Text: out})
			return
		}
		from := len(t.Things)
		t.prompt(content, Thing{})
		for i := from; i < len(t.Things); i++ {
			t.Things[i].Again = t.Things[i].Is == Result
		}
	case typ.Is("gemini") && firstOf(content).Is("Got it. Thanks for the additional context!"): // the client's, to its summary
	case typ.Is("gemini"):
		for thought := range m.Get("thoughts").Elements() {
			words := lines(thought.Member("subject"), thought.Member("description"))
			t.say(Thing{Is: Thinking, Text: words, Model: m.Get("model").NonEmpty(), Message: m.Get("id")})
		}
		called := map[string]bool{}
		for call := range m.Get("toolCalls").Elements() {
			called[call.Member("id").Key()] = true
		}
		from := len(t.Things)
		t.blocks(content, m.Get("model").NonEmpty(), m.Get("id"))
		kept := t.Things[:from]
		for _, x := range t.Things[from:] {
			if x.Is != Call || !called[x.Call.Key()] {
				kept = append(kept, x)
			}
		}
		t.Things = kept
		for call := range m.Get("toolCalls").Elements() {
			geminiCall(call, m.Get("model").NonEmpty(), m.Get("id"), t)
		}
		t.usage(m.Get("tokens"), true, Thing{Message: m.Get("id"), Model: m.Get("model").NonEmpty()})
	case typ.Is("error"), typ.Is("warning"), typ.Is("info") && content.Is("Request cancelled."):
		t.text(Failure, content)
	case typ.Is("info"):
	default:
		t.unreadEntry(typ)
	}
}

// geminiSummary returns the text of a content that a compaction wrote, nil if none is there. The model may think aloud
// before it.
func geminiSummary(content entry.Value) entry.Value {
	if !bytes.Contains(content, []byte("</state_snapshot>")) {
		return nil
	}
	for v := range each(content) {
		text := v
		if v.IsObject() {
			text = v.Member("text")
		}
		if begin, end := bytes.Index(text, []byte("<state_snapshot>")), bytes.LastIndex(text, []byte("</state_snapshot>")); begin >= 0 && begin < end {
			return text
		}
	}
	return nil
}

// geminiShell returns the command that the user ran, and its output, if text is what Gemini CLI tells the model of it.
func geminiShell(text entry.Value) (command, out entry.Value, ok bool) {
	const before, between, after = "I ran the following shell command:\n```sh\n", "\n```\n\nThis produced the following result:\n```\n", "\n```"
	if !hasPrefix(text, before) {
		return nil, nil, false
	}
	ran, printed, ok := bytes.Cut(text.Text()[len(before):], []byte(between))
	return entry.AppendString(nil, ran), entry.AppendString(nil, bytes.TrimSuffix(printed, []byte(after))), ok
}

func geminiCall(call, model, message entry.Value, t *Telling) {
	m := entry.FieldsOf(call)
	t.say(Thing{Is: Call, Call: m.Get("id"), Name: m.Get("name"), Input: m.Get("args"), Model: model, Message: message})
	failed := m.Get("status").Is("error") || m.Get("status").Is("cancelled")
	display := m.Get("resultDisplay")
	x := Thing{Is: Result, Call: m.Get("id"), Failed: failed, Diff: display.Member("fileDiff"), Agent: m.Get("agentId").NonEmpty()}
	var parts []entry.Value
	for v := range each(m.Get("result")) {
		switch b := BlockOf(v); b.Is {
		case Result, Answer:
			parts = append(parts, entry.First(b.Body, b.Text))
			x.Failed = x.Failed || b.Failed
		default:
			parts = append(parts, v)
		}
	}
	switch parts = slices.DeleteFunc(parts, func(v entry.Value) bool { return v == nil }); {
	case len(parts) == 1:
		x.Text = parts[0]
	case len(parts) > 0:
		x.Text = arrayOf(parts)
	case !failed:
		return
	case display.IsString():
		x.Text = display
	default:
		x.Text = m.Get("status")
	}
	x.Failed = x.Failed || m.Get("name").Is("run_shell_command") && geminiFailed(x.Text, display)
	t.say(x)
}

// geminiFailed reports whether what the model is told of a shell command has an exit code that is not 0. The code is in
// one of the lines behind the output, of which newer releases leave out some. The output may end like that, too: what
// the user is shown is often all of it.
func geminiFailed(told, shown entry.Value) bool {
	text := told.Text()
	if output := shown.Text(); len(output) > 0 {
		if _, behind, ok := bytes.Cut(text, append([]byte("Output: "), output...)); ok {
			text = behind
		}
	}
	for len(text) > 0 {
		i := bytes.LastIndexByte(text, '\n')
		name, value, _ := bytes.Cut(text[i+1:], []byte(": "))
		switch string(name) {
		case "Exit Code":
			return string(value) != "0"
		case "Signal", "Background PIDs", "Process Group PGID", "</untrusted_context>":
			text = text[:max(i, 0)]
		default:
			return false
		}
	}
	return false
}
