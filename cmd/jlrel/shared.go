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
}

// neighbors returns the logs of a home. It reads their beginnings once.
func (p *printer) neighbors(h *session.Home) *neighborhood {
	n := p.near[h.Path(".")]
	if n == nil {
		n = &neighborhood{map[string]string{}, map[string][]string{}, map[string][]string{}}
		logs := h.Logs()
		slices.SortStableFunc(logs, func(a, b session.Member) int { return strings.Compare(a.Session, b.Session) })
		for _, log := range logs {
			n.bySession[log.Session] = cmp.Or(n.bySession[log.Session], log.Name)
			parent, first := beginning(entriesOf(h, log.Name))
			n.byParent[parent] = append(n.byParent[parent], log.Session)
			if first != "" {
				n.byFirst[first] = append(n.byFirst[first], log.Session)
			}
		}
		p.near[h.Path(".")] = n
	}
	return n
}

// beginning returns the session that a log names as its parent, and what identifies its first entry.
func beginning(log iter.Seq[*entry.Entry]) (parent, first string) {
	for e := range log {
		if parent == "" {
			parent = parentOf(e)
		}
		id, unique := relation.Identity(e)
		if id != "" {
			if first = id; !unique {
				first = "" // other logs may begin so, too
			}
			if origin, _ := relation.Fork(e); origin != nil && parent == "" {
				parent = string(origin.Text())
			}
			break
		}
		if e.Pos.Offset > 1<<20 {
			break // a conversation begins earlier
		}
	}
	return parent, first
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
