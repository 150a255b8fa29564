package main

import (
	"cmp"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/relation"
	"jl/internal/session"
)

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
