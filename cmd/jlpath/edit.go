package main

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"jl/internal/entry"
	"jl/internal/record"
	"jl/internal/session"
	"jl/internal/shape"
)

// An edit changes members of entries and leaves every other byte as it is.
type edit struct {
	strip   bool        // leave out isSidechain and parentUuid
	session entry.Value // the id to write as each sessionId, and each session_id of a capture; nil to leave them
	move    move

	worktree bool // the entry says in which worktree of git the session is
	out      []byte
}

// added is the room for bytes that an edit adds: an entry may be as large as half of memory, so its copy must
// not grow.
const added = 1 << 10

// apply returns the entry in b after the edit, with the white space around it. It is valid until the next
// call. Parent is an id or null to write as the member name, or nil to leave that member.
func (e *edit) apply(b []byte, name string, parent entry.Value) []byte {
	e.out = slices.Grow(e.out[:0], len(b)+added)
	e.worktree = e.move.known && entry.Value(b).Member("type").Is("worktree-state")
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
	case e.session != nil && (name.Is("sessionId") || name.Is("session_id")):
		return e.session
	case e.worktree && value.IsObject():
		return value.Rewrite(nil, func(_, v entry.Value) entry.Value { return e.move.path(v) })
	case e.worktree, name.Is("cwd"), name.Is("relocatedCwd"):
		return e.move.path(value)
	case e.move.known && name.Is("snapshot"):
		return e.move.snapshot(value)
	case e.move.known && name.Is("backup"):
		return e.move.backup(value)
	}
	return value
}

// A move says where a project's folder was moved, which may be on another system. The zero move changes
// nothing.
type move struct {
	known    bool   // the folder is known
	from, to string // without a separator at the end; the root is empty
	between  string // the separators of from
	with     string // the separator of to
}

func newMove(from, to string) move {
	m := move{known: from != "", between: "/", with: "/"}
	if session.IsWindows(from) {
		m.between = `\/`
	}
	if session.IsWindows(to) {
		if strings.Contains(to, `\`) {
			m.with = `\`
		}
		to = strings.TrimRight(to, `\/`)
	}
	m.from, m.to = strings.TrimRight(from, m.between), strings.TrimRight(path.Clean(to), "/")
	return m
}

// isFrom reports whether a path is one way to write the folder: on Windows, with either separator and in either
// case.
func (m move) isFrom(dir string) bool {
	if m.between == "/" {
		return dir == m.from
	}
	return strings.EqualFold(strings.ReplaceAll(dir, `\`, "/"), strings.ReplaceAll(m.from, `\`, "/"))
}

// path returns a path, moved if it is the folder or below it.
func (m move) path(v entry.Value) entry.Value {
	whole := string(v.Text())
	if !m.known || v.IsEmpty() || len(whole) < len(m.from) || !m.isFrom(whole[:len(m.from)]) {
		return v
	}
	root := func(dir string) bool { return dir == "" || len(dir) == len("C:") && dir[1] == ':' }
	above, below := whole[:len(m.from)], whole[len(m.from):]
	switch {
	case below != "" && !strings.Contains(m.between, below[:1]):
		return v
	case len(below) == 1 && root(m.from):
		below = ""
	}
	if below == "" && root(m.to) {
		below = m.with
	}
	from, to := entry.AppendString(nil, []byte(above)), entry.AppendString(nil, []byte(m.to))
	other := strings.Trim(m.between, m.with)
	if rest, ok := bytes.CutPrefix(v, from[:len(from)-1]); ok && above+below == whole && below != "" && !strings.ContainsAny(below, other) {
		return append(to[:len(to)-1], rest...) // what is below the folder, as it is written
	}
	for _, separator := range other {
		below = strings.ReplaceAll(below, string(separator), m.with)
	}
	return entry.Value(record.Text(m.to + below))
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
		if name.Is("realParentDir") {
			return m.path(value)
		}
		return value
	})
}
