package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/filehistory"
	"jl/internal/log"
	"jl/internal/record"
	"jl/internal/session"
	"jl/internal/shape"
)

// The states of a tracked path.
const (
	ok         = "ok"
	pruned     = "pruned"     // its backup is gone
	absent     = "absent"     // the file did not exist
	changed    = "edited"     // no backup has it as it was then, but the log tells
	untouched  = "untouched"  // it has no backup for the moment
	unreadable = "unreadable" // its backup cannot be opened

	overwritten = "overwritten" // a later backup has its name
)

// A backup is the state of a backup that a snapshot names.
type backup struct {
	state  string
	path   string // empty if there can be none
	reason error  // why it is unreadable
}

// err returns why the backup cannot be restored. It names the backup if that has a path.
func (b backup) err() error {
	switch {
	case b.state == pruned:
		return fmt.Errorf("its backup %s is gone", b.path)
	case b.state == overwritten:
		return fmt.Errorf("a later backup overwrote %s", b.path)
	case b.path != "":
		return fmt.Errorf("its backup %s: %w", b.path, b.reason)
	}
	return b.reason
}

// list prints the state of each of the files, whose backups the session id keeps.
func (s *snapper) list(files []filehistory.File, id string) {
	s.answered = true
	var row []byte
	for _, f := range files {
		if s.c.Broken() {
			return
		}
		file, b := s.open(f, id)
		if file != nil {
			file.Close()
		}
		if e, is := s.edited[f.Path]; is {
			b = backup{state: changed, path: b.path, reason: e.unknown}
		}
		tracked := record.TrackedFile{
			Path:       record.Raw(f.Raw),
			Backup:     record.Scalar(f.Backup.Member(shape.BackupName)),
			Version:    record.Scalar(f.Backup.Member(shape.BackupVersion)),
			BackupTime: record.Scalar(f.Backup.Member(shape.BackupTime)),
			State:      b.state,
			BackupPath: record.Text(b.path),
			File:       record.Text(s.file.Label),
		}
		if b.reason != nil {
			tracked.Reason = record.Text(cli.Reason(b.reason))
		}
		row = record.Append(row[:0], tracked)
		s.c.Print(row)
		switch {
		case b.state == changed && b.reason != nil:
			s.file.FailAt(f.Line, fmt.Errorf("%s: %w", f.Raw, b.reason))
		case b.state == unreadable, b.state == overwritten:
			s.file.FailAt(f.Line, openError{fmt.Errorf("%s: %w", f.Raw, b.err())})
		}
	}
}

// An openError is why a backup cannot be opened. The row of the backup says so, too, so after
// ten messages the others are only counted.
type openError struct{ error }

func (e openError) Unwrap() error { return e.error }

// Kind returns the words for the messages that are counted and not printed.
func (e openError) Kind() string { return "a backup cannot be opened" }

// session returns the id of the session that keeps the backups of a snapshot of n.
func (s *snapper) session(n log.Node) string {
	for _, n := range slices.Backward(append(slices.Clip(s.path), n)) {
		if id := s.t.Entry(n).Get(entry.SessionID).Text(); len(id) > 0 {
			return string(id)
		}
	}
	if s.file.Name == "-" {
		return ""
	}
	id, _ := session.CutLog(filepath.Base(s.file.Name))
	return id
}

// open opens the backup of f in the session id. The file is nil unless the state is ok.
func (s *snapper) open(f filehistory.File, id string) (*os.File, backup) {
	name := f.Backup.Member(shape.BackupName)
	switch {
	case f.Backup == nil:
		return nil, backup{state: untouched}
	case string(name) == "null":
		return nil, backup{state: absent}
	case !name.IsString():
		return nil, backup{state: unreadable, reason: errors.New("not the name of a backup")}
	case !session.IsBackup(string(name.Text())):
		return nil, backup{state: unreadable, reason: errors.New("not named as backups are")}
	case id == "":
		return nil, backup{state: unreadable, reason: errors.New("no session id")}
	}
	inside := session.Backup(id, string(name.Text()))
	if inside == "" {
		return nil, backup{state: unreadable, reason: errors.New("the session id is not the name of a directory")}
	}
	file, path, err := s.homes.OpenBackup(inside)
	if errors.Is(err, fs.ErrNotExist) {
		err = cmp.Or(s.homeErr, err) // it may be there
	}
	b := backup{state: ok, path: cmp.Or(path, filepath.Join(s.dir, inside))}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		b.state = pruned
	case err != nil:
		b.state, b.reason = unreadable, err
	case f.Overwritten:
		file.Close()
		file, b.state = nil, overwritten
	}
	return file, b
}
