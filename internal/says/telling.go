package says

import (
	"cmp"

	"jl/internal/entry"
	"jl/internal/shape"
)

// A Telling is what one entry says, and what it tells about its session. What it does not tell is nil.
type Telling struct {
	Session, Cwd, Branch, Model entry.Value
	Agent                       entry.Value // the sub-agent that wrote the entry
	AgentOfLog                  entry.Value // the sub-agent whose log this is
	AgentType, Skill, Server    entry.Value // Server is that of the tools that it is about
	Sidechain                   bool        // on a sidechain without an agent
	Sure                        bool        // the log has entries that tell prompts better than those that are Unsure

	Asker shape.Author // in the log of a sub-agent, who asked for what comes next; Anybody if the entry does not tell

	Report entry.Value // of the progress of Agent: an entry of its own log
	Caller entry.Value // the id of the call that started the sub-agent

	Copied    bool // the entries from here on are a copy of another log
	CopyEnded bool // the copy ends here

	// The client may tell the conversation again from here on, with other ids.
	Anew bool

	Things []Thing

	e *entry.Entry
}

// say adds a thing.
func (t *Telling) say(x Thing) { t.Things = append(t.Things, x) }

// text adds a thing that is no more than a text.
func (t *Telling) text(is Kind, text entry.Value) { t.say(Thing{Is: is, Text: text}) }

// compaction adds a compaction and what it wrote, if that is told.
func (t *Telling) compaction(told, summary entry.Value) {
	t.say(Thing{Is: Compaction, Extra: told})
	t.words(Summary, summary)
}

// words adds a thing that has only a text. It does nothing if the text is null or empty.
func (t *Telling) words(is Kind, text entry.Value) {
	if text = entry.First(text); len(text) > len(`""`) {
		t.text(is, text)
	}
}

// ended says how a call ended, before its result comes, and which files it changed: an object of Codex, which has what
// was done by path; or an array of objects with a path and a kind, or with the texts before and after of a part of a
// file that begins at a line.
func (t *Telling) ended(call entry.Value, isFailure bool, changes entry.Value) {
	if isFailure {
		changes = nil
	}
	t.say(Thing{Is: Ended, Call: call, Failed: isFailure, Extra: changes})
}

// aborted says why a turn ended before its answer.
func (t *Telling) aborted(reason entry.Value) {
	t.text(Failure, quoted("turn aborted: "+string(reason.Text())))
}

// unread says that no rule reads something: what kind of thing it is, and its name.
func (t *Telling) unread(what string, name string) {
	t.say(Thing{Is: Unread, What: what + " " + cmp.Or(name, "without a type")})
}

// unreadEntry says that no rule reads an entry of that type.
func (t *Telling) unreadEntry(kind entry.Value) { t.unread("entry", string(kind.Text())) }
