package main

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"jl/internal/cli"
	"jl/internal/filehistory"
)

// restore writes the state of each of the files, whose backups the session id keeps, into the
// directory that --restore names, and prints the name of each file written.
func (s *snapper) restore(files []filehistory.File, id string) {
	to, err := openTarget(s.f.Restore, s.f.Force, func(path string) {
		s.c.Note(cli.File(filepath.Join(s.f.Restore, path)), "removed: a killed run left it")
	})
	if err != nil {
		s.c.Fail(cli.File(s.f.Restore), err)
		return
	}
	defer to.close()
	s.answered = true
	for _, f := range files {
		if s.c.Broken() {
			return
		}
		path, err := s.restoreTracked(to, f, id)
		if err != nil {
			s.file.FailAt(f.Line, fmt.Errorf("%s: %w", f.Raw, err))
		}
		if path != "" {
			name, end := filepath.Join(s.f.Restore, path), "\x00"
			if !s.f.Null {
				name, end = strings.ReplaceAll(name, "\n", `\u000a`), "\n"
			}
			s.c.Print([]byte(name + end))
			s.c.Flush() // a signal may end the program before the next file
		}
	}
}

// restoreTracked writes one tracked path. It returns its path below the directory, empty if
// nothing was written: a file that did not exist is only reported, and one that has no backup
// for the moment is left out, as Claude Code does.
func (s *snapper) restoreTracked(to *target, f filehistory.File, id string) (string, error) {
	path, err := inside(f.Path)
	if err != nil {
		return "", err
	}
	from, b := s.open(f, id)
	if e, is := s.edited[f.Path]; is && (e.unknown == nil || b.state == absent) {
		defer from.Close()
		if e.unknown != nil { // what it was made as is not known
			return "", e.unknown
		}
		return path, to.restoreText(path, e.text, from)
	} else if is {
		s.file.FailAt(f.Line, fmt.Errorf("%s: %w", f.Raw, e.unknown))
	}
	switch b.state {
	case absent:
		left := ""
		if _, err := to.root.Lstat(path); err == nil {
			left = "; it is left in " + s.f.Restore
		}
		s.c.NoteError(cli.Line(s.file.Name, f.Line), fmt.Errorf("%s did not exist then%s", f.Raw, left))
		return "", nil
	case untouched:
		return "", nil
	case pruned, unreadable, overwritten:
		return "", b.err()
	}
	defer from.Close()
	if err := to.restoreFile(path, from); err != nil {
		return "", err
	}
	return path, nil
}

// inside returns a tracked path relative to the directory that it is restored into. It refuses a path
// that could lead elsewhere, and one that no common system can have.
func inside(tracked string) (string, error) {
	const longest, longestPath = 255, 4095
	elements := strings.Split(tracked, "/")
	clean := strings.TrimPrefix(path.Clean("/"+tracked), "/")
	switch {
	case tracked == "":
		return "", errors.New("an empty path")
	case strings.Contains(tracked, "\x00"):
		return "", errors.New("a path with a NUL")
	case len(tracked) > longestPath, slices.ContainsFunc(elements, func(e string) bool { return len(e) > longest }):
		return "", syscall.ENAMETOOLONG
	case slices.Contains(elements, ".."):
		return "", errors.New(`a path with ".."`)
	case clean == "":
		return "", errors.New("a path without a file name")
	}
	return clean, nil
}
