package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"jl/internal/atomicfile"
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

	dir            *os.Root // the directory of the target
	toDir, fromDir *os.File // the directories of the target and of FILE, to sync them

	was   fs.FileInfo // of FILE, when the job began
	made  fs.FileInfo // of the target that was compared with FILE
	fresh bool        // this run has made the target
}

// base returns the name of the target in its directory.
func (j *job) base() string { return filepath.Base(j.target) }

// run does the job.
func (j *job) run() error {
	if err := j.inDirectory(j.openTo()); err != nil {
		return err
	}
	defer j.dir.Close()
	defer j.toDir.Close()
	var err error
	if j.fromDir, err = os.Open(directory(j.name)); err != nil {
		return err
	}
	defer j.fromDir.Close()

	j.was, err = os.Lstat(j.name)
	if errors.Is(err, fs.ErrNotExist) && j.replaced() {
		return nil
	}
	if err != nil {
		return err
	}
	file, err := j.lock()
	if err != nil {
		return err
	}
	defer file.Close() // ends the lock
	if err := j.make(); err != nil {
		return err
	}
	if err := j.writing(atomicfile.SyncDir(j.toDir)); err != nil {
		return err
	}
	if err := j.recheck(); err != nil || j.Keep {
		return err
	}
	return j.remove()
}

// openTo opens the directory of the target and removes what killed runs left there.
func (j *job) openTo() error {
	name := directory(j.target)
	var err error
	if j.dir, err = os.OpenRoot(name); err != nil {
		return err
	}
	j.toDir, err = j.dir.Open(".")
	if err == nil && !j.clean[name] {
		j.clean[name] = true
		if err = j.temps.RemoveStale(j.dir); err != nil {
			j.toDir.Close()
		}
	}
	if err != nil {
		j.dir.Close()
	}
	return err
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
	kind, err := kindOf(f)
	switch {
	case err != nil:
	case j.Extract && kind != "zstd":
		err = errNotZstd
	case !j.Extract && kind != "":
		err = errors.New("is already compressed")
	case atomicfile.Lock(f) == syscall.EWOULDBLOCK:
		err = errors.New("is in use by another jlcompact")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// make writes the target, or accepts the file that already has its name.
func (j *job) make() error {
	_, err := j.dir.Lstat(j.base())
	switch {
	case err == nil:
		return j.accept()
	case errors.Is(err, fs.ErrNotExist):
		return j.write()
	}
	return j.writing(err)
}

// remove removes FILE, once the target is in place and on the disk.
func (j *job) remove() error {
	if err := os.Remove(j.name); err != nil {
		return fmt.Errorf("%s, but not removed: %w", j.done(), err)
	}
	if err := atomicfile.SyncDir(j.fromDir); err != nil {
		return fmt.Errorf("%s, and removed: %w", j.done(), err)
	}
	return nil
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
