package check

import (
	"bytes"
	"io"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/record"
	"jl/internal/shape"
)

// A Log is a log that is checked.
type Log struct {
	// Unfinished is the damage of the last line if the log may still be growing, or nil. It is
	// not a finding.
	Unfinished *entry.Damage

	asked   Asked
	stopped bool // found has returned false
	totals  record.Totals

	dialect  dialect.Dialect
	torn     map[entry.Pos]bool // the entries of damaged lines
	sessions map[string]bool    // by id
	ordinals int64              // 1 + the largest ordinal so far, 0 before the first
	hollow   []entry.Pos        // entries with empty thinking that has a signature
	thinks   bool               // some thinking has text
	first    record.Place       // the first entry of the first session

	list *list // the calls and results of a list, nil for a tree

	t     *log.Log   // nil while the log is read
	nodes []log.Node // of t

	written *forest.Forest // the nodes with the parents that their entries name
}

// listMost is how many ids or lines a row lists at most.
const listMost = 16

// Asked is what is asked about a log.
type Asked struct {
	Name  string         // of the log, in the rows
	Notes bool           // give the notes, too: they are counted anyway
	Found func(any) bool // takes the row of a finding, one of package record, and reports whether more are wanted
	Spare *dialect.Spare // has the memory to read with, nil for none
}

// Read reads the first size bytes of a log once, and gives what is wrong with single lines and entries, in the order of
// the log. Once asked.Found returns false, Read ends, and Found is not called again. If reading fails, Read returns
// what it knows of the entries up to there, and the error. [Log.Check] finds the rest, unless the error is
// [dialect.ErrNotLog].
func Read(r io.ReaderAt, size int64, asked Asked) (*Log, error) {
	l := &Log{asked: asked, torn: map[entry.Pos]bool{}, sessions: map[string]bool{}, totals: record.Totals{Totals: true}}
	t, err := log.Read(r, size, log.Reading{Decoder: entry.Decoder{Faults: true}, Spare: asked.Spare, Each: l.entry}, l.line)
	l.t = t
	l.totals.Lines, l.totals.Bytes = t.Lines, t.Bytes
	return l, err
}

// entry reports what is wrong with e; m is its message, d the damage of its line or nil, and in the dialect of
// the log.
func (l *Log) entry(e *entry.Entry, d *entry.Damage, in dialect.Dialect, m *shape.Message) bool {
	l.dialect = in
	l.totals.Entries++
	if d != nil {
		l.recovered(e, d)
	}
	l.text(e, m)
	l.session(e)
	l.ordinal(e)
	if in.IsList() && !in.IsClaude() {
		l.listed(e)
	}
	return !l.stopped
}

// Check gives what is wrong with the log as a whole.
func (l *Log) Check() {
	l.written = &forest.Forest{Up: make([]log.Node, l.t.Cap)}
	for n := range l.t.Count {
		p := l.t.Written[n]
		if l.t.Unchained {
			p = l.t.Tree.Up[n]
		}
		if p == log.None {
			l.totals.Roots++
		}
		if !l.t.Has(p) {
			p = log.None
		}
		l.written.Up[n] = p
		l.nodes = append(l.nodes, n)
	}
	for _, find := range []func(){
		l.orphans, l.cycles, l.duplicates, l.hollowThinking, l.beside, l.secondRoots, l.attached, l.withoutID, l.kept, l.snapshotIDs, l.clock, l.unmatched, l.between,
	} {
		if !l.stopped {
			find()
		}
	}
}

// finding counts a finding at an entry, or at a line of which nothing is left. It returns how its row begins, and
// whether the row is wanted.
func (l *Log) finding(severity record.Severity, name string, at entry.Pos) (f record.Finding, wanted bool) {
	switch severity {
	case record.Damage:
		l.totals.Damage++
	case record.Warning:
		l.totals.Warnings++
	case record.Note:
		l.totals.Notes++
	}
	return record.Finding{Finding: name, Severity: severity, File: record.Text(l.asked.Name), Place: record.Place(at)},
		!l.stopped && (severity != record.Note || l.asked.Notes)
}

// give hands over the row of a finding, unless the log has changed since it was read: its entries may be other ones.
func (l *Log) give(row any) {
	if l.Err() == nil {
		l.stopped = !l.asked.Found(row)
	}
}

// Table returns the log as a table.
func (l *Log) Table() *log.Log { return l.t }

// Err returns the first error of reading the log again.
func (l *Log) Err() error {
	if l.t == nil {
		return nil
	}
	return l.t.Err()
}

// Totals returns the closing row, apart from the name of the log and whether it is healthy. It
// is complete after [Log.Check].
func (l *Log) Totals() record.Totals {
	leaf := l.t.Leaf
	row := l.totals
	row.Nodes, row.Leaves = int(l.t.Count), len(l.t.Leaves)
	row.OnPath = len(l.written.Walk(leaf, nil))
	row.Reachable = l.reachable(leaf)
	if row.Nodes > 0 { // rounded down: 1 is all
		share := float64(int64(row.Reachable)*10000/int64(row.Nodes)) / 10000
		row.Share = &share
	}
	row.Unfinished = l.Unfinished != nil
	return row
}

// both returns two entries, for a finding that needs both: the log has only the one that was read last. They are valid
// until the next entry is read.
func (l *Log) both(first, second entry.Pos) (a, b *entry.Entry) {
	a = new(entry.Entry)
	a.Scan(bytes.Clone(l.t.EntryAt(first).Bytes))
	return a, l.t.EntryAt(second)
}

// idOf returns the id of e as it is written.
func (l *Log) idOf(e *entry.Entry) record.Raw { return record.Scalar(l.dialect.IDOf(e)) }
