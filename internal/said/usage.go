package said

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/says"
)

// openMost is how many messages may be open: the pieces of two may alternate, in real logs too.
const openMost = 4

// A usage is the tokens of a message. Its values are copies.
type usage struct {
	store            store // of its values, but for those of the state
	from             origin
	message          entry.Value // nil if no message tells them
	model, speed     entry.Value
	tier, geo        entry.Value
	tokens           says.Tokens
	cwd, branch      entry.Value
	agentType, skill entry.Value
	server           entry.Value
	key              uint64
	isRequest        bool // no message has told them yet
	isRequested      bool // a message whose request was told, too
}

// A used is a message of which entries told tokens.
type used struct {
	*usage       // nil if it is in the part
	tokens int64 // that its row has, or would have
}

// figuresOf returns what names tokens in a key: all that each log tells of them, and more. It is valid until the next
// call.
func (r *Rows) figuresOf(t says.Tokens, more ...int64) entry.Value {
	text := append(r.figures[:0], '{')
	for _, numbers := range [][]int64{{t.Input, t.Output, t.Write, t.Write5m, t.Write1h, t.Read}, more} {
		for _, n := range numbers {
			text = append(strconv.AppendInt(text, n, 10), ' ')
		}
	}
	text[len(text)-1] = '}'
	r.figures = text
	return text
}

func sum(t says.Tokens) int64 { return t.Input + t.Output + t.Write + t.Read }

// usage takes the tokens that an entry tells.
func (r *Rows) usage(x *says.Thing) {
	if !r.kinds.Has(says.Usage) && !r.kinds.Has(says.Bill) || r.anew.known != nil && r.anew.has(says.Usage, fmt.Appendf(nil, "%s %v", x.Model, x.Tokens), r.from.out) {
		return
	}
	switch x.Scope {
	case says.OfLog, says.OfRun:
		r.rest(r.newUsage(x), x)
	case says.OfRequest:
		u := r.newUsage(x)
		for _, o := range r.open {
			if !o.isRequest && !o.isRequested && o.isLike(u) {
				o.isRequested = true
				return
			}
		}
		u.isRequest = true
		r.keepOpen(u)
	default:
		r.ofMessage(x)
	}
}

func (r *Rows) newUsage(x *says.Thing) *usage {
	model := entry.First(x.Model.NonEmpty(), r.model)
	agentType := r.told.AgentType
	if agentType == nil && r.told.Caller != nil {
		if c := r.calls[r.callKey(r.told.Caller)]; c != nil {
			agentType = c.agentType
		}
	}
	u := r.spareUsage
	if r.spareUsage = nil; u == nil {
		u = new(usage)
	}
	*u = usage{store: u.store[:0], tokens: x.Tokens, cwd: r.cwd, branch: r.branch}
	u.from, u.message, u.model = r.from.clone(&u.store), u.store.copy(x.Message), u.store.copy(model)
	u.speed, u.tier, u.geo = u.store.copy(x.Speed), u.store.copy(x.Tier), u.store.copy(x.Geo)
	u.agentType, u.skill, u.server = u.store.copy(entry.First(agentType, r.AgentType)), u.store.copy(r.told.Skill), u.store.copy(r.told.Server)
	return u
}

// isLike reports whether u may tell the same tokens as b: of one request.
func (u *usage) isLike(b *usage) bool {
	tokens := b.tokens
	tokens.Thinking, tokens.Searches = u.tokens.Thinking, u.tokens.Searches // which one of the two may not tell
	return u.tokens == tokens && bytes.Equal(u.model, b.model) && bytes.Equal(u.from.agent, b.from.agent)
}

// keepOpen keeps u until some other messages have begun.
func (r *Rows) keepOpen(u *usage) {
	if len(r.open) == openMost {
		r.endUsage()
	}
	r.open = append(r.open, u)
}

// ofMessage takes what an entry tells of a message. A counter of all tokens so far names a message that has no id. The
// row is in the part if one of the entries is.
func (r *Rows) ofMessage(x *says.Thing) {
	if x.Counter > 0 {
		root := r.root
		if r.copied.is && r.copied.root != nil {
			root = r.copied.root
		}
		x.Message = append(strconv.AppendInt(append(append([]byte{'"'}, bytes.Trim(root, `"`)...), ' '), x.Counter, 10), '"')
	}
	id := entry.First(x.Message, r.from.uuid)
	key := hashOf(says.Usage, r.own(id), id)
	for _, o := range r.open {
		if o.key == key {
			o.from.out = o.from.out && r.from.out
			if sum(x.Tokens) >= sum(o.tokens) {
				o.tokens = x.Tokens
				set(&o.speed, x.Speed)
				set(&o.tier, x.Tier)
				set(&o.geo, x.Geo)
				if o.model == nil { // Codex counts before it says which model
					set(&o.model, entry.First(x.Model.NonEmpty(), r.model))
				}
			}
			return
		}
	}
	if before, known := r.used[key]; known { // a copy
		if sum(x.Tokens) > before.tokens && r.kinds.Has(says.Usage) { // or a piece that comes too late
			r.count("tokens of a message that has its row")
		}
		if before.usage != nil && !r.from.out { // the first one in the part
			r.used[key] = used{nil, before.tokens}
			before.usage.from.out = false
			r.usageRow(before.usage)
		}
		return
	}
	if r.copied.told[key] {
		return
	}
	if r.copied.is && !r.copies { // its log may come later
		if r.copied.told == nil {
			r.copied.told = map[uint64]bool{}
		}
		r.copied.told[key] = true
		return
	}
	r.used[key] = used{nil, math.MaxInt64} // as long as no row has them
	u := r.newUsage(x)
	u.key = key
	for _, o := range r.open {
		if o.isRequest && o.isLike(u) {
			o.isRequest, o.isRequested, o.key, o.message = false, true, u.key, u.message
			return
		}
	}
	r.keepOpen(u)
}

// A run is what a client has counted since it started, in one session.
type run struct {
	told   map[string]says.Tokens // by model: what rows have told
	ended  map[string]says.Tokens // that at the last totals, nil before them
	totals map[string]says.Tokens // the last ones by model, "" for one of all models
}

// rest makes a row of what no message has told of a total, and remembers that it is told. A total that names no model
// is of all, and what messages have told of a model that has no total here is part of those that are.
func (r *Rows) rest(u *usage, x *says.Thing) {
	r.endUsages()
	totals, isFirst, isLast := map[string]says.Tokens{}, true, true
	for i := range r.told.Things {
		if o := &r.told.Things[i]; o.Is == says.Usage && o.Scope == x.Scope {
			isFirst, isLast = isFirst && (len(totals) > 0 || o == x), o == x
			totals[string(o.Model)] = o.Tokens
		}
	}
	of, run := string(u.model), r.runOf(u.from.session)
	if isFirst && run.isOver(totals) {
		for model, ended := range run.ended {
			run.told[model] = run.told[model].Less(ended)
		}
		r.restarted = true
	}
	u.tokens = u.tokens.Less(run.told[of])
	for model, tokens := range run.told {
		if _, hasTotal := totals[model]; model != of && (u.model == nil || !hasTotal) {
			part := u.tokens.Common(tokens)
			u.tokens = u.tokens.Less(part)
			if u.model != nil {
				run.told[model], run.told[of] = tokens.Less(part), run.told[of].Plus(part)
			}
		}
	}
	u.message = nil
	if sum(u.tokens)+u.tokens.Searches > 0 {
		r.total(u)
		r.usageRow(u)
	}
	switch {
	case isLast && x.Scope == says.OfRun:
		delete(r.runs, string(u.from.session))
	case isLast:
		for model, total := range totals { // a message that was given up is in no total to come
			run.told[model] = run.told[model].Common(total)
		}
		run.totals, run.ended = totals, maps.Clone(run.told)
	}
}

// isOver reports whether totals are not of the run, but of the next one of a client: one is less than before, or what
// rows have told since then is in it and explains it better than all that they have told. Messages tell their input as it
// is counted, but not all of their output.
func (r *run) isOver(totals map[string]says.Tokens) bool {
	if r.ended == nil || maps.Equal(r.totals, totals) {
		return false
	}
	for model, before := range r.totals {
		if total, isThere := totals[model]; !isThere && model != "" || isThere && sum(before.Less(total)) > 0 {
			return true
		}
	}
	input := func(t says.Tokens) int64 { return t.Input + t.Write + t.Read }
	for model, total := range totals {
		told := r.told[model]
		since := told.Less(r.ended[model])
		if input(since.Less(total)) == 0 && input(told.Less(total)) > input(total.Less(since)) {
			return true
		}
	}
	return false
}

func (r *Rows) runOf(session entry.Value) *run {
	found := r.runs[string(session)]
	if found == nil {
		found = &run{told: map[string]says.Tokens{}}
		r.runs[string(session)] = found
	}
	return found
}

// total adds tokens that have a row to those of their session and model.
func (r *Rows) total(u *usage) {
	told := r.runOf(u.from.session).told
	told[string(u.model)] = told[string(u.model)].Plus(u.tokens)
}

// endUsages makes the rows of all messages that are open.
func (r *Rows) endUsages() {
	for len(r.open) > 0 {
		r.endUsage()
	}
}

// endUsage makes the row of the message that has been open for the longest time.
func (r *Rows) endUsage() {
	u := r.open[0]
	r.open = slices.Delete(r.open, 0, 1)
	r.total(u)
	told := used{nil, sum(u.tokens)}
	if u.from.out {
		told.usage = u
	}
	r.used[u.key] = told
	r.usageRow(u)
	if !u.from.out {
		r.spareUsage = u
	}
}

func (r *Rows) usageRow(u *usage) {
	if !r.kinds.Has(says.Usage) {
		return
	}
	message := idBeside(u.message, u.from.uuid)
	r.beginRowAt(says.Usage, &u.from, message, u.model, r.figuresOf(u.tokens, u.tokens.Thinking, u.tokens.Searches))
	if len(message) >= ownLen { // it is the same whoever tells it, and when
		r.key = newKey(says.Usage).with(message)
	}
	r.value("message", u.message)
	r.value("model", u.model)
	if u.speed != nil {
		r.value("speed", u.speed)
	}
	t := u.tokens
	r.int("input", t.Input)
	r.int("output", t.Output)
	r.int("cacheWrite", t.Write)
	r.int("cacheWrite5m", t.Write5m)
	r.int("cacheWrite1h", t.Write1h)
	r.int("cacheRead", t.Read)
	r.value("cwd", u.cwd)
	if u.branch != nil {
		r.value("gitBranch", u.branch)
	}
	if u.agentType != nil {
		r.value("agentType", u.agentType)
	}
	if u.skill != nil {
		r.value("skill", u.skill)
	}
	if t.Thinking > 0 {
		r.int("thinking", t.Thinking)
	}
	if u.tier != nil {
		r.value("tier", u.tier)
	}
	if u.geo != nil {
		r.value("geo", u.geo)
	}
	if t.Searches > 0 {
		r.int("webSearches", t.Searches)
	}
	if u.server != nil {
		r.value("mcp", u.server)
	}
	r.endRow()
}

// A bill is the last that a client told since it started. It counts all since then, and so grows.
type bill struct {
	number  int // of the first bills of all starts
	begins  int // how many began with this start
	dollars float64
	row     row
}

// addBill takes what the client counted: of a message, or since it started. A bill is known by the time of its start,
// because a copy may have been made when it was less.
func (r *Rows) addBill(x *says.Thing) {
	if !r.kinds.Has(says.Bill) {
		return
	}
	b := x.Bill
	if b.Start == nil {
		r.beginBill(x)
		r.endRow()
		return
	}
	dollars, _ := strconv.ParseFloat(string(b.Dollars), 64)
	o := r.bills[string(b.Start)]
	if o == nil {
		o = &bill{number: len(r.bills), begins: 1}
		r.bills[string(b.Start)] = o
	} else if dollars < o.dollars || r.restarted {
		r.endBill(o)
		o.begins++
	}
	r.beginBill(x)
	if _, isTime := dialect.Stamp(b.Start); isTime && o.begins == 1 {
		r.key = newKey(says.Bill).with(b.Start)
	}
	o.row, _ = r.rowOf()
	o.dollars = dollars
}

// beginBill begins the row of a bill.
func (r *Rows) beginBill(x *says.Thing) {
	b := x.Bill
	r.beginRow(says.Bill, b.Start, b.Dollars, b.Added, b.Removed, r.figuresOf(x.Tokens))
	r.value("dollars", b.Dollars)
	r.int("input", x.Tokens.Input)
	r.int("output", x.Tokens.Output)
	r.int("cacheWrite", x.Tokens.Write)
	r.int("cacheRead", x.Tokens.Read)
	r.value("linesAdded", b.Added)
	r.value("linesRemoved", b.Removed)
	if ms, ok := b.Millis.Int(); ok {
		r.float("seconds", float64(ms)/1000)
	} else {
		r.value("seconds", nil)
	}
}

// endBill prints the row of a bill, if it is in the part.
func (r *Rows) endBill(o *bill) {
	if o.row.text != nil {
		r.emit(o.row)
	}
}

func (r *Rows) endBills() {
	for _, o := range slices.SortedFunc(maps.Values(r.bills), func(a, b *bill) int { return a.number - b.number }) {
		r.endBill(o)
	}
	clear(r.bills)
}
