package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"jl/internal/atomicfile"
	"jl/internal/source"
)

var (
	errChanged = errors.New("changed meanwhile")
	errDiffers = errors.New("has different contents")
	errMode    = errors.New("has a different mode")
	errTime    = errors.New("has a different time")
	errRegular = errors.New("is not a regular file")
	errNotZstd = errors.New("is not a zstd file")
)

// A job is one FILE to be replaced.
type job struct {
	*archiver
	name, target string // as messages call FILE and the file that replaces it
	from, to     *dir   // their directories
	number       int    // of FILE; the first is 1

	file  *os.File    // FILE, locked; nil if it could not be opened
	was   fs.FileInfo // of FILE, when the job began
	made  fs.FileInfo // of the target that was compared with FILE
	fresh bool        // this run has made the target

	produced bool // the target has its name
	removed  bool // FILE is removed
	err      error
}

// base returns the name of the target in the directory to.
func (j *job) base() string { return filepath.Base(j.target) }

// produce writes the target, or accepts or updates the file that already has its name.
func (j *job) produce() error {
	var err error
	j.was, err = os.Lstat(j.name)
	if errors.Is(err, fs.ErrNotExist) && j.replaced() {
		return nil
	}
	if err == nil {
		err = j.lock()
	}
	if err != nil {
		return err
	}
	_, err = j.to.Lstat(j.base())
	switch {
	case err == nil:
		err = j.accept()
	case errors.Is(err, fs.ErrNotExist):
		err = j.write(nil)
	default:
		err = j.wrap(writing, err)
	}
	j.produced = err == nil
	return err
}

// finish removes FILE when the name of the target is on the disk.
func (j *job) finish() error {
	if err := j.wrap(writing, j.to.err); err != nil {
		return err
	}
	if j.Keep {
		return j.dropStale(j.recheck())
	}
	lease, open := atomicfile.TakeLease(j.file)
	defer lease.Release()
	err := cmp.Or(j.recheck(), open)
	if err == nil && lease.Wanted() {
		err = atomicfile.ErrOpen
	}
	if err != nil {
		return j.dropStale(err)
	}
	if err := os.Remove(j.name); err != nil {
		return fmt.Errorf("%s, but not removed: %w", j.done(), err)
	}
	j.removed, j.from.changed = true, true
	if lease.Wanted() {
		return fmt.Errorf("%s, and removed while a process opened it for writing: what that writes is lost", j.done())
	}
	return nil
}

// end unlocks FILE when its removal is on the disk.
func (j *job) end() {
	if j.removed && j.from.err != nil {
		j.err = fmt.Errorf("%s, and removed: %w", j.done(), j.from.err)
	}
	if j.file != nil {
		j.file.Close()
	}
}

// lock opens FILE and locks it. It refuses a file that the target cannot replace.
func (j *job) lock() error {
	mode := j.was.Mode()
	switch {
	case mode&fs.ModeSymlink != 0:
		return errors.New("is a symbolic link")
	case mode.IsDir():
		return syscall.EISDIR
	case !mode.IsRegular():
		return errRegular
	case stat(j.was).Nlink > 1:
		return errors.New("has other names (hard links)")
	}
	var err error
	if j.file, err = j.from.openSame(j.name, j.was); err != nil {
		return err
	}
	kind, err := source.Kind(j.file)
	switch {
	case err != nil:
		return err
	case j.Extract && kind != "zstd":
		return errNotZstd
	case !j.Extract && kind != "":
		return errors.New("is already compressed")
	case atomicfile.Lock(j.file) == syscall.EWOULDBLOCK:
		return errors.New("is in use by another jlcompact")
	}
	lease, err := atomicfile.TakeLease(j.file)
	lease.Release()
	return err
}

// done tells what was done with FILE.
func (j *job) done() string {
	if j.Extract {
		return "extracted to " + j.target
	}
	return "archived in " + j.target
}

// The formats of errors about the target, by the step in which something went wrong.
const (
	writing  = "write %s: %w"
	reading  = "read back %s: %w"
	existing = "%s exists: %w"
)

// wrap formats an error about the target. It returns nil for nil.
func (j *job) wrap(format string, err error) error {
	if err != nil {
		err = fmt.Errorf(format, j.target, err)
	}
	return err
}
