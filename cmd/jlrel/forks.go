package main

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/hashset"
	"jl/internal/record"
	"jl/internal/relation"
	"jl/internal/said"
	"jl/internal/says"
	"jl/internal/session"
)

// A fork is the part of a session that another one has, too.
type fork struct {
	order int // of the entry where the link is found
	link  record.ForkLink
	named bool // one log names the other session, even if they share no entries
	this  bool // it is the log that is read
}

// forkOf returns the fork from or to another session, whose id is a string.
func (l *linker) forkOf(other record.Raw, at pos) *fork {
	id := string(entry.Value(other).Text())
	if l.forks[id] == nil {
		l.forks[id] = &fork{order: l.next(), link: record.ForkLink{Link: "fork", To: other, Logs: record.Logs{File: at.file}}}
	}
	return l.forks[id]
}

// forked remembers an entry that another session had first, and what e says about other sessions.
func (l *linker) forked(e *entry.Entry, at pos) {
	if to := relation.ContinuedIn(e); to != nil {
		f := l.forkOf(raw(to), at)
		f.link.Link, f.named = "continued", true
	}
	if l.first == "" {
		l.first = string(says.SessionOf(e).Text())
	}
	origin, message := relation.Fork(e)
	isFork := origin != nil
	if first := relation.Origin(e); first != nil {
		l.origins[string(first.Text())] = true
	}
	if id := says.SessionOf(e); !isFork && at.id != nil && l.own != "" && session.IsID(string(id.Text())) {
		if id.Is(l.own) {
			l.isOwn = true
		} else {
			origin, message = id, e.Get(entry.UUID)
		}
	}
	if origin == nil {
		if l.latest != nil && at.id != nil {
			l.latest.link.OwnLine, l.latest = &at.line, nil
		}
		return
	}
	id := string(origin.Text())
	if message != nil && !l.copied.Add(id+"\x00"+string(message.Text())) {
		return // it is in a copy of the log, too
	}
	f := l.forkOf(raw(origin), at)
	if f.link.From == nil && l.own == "" {
		f.link.From = raw(says.SessionOf(e))
	}
	f.named, f.this = f.named || isFork, true
	f.link.Entries++
	f.link.Entry, f.link.Line, f.link.ToEntry, f.link.OwnLine = at.id, at.number(), raw(message), nil
	l.latest = f
}

// others finds the sessions with which the log of a session shares entries, and those that name that
// session, among the logs of a home.
func (l *linker) others(log session.Member) {
	if !l.isOwn { // the log has one session, under another name
		maps.DeleteFunc(l.forks, func(_ string, f *fork) bool { return !f.named })
	}
	near := l.neighbors(log.Home)
	b := beginningOf(l.entriesOf(log))
	if b.parent != "" && b.parent != log.Session {
		f := l.forkOf(record.Text(b.parent), pos{file: l.file})
		f.named, f.this = true, true
	}
	children, after := map[string]bool{}, map[string]bool{b.origin: b.origin != ""}
	for _, id := range near["parent"+log.Session] {
		children[id] = true
	}
	for _, id := range near["after"+log.Session] {
		after[id] = true
	}
	for _, other := range slices.Concat(near["parent"+log.Session], l.sharing(log, b, near), near["after"+log.Session], []string{b.origin}) {
		if other != "" && other != log.Session {
			l.forkOf(record.Text(other), pos{file: l.file})
		}
	}
	var own *content
	for id, f := range l.forks {
		if f.link.From == nil {
			f.link.From = record.Text(log.Session)
		}
		if logs := near["log"+id]; logs != nil {
			if log.Home != l.h {
				f.link.Path = record.Text(log.Home.Path(logs[0]))
			}
			if f.link.Entries == 0 {
				if own == nil { // it may be long, and have thousands of forks
					own = l.contentOf(log)
				}
				l.share(f, own, session.Member{Home: log.Home, Session: id, Name: logs[0]}, children[id])
			}
		}
		if f.link.Entries == 0 && !f.named && after[id] { // /clear ended a session, and began the other
			f.link.Link, f.link.OwnLine, f.named = "continued", nil, true
			if id == b.origin {
				f.link.From, f.link.To = f.link.To, f.link.From
			}
		}
	}
}

// sharing returns the sessions whose logs begin with an entry of the log, and those whose logs have the entry that
// the log begins with: a fork may begin at a compaction, in the middle of the other log. Of ids shorter than
// [said.OwnLen] only those of the first entries of two logs are compared.
func (l *linker) sharing(log session.Member, b beginning, near map[string][]string) (sessions []string) {
	has := hashset.Set{}
	for e := range l.identified(log) {
		for _, id := range e.ids {
			isFirst := len(has) == 0
			if has.Add(id) && (isFirst || len(id) >= said.OwnLen) {
				sessions = append(sessions, near["first"+id]...)
			}
		}
	}
	for _, first := range b.first {
		if first.above == "" || has.Has(first.above) || len(first.ids[0]) < said.OwnLen {
			continue
		}
		for _, other := range log.Home.Logs() { // what is above it is in another log, maybe with the entry itself
			if l.hasEntry(other, first.ids[0]) {
				sessions = append(sessions, other.Session)
			}
		}
		break
	}
	return sessions
}

// hasEntry reports whether a log has an entry with an id.
func (p *printer) hasEntry(log session.Member, id string) bool {
	for e := range p.whole(log.Home.EntriesWith(log.Name, []byte(id))) {
		if its, _ := relation.Identity(e); its == id {
			return true
		}
	}
	return false
}

// share counts in f what a log has of another one in its home, or, if the other is the fork, what that has of the log.
// IsNamed says that the other log names the session of the log as its parent.
func (p *printer) share(f *fork, log *content, other session.Member, isNamed bool) {
	s, t := p.sharedBy(log, other)
	if s.ownLine == nil && !f.named {
		f.link.Link = "continued"
	}
	if f.link.Link == "fork" && !f.this && t.entries > 0 && (isNamed || t.ownLine != nil && s.before(&t)) {
		f.link.From, f.link.To = f.link.To, f.link.From
		f.link.Path = record.Text(other.Path())
		s = t
	}
	f.link.Entry, f.link.Line, f.link.ToEntry, f.link.Entries, f.link.OwnLine = s.entry, s.line, s.toEntry, s.entries, s.ownLine
}

// An identity is an entry and what it has in common with its copies in other logs: its id, and the keys of what it
// says, or else a text.
type identity struct {
	*entry.Entry
	ids  []string // the first is its own
	text string
}

// identified yields the entries of a log with what identifies them.
func (p *printer) identified(log session.Member) iter.Seq[identity] {
	return identifiedIn(p.entriesOf(log))
}

func identifiedIn(log iter.Seq[*entry.Entry]) iter.Seq[identity] {
	return func(yield func(identity) bool) {
		keys := said.NewKeys()
		for e := range log {
			x := identity{Entry: e}
			if id, isID := relation.Identity(e); isID {
				x.ids = append([]string{id}, keys.Of(e, dialect.Of(e))...)
			} else {
				x.text = id
			}
			if !yield(x) {
				return
			}
		}
	}
}

// idOf returns the id of e, nil if it has none.
func idOf(e *entry.Entry) record.Raw {
	if id := raw(e.Get(entry.UUID)); id != nil {
		return id
	}
	return raw(e.Get(entry.ID))
}

// entriesOf yields the entries of a log that the user did not name. It says, once, that the log cannot be read,
// because then links may be missing, but nothing about damaged lines.
func (p *printer) entriesOf(log session.Member) iter.Seq[*entry.Entry] {
	return p.whole(log.Home.Entries(log.Name))
}

// whole yields the entries among those of a log, as entriesOf.
func (p *printer) whole(log iter.Seq2[*entry.Entry, *session.PlaceError]) iter.Seq[*entry.Entry] {
	return func(yield func(*entry.Entry) bool) {
		for e, err := range log {
			if err == nil && !yield(e) {
				return
			}
			if err != nil {
				if _, isDamage := err.Err.(*entry.Damage); !isDamage {
					p.report(err)
				}
			}
		}
	}
}

// neighbors returns the logs of a home by what the beginning of each tells: under "log" and a session the
// names of its logs, and under "parent", "first" and "after" the sessions that name another as their parent,
// that have an entry among their first ones, and that name another as their origin. It reads the beginnings once.
func (p *printer) neighbors(h *session.Home) map[string][]string {
	n := p.near[h.Path(".")]
	if n == nil {
		n = map[string][]string{}
		logs := h.Logs()
		slices.SortStableFunc(logs, func(a, b session.Member) int { return strings.Compare(a.Session, b.Session) })
		for _, log := range logs {
			b := beginningOf(p.entriesOf(log))
			n["log"+log.Session] = append(n["log"+log.Session], log.Name)
			n["parent"+b.parent] = append(n["parent"+b.parent], log.Session)
			n["after"+b.origin] = append(n["after"+b.origin], log.Session)
			for i, first := range b.first {
				for _, id := range first.ids {
					if i == 0 || len(id) >= said.OwnLen {
						n["first"+id] = append(n["first"+id], log.Session)
					}
				}
			}
		}
		p.near[h.Path(".")] = n
	}
	return n
}

// A beginning is what the first entries of a log tell: the session that it names as its parent, the entries with
// ids, each with what is above it, and the session that the first of them names as its origin.
type beginning struct {
	parent, origin string
	first          []first
}

// A first is one of the first entries: what it has in common with its copies, its own id first, and the id of what is
// above it.
type first struct {
	ids   []string
	above string
}

// firstMost is how many entries a fork may begin with before those that it has from another log.
const firstMost = 8

func beginningOf(log iter.Seq[*entry.Entry]) (b beginning) {
	begun := false
	for e := range identifiedIn(log) {
		d := dialect.Of(e.Entry)
		if b.parent == "" {
			b.parent = session.ParentOf(says.About(d, e.Entry))
		}
		if !begun && len(e.ids)+len(e.text) > 0 {
			begun = true
			b.origin = string(relation.Origin(e.Entry).Text())
			if from, _ := relation.Fork(e.Entry); from != nil && b.parent == "" {
				b.parent = string(from.Text())
			}
		}
		if e.text != "" {
			break // other logs may begin so, too
		}
		if len(e.ids) > 0 {
			above := string(d.LogicalParentOf(e.Entry).Text())
			b.first = append(b.first, first{e.ids, cmp.Or(above, string(d.ParentOf(e.Entry).Text()))})
		}
		if len(b.first) == firstMost || e.Pos.Offset > 1<<20 {
			break // a conversation begins earlier
		}
	}
	return b
}
