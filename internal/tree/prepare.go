package tree

import (
	"hash/maphash"
	"math"
	"strconv"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/shape"
)

// The facts are what a tree keeps of an entry, and do not depend on other entries.
type facts struct {
	node    node // without id, position, parent, session and message
	session Hash // 0 if the entry names none
	id      Hash // of an id, which may be empty
	hasID   bool // there is one that is not empty
	parent  Hash // 0 if the entry names none
	message message
	tools   []Hash // of the calls or results of message
	read    shape.Message
}

// prepare finds the facts about an entry of a log in the dialect d. It does not need the number
// of its line. Once the first entry was added, several goroutines may call it at the same time, and while
// add runs, because what it reads does not change any more.
func (t *Tree) prepare(e *entry.Entry, d dialect.Dialect, f *facts) {
	f.node = node{parent: None, flags: present}
	n := &f.node
	if d.HasTurns() {
		n.kind = kindOf(e.Get(entry.Type))
	} else if d.IsConversation(e) {
		n.kind = said
	}
	for _, is := range []struct {
		flag flag
		set  bool
	}{
		{boundary, d.IsBoundary(e)},
		{sidechain, d.Sidechain(e) != nil},
		{team, e.Get(entry.TeamName).Truthy()},
		{meta, e.Get(entry.IsMeta).Truthy()},
	} {
		if is.set {
			n.flags |= is.flag
		}
	}
	setTime(n, e, d)
	f.hasID = d.IDOf(e) != nil
	f.session, f.id, f.parent = t.hashOf(e.Get(entry.SessionID)), t.hashOf(d.RawID(e)), t.hashOf(d.ParentOf(e))
	f.message, f.tools = message{}, f.tools[:0]
	if !e.Walked() {
		f.read.Read(e.Get(entry.Message))
	}
	if n.kind == Assistant {
		if id := f.read.ID; !id.IsEmpty() {
			f.message.id = t.hash(id.Text())
		}
		if f.read.Speaks() {
			n.flags |= speaks
		}
	}
	if n.kind == User && f.read.Typed(e) {
		n.flags |= asks
	}
	if n.kind.Message() {
		for b := range f.read.Tools(e) {
			f.tools = append(f.tools, t.callHash(b.ID))
			if b.IsResult() {
				n.flags |= answers
			}
		}
	}
}

// hashOf returns the hash of the string v, 0 if v is not a string.
func (t *Tree) hashOf(v entry.Value) Hash {
	if !v.IsString() {
		return Hash(0)
	}
	return t.hash(v.Text())
}

// maxDate is the largest distance from 1970 that a JavaScript Date can have, in
// milliseconds.
const maxDate = 8.64e15

// setTime sets the time of n, the node of e.
func setTime(n *node, e *entry.Entry, d dialect.Dialect) {
	if at, ok := d.Instant(e); ok {
		n.time, n.flags = at, n.flags|timed
		return
	}
	v := e.Get(entry.Timestamp)
	if len(v) == 0 || v.IsString() {
		return
	}
	ms, err := strconv.ParseFloat(string(v), 64)
	if err == nil && math.Abs(ms) <= maxDate {
		n.time, n.flags = int64(ms*1000), n.flags|numeric
	}
}

// nodeOf returns the node that e becomes, but for its id and parent, and keeps what belongs to
// it.
func (t *Tree) nodeOf(e *entry.Entry, f *facts) node {
	n := f.node
	n.pos = pack(e.Pos)
	if f.session != 0 {
		n.session = t.session(f.session)
	}
	if f.message.id != 0 || len(f.tools) > 0 {
		f.message.tools, f.message.count = int32(len(t.tools)), int32(len(f.tools))
		t.tools = append(t.tools, f.tools...)
		t.messages.add(f.message)
		n.message = int32(t.messages.count)
	}
	return n
}

// A Hash is the hash of an id of an entry, of a message or of a call, or 0 for no id. Each Tree
// chooses a seed of its own. Among a million ids, two have the same hash with a probability below
// 1 in 10 million.
type Hash uint64

func (t *Tree) hash(text []byte) Hash { return Hash(maphash.Bytes(t.seeds[0], text) | 1) }

// callHash returns the hash of a value that is the id of a call. Values have the same hash
// if they have the same [entry.Value.Key].
func (t *Tree) callHash(v entry.Value) Hash {
	if v.IsString() {
		return t.hash(v.Text())
	}
	return Hash(maphash.Bytes(t.seeds[1], v) &^ 1)
}

// A message is what the rules about tool calls need from the message of a user or
// assistant entry.
type message struct {
	id    Hash  // of an assistant entry: the same in all entries of one answer; 0 if there is none
	tools int32 // where its calls, or, of a user entry, its results, are in Tree.tools
	count int32 // how many they are
}

// messageOf returns the message of n, the zero message if it has none.
func (t *Tree) messageOf(n Node) message {
	if m := t.at(n).message; m > 0 {
		return *t.messages.at(int(m - 1))
	}
	return message{}
}

// toolsOf returns the calls of n, if results is 0, or its results, if that is answers.
func (t *Tree) toolsOf(n Node, results flag) []Hash {
	m := t.messageOf(n)
	if t.at(n).flags&answers != results {
		return nil
	}
	return t.tools[m.tools : m.tools+m.count]
}
