// Package tempfile keeps bytes that need not be in memory, in files in TMPDIR that have no name. Their mode is
// 0600, and the system removes them when the process ends, however it ends.
package tempfile

import (
	"fmt"
	"io"
	"os"
)

// A File is such a file. Its errors are of the type Error. The zero value is closed, and so is nil.
type File struct{ file *os.File }

// New returns a new File, never nil.
func New() (*File, error) {
	file, err := os.CreateTemp("", "jl-*")
	if err == nil {
		err = os.Remove(file.Name())
	}
	return &File{file}, wrap(err)
}

func (t *File) Write(p []byte) (int, error) {
	n, err := t.file.Write(p)
	return n, wrap(err)
}

func (t *File) ReadAt(p []byte, off int64) (int, error) {
	n, err := t.file.ReadAt(p, off)
	if err != io.EOF {
		err = wrap(err)
	}
	return n, err
}

// Close removes the file.
func (t *File) Close() {
	if t != nil {
		t.file.Close()
	}
}

// An Error names the directory of the file, because the user does not know the file.
type Error struct{ error }

func (e Error) Unwrap() error { return e.error }

// wrap returns err as an Error, or nil.
func wrap(err error) error {
	if err != nil {
		err = Error{fmt.Errorf("temporary file in %s: %w", os.TempDir(), err)}
	}
	return err
}
