package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/tree"
)

// A state is a snapshot and what deltas add to it.
type state struct {
	snapshot entry.Value
	own      []tracked // what the snapshot has
	added    []tracked // what deltas add
}

// A tracked is one tracked path and what is said of it, as they are logged.
type tracked struct {
	name   entry.Value // the path, a string
	path   string      // what name says
	backup entry.Value
	line   int64 // of the entry that has it
}

// snapshotIn returns the snapshot in the entry b.
func snapshotIn(b []byte) entry.Value {
	return entry.Value(bytes.TrimSpace(b)).Member("snapshot")
}

const table = "trackedFileBackups"

// load reads a merged snapshot and its deltas. It says what it cannot use.
func (s *snapper) load(shot tree.Snapshot) state {
	st := state{snapshot: bytes.Clone(snapshotIn(s.t.Read(shot.Entry)))}
	files := st.snapshot.Member(table)
	if !files.IsObject() && s.t.Err() == nil {
		s.c.Fail(cli.Line(s.name, shot.Entry.Line), fmt.Errorf("%q is not an object", table))
	}
	have := map[string]tracked{}
	st.own = members(files, shot.Entry.Line)
	for _, f := range st.own {
		have[f.path] = f
	}
	for _, x := range shot.Deltas {
		for _, f := range s.delta(x) {
			old, known := have[f.path]
			if !known {
				have[f.path] = f
				st.added = append(st.added, f)
			} else if !sameBackup(old.backup, f.backup) {
				s.c.Note(cli.Line(s.name, f.line), "%s has another backup on line %d, which counts", f.name, old.line)
			}
		}
	}
	return st
}

// members returns the tracked paths of a table. Of a repeated path the last counts,
// in the place of the first.
func members(files entry.Value, line int64) []tracked {
	var out []tracked
	at := map[string]int{}
	for name, backup := range files.Members() {
		f := tracked{name, string(name.Text()), backup, line}
		if i, ok := at[f.path]; ok {
			out[i] = f
			continue
		}
		at[f.path] = len(out)
		out = append(out, f)
	}
	return out
}

// delta returns what a delta adds, in either of the forms that readers know.
func (s *snapper) delta(x entry.Pos) []tracked {
	e := entry.Value(bytes.Clone(bytes.TrimSpace(s.t.Read(x))))
	if s.t.Err() != nil {
		return nil
	}
	name, backup := e.Member("trackingPath"), e.Member("backup")
	if name.IsString() && backup.IsObject() {
		return []tracked{{name, string(name.Text()), backup, x.Line}}
	}
	if files := e.Member("snapshot").Member(table); files.IsObject() {
		return members(files, x.Line)
	}
	s.c.Fail(cli.Line(s.name, x.Line), errors.New("a delta of unknown form: skipped"))
	return nil
}

// sameBackup reports whether two entries name the same backup.
func sameBackup(a, b entry.Value) bool {
	x, y := a.Member(backupName), b.Member(backupName)
	return bytes.Equal(x, y) || x.IsString() && y.IsString() && bytes.Equal(x.Text(), y.Text())
}

// json returns the snapshot with what was added behind what it has; if nothing
// was, as it stands.
func (st state) json() []byte {
	if len(st.added) == 0 {
		return st.snapshot
	}
	out := []byte{'{'}
	done := false
	for name, v := range st.snapshot.Members() {
		if name.Is(table) {
			if done {
				continue
			}
			v, done = st.table(), true
		}
		out = appendMember(out, name, v)
	}
	if !done {
		out = appendMember(out, entry.Value(`"`+table+`"`), st.table())
	}
	return append(out, '}')
}

// table returns all tracked paths as an object.
func (st state) table() entry.Value {
	out := []byte{'{'}
	for _, f := range slices.Concat(st.own, st.added) {
		out = appendMember(out, f.name, f.backup)
	}
	return append(out, '}')
}

// appendMember appends one member to an object that is not closed yet.
func appendMember(dst []byte, name, v entry.Value) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(append(dst, name...), ':')
	return append(dst, v...)
}

// files returns all tracked paths, sorted.
func (st state) files() []tracked {
	all := slices.Concat(st.own, st.added)
	slices.SortFunc(all, func(a, b tracked) int { return cmp.Compare(a.path, b.path) })
	return all
}
