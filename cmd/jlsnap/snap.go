package main

import (
	"bytes"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/operand"
	"jl/internal/tree"
)

// A snapper answers for the logs, one after another.
type snapper struct {
	c        *cli.Command
	f        *flags
	store    *store // nil if no backup is opened
	found    bool   // a log has the entry that -l names, or there is no -l
	answered bool

	file *operand.File
	t    *tree.Tree
	path []tree.Node
}

// log answers for one log.
func (s *snapper) log(file *operand.File) {
	s.file, s.t = file, file.Tree(s.f.As)
	if end, ok := s.end(); ok {
		s.answer(end)
	}
	file.Fail(s.t.Err())
}

// end returns the entry that the path of the log ends at, [tree.None] for the leaf that
// the rules choose. It reports false if the log does not have the entry that -l names.
func (s *snapper) end() (tree.Node, bool) {
	if s.f.Leaf == "" {
		return tree.None, true
	}
	a := s.file.Find(s.t, s.f.Leaf)[0]
	s.found = s.found || a.Known
	return a.Node, a.Chosen
}

// answer answers for the path that ends at end.
func (s *snapper) answer(end tree.Node) {
	path := s.t.Path(end, tree.Options{})
	s.file.Remarks(path.Remarks)
	merged, lost := s.t.Snapshots(path.Nodes)
	s.file.Lost(lost)
	if s.t.Err() != nil {
		return
	}
	s.path = path.Nodes
	switch {
	case len(merged) == 0:
		if s.f.Restore != "" {
			s.file.Note("no snapshot to restore")
		}
	case s.f.Restore != "":
		s.restore(merged[len(merged)-1])
	case s.f.Table:
		s.list(merged[len(merged)-1])
	default:
		for _, shot := range merged {
			s.print(shot)
		}
	}
}

// print prints a merged snapshot.
func (s *snapper) print(shot tree.Snapshot) {
	var b []byte
	if len(shot.Deltas) == 0 {
		b = snapshotIn(s.t.Read(shot.Entry)) // not copied: most are printed as they are
	} else {
		b = s.load(shot).json()
	}
	if s.t.Err() != nil {
		return // the entry is no longer what it was
	}
	s.answered = true
	s.c.Print(b)
	s.c.Print([]byte{'\n'})
}

// snapshotIn returns the snapshot in the entry b.
func snapshotIn(b []byte) entry.Value {
	return entry.Value(bytes.TrimSpace(b)).Member("snapshot")
}
