package log

import (
	"hash/maphash"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/rule"
	"jl/internal/shape"
)

// The facts are what a Log keeps of an entry, and do not depend on other entries.
type facts struct {
	of *Log
	in *dialect.Reader // of the log

	row     row  // without strand and message
	session Hash // 0 if the entry names none
	id      Hash // of an id, which may be empty
	hasID   bool // there is one that is not empty
	parent  Hash // 0 if the entry names none
	message rule.Message
	tools   []Hash // of the calls or results of message
	read    shape.Message
}

// Walk reads the message of an entry.
func (f *facts) Walk(c entry.Cursor) entry.Cursor { return f.read.Walk(c) }

// Make finds the facts about an entry. Other goroutines may call it while add runs, because what it reads of the
// Log does not change any more.
func (f *facts) Make(e *entry.Entry) {
	t, d := f.of, f.in.Dialect()
	f.row = row{}
	n := &f.row
	if d.IsClaude() {
		n.kind = kindOf(e.Get(entry.Type))
	} else if d.IsConversation(e) {
		n.kind = spoken
	}
	if d.IsBoundary(e) {
		n.facts |= Boundary
	}
	if d.Sidechain(e) != nil {
		n.facts |= Sidechain
	}
	if e.Get(entry.TeamName).Truthy() {
		n.marks |= Team
	}
	if e.Get(entry.IsMeta).Truthy() {
		n.marks |= Meta
	}
	n.time = NoTime
	if at, ok := d.Instant(e); ok {
		n.time = at
	}
	f.hasID = d.IDOf(e) != nil
	f.session, f.id, f.parent = t.hashOf(e.Get(entry.SessionID)), t.hashOf(d.RawID(e)), t.hashOf(d.ParentOf(e))
	f.message, f.tools = rule.Message{}, f.tools[:0]
	if !e.Walked() {
		f.read.Read(e.Get(entry.Message))
	}
	if n.kind == Assistant {
		if id := f.read.ID; !id.IsEmpty() {
			f.message.ID = t.hash(id.Text())
		}
		if f.read.Speaks() {
			n.marks |= HasWords
		}
		if !e.Get(entry.IsAPIError).Truthy() {
			n.facts |= rule.Answer
		}
	}
	if n.kind == User {
		if f.read.Typed(e) {
			n.facts |= rule.Prompt
		}
		if f.parent == 0 && f.read.IsPlan(e) {
			n.facts |= rule.Plan
		}
	}
	if n.kind.Message() {
		for b := range f.read.Tools(e) {
			f.tools = append(f.tools, t.callHash(b.ID))
			if b.IsResult() {
				n.facts |= rule.Results
			}
		}
	}
}

// hashOf returns the hash of the string v, 0 if v is not a string.
func (t *Log) hashOf(v entry.Value) Hash {
	if !v.IsString() {
		return Hash(0)
	}
	return t.hash(v.Text())
}

// rowOf returns the row that an entry becomes, and keeps what belongs to it.
func (t *Log) rowOf(f *facts) row {
	x := f.row
	if f.session != 0 {
		x.strand = 2 * t.session(f.session)
	}
	if x.facts&Sidechain != 0 {
		x.strand++
	}
	if f.message.ID != 0 || len(f.tools) > 0 {
		f.message.First, f.message.Count = int32(len(t.Tree.Tools)), int32(len(f.tools))
		t.Tree.Tools = append(t.Tree.Tools, f.tools...)
		t.Tree.Messages = append(t.Tree.Messages, f.message)
		x.message = int32(len(t.Tree.Messages))
	}
	return x
}

// A Hash is the hash of an id of an entry, of a message or of a call, or 0 for no id. Each Log
// chooses a seed of its own. Among a million ids, two have the same hash with a probability below
// 1 in 10 million.
type Hash = uint64

func (t *Log) hash(text []byte) Hash { return Hash(maphash.Bytes(t.seeds[0], text) | 1) }

// callHash returns the hash of a value that is the id of a call. Values have the same hash
// if they have the same [entry.Value.Key].
func (t *Log) callHash(v entry.Value) Hash {
	if v.IsString() {
		return t.hash(v.Text())
	}
	if v == nil {
		return 0
	}
	return Hash(maphash.Bytes(t.seeds[1], v) &^ 1)
}
