package says

import (
	"jl/internal/dialect"
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
	Ended    // how Call ended, whatever its result says: whether it failed, and in Extra what it changed, file by file
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
	Extra   entry.Value // of a result, what the client tells of it besides Text; of what ended, all
	Diff    entry.Value // of a result, what it changed in one file, as a diff
	Agent   entry.Value // of a result, the id of the sub-agent that the call started
	Model   entry.Value
	Message entry.Value // the id of the message of the model; of a usage, what counts once
	What    string      // of what is not read, its name; of a hook whose entry tells no name, that

	Mode    entry.Value  // of a prompt, the permission mode in which it was sent
	Rank    dialect.Rank // of a title
	Tokens  Tokens       // of a usage
	Speed   entry.Value
	Tier    entry.Value // of the service
	Geo     entry.Value // where the model ran
	Bill    *Counted    // of a bill
	Counter int64       // of a usage, the tokens of all messages so far, which identify it; 0 if it has an id
	Scope   Scope       // of a usage

	Failed  bool // of a result, a hook, a shell or a task
	Refused bool // of a result: the user refused the call, whatever Text says
	Shared  bool // of results: Extra and Agent are those of one of several
	Ends    bool // a call that writes a text with a line break at its end, whatever its input has there
	Split   bool // the lines of Diff are the pieces between line breaks, the empty one behind the last of them too
	Piece   bool // Text goes on with the piece before, of the same kind

	// Again: an answer or a hook may say the last one again; the call of a result may have got it before; an unqueued text
	// is said again, or taken back.
	Again bool

	// Unsure: another entry tells a prompt in a better form, if the log has such entries: see Telling.Sure. An answer may
	// be the summary of a compaction. The next entry may tell thoughts again.
	Unsure bool

	All bool // of an unqueued: all of the queue

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

// Tokens are numbers of tokens. Input is what no cache had, Write has all that was written to a cache, and Thinking is
// a part of Output. Searches are those of the web, which cost money, too.
type Tokens struct{ Input, Output, Write, Write5m, Write1h, Read, Thinking, Searches int64 }

// A Counted is what a client itself counted, of one message or since it started. What it does not tell is nil.
type Counted struct {
	Start          entry.Value // when it started, or, of a capture, the session; nil if it tells a sum only once
	Dollars        entry.Value
	Added, Removed entry.Value // lines
	Millis         entry.Value // the time that it took
}
