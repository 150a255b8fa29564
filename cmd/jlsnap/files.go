package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"jl/internal/cli"
	"jl/internal/entry"
	"jl/internal/session"
	"jl/internal/tree"
)

// The members of a tracked path.
const (
	backupName = "backupFileName"
	version    = "version"
	backupTime = "backupTime"
)

// The states of a tracked path.
const (
	ok         = "ok"
	pruned     = "pruned"     // its backup is gone
	absent     = "absent"     // the file did not exist
	unreadable = "unreadable" // its backup cannot be had, for a reason
)

// A backup is what became of the copy that a snapshot names.
type backup struct {
	state  string
	place  string // where it lies; "" if it can lie nowhere
	reason error  // why it is unreadable
}

// trouble says why there is nothing to restore, and names the backup if it has a place.
func (b backup) trouble() error {
	switch {
	case b.state == pruned:
		return fmt.Errorf("its backup %s is gone", b.place)
	case b.place != "":
		return fmt.Errorf("its backup %s: %w", b.place, b.reason)
	}
	return b.reason
}

// list prints the state of each tracked path. It returns a failed write only.
func (s *snapper) list(shot tree.Snapshot) error {
	files := s.load(shot).files()
	id := s.session(shot.Node)
	if s.t.Err() != nil {
		return nil
	}
	s.answered = true
	var row []byte
	for _, f := range files {
		file, b := s.open(f, id)
		if file != nil {
			file.Close()
		}
		row = s.appendRow(row[:0], f, b)
		if _, err := s.c.Out.Write(row); err != nil {
			return err
		}
		if b.state == unreadable {
			s.c.Fail(cli.Line(s.name, f.line)+": "+string(f.name), b.trouble())
		}
	}
	return nil
}

// appendRow appends the row of f, with its newline, to dst.
func (s *snapper) appendRow(dst []byte, f tracked, b backup) []byte {
	dst = append(dst, '{')
	dst = appendMember(dst, entry.Value(`"path"`), f.name)
	dst = appendMember(dst, entry.Value(`"backup"`), scalar(f.backup.Member(backupName)))
	dst = appendMember(dst, entry.Value(`"version"`), scalar(f.backup.Member(version)))
	dst = appendMember(dst, entry.Value(`"backupTime"`), scalar(f.backup.Member(backupTime)))
	dst = appendText(dst, `"state"`, b.state)
	if b.place != "" {
		dst = appendText(dst, `"file"`, b.place)
	}
	if b.reason != nil {
		dst = appendText(dst, `"reason"`, b.reason.Error())
	}
	if s.several {
		dst = appendText(dst, `"log"`, s.name)
	}
	return append(dst, "}\n"...)
}

func appendText(dst []byte, name, text string) []byte {
	return appendMember(dst, entry.Value(name), entry.AppendString(nil, []byte(text)))
}

// scalar returns v, or null if it is absent or no scalar.
func scalar(v entry.Value) entry.Value {
	if v == nil || v.IsObject() || v.IsArray() {
		return entry.Value("null")
	}
	return v
}

// session returns the id of the session that keeps the backups of a snapshot of n.
func (s *snapper) session(n tree.Node) string {
	id := s.sessionOf(n)
	for i := len(s.path) - 1; i >= 0 && id == ""; i-- {
		id = s.sessionOf(s.path[i])
	}
	if id == "" && s.name != "-" {
		id = filepath.Base(s.name)
		for _, ext := range []string{".zst", ".gz", ".jsonl"} {
			id = strings.TrimSuffix(id, ext)
		}
	}
	return id
}

func (s *snapper) sessionOf(n tree.Node) string {
	return string(entry.Value(bytes.TrimSpace(s.t.Bytes(n))).Member("sessionId").Text())
}

// open opens the backup of f, and says what became of it. The file is nil if its
// state is not ok.
func (s *snapper) open(f tracked, id string) (*os.File, backup) {
	name := f.backup.Member(backupName)
	switch {
	case string(name) == "null":
		return nil, backup{state: absent}
	case !name.IsString():
		return nil, backup{state: unreadable, reason: errors.New("no name of a backup")}
	case !session.IsBackup(string(name.Text())):
		return nil, backup{state: unreadable, reason: errors.New("not named as backups are")}
	case id == "":
		return nil, backup{state: unreadable, reason: errors.New("no session id")}
	}
	inside := session.Backup(id, string(name.Text()))
	if inside == "" {
		return nil, backup{state: unreadable, reason: errors.New("the session id is no name of a directory")}
	}
	file, err := s.store.open(inside)
	b := backup{state: ok, place: filepath.Join(s.store.dir, inside)}
	if errors.Is(err, fs.ErrNotExist) {
		b.state = pruned
	} else if err != nil {
		b.state, b.reason = unreadable, err
	}
	return file, b
}
