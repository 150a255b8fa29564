// Package archive replaces files by zstd archives of their bytes.
//
// What it promises. Whatever is killed, fails or loses power, FILE or FILE.zst is whole at
// any instant, and FILE is removed only after every byte of it has been read back from
// its archive. The steps are:
//
//	write a temporary file, fsync    in the directory of the archive, mode 0600
//	read it back, compare            with FILE, opened anew
//	owner, mode, times, fsync        copied from FILE
//	link, unlink                     gives the archive its name; fails if that is taken
//	fsync the directory
//	look at FILE again               it must still be what was archived
//	unlink FILE, fsync its directory
//
// The archive gets its name by link(2) and not by rename(2), which would replace a file
// that another process has put there meanwhile; where there are no hard links, nothing is
// archived. The next run in the same directory removes what a killed run left, but not
// the files of a running one. FILE is locked too, so two runs do not archive it at the
// same time. If a run was killed before the last step, both files are whole: the next
// run compares them and removes FILE.
//
// One gap is left: an entry that is appended in the microseconds between the last look
// and unlink is lost, because no system call removes a file only if it is unchanged.
//
// What it does not do. It prints only progress, and knows nothing about entries: FILE may
// hold any bytes.
package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"jl/internal/atomicfile"
)

// tempPrefix begins the name of an archive that is not finished.
const tempPrefix = ".jlcompact-"

var (
	errChanged = errors.New("changed meanwhile")
	errDiffers = errors.New("has different contents")
	errRegular = errors.New("is not a regular file")
)

// Options say how files are archived.
type Options struct {
	To    string // the directory of the archives; empty: the directory of each file
	Level int    // of compression, as zstd(1) counts; 0 is the default
	Keep  bool   // do not remove the files

	Terminal io.Writer // where progress is shown; nil: nowhere
	Count    int       // how many files there will be, for the progress
}

// An Archiver replaces files by their archives, one at a time.
type Archiver struct {
	Options
	show  *progress
	temps *atomicfile.Set
	stop  func()
	clean map[string]bool // the directories that stale files were removed from
}

// New returns an Archiver. The error is about the directory To. Until Close, a signal
// that ends the process removes the archive that is being written.
func New(o Options) (*Archiver, error) {
	if o.To != "" {
		info, err := os.Stat(o.To)
		if err == nil && !info.IsDir() {
			err = syscall.ENOTDIR
		}
		if err != nil {
			return nil, err
		}
	}
	temps := atomicfile.New(tempPrefix)
	return &Archiver{
		Options: o,
		show:    newProgress(o.Terminal, o.Count),
		temps:   temps,
		stop:    temps.RemoveOnSignal(),
		clean:   map[string]bool{},
	}, nil
}

// Close ends the handling of signals.
func (a *Archiver) Close() { a.stop() }

// Archive replaces a file by its archive. The error is about the file; if something is
// wrong with the archive, the error names it.
func (a *Archiver) Archive(name string) error {
	j := job{Archiver: a, name: name, target: name + ".zst"}
	if a.To != "" {
		j.target = strings.TrimSuffix(a.To, "/") + "/" + filepath.Base(name) + ".zst"
	}
	a.show.next(name)
	defer a.show.clear()
	return j.run()
}

// directory returns the directory of a path, with the slash. It does not shorten "..",
// as filepath.Dir does, because that is wrong after a symbolic link to a directory.
func directory(path string) string {
	dir, _ := filepath.Split(path)
	return cmp.Or(dir, ".")
}

// A job is one FILE to be archived.
type job struct {
	*Archiver
	name, target string // as messages call FILE and its archive

	dir            *os.Root // the directory of the archive
	toDir, fromDir *os.File // the directories of the archive and of FILE, to sync them

	was   fs.FileInfo // of FILE, when the job began
	made  fs.FileInfo // of the archive that was compared with FILE
	fresh bool        // this run has made the archive
}

// base returns the name of the archive in its directory.
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
	if errors.Is(err, fs.ErrNotExist) && !j.Keep && j.target == j.name+".zst" && j.archived() == nil {
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

// openTo opens the directory of the archive and removes what killed runs left there.
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

// lock opens FILE and locks it. It refuses a file that an archive of its bytes cannot
// replace.
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
	case kind != "":
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

// make writes the archive, or accepts the file that already has its name.
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

// remove removes FILE, once the archive is in place and on the disk.
func (j *job) remove() error {
	if err := os.Remove(j.name); err != nil {
		return fmt.Errorf("archived in %s, but not removed: %w", j.target, err)
	}
	if err := atomicfile.SyncDir(j.fromDir); err != nil {
		return fmt.Errorf("archived in %s, and removed: %w", j.target, err)
	}
	return nil
}

// The methods below add to an error the step in which something went wrong with the
// archive. They return nil for nil.

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

// inDirectory names the directory of the archive, if FILE is in another one.
func (j *job) inDirectory(err error) error {
	if dir := directory(j.target); err != nil && dir != directory(j.name) {
		err = fmt.Errorf("%s: %w", dir, err)
	}
	return err
}
