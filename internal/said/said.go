package said

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"time"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/says"
	"jl/internal/shape"
)

// Rows makes the rows of a log, or of several in one stream. What it knows lives for the stream, for a session, or for
// an entry: see the fields, [state] and [current].
type Rows struct {
	// File is the name of the log, a string of JSON, that each row has as a member; nil for none.
	File entry.Value

	// Session returns the session of what comes before the first entry that names one, nil if it is not known. It is
	// asked once, and only if something does; nil if nobody knows.
	Session func() entry.Value

	// AgentType is the type of the sub-agent whose log it is, for entries that do not tell it; nil if it is not known.
	AgentType entry.Value

	// Model is the model that something beside the log tells, for what comes before the first entry that names one; nil
	// if it is not known.
	Model entry.Value

	// Cwd is the first folder of the session, if something beside the log tells it; else nil.
	Cwd entry.Value

	// HasLog reports whether a sub-agent has a log of its own, which tells what the reports of its progress say; nil if
	// it has none.
	HasLog func(agent string) bool

	// Ahead returns the offsets of the entries whose texts wait in the queue and are said by no other, as [Rows.Waiting]
	// does of a Rows that read the log before; d is the dialect of the log. It is asked once, and only if a text waits.
	// Nil means that nobody can look ahead: such texts have their rows at the end.
	Ahead func(d dialect.Dialect) map[int64]bool

	kinds  Kinds
	copies bool             // print the rows of a beginning that is a copy of another log, too
	print  func(row []byte) // gets each row, without a newline

	// Of the whole stream. A hash stands for what was seen; values are copies.

	states    map[string]*state   // by session and agent
	order     []*state            // as they began
	news      map[uint64]struct{} // of entries without ids that tell a time
	seen      map[uint64]int      // of things that entries with ids told: the number of their message
	number    int                 // of the message, for seen
	printed   map[key]struct{}    // by their keys, the rows that were printed
	used      map[uint64]used     // by their hashes, the messages of which entries told tokens
	open      []*usage            // the messages of which other entries may tell more, oldest first
	runs      map[string]*run     // by session
	logs      map[string]bool     // whether sub-agents have logs
	unsaid    map[int64]bool      // what Ahead returned, nil before
	calls     map[string]*call
	callCount int
	unread    map[string]int

	ofLog   *state // of what names no sub-agent of its own in the log that is read
	*state         // of the current entry
	current        // what is valid for one entry

	// Memory that is used again.

	spareCall  *call  // one that has ended, nil for none
	spareUsage *usage // one whose row is made, nil for none
	scratch    scratch
	buf        []byte
	decoded    []byte
	figures    []byte
}

// A current is what is valid while the rows of one entry are made.
type current struct {
	entry *entry.Entry
	log   dialect.Dialect
	told  says.Telling
	from  origin // of the current thing
	key   key    // of the row that is being made
	out   bool   // that row belongs to an entry that is not in the part
	late  bool   // that row is of an entry before
	keys  []key  // of the rows that the entry has so far

	restarted bool // the entry has totals of a client that started again
}

// An origin is where a row comes from, which it begins with after its kind. In a row that waits the values are copies.
type origin struct {
	time, session, agent, uuid entry.Value
	sidechain                  bool
	out                        bool  // the entry is not in the part that is printed
	instant                    int64 // microseconds since 1970, -1 if it is not known
}

// clone returns o with copies of its values in s.
func (o origin) clone(s *store) origin {
	o.time, o.session, o.agent, o.uuid = s.copy(o.time), s.copy(o.session), s.copy(o.agent), s.copy(o.uuid)
	return o
}

// A store has copies of values, one behind another.
type store []byte

// copy returns a copy of v, which is valid until s is emptied; nil for nil.
func (s *store) copy(v entry.Value) entry.Value {
	if v == nil {
		return nil
	}
	from := len(*s)
	*s = append(*s, v...)
	return entry.Value((*s)[from:len(*s):len(*s)])
}

// hashOf returns a hash of values of a log for a table of what was there before. No log can foresee it.
func hashOf(is says.Kind, values ...entry.Value) uint64 {
	hash := uint64(is)
	for _, v := range values {
		if len(v) > 0 { // many are nil
			hash ^= maphash.Bytes(seed, v)
		}
		hash *= prime
	}
	return hash
}

var seed = maphash.MakeSeed()

// New returns what makes the rows of some kinds and passes each to print, without a newline. A row is valid until print
// returns. With copies, a beginning that is a copy of another log has rows, too.
func New(kinds Kinds, copies bool, print func(row []byte)) *Rows {
	return &Rows{
		kinds: kinds, copies: copies, print: print,
		states: map[string]*state{}, news: map[uint64]struct{}{}, seen: map[uint64]int{}, printed: map[key]struct{}{}, used: map[uint64]used{},
		runs: map[string]*run{}, logs: map[string]bool{}, calls: map[string]*call{}, unread: map[string]int{},
	}
}

// Entry makes the rows of the next entry of the log, which is in the dialect d.
func (r *Rows) Entry(e *entry.Entry, d dialect.Dialect) { r.next(e, d, false) }

// Pass takes the next entry of the log, which is not in the part whose rows are wanted. What it says has no rows, but
// the rows of others are as if it had.
func (r *Rows) Pass(e *entry.Entry, d dialect.Dialect) { r.next(e, d, true) }

func (r *Rows) next(e *entry.Entry, d dialect.Dialect, out bool) {
	r.entry, r.log, r.keys, r.restarted = e, d, r.keys[:0], false
	t := &r.told
	says.Tell(d, e, t)
	if t.Report != nil {
		t.AddReport(r.hasLog(string(t.Agent.Text())))
	}
	if len(t.Things) == 0 && t.Cwd == nil && !t.Sure && !t.CopyEnded && t.Asker == shape.Anybody {
		if r.state != nil {
			r.compare(t)
			if r.copied.mayBegin() {
				at, _ := d.Instant(e)
				r.copied.passed(at)
			}
		}
		return
	}
	r.enter(t)
	id := d.IDOf(e)
	h := origin{time: r.stamp(), uuid: id, sidechain: t.Sidechain, out: out, instant: -1}
	if at, ok := d.Instant(e); ok {
		h.instant = at
	}
	if h.time != nil && r.isRepeated(t, id) {
		r.endPiece()
		return
	}
	r.copied.next(t, h.instant)
	r.anew.next(t, h.instant)
	set(&r.cwd, t.Cwd.NonEmpty())
	set(&r.agent, t.AgentOfLog.NonEmpty())
	set(&r.branch, t.Branch)
	set(&r.model, t.Model.NonEmpty())
	if r.home == nil {
		set(&r.home, entry.First(r.Cwd, t.Cwd.NonEmpty()))
		if t.Cwd.NonEmpty() == nil {
			set(&r.cwd, r.Cwd)
		}
	}
	r.sure = r.sure || t.Sure
	if t.Asker != shape.Anybody {
		r.asker = t.Asker
	}
	h.session, h.agent = r.session, entry.First(t.Agent.NonEmpty(), r.agent)
	if r.copied.is {
		h.session = entry.First(r.copied.session, r.session)
	}
	if h.uuid == nil {
		h.uuid = dialect.PlaceIDs(e.Pos)[0]
	}
	r.compare(t)
	r.number++
	var of entry.Value
	for i := range t.Things {
		x := &t.Things[i]
		r.from = h
		if x.Of != nil {
			if r.from.uuid = x.Of; !bytes.Equal(x.Of, of) {
				r.number, of = r.number+1, x.Of
			}
		}
		if x.Time != nil {
			r.from.time, r.from.instant = stampOf(x.Time)
		}
		if id == nil && x.Of == nil || r.isNew(x) {
			r.thing(x)
		}
	}
}

// hasLog is HasLog, which it asks once for each sub-agent.
func (r *Rows) hasLog(agent string) bool {
	has, known := r.logs[agent]
	if !known {
		has = r.HasLog != nil && r.HasLog(agent)
		r.logs[agent] = has
	}
	return has
}

// isNew reports whether x was not told before by another entry in the part, or message, of the same id. The tokens of
// a message are known by themselves.
func (r *Rows) isNew(x *says.Thing) bool {
	if x.Is == says.Usage && (x.Scope == says.OfMessage || x.Scope == says.OfRequest) || x.Is == says.Unread {
		return true
	}
	text := x.Text
	if x.Is == says.Call || x.Is == says.Result {
		text = x.Call
	}
	key := hashOf(x.Is, r.own(r.from.uuid), r.from.uuid, text, x.Name)
	number, known := r.seen[key]
	isOut := number < 0
	if isOut {
		number = -number
	}
	isNew := !known || number == r.number || isOut && !r.from.out
	if isNew && r.from.out {
		r.seen[key] = -r.number
	} else if isNew {
		r.seen[key] = r.number
	}
	return isNew
}

// isRepeated reports whether the entry, which tells a time, came before as it is, and what it says cannot be told by
// its id. The pieces of a text may be alike.
func (r *Rows) isRepeated(t *says.Telling, id entry.Value) bool {
	byID := id != nil
	for i := range t.Things {
		x := &t.Things[i]
		if x.Piece {
			return false
		}
		byID = byID && !(x.Is == says.Usage && x.Scope != says.OfMessage)
	}
	if byID {
		return false
	}
	hash := hashOf(0, r.session, r.entry.Bytes)
	_, known := r.news[hash]
	r.news[hash] = struct{}{}
	return known
}

// stamp returns the time of the entry as rows have it, nil if it has none.
func (r *Rows) stamp() entry.Value {
	if v := r.entry.Get(entry.Timestamp); v.IsString() {
		return v
	}
	if at, ok := r.log.Instant(r.entry); ok {
		return timeOf(at)
	}
	return nil
}

// stampOf returns a time that a message of its own has, which may be a number of seconds or of milliseconds.
func stampOf(v entry.Value) (stamp entry.Value, instant int64) {
	at, ok := dialect.Stamp(v)
	switch {
	case !ok && v.IsString():
		return v, -1
	case !ok:
		return nil, -1
	case v.IsString():
		return v, at
	}
	return timeOf(at), at
}

// timeOf returns an instant, in microseconds since 1970, as a string.
func timeOf(at int64) entry.Value {
	return time.UnixMicro(at).UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z"`)
}

// count counts something in the part that no rule reads.
func (r *Rows) count(what string) {
	if !r.from.out {
		r.unread[what]++
	}
}

// End makes the rows that waited for the end of the log, session by session.
func (r *Rows) End() {
	for _, r.state = range r.order {
		r.keys = r.keys[:0] // a key does not depend on other sessions
		r.endAnswer()
		r.endPiece()
		r.flushUnsure()
		r.endThoughts()
		r.endQueue()
	}
	r.endUsages()
	for _, c := range slices.SortedFunc(maps.Values(r.calls), func(a, b *call) int { return a.number - b.number }) {
		r.state = c.of
		r.files(c, nil)
	}
	for _, r.state = range r.order {
		r.endBills()
	}
	if !r.kinds.Has(says.Unread) || r.state == nil {
		return
	}
	r.state = r.order[0]
	for _, what := range slices.Sorted(maps.Keys(r.unread)) {
		r.from = origin{session: r.session, agent: r.agent}
		r.beginRow(says.Unread)
		r.string("what", []byte(what))
		r.int("count", int64(r.unread[what]))
		r.endRow()
	}
}

// Report names what was not read, "" if all was.
func (r *Rows) Report() string {
	const most = 5
	count, names := 0, []string{}
	byCount := func(a, b string) int {
		if r.unread[a] != r.unread[b] {
			return r.unread[b] - r.unread[a]
		}
		return strings.Compare(a, b)
	}
	for _, what := range slices.SortedFunc(maps.Keys(r.unread), byCount) {
		if count += r.unread[what]; len(names) < most {
			names = append(names, fmt.Sprintf("%.60s (%d)", what, r.unread[what]))
		}
	}
	if count == 0 {
		return ""
	}
	if len(r.unread) > most {
		names = append(names, "…")
	}
	return fmt.Sprintf("not read: %s", strings.Join(names, ", "))
}
