// Package dialect knows how each program writes its logs: how a log is recognized, which entries are nodes, messages,
// headers or boundaries, which id and which parent an entry has, and what undoes others.
//
// What it knows. One file for each program, with a row of the table of dialects; table.go says what a row has. What
// follows from a row is a method of [Dialect], so no other package asks which program wrote a log. Thread.go gives the
// entries of a log their ids and parents: in some dialects the order of the entries does. Edge.go prints an edge.
// Begin.go and notlog.go refuse what is not a log.
//
// What it promises. A [Reader] finds out whether its input is a log, and the dialect of that, before it yields the
// first entry. It reads the entries a chunk of lines at a time; if the caller has a [Maker], which makes what it needs
// of each entry, two goroutines read a large file, and call the Maker, too. A [Thread] keeps a few bytes of each living
// entry of a list, and nothing of a tree.
//
// What it does not do. It decodes no text but ids and titles, and does not know what an entry says: see package says.
package dialect

import (
	"bytes"
	"slices"
	"strconv"

	"jl/internal/entry"
)

// A Dialect is how one program writes its logs: a row of the table of dialects. Its zero
// value is [Claude].
type Dialect uint8

// IDOf returns the id of e, nil if it has none. An id is a non-empty string.
func (d Dialect) IDOf(e *entry.Entry) entry.Value { return d.RawID(e).NonEmpty() }

// RawID returns the value of the member that holds the id of e, string or not; nil if e
// does not have it.
func (d Dialect) RawID(e *entry.Entry) entry.Value {
	if d.is(noIDs) {
		return nil
	}
	return e.Get(dialects[d].names.id)
}

// ParentOf returns the id of the parent of e, nil if e is a root: its parent is null,
// empty, absent or not a string, or e begins the log anew. In a list it means nothing.
func (d Dialect) ParentOf(e *entry.Entry) entry.Value {
	if holds(dialects[d].afresh, e) {
		return nil
	}
	return d.namedParent(e)
}

// namedParent returns the parent that e names, as its edge has it.
func (d Dialect) namedParent(e *entry.Entry) entry.Value {
	return e.Get(dialects[d].names.parent).NonEmpty()
}

// LogicalParentOf returns the id of the entry at which the conversation goes on above e, a root;
// nil if e names none.
func (d Dialect) LogicalParentOf(e *entry.Entry) entry.Value {
	if id := e.Get(entry.LogicalParentUUID).NonEmpty(); id != nil || !holds(dialects[d].afresh, e) {
		return id
	}
	return d.namedParent(e)
}

// ParentName returns the name of the member that holds the parent of an edge.
func (d Dialect) ParentName() string { return dialects[d].names.parentName }

// Note returns what users should know about each log of the dialect, "" if nothing.
func (d Dialect) Note() string { return dialects[d].note }

// String returns the name of the program that writes the dialect.
func (d Dialect) String() string { return dialects[d].name }

// is reports whether any of the facts is true of d.
func (d Dialect) is(f facts) bool { return dialects[d].facts&f != 0 }

// IsList reports whether the entries are a list, so that the order gives each its parent: see
// [Thread].
func (d Dialect) IsList() bool { return d.is(list) }

// IsClaude reports whether the logs are those of Claude Code and its like: a message may be several entries,
// and what belongs to it may hang beside the path; the leaf is the newest end of the log; a compaction begins a
// new path, with its boundary and its summary; and entries without a parent may tell about others, as titles
// and snapshots do. In the other dialects the leaf is the last living entry, and a path is nothing but what leads
// to it, also above a compaction.
func (d Dialect) IsClaude() bool { return d.is(likeClaude) }

// KeepsByCount reports whether a compaction says by a number of lines what it kept.
func (d Dialect) KeepsByCount() bool { return d.is(keptByCount) }

// SplitsLines reports whether the program takes U+2028 and U+2029 for ends of lines, so that it
// loses an entry in which one of them is not escaped.
func (d Dialect) SplitsLines() bool { return d.is(splitLines) }

// SendsInOrder reports whether the program sends the messages of a path as they come, so that the API refuses one
// between a call and its result.
func (d Dialect) SendsInOrder() bool { return d.is(inOrder) }

// NeedsHeader reports whether the program does not open a log without its header, so that
// the header belongs to each part of a log.
func (d Dialect) NeedsHeader() bool { return d.is(needsHeader) }

// IsHeader reports whether e is a header: an entry about the session, which is not a node.
func (d Dialect) IsHeader(e *entry.Entry) bool { return holds(dialects[d].header, e) }

// IsNode reports whether e is a node if it has an id. In a list, undo entries are
// not nodes either: see [Thread.Next].
func (d Dialect) IsNode(e *entry.Entry) bool { return !holds(dialects[d].aside, e) }

// IsConversation reports whether e has the type of a conversation node.
func (d Dialect) IsConversation(e *entry.Entry) bool {
	r := &dialects[d]
	return r.others == nil || d.isOneOf(e, r.others) || d.IsMessage(e)
}

// IsMessage reports whether somebody said e: the user, the assistant or a tool.
func (d Dialect) IsMessage(e *entry.Entry) bool {
	return dialects[d].messages == nil || d.isOneOf(e, dialects[d].messages)
}

// Ordinal returns the number of e in its log, which is 1 more than that of the entry before. It reports false
// if entries have no numbers, as in most dialects.
func (d Dialect) Ordinal(e *entry.Entry) (int64, bool) {
	if !d.is(ordinals) {
		return 0, false
	}
	n, err := strconv.ParseInt(string(e.Member("ordinal")), 10, 64)
	return n, err == nil
}

// IsBoundary reports whether e is the entry that a compaction wrote.
func (d Dialect) IsBoundary(e *entry.Entry) bool { return holds(dialects[d].boundary, e) }

// Summarizes reports whether e, a boundary, has the summary of a compaction. Gemini CLI also writes a boundary
// when it begins or resumes a session: a list of the same messages.
func (d Dialect) Summarizes(e *entry.Entry) bool {
	return d != Gemini || bytes.Contains(e.Bytes, []byte("<state_snapshot>"))
}

// holds reports whether is, which may be nil, reports true.
func holds(is func(*entry.Entry) bool, e *entry.Entry) bool { return is != nil && is(e) }

// Sidechain returns the sidechain that e is on: the value that names it, or else one that JavaScript takes for
// true. It returns nil if e is on none.
func (d Dialect) Sidechain(e *entry.Entry) entry.Value {
	if of := dialects[d].sidechain; of != nil {
		return of(e)
	}
	if v := e.Get(entry.IsSidechain); v.Truthy() {
		return v
	}
	return nil
}

// Instant returns the time of e in microseconds since 1970 in UTC. It reports false if e
// has none. A timestamp that is a number counts milliseconds, as converters write it, and is after 1973.
func (d Dialect) Instant(e *entry.Entry) (int64, bool) {
	v, unit, least := e.Get(entry.Timestamp), int64(1e3), int64(1e11)
	if r := &dialects[d]; r.time != "" {
		v, unit, least = e.Member(r.time), r.unit, 0
	} else if d == Unknown && v == nil {
		return Stamp(TimeIn(entry.FieldsOf(e.Bytes)))
	} else if !v.IsNumber() {
		return v.Instant()
	}
	n, ok := v.Int()
	const most = 1 << 62
	return n * unit, ok && n >= least && n <= most/unit
}

// Type returns the type of e, nil if it has none.
func (d Dialect) Type(e *entry.Entry) entry.Value {
	kind := dialects[d].kind
	if kind == nil {
		return e.Get(entry.Type)
	}
	if v := kind(e); entry.Valid(v) { // Scan does not check nested strings
		return v
	}
	return nil
}

func (d Dialect) isOneOf(e *entry.Entry, types []string) bool {
	return slices.ContainsFunc(types, d.Type(e).Is)
}

// hasType reports whether the member type of e is one of the types.
func hasType(e *entry.Entry, types []string) bool {
	return slices.ContainsFunc(types, e.Get(entry.Type).Is)
}
