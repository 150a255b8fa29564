package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"
)

// homeOf returns the directory where Claude keeps its files.
func homeOf(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("none of --home, CLAUDE_CONFIG_DIR and HOME says where the backups are")
	}
	return filepath.Join(dir, ".claude"), nil
}

// A store is where the backups of all sessions lie. Nothing outside of its home is
// ever opened, and nothing that is not a regular file.
type store struct {
	home string
	root *os.Root // nil after err
	err  error    // why the home cannot be opened
}

func openStore(home string) *store {
	s := &store{home: home}
	info, err := os.Stat(home) // opening a FIFO would wait for a writer
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err == nil {
		s.root, err = os.OpenRoot(home)
	}
	s.err = cause(err)
	return s
}

func (s *store) close() {
	if s.root != nil {
		s.root.Close()
	}
}

// gone reports whether there is no home at all.
func (s *store) gone() bool { return errors.Is(s.err, fs.ErrNotExist) }

// in returns the path of a backup below the home.
func (s *store) in(session, name string) string {
	return filepath.Join("file-history", session, name)
}

// place returns where a backup lies, or lay.
func (s *store) place(session, name string) string {
	return filepath.Join(s.home, s.in(session, name))
}

// open opens a backup. It does not wait, whatever lies there.
func (s *store) open(session, name string) (*os.File, error) {
	if s.err != nil {
		return nil, s.err
	}
	path := s.in(session, name)
	found, err := s.root.Lstat(path)
	if err != nil {
		return nil, cause(err)
	}
	if err := regular(found); err != nil {
		return nil, err
	}
	f, err := s.root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, cause(err)
	}
	if info, err := f.Stat(); err != nil || !os.SameFile(found, info) {
		f.Close()
		return nil, errChanged
	}
	return f, nil
}

var errChanged = errors.New("changed while it was read")

// regular says what is wrong if info is of no regular file.
func regular(info fs.FileInfo) error {
	what := "no regular file"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "a directory"
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	}
	return fmt.Errorf("%s is %s", info.Name(), what)
}

// longest is the most bytes that a file name has on the common systems.
const longest = 255

// isBackupName reports whether s is 16 hexadecimal digits, "@v" and a number.
func isBackupName(s []byte) bool {
	const digits = 16
	if len(s) <= digits+2 || len(s) > longest || string(s[digits:digits+2]) != "@v" {
		return false
	}
	for _, c := range s[:digits] {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	for _, c := range s[digits+2:] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// isElement reports whether s can stand in a path as one harmless element.
func isElement(s string) bool {
	return s != "" && s != "." && s != ".." && len(s) <= longest &&
		!strings.ContainsAny(s, `/\`) && !strings.ContainsFunc(s, unicode.IsControl)
}

// cause returns what is wrong without the names that it is wrong with.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
