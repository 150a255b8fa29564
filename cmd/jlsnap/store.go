package main

import (
	"errors"
	"io/fs"
	"os"

	"jl/internal/session"
)

// A store holds the backups of all sessions: it is the home, in which nothing else is
// opened.
type store struct {
	dir  string
	home *session.Home // nil after err
	err  error         // why the home cannot be opened
}

func openStore(dir string) *store {
	home, err := session.Open(dir)
	return &store{dir, home, err}
}

func (s *store) close() {
	if s.home != nil {
		s.home.Close()
	}
}

// gone reports whether there is no home at all.
func (s *store) gone() bool { return errors.Is(s.err, fs.ErrNotExist) }

// open opens the backup called name in the home.
func (s *store) open(name string) (*os.File, error) {
	if s.err != nil {
		return nil, s.err
	}
	return s.home.Open(name)
}
