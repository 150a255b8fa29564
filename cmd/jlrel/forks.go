package main

import (
	"cmp"
	"hash/maphash"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/relation"
	"jl/internal/session"
)

// A fork is the part of a session that another one has, too.
type fork struct {
	order int // of the entry where the link is found
	link  record.ForkLink
	named bool // the log names the other session, even if they share no entries
}

// forkOf returns the fork from or to another session, whose id is a string.
func (l *linker) forkOf(other record.Raw, at pos) *fork {
	id := string(entry.Value(other).Text())
	if l.forks[id] == nil {
		l.forks[id] = &fork{order: l.next(), link: record.ForkLink{Link: "fork", To: other, Logs: record.Logs{File: at.file}}}
	}
	return l.forks[id]
}

// copied takes an entry that is a copy of a message.
func (f *fork) copied(at pos, message record.Raw) {
	f.link.Entries++
	f.link.Entry, f.link.Line, f.link.ToEntry, f.link.OwnLine = at.id, at.number(), message, nil
}

// forked remembers an entry that another session had first, and what e says about other sessions.
func (l *linker) forked(e *entry.Entry, at pos) {
	if to := relation.ContinuedIn(e); to != nil {
		f := l.forkOf(raw(to), at)
		f.link.Link, f.named = "continued", true
	}
	if l.told == "" {
		l.told = string(dialect.SessionOf(e).Text())
	}
	origin, message := relation.Fork(e)
	isFork := origin != nil
	if first := relation.Origin(e); first != nil {
		l.origins[string(first.Text())] = true
	}
	if id := dialect.SessionOf(e); !isFork && at.id != nil && l.own != "" && session.IsID(string(id.Text())) {
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
		f.link.From = raw(dialect.SessionOf(e))
	}
	f.named = f.named || isFork
	f.copied(at, raw(message))
	l.latest = f
}

// others finds the sessions with which the log of a session shares entries, and those that name that
// session, among the logs of a home.
func (l *linker) others(mine session.Member) {
	if !l.isOwn { // the log has one session, under another name
		maps.DeleteFunc(l.forks, func(_ string, f *fork) bool { return !f.named })
	}
	near := l.neighbors(mine.Home)
	parent, first, origin := beginning(entriesOf(mine.Home, mine.Name))
	if parent != "" && parent != mine.Session {
		l.forkOf(record.Text(parent), pos{file: l.file}).named = true
	}
	after := near["after"+mine.Session]
	if origin != "" {
		after = append(after[:len(after):len(after)], origin)
	}
	for _, other := range slices.Concat(near["parent"+mine.Session], near["first"+first], after) {
		if other != mine.Session {
			l.forkOf(record.Text(other), pos{file: l.file})
		}
	}
	for id, f := range l.forks {
		if f.link.From == nil {
			f.link.From = record.Text(mine.Session)
		}
		if logs := near["log"+id]; logs != nil {
			if mine.Home != l.h {
				f.link.Path = record.Text(mine.Home.Path(logs[0]))
			}
			if f.link.Entries == 0 {
				l.share(f, mine, logs[0])
			}
		}
		if f.link.Entries == 0 && !f.named && slices.Contains(after, id) { // /clear ended a session, and began the other
			f.link.Link, f.link.OwnLine, f.named = "continued", nil, true
			if id == origin {
				f.link.From, f.link.To = f.link.To, f.link.From
			}
		}
	}
}

// share counts what a log has of another one in its home, whose entries may be copies of it. Entries with
// ids are copies wherever they are, others only from the beginning on.
func (l *linker) share(f *fork, mine session.Member, other string) {
	var theirs []uint64 // hashes of what identifies the entries, in order
	ids, copies, seed := map[uint64]bool{}, map[string]record.Raw{}, maphash.MakeSeed()
	for e := range entriesOf(mine.Home, other) {
		if id, isID := relation.Identity(e); id != "" {
			hash := maphash.String(seed, id)
			theirs = append(theirs, hash)
			ids[hash] = ids[hash] || isID
		}
		if origin, message := relation.Fork(e); origin.Is(mine.Session) {
			copies[string(message.Text())] = idOf(e)
		}
	}
	for e := range entriesOf(mine.Home, mine.Name) {
		id, isID := relation.Identity(e)
		if id == "" {
			continue
		}
		hash, message := maphash.String(seed, id), idOf(e)
		copied := isID && ids[hash]
		if !isID && f.link.OwnLine == nil && len(theirs) > 0 {
			copied, theirs = hash == theirs[0], theirs[1:]
		} else if !copied && copies[id] != nil {
			copied, message = true, copies[id]
		}
		line := e.Pos.Line
		if copied {
			f.copied(pos{idOf(e), l.file, line}, message)
		} else if f.link.OwnLine == nil {
			f.link.OwnLine = &line
		}
	}
	if f.link.OwnLine == nil && !f.named {
		f.link.Link = "continued"
	}
}

// idOf returns the id of e, nil if it has none.
func idOf(e *entry.Entry) record.Raw {
	if id := raw(e.Get(entry.UUID)); id != nil {
		return id
	}
	return raw(e.Get(entry.ID))
}

// entriesOf yields the entries of a log that nobody has asked about, without a word about damaged lines.
func entriesOf(h *session.Home, log string) iter.Seq[*entry.Entry] {
	return func(yield func(*entry.Entry) bool) {
		for e, err := range h.Entries(log) {
			if err == nil && !yield(e) {
				return
			}
		}
	}
}

// neighbors returns the logs of a home by what the beginning of each tells: under "log" and a session the
// names of its logs, and under "parent", "first" and "after" the sessions that name another as their parent,
// that have a first entry, and that name another as their origin. It reads the beginnings once.
func (p *printer) neighbors(h *session.Home) map[string][]string {
	n := p.near[h.Path(".")]
	if n == nil {
		n = map[string][]string{}
		logs := h.Logs()
		slices.SortStableFunc(logs, func(a, b session.Member) int { return strings.Compare(a.Session, b.Session) })
		for _, log := range logs {
			parent, first, origin := beginning(entriesOf(h, log.Name))
			n["log"+log.Session] = append(n["log"+log.Session], log.Name)
			for _, key := range []string{"parent" + parent, "first" + first, "after" + origin} {
				n[key] = append(n[key], log.Session)
			}
		}
		delete(n, "first") // of logs that have none
		p.near[h.Path(".")] = n
	}
	return n
}

// beginning returns the session that a log names as its parent, what identifies its first entry, and the
// session that this names as its origin.
func beginning(log iter.Seq[*entry.Entry]) (parent, first, origin string) {
	for e := range log {
		if parent == "" {
			parent = string(dialect.Of(e).Session(e).Parent.Text())
			parent = cmp.Or(session.Owner(filepath.Base(parent)), parent) // it may be a log
		}
		id, unique := relation.Identity(e)
		if id != "" {
			if first = id; !unique {
				first = "" // other logs may begin so, too
			}
			origin = string(relation.Origin(e).Text())
			if from, _ := relation.Fork(e); from != nil && parent == "" {
				parent = string(from.Text())
			}
			break
		}
		if e.Pos.Offset > 1<<20 {
			break // a conversation begins earlier
		}
	}
	return parent, first, origin
}
