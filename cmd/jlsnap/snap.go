package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/filehistory"
	"jl/internal/log"
	"jl/internal/operand"
	"jl/internal/reader"
	"jl/internal/session"
	"jl/internal/shape"
)

// A snapper answers for the logs, one after another.
type snapper struct {
	c        *cli.Command
	f        *flags
	found    bool // a log has the entry that -l names, or there is no -l
	answered bool

	// With --files or --restore:
	homes   session.Homes
	dir     string // if there is none, the one that was asked for
	homeErr error  // why one of them cannot be read

	file    *operand.File
	t       *log.Log
	edited  map[string]edited // with a time, by tracked path: the files that were changed since the last snapshot
	path    []log.Node
	history *filehistory.History // of path
}

// log answers for one log.
func (s *snapper) log(file *operand.File) {
	file.FallsBack = s.f.As.FallsBack()
	t, ok := file.Log(s.f.As.Reading())
	if ok && !t.Dialect.IsClaude() && !t.Dialect.NeedsHeader() {
		file.Fail(fmt.Errorf("a log of %s has no file snapshots", t.Dialect))
		ok = false
	}
	if !ok {
		s.found = true // the message above is enough
		return
	}
	s.file, s.t = file, t
	given := operand.Answer{Chosen: true, Node: log.None, Until: log.NoTime}
	s.edited = nil
	if s.f.Leaf != "" {
		given = file.Find(t, s.f.Leaf)[s.f.Leaf]
		s.found = s.found || given.Known
	}
	switch {
	case !given.Chosen:
	case s.f.Table || s.f.Restore != "":
		s.state(given.Node, given.Until)
	default:
		s.merged(given.Node)
	}
	file.Fail(t.Err())
}

// load reads the history of the path that ends at leaf, and, if below is set, of the nodes below that: when the
// client rewinds to a prompt that is not on the default path, the files that were tracked below it count.
func (s *snapper) load(leaf log.Node, below bool) log.Path {
	path := reader.New(s.t, s.f.As).Path(leaf, log.Options{}, false)
	s.file.Odd(s.t, path.Odd)
	s.path = path.Nodes
	if below {
		s.path = s.withBelow(leaf)
	}
	s.history = filehistory.Read(s.t, s.path)
	for _, lost := range s.history.Lost {
		s.file.FailAt(lost.Pos.Line, errors.New(lost.Why))
	}
	return path
}

// withBelow returns the nodes of the present path and of all turns below that of n, in file order.
func (s *snapper) withBelow(n log.Node) []log.Node {
	nodes, below := slices.Clone(s.path), make([]bool, s.t.Count)
	for _, turn := range s.t.Tree.Order {
		up := s.t.Tree.Above[turn]
		below[turn] = turn == s.t.Tree.Turn[n] || up != log.None && below[up]
	}
	for n, turn := range s.t.Tree.Turn {
		if below[turn] {
			nodes = append(nodes, log.Node(n))
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// merged prints the merged snapshots of the path that ends at leaf.
func (s *snapper) merged(leaf log.Node) {
	s.load(leaf, false)
	if s.t.Err() != nil {
		return
	}
	none := true
	for i, shot := range s.history.Snapshots {
		if !shot.Made() {
			s.print(i)
			none = false
			continue
		}
		for _, delta := range shot.Deltas {
			s.file.NoteAt(delta.Line, "no snapshot on the path that this delta could change: skipped")
		}
	}
	if none {
		s.noSnapshot()
	}
}

// noSnapshot prints a note about a log without snapshots, unless it has no conversation.
func (s *snapper) noSnapshot() {
	if s.t.Cap > 0 {
		s.file.Note("no file-history snapshot on the path")
	}
}

// state lists or restores the files as they were at n, or at a later moment before the next entry. If n is not on the
// path that the rules choose, the path ends at n. Under --as it has no state then.
func (s *snapper) state(n log.Node, until int64) {
	path := s.load(log.None, false)
	i, ok := s.history.At(n)
	isElsewhere := !ok && n != log.None && !s.history.On(n)
	if isElsewhere && s.f.As == reader.Default && s.t.Err() == nil {
		path = s.load(n, true)
		i, ok = s.history.At(n)
		isElsewhere = false
	}
	switch {
	case s.t.Err() != nil:
	case len(path.Nodes) == 0:
		s.noSnapshot()
	case isElsewhere:
		s.file.Note("%s is not on the path that ends at %s", entry.Quote(s.t.ID(n)), entry.Quote(s.t.ID(path.Leaf)))
	case len(s.history.Snapshots) == 0:
		s.noSnapshot()
	case !ok:
		s.file.Note("no file-history snapshot at or above %s", entry.Quote(s.t.ID(n)))
	default:
		shot := s.history.Snapshots[i]
		if !shot.Made() {
			s.table(shot) // reports that there is none
		}
		files, id := s.history.State(i), s.session(shot.Node)
		if until != log.NoTime && s.f.As == reader.Default {
			s.moment(files, i, n, until, id)
		}
		switch {
		case s.t.Err() != nil:
		case s.f.Restore != "":
			s.restore(files, id)
		default:
			s.list(files, id)
		}
	}
}

// table returns a snapshot, and reports it if it has no table of files.
func (s *snapper) table(shot filehistory.Snapshot) entry.Value {
	v := bytes.Clone(snapshotIn(s.t.EntryAt(shot.Entry)))
	if s.t.Err() == nil && !entry.Value(v).Member(shape.TrackedFileBackups).IsObject() {
		s.file.FailAt(shot.Entry.Line, fmt.Errorf("%q is not an object", shape.TrackedFileBackups))
	}
	return v
}

// print prints merged snapshot i.
func (s *snapper) print(i int) {
	shot := s.history.Snapshots[i]
	var b []byte
	if len(shot.Deltas) == 0 {
		b = snapshotIn(s.t.EntryAt(shot.Entry)) // not copied: most are printed as they are
	} else {
		b = withFiles(s.table(shot), s.history.Tracked(i))
	}
	if s.t.Err() != nil {
		return // the entry is no longer what it was
	}
	s.answered = true
	s.c.Print(b)
	s.c.Print([]byte{'\n'})
}

// snapshotIn returns the snapshot in an entry.
func snapshotIn(e *entry.Entry) entry.Value { return e.Member("snapshot") }

// withFiles returns a snapshot with another table of files.
func withFiles(snapshot entry.Value, files []filehistory.File) []byte {
	table := entry.Value{'{'}
	for _, f := range files {
		table = entry.AppendMember(table, f.Raw, f.Backup)
	}
	table = append(table, '}')
	out := snapshot.Rewrite(nil, func(name, value entry.Value) entry.Value {
		if name.Is(shape.TrackedFileBackups) {
			value, table = table, nil // a second one is left out
		}
		return value
	})
	if table != nil {
		out = bytes.TrimRight(out[:len(out)-1], " \t\r\n")
		out = append(entry.AppendMember(out, entry.Value(`"`+shape.TrackedFileBackups+`"`), table), '}')
	}
	return out
}
