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

// A neighborhood is the logs of a home by what the beginning of each tells: its session, the session
// that it names as its parent, and its first entry.
type neighborhood struct {
	bySession         map[string]string   // the name of the first log
	byParent, byFirst map[string][]string // sessions
	after             map[string][]string // sessions, by the one that their logs name as their origin
}

// neighbors returns the logs of a home. It reads their beginnings once.
func (p *printer) neighbors(h *session.Home) *neighborhood {
	n := p.near[h.Path(".")]
	if n == nil {
		n = &neighborhood{map[string]string{}, map[string][]string{}, map[string][]string{}, map[string][]string{}}
		logs := h.Logs()
		slices.SortStableFunc(logs, func(a, b session.Member) int { return strings.Compare(a.Session, b.Session) })
		for _, log := range logs {
			n.bySession[log.Session] = cmp.Or(n.bySession[log.Session], log.Name)
			parent, first, origin := beginning(entriesOf(h, log.Name))
			n.after[origin] = append(n.after[origin], log.Session)
			n.byParent[parent] = append(n.byParent[parent], log.Session)
			if first != "" {
				n.byFirst[first] = append(n.byFirst[first], log.Session)
			}
		}
		p.near[h.Path(".")] = n
	}
	return n
}

// beginning returns the session that a log names as its parent, what identifies its first entry, and the
// session that this names as its origin.
func beginning(log iter.Seq[*entry.Entry]) (parent, first, origin string) {
	for e := range log {
		if parent == "" {
			parent = parentOf(e)
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

// parentOf returns the id of the session that e, the first entry of a log, names as its parent, "" if
// it names none.
func parentOf(e *entry.Entry) string {
	parent := string(dialect.Of(e).Session(e).Parent.Text())
	if id := session.Owner(filepath.Base(parent)); id != "" { // it may be a log
		return id
	}
	return parent
}
