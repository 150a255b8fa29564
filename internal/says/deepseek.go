package says

import (
	"bytes"

	"jl/internal/dialect"
	"jl/internal/entry"
)

var deepSeek = agent{
	tells: []string{`At"`, `/title"`},
	about: deepSeekAbout,
	says:  deepSeekSays,
}

func deepSeekAbout(e *entry.Entry) Session {
	if !dialect.DeepSeek.IsHeader(e) {
		return Session{}
	}
	return Session{
		ID: e.Get(entry.ID).NonEmpty(), Cwd: e.Member("cwd").NonEmpty(), Created: e.Member("createdAt"),
		Parent: e.Member("parentSession").NonEmpty(), IsAgent: e.Member("origin").Is("subagent"),
	}
}

// deepSeekSilent are the types of DeepSeek's events that say nothing, or what others say; those of packed rows end in
// -chunks.
var deepSeekSilent = []string{"agent/*", "approval/*", "request/*", "session/*", "step/*", "subagent/*", "tool/*", "turn/*", "assistant/*", "user/*", "env/*", "config/*"}

// deepSeekSays tells what an event of DeepSeek Harness says.
func deepSeekSays(e *entry.Entry, t *Telling) {
	d := e.Member("data")
	switch typ := e.Get(entry.Type); string(typ.Text()) {
	case "session":
		s := deepSeekAbout(e)
		t.Session, t.Cwd = s.ID, s.Cwd
		if s.IsAgent {
			t.Session, t.AgentOfLog = s.Parent, s.ID
		}
		t.Copied = s.Parent != nil && e.Member("seedLength").Truthy()
		t.say(Thing{Is: Setting, Call: s.ID})
	case "session/end-seed":
		t.CopyEnded = true
	case "user/message":
		switch source := d.Member("source"); {
		case source.Member("plugin").Is("compact"):
			t.compaction(nil, d.Member("content"))
		case source != nil && !source.Member("kind").Is("user"):
			t.text(Context, d.Member("content"))
		default:
			t.prompt(d.Member("content"), Thing{})
		}
	case "assistant/message":
		message := entry.FieldsOf(d.Member("message"))
		id, model := entry.First(message.Get("id"), quoted(string(e.Member("time")))), message.Get("source").Member("model").NonEmpty()
		t.blocks(message.Get("content"), model, id)
		t.usage(d.Member("usage"), true, Thing{Message: id, Model: model})
	case "tool/result":
		t.blocks(d.Member("message").Member("content"), nil, nil)
	default:
		if !matches(typ, deepSeekSilent) && !bytes.HasSuffix(typ.Text(), []byte("-chunks")) {
			t.unreadEntry(typ)
		}
	}
}
