// Package atomicfile gives a file its name only when the file is whole.
//
// A program writes a temporary file in the directory of the file that it wants, and commits
// it. Whatever fails or is killed, the name refers at any instant to nothing, to the file that
// it referred to before, or to the whole new file, whose contents are on the disk. A commit
// does not wait until the name is on the disk: [SyncDir] does.
//
// A temporary file is called PREFIXn-x, where n is a decimal number and x are 16 random hexadecimal
// digits. Its mode is 0600, and it has no access control list, even if its directory has one for
// new files. The program holds an exclusive flock(2) on it as long as that name exists. The mark of the
// file is a symbolic link PREFIXn to it, which is made before the file and removed after it.
//
// A file that a mark names and that has no lock is stale: the run that wrote it was killed before
// the commit, or during it. [Set.RemoveStale] removes stale files with their marks. It removes no
// file of a running program, so any number of runs can write into one directory, and nothing that
// only has such a name. Where the system has no locks or no symbolic links, stale files stay.
//
// Everything happens below an [os.Root], and no link is followed.
package atomicfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ErrNoLinks is the error of [File.CommitNew] where hard links are not possible.
var ErrNoLinks = errors.New("no hard links here")

// A Set is the temporary files of one run of a program.
type Set struct {
	prefix string

	mu   sync.Mutex // held while a temporary file gets or loses its name
	live map[*File]bool
}

// New returns an empty set of temporary files whose names begin with prefix.
func New(prefix string) *Set { return &Set{prefix: prefix, live: map[*File]bool{}} }

// A File is a temporary file, open for reading and writing. The caller ends it with
// Abort, which does nothing after a commit, not with Close.
type File struct {
	*os.File

	set  *Set
	dir  *os.Root
	mark string // the name of its mark in dir, empty if it has none
	temp string // its name in dir
	name string // the name that a commit gives it
}

// Create creates a temporary file in dir, which a commit will call name. The caller keeps
// dir open until the file is committed or aborted.
func (s *Set) Create(dir *os.Root, name string) (*File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	const tries = 10
	for try := 1; ; try++ {
		f, err := s.create(dir, name)
		if try == tries || !errors.Is(err, errTaken) && !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// errTaken means that another run took the file for a stale one before it was locked.
var errTaken = errors.New("another run has taken the temporary file")

func (s *Set) create(dir *os.Root, name string) (*File, error) {
	mark := s.prefix + strconv.FormatUint(uint64(rand.Uint32()), 10)
	temp := fmt.Sprintf("%s-%016x", mark, rand.Uint64())
	switch err := dir.Symlink(temp, mark); {
	case errors.Is(err, fs.ErrExist):
		return nil, err
	case err != nil:
		mark = ""
	}
	file := &File{set: s, dir: dir, mark: mark, temp: temp, name: name}
	err := file.open()
	if err != nil {
		_ = file.remove()
		return nil, err
	}
	s.live[file] = true
	return file, nil
}

// open makes the file and locks it.
func (f *File) open() error {
	var err error
	if f.File, err = f.dir.OpenFile(f.temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		return err
	}
	locked := Lock(f.File) != syscall.EWOULDBLOCK // any other error: the system has no locks
	is, err := f.Stat()
	named, lerr := f.dir.Lstat(f.temp)
	_, unmarked := f.dir.Lstat(cmp.Or(f.mark, f.temp))
	switch {
	case !locked, errors.Is(cmp.Or(lerr, unmarked), fs.ErrNotExist):
		return errTaken
	case err != nil || lerr != nil:
		return cmp.Or(err, lerr)
	case !os.SameFile(is, named):
		return errTaken
	}
	return dropACL(f.File)
}

// remove removes what is left of the temporary names, and closes and so unlocks the file.
func (f *File) remove() error {
	var err error
	if f.File != nil {
		defer f.Close() // an error does not matter: the contents are on the disk, or not needed
		if f.temp != "" {
			err = f.dir.Remove(f.temp)
		}
	}
	if f.mark == "" || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := f.dir.Remove(f.mark); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// CopyACL gives the file the POSIX access control list of another file; from then on, both
// admit the same users as soon as they have the same owner and mode. After an error, the file
// still has no list: other systems and file systems may have none. Only lists of Linux are
// known.
func (f *File) CopyACL(from *os.File) error { return copyACL(from, f.File) }

// SetTimes sets the times of the last access and of the last change.
func (f *File) SetTimes(atime, mtime time.Time) error {
	return f.dir.Chtimes(f.temp, atime, mtime)
}

// CommitNew gives the file its name, which must be free. The error is [fs.ErrExist] if the name
// is taken, and [ErrNoLinks] if files here cannot have two names; then the file can still be
// committed. After any other error, the name may refer to the whole file.
func (f *File) CommitNew() error {
	return f.commit(func() error {
		err := f.dir.Link(f.temp, f.name)
		switch {
		case err == nil:
			return f.dir.Remove(f.temp)
		case errors.Is(err, syscall.EPERM), errors.Is(err, errors.ErrUnsupported):
			return fmt.Errorf("%w: %w", ErrNoLinks, err)
		}
		return err
	})
}

// CommitOver gives the file its name, and replaces the file that has it, if any.
func (f *File) CommitOver() error {
	return f.commit(func() error { return f.dir.Rename(f.temp, f.name) })
}

// commit syncs the file and lets rename give it its name.
func (f *File) commit(rename func() error) error {
	if err := f.Sync(); err != nil {
		return err
	}
	f.set.mu.Lock()
	defer f.set.mu.Unlock()
	if err := rename(); err != nil {
		return err
	}
	f.temp = ""
	delete(f.set.live, f)
	return f.remove()
}

// Abort removes the file, unless it was committed. It returns no error: the caller has a more
// important one, and the next run removes a file that cannot be removed now.
func (f *File) Abort() {
	f.set.mu.Lock()
	defer f.set.mu.Unlock()
	if f.set.live[f] {
		delete(f.set.live, f)
		_ = f.remove()
	}
}

// RemoveStale removes the temporary files that killed runs have left in dir, except those for which keep,
// which may be nil, reports true. It returns the names of those that hold anything: an empty one may be of
// a run that has not locked it yet, and that then makes another. RemoveStale leaves alone the files that it
// may not open, which belong to other users.
func (s *Set) RemoveStale(dir *os.Root, keep func(fs.FileInfo) bool) ([]string, error) {
	d, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var removed []string
	for _, mark := range names {
		temp := s.marked(dir, mark)
		if temp == "" {
			continue
		}
		gone, err := removeStale(dir, mark, temp, keep)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, fmt.Errorf("remove %s, which a killed run left: %w", temp, err)
		}
		if gone {
			removed = append(removed, temp)
		}
	}
	return removed, nil
}

// marked returns the name of the temporary file that mark is the mark of, or "".
func (s *Set) marked(dir *os.Root, mark string) string {
	digits, ok := strings.CutPrefix(mark, s.prefix)
	if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	temp, err := dir.Readlink(mark)
	random, ok := strings.CutPrefix(temp, mark+"-")
	if err != nil || !ok || len(random) != 16 || strings.Trim(random, "0123456789abcdef") != "" {
		return ""
	}
	return temp
}

// removeStale removes a temporary file and its mark, unless a program holds it. It reports whether
// that removed any bytes.
func removeStale(dir *os.Root, mark, temp string, keep func(fs.FileInfo) bool) (bool, error) {
	info, err := dir.Lstat(temp)
	if errors.Is(err, fs.ErrNotExist) {
		return false, dir.Remove(mark)
	}
	if err != nil || !info.Mode().IsRegular() || keep != nil && keep(info) {
		return false, err
	}
	// If it has become a named pipe, opening it does not block.
	f, err := dir.OpenFile(temp, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false, nil
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) || Lock(f) != nil {
		return false, nil
	}
	if err := dir.Remove(temp); err != nil {
		return false, err
	}
	return info.Size() > 0, dir.Remove(mark)
}

// Lock takes the exclusive lock on a file, until f is closed. The error is
// [syscall.EWOULDBLOCK] if another process or another open file has it.
func Lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// SyncDir waits until the names in an open directory are on the disk. Some file systems
// cannot do that and return EINVAL, which SyncDir ignores.
func SyncDir(d *os.File) error {
	if err := d.Sync(); !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
