package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"jl/internal/entry"
	"jl/internal/shape"
	"jl/internal/tree"
)

// A state is a snapshot and what deltas add to it.
type state struct {
	snapshot entry.Value
	own      []tracked // in the snapshot
	added    []tracked // by deltas
}

// A tracked is a tracked path and its backup, as they are logged.
type tracked struct {
	name   entry.Value // the path, a string
	path   string      // the text of name
	backup entry.Value
	line   int64 // of the entry that has it
}

// load reads a merged snapshot and its deltas. It reports what it cannot use.
func (s *snapper) load(shot tree.Snapshot) state {
	e := s.entry(shot.Entry)
	st := state{snapshot: snapshotIn(e.Bytes), own: backupsIn(e, shot.Entry.Line)}
	if s.t.Err() == nil && !st.snapshot.Member(shape.TrackedFileBackups).IsObject() {
		s.file.FailAt(shot.Entry.Line, fmt.Errorf("%q is not an object", shape.TrackedFileBackups))
	}
	have := map[string]tracked{}
	for _, f := range st.own {
		have[f.path] = f
	}
	for _, at := range shot.Deltas {
		for _, f := range s.delta(at) {
			old, known := have[f.path]
			if !known {
				have[f.path] = f
				st.added = append(st.added, f)
			} else if !sameBackup(old.backup, f.backup) {
				s.c.Note(s.place(f.line), "%s has another backup on line %d, which counts", f.name, old.line)
			}
		}
	}
	return st
}

// entry returns a copy of the entry at a position, empty if it is no longer there: see
// [tree.Tree.Err].
func (s *snapper) entry(at entry.Pos) *entry.Entry {
	e := new(entry.Entry)
	e.Scan(bytes.Clone(bytes.TrimSpace(s.t.Read(at))))
	return e
}

// delta returns what a delta adds.
func (s *snapper) delta(at entry.Pos) []tracked {
	e := s.entry(at)
	found := backupsIn(e, at.Line)
	if len(found) == 0 && s.t.Err() == nil && !snapshotIn(e.Bytes).Member(shape.TrackedFileBackups).IsObject() {
		s.file.FailAt(at.Line, errors.New("a delta of unknown form: skipped"))
	}
	return found
}

// backupsIn returns the tracked paths of the entry e. The last of repeated paths counts,
// in the place of the first.
func backupsIn(e *entry.Entry, line int64) []tracked {
	var out []tracked
	index := map[string]int{}
	for name, backup := range shape.Backups(e) {
		f := tracked{name, string(name.Text()), backup, line}
		if i, ok := index[f.path]; ok {
			out[i] = f
			continue
		}
		index[f.path] = len(out)
		out = append(out, f)
	}
	return out
}

// sameBackup reports whether two entries name the same backup.
func sameBackup(a, b entry.Value) bool {
	return a.Member(shape.BackupName).Key() == b.Member(shape.BackupName).Key()
}

// json returns the snapshot with the added paths behind its own.
func (st state) json() []byte {
	if len(st.added) == 0 {
		return st.snapshot
	}
	done := false
	out := st.snapshot.Rewrite(nil, func(name, value entry.Value) entry.Value {
		switch {
		case !name.Is(shape.TrackedFileBackups):
			return value
		case done:
			return nil
		}
		done = true
		return st.table()
	})
	if !done {
		out = bytes.TrimRight(out[:len(out)-1], " \t\r\n")
		out = append(entry.AppendMember(out, entry.Value(`"`+shape.TrackedFileBackups+`"`), st.table()), '}')
	}
	return out
}

// table returns all tracked paths as an object.
func (st state) table() entry.Value {
	out := []byte{'{'}
	for _, f := range slices.Concat(st.own, st.added) {
		out = entry.AppendMember(out, f.name, f.backup)
	}
	return append(out, '}')
}

// files returns all tracked paths, sorted.
func (st state) files() []tracked {
	all := slices.Concat(st.own, st.added)
	slices.SortFunc(all, func(a, b tracked) int { return cmp.Compare(a.path, b.path) })
	return all
}
