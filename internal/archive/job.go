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
	errRegular = errors.New("is not a regular file")
	errNotZstd = errors.New("is not a zstd file")
)

// A job is one FILE to be replaced.
type job struct {
	*Archiver
	name, target string // as messages call FILE and the file that replaces it
	from, to     *dir   // their directories
	show         *progress

	file  *os.File    // FILE, locked
	was   fs.FileInfo // of FILE, when the job began
	made  fs.FileInfo // of the target that was compared with FILE
	fresh bool        // this run has made the target

	placed  bool // the target has its name
	removed bool // FILE is removed
	err     error
}

// base returns the name of the target in its directory.
func (j *job) base() string { return filepath.Base(j.target) }

// place puts the target in its place.
func (j *job) place() error {
	var err error
	j.was, err = os.Lstat(j.name)
	if errors.Is(err, fs.ErrNotExist) && j.replaced() {
		return nil
	}
	if err != nil {
		return err
	}
	if j.file, err = j.lock(); err != nil {
		return err
	}
	err = j.make()
	j.placed = err == nil
	return err
}

// finish removes FILE, once the name of the target is on the disk.
func (j *job) finish() error {
	if err := j.writing(j.to.err); err != nil {
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

// end ends the lock on FILE, once its removal is on the disk.
func (j *job) end() {
	if j.removed && j.from.err != nil {
		j.err = fmt.Errorf("%s, and removed: %w", j.done(), j.from.err)
	}
	if j.file != nil {
		j.file.Close()
	}
}

// lock opens FILE and locks it. It refuses a file that the target cannot replace.
func (j *job) lock() (*os.File, error) {
	mode := j.was.Mode()
	switch {
	case mode&fs.ModeSymlink != 0:
		return nil, errors.New("is a symbolic link")
	case mode.IsDir():
		return nil, syscall.EISDIR
	case !mode.IsRegular():
		return nil, errRegular
	case stat(j.was).Nlink > 1:
		return nil, errors.New("has other names (hard links)")
	}
	f, err := j.open()
	if err != nil {
		return nil, err
	}
	kind, err := source.Kind(f)
	switch {
	case err != nil:
	case j.Extract && kind != "zstd":
		err = errNotZstd
	case !j.Extract && kind != "":
		err = errors.New("is already compressed")
	case atomicfile.Lock(f) == syscall.EWOULDBLOCK:
		err = errors.New("is in use by another jlcompact")
	default:
		var lease atomicfile.Lease
		lease, err = atomicfile.TakeLease(f)
		lease.Release()
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// make writes the target, or accepts the file that already has its name.
func (j *job) make() error {
	_, err := j.to.Lstat(j.base())
	switch {
	case err == nil:
		return j.accept()
	case errors.Is(err, fs.ErrNotExist):
		return j.write()
	}
	return j.writing(err)
}

// done says what has been done with FILE.
func (j *job) done() string {
	if j.Extract {
		return "extracted to " + j.target
	}
	return "archived in " + j.target
}

// The methods below add to an error the step in which something went wrong with the
// target. They return nil for nil.

func (j *job) writing(err error) error {
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists", j.target)
	case err != nil:
		return fmt.Errorf("write %s: %w", j.target, err)
	}
	return nil
}

func (j *job) reading(err error) error {
	if err != nil {
		err = fmt.Errorf("read back %s: %w", j.target, err)
	}
	return err
}

func (j *job) accepting(err error) error {
	if err != nil {
		err = fmt.Errorf("%s exists: %w", j.target, err)
	}
	return err
}

// inDirectory names the directory of the target, if FILE is in another one.
func (j *job) inDirectory(err error) error {
	if dir := directory(j.target); err != nil && dir != directory(j.name) {
		err = fmt.Errorf("%s: %w", dir, err)
	}
	return err
}
