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
	"jl/internal/shape"
)

// Rows makes the rows of one log, or of a part of it.
type Rows struct {
	// File is the name of the log, a string of JSON, that each row has as its last member; nil for none.
	File entry.Value

	// AgentType is the type of the sub-agent whose log it is, for entries that do not tell it; nil if it is not known.
	AgentType entry.Value

	// Model is the model that was told last; at the start, what something beside the log tells.
	Model entry.Value

	// HasLog reports whether a sub-agent has a log of its own, which tells what the reports of its progress say; nil if it has none.
	HasLog func(agent string) bool

	kinds  Kinds
	copies bool             // print the rows of a beginning that is a copy of another log, too
	print  func(row []byte) // gets each row, without a newline

	// The current entry.

	entry *entry.Entry
	log   dialect.Dialect
	told  dialect.Telling
	head  head // of the current thing

	// What the entries so far have told. The values are copies.

	session, agent, root entry.Value // root is the session that names counts of tokens
	cwd, home            entry.Value // the last folder, and the first
	branch               entry.Value
	copied               copied
	anew                 anew
	sure                 bool           // see dialect.Telling.Sure
	turn                 dialect.Author // see dialect.Telling.Turn
	seen                 map[uint64]int
	number               int // of the message, for seen
	headed               int // number of the last header

	// What is open.

	piece     *piece
	logs      map[string]bool // whether sub-agents have logs
	queue     queue
	unsure    [][]byte // rows of prompts
	calls     map[string]*call
	spare     *call // one that has ended, whose memory the next takes; nil for none
	made      int   // calls, in order
	usages    usages
	lists     map[string][]item // by session and agent
	texts     map[string][]byte // of files, by session and path; see written
	textBytes int
	scratch   scratch
	bill      bill
	last      uint64 // a hash of the last answer
	answer    *answer
	thought   []byte    // the last text of thoughts, inside a string of JSON
	thoughts  []thought // that another entry may tell
	hooked    [][]byte  // what hooks said since the last answer
	unread    map[string]int
	buf       []byte
	decoded   []byte
}

// A head is what a row begins with, after its kind. In a row that waits the values are copies.
type head struct {
	time, session, agent, uuid entry.Value
	side                       bool
	instant                    int64 // microseconds since 1970, -1 if it is not known
}

// keep returns h with copies of its values.
func (h head) keep() head {
	h.time, h.session, h.agent, h.uuid = bytes.Clone(h.time), bytes.Clone(h.session), bytes.Clone(h.agent), bytes.Clone(h.uuid)
	return h
}

var seed = maphash.MakeSeed()

// New returns what makes the rows of some kinds and passes each to print, without a newline. A row is valid until print
// returns. With copies, a beginning that is a copy of another log has rows, too.
func New(kinds Kinds, copies bool, print func(row []byte)) *Rows {
	return &Rows{
		kinds: kinds, copies: copies, print: print,
		seen: map[uint64]int{}, logs: map[string]bool{}, calls: map[string]*call{}, lists: map[string][]item{}, unread: map[string]int{},
		usages: usages{used: map[uint64]bool{}, told: map[string]dialect.Tokens{}},
		queue:  queue{said: map[uint64]int{}}, scratch: scratch{hunks: []byte{}}, // not nil
	}
}

// Entry makes the rows of the next entry, which is of a log in the dialect d.
func (r *Rows) Entry(e *entry.Entry, d dialect.Dialect) {
	r.entry, r.log = e, d
	t := &r.told
	d.Tell(e, t)
	if t.Report != nil {
		t.AddReport(r.hasLog(string(t.Agent.Text())))
	}
	if t.Turn != dialect.Anybody {
		r.turn = t.Turn
	}
	if len(t.Things) == 0 && t.Cwd == nil && !t.Sure && !t.CopyEnded {
		r.compare(t)
		return
	}
	keep(&r.session, t.Session.NonEmpty())
	keep(&r.cwd, t.Cwd.NonEmpty())
	keep(&r.agent, t.AgentOfLog.NonEmpty())
	keep(&r.branch, t.Branch)
	keep(&r.Model, t.Model.NonEmpty())
	if r.home == nil {
		keep(&r.home, t.Cwd.NonEmpty())
	}
	r.sure = r.sure || t.Sure
	id := d.IDOf(e)
	h := head{time: r.stamp(), session: r.session, agent: r.agent, uuid: id, side: t.Side}
	if agent := t.Agent.NonEmpty(); agent != nil {
		h.agent = agent
	}
	h.instant = -1
	if at, ok := d.Instant(e); ok {
		h.instant = at
	}
	if h.uuid == nil {
		h.uuid = dialect.PlaceIDs(e.Pos)[0]
	}
	r.copied.next(t, h.instant)
	r.anew.next(t, h.instant)
	r.compare(t)
	r.number++
	var of entry.Value
	for i := range t.Things {
		x := &t.Things[i]
		r.head = h
		if x.Of != nil {
			if r.head.uuid = x.Of; !bytes.Equal(x.Of, of) {
				r.number, of = r.number+1, x.Of
			}
		}
		if x.Time != nil {
			r.head.time, r.head.instant = stampOf(x.Time)
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

// keep makes to a copy of v, unless v is nil.
func keep(to *entry.Value, v entry.Value) {
	if v != nil && !bytes.Equal(*to, v) {
		*to = bytes.Clone(v)
	}
}

// isNew reports whether x was not told before by another entry, or message, of the same id. The tokens of a message are known by
// themselves.
func (r *Rows) isNew(x *dialect.Thing) bool {
	if x.Is == dialect.Usage || x.Is == dialect.Unread {
		return true
	}
	text := x.Text
	if x.Is == dialect.Call || x.Is == dialect.Result {
		text = x.Call
	}
	var h maphash.Hash
	h.SetSeed(seed)
	h.Write(r.head.uuid)
	h.WriteByte(byte(x.Is))
	h.Write(text)
	h.Write(x.Name)
	key := h.Sum64()
	number, known := r.seen[key]
	if !known {
		r.seen[key] = r.number
	}
	return !known || number == r.number
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
	if at, ok := v.Instant(); ok {
		return v, at
	}
	n, ok := v.Int()
	switch {
	case v.IsString():
		return v, -1
	case !ok || n < 0 || n > 253402300800000:
		return nil, -1
	case n < 1e11:
		n *= 1000
	}
	return timeOf(n * 1000), n * 1000
}

// timeOf returns an instant, in microseconds since 1970, as a string.
func timeOf(at int64) entry.Value {
	return time.UnixMicro(at).UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z"`)
}

// thing makes the rows of one thing.
func (r *Rows) thing(x *dialect.Thing) {
	if r.piece != nil && !r.goesOn(x) {
		r.endPiece()
	}
	if x.Piece {
		r.addPiece(x)
		return
	}
	switch x.Is {
	case dialect.Prompt, dialect.Result, dialect.Queued, dialect.Unqueued, dialect.Context, dialect.Setting, dialect.Usage, dialect.Unread, dialect.Picture:
	default:
		r.flush()
	}
	if x.Is != dialect.Thinking && x.Is != dialect.Usage {
		r.endThoughts()
	}
	if r.copied.is && !r.copies && x.Is != dialect.Setting && x.Is != dialect.Usage {
		return
	}
	if (x.Is == dialect.Answer || x.Is == dialect.Call) && r.head.agent == nil && !r.head.side {
		r.answered()
	}
	switch x.Is {
	case dialect.Prompt:
		r.prompt(x)
	case dialect.Context:
		r.context(x)
	case dialect.Queued:
		r.queued(x)
	case dialect.Unqueued:
		r.unqueued(x)
	case dialect.Answer, dialect.Thinking:
		r.words(x)
	case dialect.Call:
		r.call(x)
	case dialect.Result:
		r.result(x)
	case dialect.Changes:
		if c := r.calls[x.Call.Key()]; c != nil {
			c.changes = bytes.Clone(x.Told)
		}
	case dialect.Usage:
		r.usage(x)
	case dialect.Bill:
		r.addBill(x)
	case dialect.Picture:
		r.picture(x.Text, nil)
	case dialect.Setting:
		r.setting(x)
	case dialect.Unread:
		r.unread[x.What]++
	default:
		r.plain(x)
	}
}

// setting makes the row of a session that begins, or whose model or folder changes.
func (r *Rows) setting(x *dialect.Thing) {
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
	if !r.kinds.Has(x.Is) || r.copied.is && !r.copies {
		return
	}
	r.begin(x.Is)
	r.value("model", dialect.First(x.Model.NonEmpty(), r.Model))
	r.value("cwd", r.cwd)
	r.end()
}

// plain makes the row of a thing that is no more than what it says.
func (r *Rows) plain(x *dialect.Thing) {
	if !r.kinds.Has(x.Is) {
		return
	}
	switch x.Is {
	case dialect.Title:
		if !x.Text.IsString() {
			return
		}
	case dialect.Context, dialect.Summary, dialect.Recap:
		if shape.IsBlank(x.Text) {
			return
		}
	}
	if x.Is == dialect.Hook && r.toldByHook(x) || x.Is == dialect.Task && r.calls[x.Call.Key()] != nil { // its result tells it
		return
	}
	r.begin(x.Is)
	switch x.Is {
	case dialect.Task:
		r.value("call", x.Call)
		r.flag("failed", x.Failed)
	case dialect.Hook:
		r.named(x)
		r.flag("failed", x.Failed)
	case dialect.Fired, dialect.Member:
		r.named(x)
	case dialect.Shell:
		r.value("command", x.Input)
	case dialect.Compaction:
		r.kept(x.Told)
		r.end()
		return
	}
	r.text("text", x.Text)
	switch x.Is {
	case dialect.Shell:
		r.flag("failed", x.Failed)
	case dialect.Title:
		r.number64("rank", int64(x.Rank))
	}
	r.end()
}

// toldByHook reports whether a hook has told the words of x before, since the last answer.
func (r *Rows) toldByHook(x *dialect.Thing) bool {
	text := bytes.TrimSpace(x.Text.Text())
	if !x.Again {
		r.hooked = append(r.hooked[max(0, len(r.hooked)-most):], bytes.Clone(text))
		return false
	}
	i := slices.IndexFunc(r.hooked, func(before []byte) bool { return bytes.HasSuffix(text, before) || bytes.HasSuffix(before, text) })
	if i >= 0 {
		r.hooked = slices.Delete(r.hooked, i, i+1)
	}
	return i >= 0
}

// named writes the name of a hook or a member.
func (r *Rows) named(x *dialect.Thing) {
	if x.What != "" {
		r.string("name", []byte(x.What))
	} else {
		r.value("name", x.Name)
	}
}

// kept writes the ids of what a compaction kept, as far as it lists them.
func (r *Rows) kept(told entry.Value) {
	ids := told.Member("preservedMessages").Member("uuids")
	if !ids.IsArray() {
		head := dialect.First(told.Member("preservedSegment").Member("headUuid").NonEmpty(), told.Member("firstKeptEntryId").NonEmpty())
		if head == nil {
			return
		}
		ids = slices.Concat(entry.Value{'['}, head, entry.Value{']'})
	}
	r.value("kept", ids)
}

// End makes the rows that waited for the end of the log.
func (r *Rows) End() {
	r.endAnswer()
	r.endPiece()
	r.flushUnsure()
	r.endThoughts()
	r.endQueue()
	r.endUsages()
	open := slices.SortedFunc(maps.Values(r.calls), func(a, b *call) int { return a.number - b.number })
	for _, c := range open {
		r.files(c, nil)
	}
	r.endBill()
	if !r.kinds.Has(dialect.Unread) {
		return
	}
	for _, what := range slices.Sorted(maps.Keys(r.unread)) {
		r.head = head{time: nil, session: r.session, agent: r.agent}
		r.begin(dialect.Unread)
		r.string("what", []byte(what))
		r.number64("count", int64(r.unread[what]))
		r.end()
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
