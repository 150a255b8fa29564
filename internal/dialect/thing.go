package dialect

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"jl/internal/entry"
)

// A Kind says what kind of thing was said or done.
type Kind uint8

// The kinds, in the order in which a manual lists them.
const (
	Prompt     Kind = iota // what a person typed, or the task of a sub-agent
	Answer                 // words of the model
	Thinking               // its thoughts, where the log has them
	Call                   // of a tool
	Result                 // of a call
	File                   // a file that a prompt names, or that a call reads or changes, which no entry tells alone
	Todo                   // a change of a list of what there is to do; no entry tells it alone
	Usage                  // the tokens of a message
	Bill                   // what the client itself counted
	Failure                // an error: of a request, of a turn, of the session
	Hook                   // what a hook said, or that it failed
	Shell                  // a command of the user's own
	Task                   // how a task in the background ended
	Member                 // what another agent of a team said
	Context                // what the client said to the model in the name of the user
	Compaction             // here a compaction was
	Summary                // what a compaction wrote
	Recap                  // what the client says about the session so far
	Title                  // of the session
	Setting                // a session begins, or its model or folder changes
	Picture                // in a prompt or a result
	Fired                  // a hook that did nothing else
	Unread                 // what no rule reads
	Kinds                  // the number of kinds

	// Things that say something about others, and no more.

	Queued   // Text waits in the queue
	Unqueued // Text, or the first if it is nil, was taken from the queue
	Ended    // how Call ended, whatever its result says: whether it failed, and in Told what it changed, file by file
	Undone   // something was taken back: no text goes on behind it
)

var kindNames = [Kinds]string{
	Prompt: "prompt", Answer: "answer", Thinking: "thinking", Call: "call", Result: "result", File: "file", Todo: "todo",
	Usage: "usage", Bill: "bill", Failure: "error", Hook: "hook", Shell: "shell", Task: "task", Member: "member",
	Context: "context", Compaction: "compaction", Summary: "summary", Recap: "recap", Title: "title", Setting: "session",
	Picture: "picture", Fired: "fired", Unread: "unread",
}

// String returns the name that rows have for the kind.
func (k Kind) String() string { return kindNames[k] }

// A Thing is one thing that an entry says. Values that the entry does not tell are nil; the others are parts of the
// entry, or made of them.
type Thing struct {
	Is Kind

	// Of is the id of the message that the thing is of, and Time its time, where an entry holds several messages.
	Of, Time entry.Value

	Text    entry.Value // what was said: a string, or blocks whose texts are one text, each on lines of its own
	Media   entry.Value // more pictures than those in Text: an array
	Call    entry.Value // the id of the call that the thing is, answers or is about
	Name    entry.Value // of a tool, a hook or a member; of a file, its path
	Input   entry.Value // of a call, as JSON or as a string that holds it; of a shell, the command
	Told    entry.Value // of a result, what the client tells of it beside Text; of what ended, all
	Diff    entry.Value // of a result, what it changed in one file, as a diff
	Agent   entry.Value // of a result, the id of the sub-agent that the call started
	Model   entry.Value
	Message entry.Value // the id of the message of the model; of a usage, what counts once
	What    string      // of what is not read, its name; of a hook whose entry tells no name, that

	Mode    entry.Value // of a prompt, the permission mode in which it was sent
	Rank    Rank        // of a title
	Tokens  Tokens      // of a usage
	Speed   entry.Value
	Tier    entry.Value // of the service
	Geo     entry.Value // where the model ran
	Bill    *Counted    // of a bill
	Counter int64       // of a usage, the tokens of all messages so far, which identify it; 0 if it has an id
	Scope   Scope       // of a usage

	Failed  bool // of a result, a hook, a shell or a task
	Refused bool // of a result: the user refused the call, whatever Text says
	Shared  bool // of results: Told and Agent are those of one of several
	Ends    bool // a call that writes a text with a line break at its end, whatever its input has there
	Split   bool // the lines of Diff are the pieces between line breaks, the empty one behind the last of them too
	Piece   bool // Text goes on with the piece before, of the same kind
	Again   bool // an answer or a hook that may say the last one again; a result that its call may have; an unqueued text that is said again, or taken back
	Unsure  bool // a prompt that another entry tells in a better form, if the log has such entries: see Telling.Sure; an answer that may be the summary of a compaction; thoughts that the next entry may tell again
	All     bool // all of the queue

	Alone   bool // a summary that no compaction wrote
	Human   bool // a prompt that a person typed, also if a sub-agent got it
	Whole   bool // a context whose text is all of it, whatever tags are in it
	Queued  bool // a prompt that waited in the queue; no entry tells it alone
	Untyped bool // a prompt that nobody typed
	Plan    bool // a prompt with which the client tells the model to carry out its own plan
}

// A Scope says what the tokens of a usage are those of.
type Scope uint8

const (
	OfMessage Scope = iota // of one message, of which other entries may tell more
	OfLog                  // of all messages of its session and model so far
	OfRun                  // of those since the last of its kind
	OfRequest              // of one request, which a message may tell, too, with the same figures
)

// Tokens are numbers of tokens. Input is what no cache had, Write has all that was written to a cache, and Thinking is a part of
// Output. Searches are those of the web, which cost money, too.
type Tokens struct{ Input, Output, Write, Write5m, Write1h, Read, Thinking, Searches int64 }

// A Counted is what a client itself counted, of one message or since it started. What it does not tell is nil.
type Counted struct {
	Start          entry.Value // when it started, or, of a capture, the session; nil if it tells a sum only once
	Dollars        entry.Value
	Added, Removed entry.Value // lines
	Millis         entry.Value // the time that it took
}

// A Telling is what one entry says, and what it tells about its session. What it does not tell is nil.
type Telling struct {
	Session, Cwd, Branch, Model entry.Value
	Agent                       entry.Value // the sub-agent that wrote the entry
	AgentOfLog                  entry.Value // the sub-agent whose log this is
	AgentType, Skill, Server    entry.Value // Server is that of the tools that it is about
	Side                        bool        // on a sidechain without an agent
	Sure                        bool        // the log has entries that tell prompts better than those that are Unsure

	Turn Author // a turn begins in the log of a sub-agent, and who began it; Anybody if none begins

	Report entry.Value // of the progress of Agent: an entry of its own log
	Caller entry.Value // the id of the call that started the sub-agent

	Copied    bool // the entries from here on are a copy of another log
	CopyEnded bool // the copy ends here

	// The client may tell the conversation again from here on, with other ids.
	Anew bool

	Things []Thing

	e *entry.Entry
}

// Tell makes t what e says in a log of d. It reuses the memory of t.Things.
func (d Dialect) Tell(e *entry.Entry, t *Telling) {
	*t = Telling{Things: t.Things[:0], e: e}
	if e.HasAny(entry.Offset) && e.HasAny(entry.Length) {
		t.unread("an edge of", "jltree")
		return
	}
	if title, rank := d.Title(e); rank != NoTitle {
		t.say(Thing{Is: Title, Text: title, Rank: rank})
	}
	dialects[d].says(e, t)
}

// say adds a thing.
func (t *Telling) say(x Thing) { t.Things = append(t.Things, x) }

// text adds a thing that is no more than a text.
func (t *Telling) text(is Kind, text entry.Value) { t.say(Thing{Is: is, Text: text}) }

// compaction adds a compaction and what it wrote, if that is told.
func (t *Telling) compaction(told, summary entry.Value) {
	t.say(Thing{Is: Compaction, Told: told})
	t.words(Summary, summary)
}

// words adds a thing that has only a text. It does nothing if the text is null or empty.
func (t *Telling) words(is Kind, text entry.Value) {
	if text = First(text); len(text) > len(`""`) {
		t.text(is, text)
	}
}

// ended says how a call ended, before its result comes, and which files it changed: an object of Codex, which has what was done by
// path; or an array of objects with a path and a kind, or with the texts before and after of a part of a file that begins at a line.
func (t *Telling) ended(call entry.Value, isFailure bool, changes entry.Value) {
	if isFailure {
		changes = nil
	}
	t.say(Thing{Is: Ended, Call: call, Failed: isFailure, Told: changes})
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

// each yields the elements of an array, or the value itself.
func each(v entry.Value) func(yield func(entry.Value) bool) {
	if v.IsArray() {
		return v.Elements()
	}
	return func(yield func(entry.Value) bool) {
		if v != nil && string(v) != "null" {
			yield(v)
		}
	}
}

// First returns the first value that is there and is not null.
func First(values ...entry.Value) entry.Value {
	for _, v := range values {
		if v != nil && string(v) != "null" {
			return v
		}
	}
	return nil
}

// Object returns v, or the object that the string v holds as JSON, maybe on several lines: its line breaks become spaces.
func Object(v entry.Value) entry.Value {
	if !v.IsString() {
		return v
	}
	text := bytes.TrimSpace(v.Text())
	if len(text) == 0 || text[0] != '{' {
		return v
	}
	for _, b := range []byte("\r\n") {
		if bytes.IndexByte(text, b) >= 0 {
			text = bytes.ReplaceAll(text, []byte{b}, []byte{' '})
		}
	}
	if entry.Valid(text) {
		return text
	}
	return v
}

// quoted returns a text as a string of JSON.
func quoted(text string) entry.Value { return entry.AppendString(nil, []byte(text)) }

// failed reports whether an exit code is there and is not zero. It may be a number, or a string that holds one.
func failed(code entry.Value) bool {
	if code = First(code); code == nil {
		return false
	}
	text := string(code)
	if code.IsString() {
		text = strings.TrimSpace(string(code.Text()))
	}
	n, err := strconv.ParseFloat(text, 64)
	return err != nil || n != 0
}

// hasPrefix reports whether a string of the log begins with some words.
func hasPrefix(v entry.Value, words string) bool { return bytes.HasPrefix(v.Text(), []byte(words)) }

// isAny reports whether v is one of some strings.
func isAny(v entry.Value, names ...string) bool { return slices.ContainsFunc(names, v.Is) }
