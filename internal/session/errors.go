package session

import (
	"errors"
	"fmt"
	"io/fs"
)

var errSkipped = errors.New("not read")

// skipped returns the error for something that was not opened on purpose.
func skipped(why string) error { return fmt.Errorf("%w: %s", errSkipped, why) }

// isSkipped reports whether err says that something was not opened on purpose: because it is
// not a regular file, or is where it must not be.
func isSkipped(err error) bool { return errors.Is(err, errSkipped) }

// A PlaceError names a home that could not be opened, or what could not be read in one, so that members may be missing.
type PlaceError struct {
	Path string
	Name string // in the home, or Path if it is in none
	Kind string // of the members that are there, if it is a directory; else ""
	Err  error  // for a damaged line of a log an *entry.Damage
}

// placeError returns the error about a name in the home.
func (d *disk) placeError(name, kind string, err error) *PlaceError {
	return &PlaceError{d.Path(name), name, kind, err}
}

// Error returns the name and what is wrong with it, not how that was noticed.
func (e *PlaceError) Error() string {
	err := e.Err
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return e.Name + ": " + err.Error()
}

// Unwrap returns e.Err.
func (e *PlaceError) Unwrap() error { return e.Err }
