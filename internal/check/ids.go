package check

import (
	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/says"
	"jl/internal/shape"
)

// duplicates reports the entries whose id an earlier entry has. One that says the same in another folder, branch or
// release is a note.
func (l *Log) duplicates() {
	for _, d := range l.t.Duplicates {
		severity := record.Damage
		if d.Same {
			severity = record.Warning
		} else if shape.SaysTheSame(l.both(d.Earlier, d.Later)) {
			severity = record.Note
		}
		if f, ok := l.finding(severity, "duplicate id", d.Later); ok {
			l.give(record.Duplicate{Finding: f, ID: l.idOf(l.t.EntryAt(d.Later)), With: record.Place(d.Earlier), Same: d.Same})
		}
	}
}

// snapshotIDs reports the nodes whose id is the messageId of a file-history entry. In every sound log a snapshot names
// the entry at which it was taken in this way. Readers that look entries up by messageId lose that entry.
func (l *Log) snapshotIDs() {
	for n, at := range l.t.Snapshots() {
		if !l.t.Has(n) {
			continue
		}
		if f, ok := l.finding(record.Note, "id equal to a snapshot messageId", at); ok {
			id := record.Scalar(l.t.EntryAt(at).Get(entry.MessageID))
			l.give(record.SnapshotID{Finding: f, ID: id, With: record.Place(l.t.Pos(n))})
		}
	}
}

// session reports the first entry of each session except the first session. An entry without an id may be
// about another session.
func (l *Log) session(e *entry.Entry) {
	id := e.Get(entry.SessionID)
	if id.IsEmpty() || l.dialect.IDOf(e) == nil || l.sessions[string(id.Text())] {
		return
	}
	l.sessions[string(id.Text())] = true
	if len(l.sessions) == 1 {
		l.first = record.Place(e.Pos)
		return
	}
	if f, ok := l.finding(record.Warning, "another session", e.Pos); ok {
		l.give(record.AnotherSession{Finding: f, ID: l.idOf(e), SessionID: record.Scalar(id), With: l.first})
	}
}

// ordinal reports an entry whose ordinal an earlier one has, and an entry that skips ordinals: Codex refuses a
// thread with such entries, or does not go on with it.
func (l *Log) ordinal(e *entry.Entry) {
	n, ok := l.dialect.Ordinal(e)
	if !ok {
		return
	}
	if above, ok := says.About(l.dialect, e).Above.Int(); ok { // a revert, or a fork, goes on from there
		l.ordinals = min(l.ordinals, above)
	}
	name, next := "", l.ordinals
	switch {
	case next > 0 && n < next:
		name = "ordinal used twice"
	case next > 0 && n > next:
		name = "ordinal missing"
	}
	if name != "" {
		if f, ok := l.finding(record.Warning, name, e.Pos); ok {
			l.give(record.Ordinal{Finding: f, Ordinal: n, Expected: next})
		}
	}
	l.ordinals = max(next, n+1)
}
