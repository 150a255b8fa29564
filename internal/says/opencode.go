package says

import "jl/internal/entry"

// openCodeSays tells what a line says that opencode run --format json prints.
func openCodeSays(e *entry.Entry, t *Telling) {
	t.Session = e.Member("sessionID").NonEmpty()
	p := entry.FieldsOf(e.Member("part"))
	switch typ := e.Get(entry.Type); {
	case typ.Is("text"):
		t.text(Answer, p.Get("text"))
	case typ.Is("reasoning"):
		t.text(Thinking, p.Get("text"))
	case typ.Is("tool_use"):
		state := p.Get("state")
		name, isInvalid := p.Get("tool"), p.Get("tool").Is("invalid") // a call that OpenCode could not make, under a name of its own
		if isInvalid {
			name = entry.First(state.Member("input").Member("tool").NonEmpty(), name)
		}
		t.say(Thing{Is: Call, Time: state.Member("time").Member("start"), Call: p.Get("callID"), Name: name, Input: state.Member("input")})
		if status := state.Member("status"); status.Is("completed") || status.Is("error") {
			meta := state.Member("metadata")
			t.say(Thing{
				Is: Result, Call: p.Get("callID"), Text: entry.First(state.Member("error"), state.Member("output")), Diff: entry.First(meta.Member("filediff").Member("patch"), meta.Member("diff")),
				Failed: isInvalid || status.Is("error") || failed(meta.Member("exit")),
			})
		}
	case typ.Is("step_finish"):
		t.usage(p.Get("tokens"), false, Thing{Message: p.Get("id")})
		if n := len(t.Things); n > 0 {
			t.costs(p.Get("cost"), t.Things[n-1].Tokens)
		}
	case typ.Is("error"):
		cause := e.Member("error")
		t.text(Failure, entry.First(cause.Member("data").Member("message"), cause.Member("message"), cause.Member("name"), cause))
	case typ.Is("step_start"):
	default:
		t.unreadEntry(typ)
	}
}
