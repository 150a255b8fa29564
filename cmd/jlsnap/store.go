package main

import (
	"errors"
	"io/fs"
	"os"

	"jl/internal/session"
)

// A store is where the backups of all sessions lie: in the home, of which nothing
// else is opened.
type store struct {
	dir  string
	home *session.Home // nil after err
	err  error         // why the home cannot be opened
}

func openStore(dir string) *store {
	home, err := session.Open(dir, nil)
	return &store{dir, home, cause(err)}
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
