package dialect

import "jl/internal/entry"

// An Author says who wrote what an entry says in the name of the user, as the entry itself tells it. Its words may tell more.
type Author uint8

const (
	Anybody Author = iota // the entry does not tell
	Person                // also one whose words come through a channel from another program
	Client                // or a program around it, a schedule, or another agent: nobody typed it
)

// AuthorOf returns who wrote the user entry e.
func AuthorOf(e *entry.Entry) Author {
	var m marks
	for name, v := range entry.Value(e.Bytes).Named() {
		m.read(name, v)
	}
	return m.author()
}

// IsClients reports whether a client wrote the user entry e, as a list shows it: like [AuthorOf], but isMeta counts only if it is true, as
// for the Agent SDK.
func IsClients(e *entry.Entry) bool {
	meta := e.Get(entry.IsMeta)
	return AuthorOf(e) == Client && (!meta.Truthy() || string(meta) == "true")
}

// marks are the members of an entry, or of a prompt that is attached to one, that tell who wrote it.
type marks struct {
	meta, synthetic bool
	plan            bool // it has a plan of the model, which the model is to carry out
	origin          entry.Value
}

// read takes a member that is a mark.
func (m *marks) read(name []byte, v entry.Value) {
	switch string(name) {
	case "isMeta":
		m.meta = v.Truthy()
	case "isSynthetic", "client_composed": // of a capture
		m.synthetic = m.synthetic || v.Truthy()
	case "origin":
		m.origin = v
	case "planContent":
		m.plan = !v.IsEmpty()
	case "subtype":
		m.synthetic = m.synthetic || isAny(v, qwenNotices...)
	}
}

// qwenNotices are the subtypes of the user entries that Qwen Code writes by itself.
var qwenNotices = []string{"notification", "cron", "background_task_completed"}

// author weighs the marks. An origin is of the type SDKMessageOrigin of Claude's Agent SDK; a kind that is new is of no person.
// What comes through a channel is meta, too, because the client puts a tag around it.
func (m *marks) author() Author {
	kind := First(m.origin.Member("kind"))
	byPerson, channel := kind.Is("human"), kind.Is("channel")
	switch {
	case m.synthetic, kind != nil && !byPerson && !channel, m.meta && !channel:
		return Client
	case kind != nil:
		return Person
	}
	return Anybody
}
