package check

import (
	"io"

	"jl/internal/dialect"
	"jl/internal/entry"
	"jl/internal/forest"
	"jl/internal/log"
	"jl/internal/record"
	"jl/internal/says"
	"jl/internal/shape"
)

// A Finding is one thing that is wrong with a log, or worth knowing about it.
type Finding struct {
	Name     string
	Severity record.Severity
	Pos      entry.Pos // of the entry, or of the line if nothing of it is left

	log     *Log
	details func(record.Finding) any
}

// Row returns the record of the finding in a log of that name. It may read entries again. If the
// log has changed since it was read, Row returns nil, because the entries may be other ones.
func (f Finding) Row(file string) any {
	row := f.details(record.Finding{Finding: f.Name, Severity: f.Severity, File: record.Text(file), Place: record.Place(f.Pos)})
	if f.log.Err() != nil {
		return nil
	}
	return row
}

// A Log is a log that is checked.
type Log struct {
	// Unfinished is the damage of the last line if the log may still be growing, or nil. It is
	// not a finding.
	Unfinished *entry.Damage

	found   func(Finding) bool
	stopped bool // found has returned false
	totals  record.Totals

	dialect  dialect.Dialect
	torn     map[entry.Pos]bool // the entries of damaged lines
	sessions map[string]bool    // by id
	ordinals int64              // 1 + the largest ordinal so far, 0 before the first
	hollow   []entry.Pos        // entries with empty thinking that has a signature
	thinks   bool               // some thinking has text
	first    record.Place       // the first entry of the first session

	told   says.Telling            // by the last entry of a list
	listed map[string][2]*listTool // the calls and results of a list, by their ids

	t     *log.Log   // nil while the log is read
	nodes []log.Node // of t

	toolsNode log.Node // see toolsIn
	tools     []tool
	written   *forest.Forest // the nodes with the parents that their entries name
}

// listMost is how many ids or lines a row lists at most.
const listMost = 16

// Read reads the first size bytes of a log once, and calls found for what is wrong with single
// lines and entries, in the order of the log. Once found returns false, Read ends, and found is
// not called again. If reading fails, Read returns what it knows of the entries up to there, and
// the error. [Log.Check] finds the rest, unless the error is [dialect.ErrNotLog].
func Read(r io.ReaderAt, size int64, found func(Finding) bool) (*Log, error) {
	l := &Log{found: found, torn: map[entry.Pos]bool{}, sessions: map[string]bool{}, listed: map[string][2]*listTool{}, totals: record.Totals{Totals: true}}
	t, err := log.Read(r, size, log.Reading{Decoder: entry.Decoder{Faults: true}, Each: l.entry}, l.line)
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
	l.listTools(e)
	return !l.stopped
}

// Check calls the function that was given to [Read] for what is wrong with the log as a whole.
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
		l.orphans, l.cycles, l.duplicates, l.hollowThinking, l.beside, l.secondRoots, l.attached, l.withoutID, l.kept, l.snapshotIDs, l.clock, l.unmatched, l.between, l.unlisted,
	} {
		if !l.stopped {
			find()
		}
	}
}

// report hands over a finding. Details returns its row, which begins with the given part.
func (l *Log) report(severity record.Severity, name string, at entry.Pos, details func(record.Finding) any) {
	switch severity {
	case record.Damage:
		l.totals.Damage++
	case record.Warning:
		l.totals.Warnings++
	case record.Note:
		l.totals.Notes++
	}
	l.stopped = l.stopped || !l.found(Finding{name, severity, at, l, details})
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

// idOf returns the id of e as it is written.
func (l *Log) idOf(e *entry.Entry) record.Raw { return record.Scalar(l.dialect.IDOf(e)) }
