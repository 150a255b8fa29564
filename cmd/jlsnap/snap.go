package main

import (
	"errors"
	"io"
	"strings"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/line"
	"jl/internal/operand"
	"jl/internal/session"
	"jl/internal/source"
	"jl/internal/tree"
)

// snapshots answers for the operands, one after another. Only a failed write stops
// it, and a home that cannot be known.
func snapshots(c *cli.Command, f flags) error {
	files := operand.Names(f.Files)
	s := snapper{c: c, f: f, several: len(files) > 1, found: f.Leaf == nil}
	if f.Table || f.Restore != "" {
		dir, err := session.Dir(f.Home)
		if err != nil {
			return err
		}
		s.store = openStore(dir)
		defer s.store.close()
		if s.store.gone() {
			c.Note(dir, "%v: every backup counts as pruned", s.store.err)
		}
	}
	for _, name := range files {
		s.name = name
		if err := s.log(); err != nil {
			return err
		}
	}
	if !s.found {
		c.Note(strings.Join(files, ", "), "no entry %q", *f.Leaf)
	}
	if !s.answered {
		c.No()
	}
	return nil
}

// A snapper answers for one log after another.
type snapper struct {
	c        *cli.Command
	f        flags
	several  bool
	store    *store // nil if no backups are looked at
	found    bool   // the entry that -l names, or none is asked for
	answered bool

	name string
	t    *tree.Tree
	path []tree.Node
}

// log answers for one log. It returns a failed write only.
func (s *snapper) log() error {
	src, err := source.Open(s.name, s.c.In, s.c.Flush)
	if err != nil {
		s.c.Fail(s.name, err)
		return nil
	}
	defer src.Close()
	s.read(src)
	if end, ok := s.end(); ok {
		err = s.answer(end)
	}
	if damage := s.t.Err(); damage != nil {
		s.c.Fail(s.name, damage)
	}
	return err
}

func (s *snapper) read(src *source.Source) {
	r, size, err := src.At()
	if err != nil {
		s.c.Fail(s.name, err)
	}
	s.t, err = tree.Read(line.NewForward(io.NewSectionReader(r, 0, size)), r, size, s.f.As,
		func(d *entry.Damage) { operand.Report(s.c, s.name, d) })
	if err != nil {
		s.c.Fail(s.name, err)
	}
}

// end returns the entry that the log is asked for, [tree.None] for the leaf that
// its reader chooses. It reports false if the log does not have it.
func (s *snapper) end() (tree.Node, bool) {
	if s.f.Leaf == nil {
		return tree.None, true
	}
	id := *s.f.Leaf
	m := s.t.Find([]string{id})[0]
	switch {
	case len(m.Candidates) > 0:
		s.found = true
		s.c.Ambiguous(s.name, id, m.Candidates)
		return tree.None, false
	case m.Node == tree.None && s.t.FallsBack():
		s.found = true
		s.c.Note(s.name, "no entry %q: as if none was given", id)
		return tree.None, true
	}
	s.found = s.found || m.Node != tree.None
	return m.Node, m.Node != tree.None
}

// answer gives the answer for the path that ends at end. It returns a failed write
// only.
func (s *snapper) answer(end tree.Node) error {
	path := s.t.Path(end, tree.Options{})
	for _, r := range path.Remarks {
		s.c.Note(cli.Line(s.name, r.Line), "%s", r.Text)
	}
	merged, lost := s.t.Snapshots(path.Nodes)
	for _, r := range lost {
		s.c.Fail(cli.Line(s.name, r.Line), errors.New(r.Text))
	}
	if s.t.Err() != nil {
		return nil
	}
	s.path = path.Nodes
	switch {
	case len(merged) == 0:
		if s.f.Restore != "" {
			s.c.Note(s.name, "no snapshot to restore")
		}
		return nil
	case s.f.Restore != "":
		return s.restore(merged[len(merged)-1])
	case s.f.Table:
		return s.list(merged[len(merged)-1])
	}
	for _, shot := range merged {
		if err := s.print(shot); err != nil {
			return err
		}
	}
	return nil
}

// print prints one merged snapshot. It returns a failed write only.
func (s *snapper) print(shot tree.Snapshot) error {
	var b []byte
	if len(shot.Deltas) == 0 {
		b = snapshotIn(s.t.Read(shot.Entry)) // no copy: most are printed as they are
	} else {
		b = s.load(shot).json()
	}
	if s.t.Err() != nil {
		return nil // what was read again is not what was there
	}
	s.answered = true
	if _, err := s.c.Out.Write(b); err != nil {
		return err
	}
	return s.c.Out.WriteByte('\n')
}
