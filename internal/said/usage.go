package said

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"jl/internal/dialect"
	"jl/internal/entry"
)

// most is how many messages may be open: the pieces of two may alternate, in real logs too.
const most = 4

// usages follows the tokens of messages.
type usages struct {
	open []*usage                  // the messages of which other entries may tell more, oldest first
	used map[uint64]bool           // hashes of the messages so far
	told map[string]dialect.Tokens // by session and model: what rows have told, since the last run
}

// A usage is the tokens of a message. Its values are copies.
type usage struct {
	head             head
	message          entry.Value // nil if no message tells them
	model, speed     entry.Value
	tokens           dialect.Tokens
	cwd, branch      entry.Value
	agentType, skill entry.Value
	key              uint64
	isRequest        bool // no message has told them yet
}

func sum(t dialect.Tokens) int64 { return t.Input + t.Output + t.Write + t.Read }

// less returns what a has more than b.
func less(a, b dialect.Tokens) dialect.Tokens {
	return dialect.Tokens{
		Input: max(a.Input-b.Input, 0), Output: max(a.Output-b.Output, 0), Read: max(a.Read-b.Read, 0),
		Write: max(a.Write-b.Write, 0), Write5m: max(a.Write5m-b.Write5m, 0), Write1h: max(a.Write1h-b.Write1h, 0),
	}
}

func plus(a, b dialect.Tokens) dialect.Tokens {
	return dialect.Tokens{
		Input: a.Input + b.Input, Output: a.Output + b.Output, Read: a.Read + b.Read,
		Write: a.Write + b.Write, Write5m: a.Write5m + b.Write5m, Write1h: a.Write1h + b.Write1h,
	}
}

// usage takes the tokens that an entry tells.
func (r *Rows) usage(x *dialect.Thing) {
	if !r.kinds.Has(dialect.Usage) || r.anew.told != nil && r.anew.has(dialect.Usage, fmt.Appendf(nil, "%s %v", x.Model, x.Tokens)) {
		return
	}
	switch x.Scope {
	case dialect.OfLog, dialect.OfRun:
		r.rest(r.newUsage(x), x.Scope)
	case dialect.OfRequest:
		u := r.newUsage(x)
		for _, o := range r.usages.open {
			if !o.isRequest && o.isLike(u) {
				return
			}
		}
		u.isRequest = true
		r.open(u)
	default:
		r.ofMessage(x)
	}
}

func (r *Rows) newUsage(x *dialect.Thing) *usage {
	model := dialect.First(x.Model.NonEmpty(), r.Model)
	return &usage{
		head: r.head.keep(), message: bytes.Clone(x.Message), model: bytes.Clone(model), speed: bytes.Clone(x.Speed), tokens: x.Tokens,
		cwd: r.cwd, branch: r.branch, agentType: bytes.Clone(dialect.First(r.told.AgentType, r.AgentType)), skill: bytes.Clone(r.told.Skill),
	}
}

// isLike reports whether u may tell the same tokens as b: of one request.
func (u *usage) isLike(b *usage) bool {
	return u.tokens == b.tokens && bytes.Equal(u.model, b.model) && bytes.Equal(u.head.agent, b.head.agent)
}

// open keeps u until some other messages have begun.
func (r *Rows) open(u *usage) {
	if len(r.usages.open) == most {
		r.endUsage()
	}
	r.usages.open = append(r.usages.open, u)
}

// ofMessage takes what an entry tells of a message. A counter of all tokens so far names a message that has no id.
func (r *Rows) ofMessage(x *dialect.Thing) {
	if x.Counter > 0 {
		root := r.root
		if r.copied.is && r.copied.root != nil {
			root = r.copied.root
		}
		x.Message = append(strconv.AppendInt(append(append([]byte{'"'}, bytes.Trim(root, `"`)...), ' '), x.Counter, 10), '"')
	}
	key := maphash.Bytes(seed, dialect.First(x.Message, r.head.uuid))
	for _, o := range r.usages.open {
		if o.key == key && !o.isRequest {
			if sum(x.Tokens) >= sum(o.tokens) {
				o.tokens = x.Tokens
				keep(&o.speed, x.Speed)
				if o.model == nil { // Codex counts before it says which model
					keep(&o.model, dialect.First(x.Model.NonEmpty(), r.Model))
				}
			}
			return
		}
	}
	if r.usages.used[key] { // a copy
		return
	}
	r.usages.used[key] = true
	if r.copied.is && !r.copies {
		return
	}
	u := r.newUsage(x)
	u.key = key
	for _, o := range r.usages.open {
		if o.isRequest && o.isLike(u) {
			o.isRequest, o.key, o.message = false, u.key, u.message
			return
		}
	}
	r.open(u)
}

// rest makes a row of what no message has told of a total, and remembers that it is told. A total that names no model is of all.
func (r *Rows) rest(u *usage, scope dialect.Scope) {
	r.endUsages()
	for key, told := range r.usages.told {
		if key == u.of() || u.model == nil && strings.HasPrefix(key, u.of()) { // a total without a model is of all models
			u.tokens = less(u.tokens, told)
			if scope == dialect.OfRun {
				delete(r.usages.told, key)
			}
		}
	}
	u.message = nil
	if sum(u.tokens) > 0 {
		r.usageRow(u)
	}
	if scope == dialect.OfRun {
		delete(r.usages.told, u.of())
	}
}

// of returns what totals are told of: a session and a model. Without a model it is the beginning of those of the session.
func (u *usage) of() string { return string(u.head.session) + " " + string(u.model) }

// endUsages makes the rows of all messages that are open.
func (r *Rows) endUsages() {
	for len(r.usages.open) > 0 {
		r.endUsage()
	}
}

// endUsage makes the row of the message that has been open for the longest time.
func (r *Rows) endUsage() {
	u := r.usages.open[0]
	r.usages.open = slices.Delete(r.usages.open, 0, 1)
	r.usageRow(u)
}

func (r *Rows) usageRow(u *usage) {
	of := u.of()
	r.usages.told[of] = plus(r.usages.told[of], u.tokens)
	r.beginAt(dialect.Usage, &u.head)
	r.value("message", u.message)
	r.value("model", u.model)
	if u.speed != nil {
		r.value("speed", u.speed)
	}
	t := u.tokens
	r.number64("input", t.Input)
	r.number64("output", t.Output)
	r.number64("cacheWrite", t.Write)
	r.number64("cacheWrite5m", t.Write5m)
	r.number64("cacheWrite1h", t.Write1h)
	r.number64("cacheRead", t.Read)
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
	r.end()
}

// A bill is the last that the client told since it started. It counts all since then, and so grows.
type bill struct {
	start   string // the time, or, of a capture, the session
	dollars float64
	row     []byte
}

// addBill takes what the client counted.
func (r *Rows) addBill(x *dialect.Thing) {
	if !r.kinds.Has(dialect.Bill) {
		return
	}
	of := x.Told.Member
	start := string(dialect.First(of("startTime"), of("session_id")))
	cost := dialect.First(of("totalCostUSD"), of("total_cost_usd"))
	dollars, _ := strconv.ParseFloat(string(cost), 64)
	if r.bill.row != nil && (r.bill.start != start || dollars < r.bill.dollars) {
		r.endBill()
	}
	r.begin(dialect.Bill)
	r.value("dollars", cost)
	r.number64("input", x.Tokens.Input)
	r.number64("output", x.Tokens.Output)
	r.number64("cacheWrite", x.Tokens.Write)
	r.number64("cacheRead", x.Tokens.Read)
	r.value("linesAdded", of("totalLinesAdded"))
	r.value("linesRemoved", of("totalLinesRemoved"))
	if ms, ok := of("totalDuration").Int(); ok {
		r.float("seconds", float64(ms)/1000)
	} else {
		r.value("seconds", nil)
	}
	r.bill = bill{start, dollars, r.rowOf(r.end)}
}

func (r *Rows) endBill() {
	if r.bill.row != nil {
		r.print(r.bill.row)
		r.bill = bill{}
	}
}
