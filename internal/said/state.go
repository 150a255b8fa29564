package said

import (
	"bytes"

	"jl/internal/entry"
	"jl/internal/says"
	"jl/internal/shape"
)

// A state is what is known of a session, or of a sub-agent in it, and what is open there. It begins with the first
// entry that names both. Values are copies.
type state struct {
	session, agent entry.Value // agent is nil if it is not that of a sub-agent
	root           entry.Value // the session that names counts of tokens
	cwd, home      entry.Value // the last folder, and the first
	branch, model  entry.Value
	copied         copied
	anew           anew
	sure           bool         // see says.Telling.Sure
	asker          shape.Author // see says.Telling.Asker
	restored       bool         // after a compaction the client attaches files by itself, until the next prompt
	headed         int          // number of the last header

	piece     *piece
	queue     Queue
	unsure    []row             // of prompts
	lists     map[string]*list  // by agent
	texts     map[string][]byte // of files, by path; see written
	textBytes int
	bills     map[string]*bill // by the time of the start or, of a capture, the session
	answers   [openMost]uint64 // hashes of the last answers
	answer    *answer
	thought   []byte    // the last text of thoughts, inside a string of JSON
	thoughts  []thought // that another entry may tell
	hooked    [][]byte  // what hooks said since the last answer
}

// enter makes the session and the sub-agent of an entry the current ones. An entry that names no session is of that of
// the one before. The header of another log begins a session, unless it is part of a copy.
func (r *Rows) enter(t *says.Telling) {
	session, header := t.Session.NonEmpty(), headerOf(t)
	switch {
	case r.state == nil:
		if session == nil && r.Session != nil {
			session = r.Session()
		}
		r.ofLog = r.stateOf(session, t.AgentOfLog.NonEmpty())
		r.ofLog.model = bytes.Clone(r.Model)
	case header != nil && r.root != nil:
		if !bytes.Equal(r.root, header) && !r.isCopied() {
			r.ofLog = r.stateOf(session, t.AgentOfLog.NonEmpty())
		}
	case session != nil && r.session == nil: // until now it was not known
		r.session = bytes.Clone(session)
		r.states[stateKey(session, r.agent)] = r.ofLog
	case session != nil && !bytes.Equal(session, r.session) && !r.copied.is:
		r.ofLog = r.stateOf(session, t.AgentOfLog.NonEmpty())
	}
	if r.state = r.ofLog; t.Agent.NonEmpty() != nil && !bytes.Equal(t.Agent, r.agent) {
		r.state = r.stateOf(r.session, t.Agent)
	}
}

// headerOf returns the id of the log whose header an entry is, nil if it is none.
func headerOf(t *says.Telling) entry.Value {
	for i := range t.Things {
		if x := &t.Things[i]; x.Is == says.Setting && x.Call != nil {
			return x.Call
		}
	}
	return nil
}

// isCopied reports whether the current entry, a header, is part of a copy: it comes just behind another one, or at
// once with the rest of the copy.
func (r *Rows) isCopied() bool {
	at, _ := r.log.Instant(r.entry)
	return r.number == r.headed && !r.copied.none || r.copied.goesOn(at)
}

// stateOf returns the state of a session and a sub-agent, which may be nil. A new one of a sub-agent begins with what
// is known of its session.
func (r *Rows) stateOf(session, agent entry.Value) *state {
	if s := r.states[stateKey(session, agent)]; s != nil {
		return s
	}
	s := &state{session: bytes.Clone(session), agent: bytes.Clone(agent), queue: newQueue(), lists: map[string]*list{}, bills: map[string]*bill{}}
	if above := r.state; above != nil && agent != nil && bytes.Equal(above.session, session) {
		s.cwd, s.home, s.branch, s.model = above.cwd, above.home, above.branch, above.model
	}
	r.states[stateKey(session, agent)] = s
	r.order = append(r.order, s)
	return s
}

func stateKey(session, agent entry.Value) string { return string(session) + " " + string(agent) }

// set makes to a copy of v, unless v is nil.
func set(to *entry.Value, v entry.Value) {
	if v != nil && !bytes.Equal(*to, v) {
		*to = bytes.Clone(v)
	}
}

// OwnLen is the length in bytes from which on an id is taken for one that no other log has. Shorter ones are numbers or
// names that each log has again.
const OwnLen = 8

const ownLen = OwnLen + len(`""`) // of an id as JSON

// own returns the session if another one may have the same id, else nil.
func (r *Rows) own(id entry.Value) entry.Value {
	if len(id) < ownLen {
		return r.session
	}
	return nil
}

// setting makes the row of a session that begins, or whose model or folder changes.
func (r *Rows) setting(x *says.Thing) {
	if x.Call != nil {
		switch {
		case bytes.Equal(r.root, x.Call):
		case r.root != nil && r.copied.is:
			r.copied.root = bytes.Clone(x.Call)
		case r.root == nil || r.number > r.headed+1: // the header of another session, not that of the log of which this is a copy
			r.root = bytes.Clone(x.Call)
		}
		r.headed = r.number
	}
	if !r.kinds.Has(x.Is) || r.copied.is && !r.copies && !bytes.Equal(x.Call, r.copied.own) {
		return
	}
	if r.beginRow(x.Is, x.Call, x.Model); r.from.time == nil && len(x.Call) >= ownLen {
		r.key = newKey(x.Is).with(x.Call)
	}
	r.value("model", entry.First(x.Model.NonEmpty(), r.model))
	r.value("cwd", r.cwd)
	r.endRow()
}
