package main

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/shape"
)

// An edit changes members of entries and leaves every other byte as it is.
type edit struct {
	strip   bool        // leave out isSidechain and parentUuid
	session entry.Value // the id to write as each sessionId, nil to leave it
	move    move
	out     []byte
}

// added is for how many bytes more there is room: an entry may be as large as half of memory, so its
// copy must not grow.
const added = 1 << 10

// apply returns the entry in b after the edit, with the white space around it. It is
// valid until the next call. Parent is the id, or null, to write as the member name, nil to leave that.
func (e *edit) apply(b []byte, name string, parent entry.Value) []byte {
	e.out = slices.Grow(e.out[:0], len(b)+added)
	if parent == nil || e.strip {
		e.out = entry.Value(b).Rewrite(e.out[:0], e.member)
	} else {
		e.out = entry.Value(b).Set(e.out[:0], name, parent, e.member)
	}
	return e.out
}

// member returns the value to write for a member at the top level.
func (e *edit) member(name, value entry.Value) entry.Value {
	switch {
	case e.strip && (name.Is("isSidechain") || name.Is("parentUuid")):
		return nil
	case e.session != nil && name.Is("sessionId"):
		return e.session
	case name.Is("cwd"):
		return e.move.path(value)
	case e.move.known && name.Is("snapshot"):
		return e.move.snapshot(value)
	case e.move.known && name.Is("backup"):
		return e.move.backup(value)
	}
	return value
}

// A move is a project's folder that was moved or renamed. The zero move changes nothing.
type move struct {
	known    bool   // the folder is known
	from, to string // without a slash at the end; the root is empty
}

func newMove(from, to string) move {
	return move{from != "", strings.TrimRight(from, "/"), strings.TrimRight(to, "/")}
}

// path returns a path, moved if it is the folder or below it.
func (m move) path(v entry.Value) entry.Value {
	below, ok := strings.CutPrefix(string(v.Text()), m.from)
	if !m.known || v.IsEmpty() || !ok || below != "" && below[0] != '/' {
		return v
	}
	if m.from == "" && below == "/" {
		below = ""
	}
	from, to := entry.AppendString(nil, []byte(m.from)), entry.AppendString(nil, []byte(m.to))
	if rest, ok := bytes.CutPrefix(v, from[:len(from)-1]); ok && below != "" {
		return append(to[:len(to)-1], rest...) // what is below the folder, as it is written
	}
	return entry.Value(record.Text(cmp.Or(m.to+below, "/")))
}

// snapshot returns a snapshot of files whose backups are moved.
func (m move) snapshot(v entry.Value) entry.Value {
	return v.Rewrite(nil, func(name, value entry.Value) entry.Value {
		if !name.Is(shape.TrackedFileBackups) {
			return value
		}
		return value.Rewrite(nil, func(_, backup entry.Value) entry.Value { return m.backup(backup) })
	})
}

// backup returns the backup of a file whose folder is moved: a rewind restores nothing
// into a folder that is not the one that its backup names.
func (m move) backup(v entry.Value) entry.Value {
	return v.Rewrite(nil, func(name, value entry.Value) entry.Value {
		if name.Is(shape.BackupFolder) {
			return m.path(value)
		}
		return value
	})
}
