package log_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"
)

// This file says the rule of paths again, as plainly as possible and slowly. It shares no code with the
// package.

// A refEntry holds what the rule reads of an entry.
type refEntry struct {
	UUID, Type, Subtype, SessionID, ParentUUID, LogicalParentUUID, PlanContent string

	Timestamp                             string
	IsSidechain, IsMeta, IsCompactSummary bool
	IsAPIErrorMessage, IsSynthetic        bool
	Origin                                struct{ Kind string }
	CompactMetadata                       struct {
		PreservedMessages struct {
			UUIDs      []string
			AnchorUUID string
		}
		PreservedSegment struct{ HeadUUID, TailUUID, AnchorUUID string }
	}
	Message struct {
		ID      string
		Content json.RawMessage
	}
	place int
	text  string // the line
}

type refBlock struct {
	Type, ID, Text string
	ToolUseID      string `json:"tool_use_id"`
}

func (e *refEntry) blocks() (blocks []refBlock) {
	_ = json.Unmarshal(e.Message.Content, &blocks) // else there are none
	return blocks
}

func (e *refEntry) boundary() bool { return e.Type == "system" && e.Subtype == "compact_boundary" }

func (e *refEntry) talks() bool {
	return slices.Contains([]string{"user", "assistant", "attachment", "system"}, e.Type)
}

func (e *refEntry) speaks() bool { return e.Type == "user" || e.Type == "assistant" }

func (e *refEntry) instant() int64 {
	if at, err := time.Parse(time.RFC3339, e.Timestamp); err == nil {
		return at.UnixMicro()
	}
	return math.MinInt64
}

// results returns the calls that a user entry answers.
func (e *refEntry) results() (ids []string) {
	for _, b := range e.blocks() {
		if e.Type == "user" && b.Type == "tool_result" {
			ids = append(ids, b.ToolUseID)
		}
	}
	return ids
}

// firstText returns the first text of the message, or nil.
func (e *refEntry) firstText() *string {
	var text string
	if json.Unmarshal(e.Message.Content, &text) == nil {
		return &text
	}
	for _, b := range e.blocks() {
		if b.Type == "text" {
			return &b.Text
		}
	}
	return nil
}

// prompt reports whether a person typed the entry.
func (e *refEntry) prompt() bool {
	text, kind := e.firstText(), e.Origin.Kind
	if e.IsSynthetic || e.IsMeta && kind != "channel" || kind != "" && kind != "human" && kind != "channel" {
		return false
	}
	return e.Type == "user" && !e.IsCompactSummary && text != nil && len(e.results()) == 0 &&
		!slices.ContainsFunc([]string{"[Request interrupted", "<command-name>", "<local-command-", "<bash-"}, func(tag string) bool { return strings.HasPrefix(*text, tag) })
}

// A refKey says where a message or call is known: copies of a conversation have another session.
type refKey struct {
	id, session string
	side        bool
	era         int
}

type refTurn struct {
	message bool
	entries []*refEntry
	above   *refTurn
	below   []*refTurn
	beside  []*refTurn // what hangs below it and belongs to its paths
}

// A refLog is a log. Its entries are those that count, in file order.
type refLog struct {
	entries []*refEntry
	at      map[string]*refEntry
	up      map[*refEntry]*refEntry
	kept    map[*refEntry][]*refEntry // by boundary
	turn    map[*refEntry]*refTurn
	turns   []*refTurn
	gone    []*refTurn // what belongs to others
}

func newRefLog(log string) *refLog {
	l := &refLog{at: map[string]*refEntry{}, up: map[*refEntry]*refEntry{}, kept: map[*refEntry][]*refEntry{}, turn: map[*refEntry]*refTurn{}}
	place := 0
	for line := range strings.Lines(log) {
		e := &refEntry{place: place}
		if place++; json.Unmarshal([]byte(line), e) == nil && e.UUID != "" {
			if e.text = line; l.at[e.UUID] == nil || l.at[e.UUID].text != line { // a copy is no news
				l.at[e.UUID] = e
			}
		}
	}
	for _, e := range l.at {
		l.entries = append(l.entries, e)
		l.up[e] = l.at[e.ParentUUID]
	}
	slices.SortFunc(l.entries, func(a, b *refEntry) int { return a.place - b.place })
	l.keep()
	l.group()
	l.attach()
	return l
}

// keep finds what boundaries kept; what comes after one and hangs on a kept entry hangs on its summary.
func (l *refLog) keep() {
	written := map[*refEntry]*refEntry{}
	for e, up := range l.up {
		written[e] = up
	}
	for _, b := range l.entries {
		if !b.boundary() {
			continue
		}
		list, segment := b.CompactMetadata.PreservedMessages, b.CompactMetadata.PreservedSegment
		keep, anchor := map[*refEntry]bool{}, segment.AnchorUUID
		if len(list.UUIDs) > 0 {
			anchor = list.AnchorUUID
			for _, id := range list.UUIDs {
				if e := l.at[id]; e != nil {
					keep[e] = true
				}
			}
		} else {
			e := l.at[segment.TailUUID]
			for ; e != nil && !keep[e]; e = written[e] {
				keep[e] = true
				if e.UUID == segment.HeadUUID {
					break
				}
			}
			if e == nil || e.UUID != segment.HeadUUID {
				keep = nil
			}
		}
		later := false
		for e := range keep {
			later = later || e.place > b.place
		}
		if len(keep) == 0 || later {
			continue
		}
		for _, e := range l.entries {
			if keep[e] {
				l.kept[b] = append(l.kept[b], e)
			}
		}
		l.up[b] = nil
		hook := b
		if a := l.at[anchor]; a != nil && written[a] == b && a.IsSidechain == b.IsSidechain {
			hook = a
		}
		for _, e := range l.entries {
			if e.place > b.place && keep[written[e]] && e != hook {
				l.up[e] = hook
			}
		}
	}
}

// group makes the turns.
func (l *refLog) group() {
	messages, makers, where, era := map[refKey]*refTurn{}, map[refKey]*refTurn{}, map[*refEntry]refKey{}, 0
	of := map[*refEntry]*refTurn{}
	for _, e := range l.entries {
		if e.boundary() {
			era++
		}
		k := refKey{"", e.SessionID, e.IsSidechain, era}
		where[e], of[e] = k, &refTurn{}
		if e.Type != "assistant" || e.Message.ID == "" {
			continue
		}
		if k.id = e.Message.ID; messages[k] == nil {
			messages[k] = &refTurn{message: true}
		}
		of[e] = messages[k]
		for _, b := range e.blocks() {
			if k.id = b.ID; b.Type == "tool_use" && makers[k] == nil {
				makers[k] = of[e]
			}
		}
	}
	eraOf := func(t *refTurn) int {
		for k, m := range messages {
			if m == t {
				return k.era
			}
		}
		return -1
	}
	for _, e := range l.entries {
		var made *refTurn
		for _, id := range e.results() {
			k := where[e]
			if k.id = id; made == nil {
				made = makers[k]
			}
		}
		if up := l.up[e]; made != nil {
			of[e] = made
		} else if len(e.results()) > 0 && up != nil && of[up].message && eraOf(of[up]) == where[e].era {
			of[e] = of[up]
		}
	}
	for e, t := range of {
		l.turn[e] = t
	}
	for _, e := range l.entries {
		var between []*refEntry
		n := l.up[e]
		for of[e].message && n != nil && !of[n].message && !slices.Contains(between, n) {
			between = append(between, n)
			n = l.up[n]
		}
		if n != nil && of[n] == of[e] {
			for _, x := range between {
				l.turn[x] = of[e]
			}
		}
	}
	for _, e := range l.entries {
		t := l.turn[e]
		if len(t.entries) == 0 {
			l.turns = append(l.turns, t)
		}
		t.entries = append(t.entries, e)
	}
	for _, t := range l.turns {
		if t.above = l.leave(t); t.above != nil {
			t.above.below = append(t.above.below, t)
		}
	}
}

// leave returns the turn above t: where the parents of its first entry lead out of it, or else those of the
// next, and so on.
func (l *refLog) leave(t *refTurn) *refTurn {
	for _, e := range t.entries {
		seen := map[*refEntry]bool{}
		for e != nil && l.turn[e] == t && !seen[e] {
			seen[e] = true
			e = l.up[e]
		}
		if e != nil && l.turn[e] != t {
			return l.turn[e]
		}
	}
	return nil
}

// anchor returns the anchor that a boundary names.
func (e *refEntry) anchor() string {
	if list := e.CompactMetadata.PreservedMessages; list.UUIDs != nil || list.AnchorUUID != "" {
		return list.AnchorUUID
	}
	return e.CompactMetadata.PreservedSegment.AnchorUUID
}

// logical returns the turn at which a path goes on above a turn that is a root, across a compaction.
func (l *refLog) logical(t *refTurn) *refTurn {
	i := slices.IndexFunc(t.entries, (*refEntry).boundary)
	if i < 0 {
		return nil
	}
	b := t.entries[i]
	top := l.at[b.LogicalParentUUID]
	if top != nil && (!slices.Contains(l.kept[b], top) || b.anchor() != b.UUID) {
		return l.turn[top]
	}
	var newest *refEntry
	var below []*refTurn
	if top != nil {
		below = l.turn[top].subtree()
	}
	for _, e := range l.entries {
		if top != nil && !slices.Contains(below, l.turn[e]) {
			continue
		}
		if e.place < b.place && e.talks() && e.IsSidechain == b.IsSidechain && l.turn[e] != t && (newest == nil || e.instant() >= newest.instant()) {
			newest = e
		}
	}
	if newest == nil {
		return nil
	}
	return l.turn[newest]
}

func (l *refLog) chain(t *refTurn, through bool) (chain []*refTurn) {
	for todo := []*refTurn{t}; len(todo) > 0; {
		t, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if t == nil || slices.Contains(chain, t) {
			continue
		}
		chain = append(chain, t)
		if t.above != nil {
			todo = append(todo, t.above)
		} else if through {
			todo = append(todo, l.history(t)...)
		}
	}
	return chain
}

// history returns the turns at which a path goes on above a root.
func (l *refLog) history(t *refTurn) []*refTurn {
	if !t.has((*refEntry).boundary) {
		return []*refTurn{l.before(t)}
	}
	turns := []*refTurn{l.logical(t)}
	for _, b := range t.entries {
		for _, k := range l.kept[b] {
			turns = append(turns, l.turn[k])
		}
	}
	return turns
}

// before returns the turn that a lost parent, or an approved plan, came after.
func (l *refLog) before(t *refTurn) *refTurn {
	e, below := t.entries[0], t.subtree()
	lost := e.ParentUUID != "" && l.up[e] == nil
	if !lost && (!e.plan() || e.IsSidechain) {
		return nil
	}
	var newest, last *refEntry
	for _, n := range l.entries {
		if slices.Contains(below, l.turn[n]) || n.IsSidechain != e.IsSidechain {
			continue
		}
		if n.place < e.place {
			last = n
		}
		isBefore := n.instant() <= e.instant()
		if !lost {
			isBefore = n.place < e.place && n.talks() && n.SessionID == e.SessionID
		}
		if isBefore && (newest == nil || n.instant() >= newest.instant()) {
			newest = n
		}
	}
	if newest == nil && lost {
		newest = last
	}
	if newest == nil {
		return nil
	}
	return l.turn[newest]
}

// plan reports whether an entry tells the model to carry out a plan that was approved.
func (e *refEntry) plan() bool {
	text := e.firstText()
	return e.Type == "user" && e.ParentUUID == "" && (e.PlanContent != "" || text != nil && strings.HasPrefix(*text, "Implement the following plan:"))
}

// subtree returns t and all turns below it.
func (t *refTurn) subtree() []*refTurn {
	out := []*refTurn{t}
	for i := 0; i < len(out); i++ {
		for _, c := range out[i].below {
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

func (t *refTurn) has(is func(*refEntry) bool) bool { return slices.ContainsFunc(t.entries, is) }

func isRefAnswer(e *refEntry) bool { return e.Type == "assistant" && !e.IsAPIErrorMessage }
func isRefSpoken(e *refEntry) bool { return e.Type == "user" || isRefAnswer(e) }
func onRefMain(e *refEntry) bool   { return !e.IsSidechain }

// any reports whether an entry of t or below, on no sidechain, is something.
func (t *refTurn) any(is func(*refEntry) bool) bool {
	return slices.ContainsFunc(t.subtree(), func(x *refTurn) bool {
		return x.has(func(e *refEntry) bool { return !e.IsSidechain && is(e) })
	})
}

// step returns what comes first at or below t, along its newest line: "asked", "said" or neither.
func (t *refTurn) step() string {
	for t != nil {
		switch {
		case t.has((*refEntry).prompt):
			return "asked"
		case t.has(isRefAnswer):
			return "said"
		case len(t.below) == 0:
			return ""
		}
		last := func(t *refTurn) int { return t.entries[len(t.entries)-1].place }
		t = slices.MaxFunc(t.below, func(a, b *refTurn) int { return last(a) - last(b) })
	}
	return ""
}

// attach finds what hangs below a turn and is no choice of the user.
func (l *refLog) attach() {
	for _, t := range l.turns {
		for _, c := range t.below {
			asked, said := c.any((*refEntry).prompt), c.any(isRefAnswer)
			mute := !c.any(isRefSpoken) && c.any((*refEntry).talks)
			sent := asked && !said && l.meanwhile(c)
			answer := said && !asked && slices.ContainsFunc(t.below, func(d *refTurn) bool {
				return d != c && d.step() == "asked" && !d.has((*refEntry).prompt)
			})
			if !mute && !sent && !answer {
				continue
			}
			l.gone = append(l.gone, c.subtree()...)
			for _, x := range c.subtree() {
				if x.has(onRefMain) {
					t.beside = append(t.beside, x)
				}
			}
		}
	}
}

// meanwhile reports whether t hangs on a call, a result or a prompt.
func (l *refLog) meanwhile(t *refTurn) bool {
	up := l.up[t.entries[0]]
	return up != nil && (up.prompt() || slices.ContainsFunc(up.blocks(), func(b refBlock) bool { return b.Type == "tool_use" || b.Type == "tool_result" }))
}

// path returns the path that ends at an entry, in file order.
func (l *refLog) path(leaf *refEntry, through bool) (path []*refEntry) {
	on := map[*refEntry]bool{}
	for _, t := range l.chain(l.turn[leaf], through) {
		for _, x := range append([]*refTurn{t}, t.beside...) {
			for _, e := range x.entries {
				on[e] = true
			}
		}
		for _, e := range t.entries {
			for _, k := range l.kept[e] {
				on[k] = true
			}
		}
	}
	for _, e := range l.entries {
		if on[e] {
			path = append(path, e)
		}
	}
	return path
}

// leaves returns the turns that are leaves, the newest first.
func (l *refLog) leaves() []*refTurn {
	main := slices.ContainsFunc(l.entries, func(e *refEntry) bool { return e.talks() && !e.IsSidechain })
	talks, inner, gone, kept := map[*refTurn]bool{}, map[*refTurn]bool{}, map[*refTurn]bool{}, map[*refEntry]bool{}
	for _, t := range l.turns {
		talks[t] = t.has(func(e *refEntry) bool { return e.talks() && !(main && e.IsSidechain) })
	}
	for _, t := range l.gone {
		gone[t] = true
	}
	for _, t := range l.turns {
		seen, n := map[*refTurn]bool{t: true}, t.above
		for talks[t] && !gone[t] && n != nil && !seen[n] && !talks[n] {
			seen[n] = true
			n = n.above
		}
		if talks[t] && !gone[t] && n != nil && n != t {
			inner[n] = true
		}
	}
	past := map[*refTurn]bool{}
	for _, b := range l.entries {
		if b.boundary() && inner[l.turn[b]] {
			for _, h := range l.history(l.turn[b]) {
				for _, t := range l.chain(h, true) {
					past[t] = true
				}
			}
			for _, e := range l.kept[b] {
				kept[e] = true
			}
		}
	}
	var all, free, living []*refTurn
	for _, t := range l.turns {
		if talks[t] {
			all = append(all, t)
		}
		if talks[t] && !inner[t] && !gone[t] {
			free = append(free, t)
			if !past[t] && t.has(func(e *refEntry) bool { return !kept[e] }) {
				living = append(living, t)
			}
		}
	}
	if len(living) == 0 {
		living = free
	}
	if len(living) == 0 {
		living = all
	}
	slices.SortFunc(living, func(a, b *refTurn) int { return compareKeys(l.age(b), l.age(a)) })
	return living
}

// all returns the entries of t and of what belongs to it.
func (t *refTurn) all() []*refEntry {
	entries := t.entries
	for _, x := range t.beside {
		entries = append(slices.Clip(entries), x.entries...)
	}
	return entries
}

func compareKeys(a, b [3]int64) int { return slices.Compare(a[:], b[:]) }

// age returns whether somebody speaks at or above t, and the newest instant of t with its place.
func (l *refLog) age(t *refTurn) (age [3]int64) {
	age = [3]int64{0, math.MinInt64, -1}
	for _, x := range l.chain(t, false) {
		if x.has((*refEntry).speaks) {
			age[0] = 1
		}
	}
	for _, e := range t.all() {
		if own := [3]int64{age[0], e.instant(), int64(e.place)}; e.talks() && compareKeys(own, age) > 0 {
			age = own
		}
	}
	return age
}

func (t *refTurn) leaf() (leaf *refEntry) {
	for _, e := range t.all() {
		if e.talks() && (leaf == nil || e.place > leaf.place) {
			leaf = e
		}
	}
	return leaf
}

// ends returns the leaves that are in the history of no newer one and say something of their own.
func (l *refLog) ends() (ends []*refEntry) {
	seen := map[*refTurn]bool{}
	for _, t := range l.leaves() {
		chain, speaks := l.chain(t, true), false
		for _, x := range chain {
			speaks = speaks || !seen[x] && x.has((*refEntry).speaks)
		}
		if !seen[t] && speaks || len(ends) == 0 {
			ends = append(ends, t.leaf())
		}
		for _, x := range chain {
			for _, y := range append(x.beside, x) {
				seen[y] = true
			}
		}
	}
	return ends
}
