// Package corpus finds the logs and the homes that the tests have. Only tests import it.
package corpus

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// Written is when the files were changed last that Find writes.
var Written = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// Find returns the logs and the homes below some folders. The logs are all files whose names end in .jsonl or
// .json, and those in scripts (.txtar), which it writes to scratch. The homes are all directories that have what
// the home of an agent has.
func Find(scratch string, dirs ...string) (logs, homes []string, err error) {
	for i, dir := range dirs {
		scripts := filepath.Join(scratch, fmt.Sprint(i))
		if err := os.Mkdir(scripts, 0o777); err != nil {
			return nil, nil, err
		}
		for _, d := range [...]string{dir, scripts} { // what the first writes, the second finds
			l, h, err := find(d, scripts)
			if err != nil {
				return nil, nil, err
			}
			logs, homes = append(logs, l...), append(homes, h...)
		}
	}
	return logs, homes, nil
}

// shows are the names of what only homes have.
var shows = []string{
	"projects", "sessions", "archived_sessions", "session-state", "tmp", "history.jsonl", "todos", "file-history", "chatSessions",
}

// find returns the logs and the homes below dir, and writes what is in scripts to a folder.
func find(dir, scripts string) (logs, homes []string, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if home := filepath.Dir(name); slices.Contains(shows, d.Name()) && !slices.Contains(homes, home) {
			homes = append(homes, home)
		}
		switch ext := filepath.Ext(name); {
		case !d.Type().IsRegular():
		case ext == ".jsonl", ext == ".json":
			logs = append(logs, name)
		case ext == ".txtar":
			return unpack(name, filepath.Join(scripts, strings.TrimSuffix(strings.TrimPrefix(name, dir), ext)))
		}
		return nil
	})
	return logs, homes, err
}

// unpack writes the files of a script below a folder.
func unpack(name, folder string) error {
	script, err := txtar.ParseFile(name)
	if err != nil {
		return err
	}
	for _, f := range script.Files {
		out := filepath.Join(folder, filepath.Clean("/"+f.Name))
		if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(out, f.Data, 0o666); err != nil {
			return err
		}
		if err := os.Chtimes(out, time.Time{}, Written); err != nil {
			return err
		}
	}
	return nil
}
