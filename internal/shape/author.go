package shape

import (
	"slices"

	"jl/internal/entry"
)

// An Author says who wrote what an entry says in the name of the user, as the entry itself tells it. Its words may tell
// more.
type Author uint8

const (
	Anybody Author = iota // the entry does not tell
	Person                // also one whose words come through a channel from another program
	Client                // or a program around it, a schedule, or another agent: nobody typed it
)

// AuthorOf returns who wrote the user entry e.
func AuthorOf(e *entry.Entry) Author {
	m := MarksOf(e)
	return m.Author()
}

// IsClients reports whether a client wrote the user entry e, as a list shows it: like [AuthorOf], but isMeta counts
// only if it is true, as for the Agent SDK.
func IsClients(e *entry.Entry) bool {
	meta := e.Get(entry.IsMeta)
	return AuthorOf(e) == Client && (!meta.Truthy() || string(meta) == "true")
}

// Marks are the members of a user entry, or of a prompt that is attached to one, that tell who wrote it.
type Marks struct {
	meta, synthetic bool
	Plan            bool // it has a plan of the model, which the model is to carry out
	Origin          entry.Value
}

// MarksOf returns the marks of the user entry e.
func MarksOf(e *entry.Entry) Marks {
	return Marks{
		meta:      e.Get(entry.IsMeta).Truthy(),
		synthetic: e.Get(entry.IsSynthetic).Truthy() || e.Get(entry.ClientComposed).Truthy() || slices.ContainsFunc(qwenNotices, e.Get(entry.Subtype).Is),
		Plan:      !e.Get(entry.PlanContent).IsEmpty(),
		Origin:    e.Get(entry.Origin),
	}
}

// MarksIn returns the marks of a prompt that is an object.
func MarksIn(prompt entry.Value) Marks {
	m := entry.FieldsOf(prompt)
	return Marks{meta: m.Get("isMeta").Truthy(), synthetic: m.Get("isSynthetic").Truthy() || m.Get("client_composed").Truthy(), Plan: !m.Get("planContent").IsEmpty(), Origin: m.Get("origin")}
}

// qwenNotices are the subtypes of the user entries that Qwen Code writes by itself.
var qwenNotices = []string{"notification", "cron", "background_task_completed"}

// Author weighs the Marks. An origin is of the type SDKMessageOrigin of Claude's Agent SDK; a kind that is new is of no
// person. What comes through a channel is meta, too, because the client puts a tag around it.
func (m *Marks) Author() Author {
	kind := entry.First(m.Origin.Member("kind"))
	byPerson, channel := kind.Is("human"), kind.Is("channel")
	if m.synthetic || kind != nil && !byPerson && !channel || m.meta && !channel {
		return Client
	}
	if kind != nil {
		return Person
	}
	return Anybody
}
