package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"jl/internal/atomicfile"
	"jl/internal/session"
)

// A target is the directory that is restored into. Nothing outside of it is created or opened,
// and no link in it is followed.
type target struct {
	root    *os.Root
	force   bool // files are replaced
	temps   *atomicfile.Set
	stop    func()          // ends the handling of signals
	written []writtenFile   // so far
	clean   map[string]bool // the directories that stale files were removed from
}

type writtenFile struct {
	path string // below the root
	info fs.FileInfo
}

func openTarget(dir string, force bool) (*target, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		if _, follow := os.Stat(dir); errors.Is(err, fs.ErrExist) && follow != nil {
			err = fmt.Errorf("a symbolic link that cannot be followed: %w", follow)
		}
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if !force {
		if err := isEmpty(root); err != nil {
			root.Close()
			return nil, err
		}
	}
	temps := atomicfile.New(".jlsnap-")
	return &target{root: root, force: force, temps: temps, stop: temps.RemoveOnSignal(), clean: map[string]bool{}}, nil
}

func (t *target) close() {
	t.stop()
	t.root.Close()
}

func isEmpty(dir *os.Root) error {
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := d.Readdirnames(1); err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	return errors.New("is not empty; --force restores into it and replaces files")
}

// restoreFile writes the file with these elements. At any instant the name refers to nothing, to
// the file that it referred to before, or to the whole new one.
func (t *target) restoreFile(elements []string, from *os.File) error {
	path, name := filepath.Join(elements...), elements[len(elements)-1]
	dir, err := t.descend(elements[:len(elements)-1])
	if err != nil {
		return err
	}
	defer dir.Close()
	if _, err := t.replaces(dir, name); err != nil {
		return err
	}
	if at := filepath.Dir(path); t.force && !t.clean[at] { // without force, there was no other run
		t.clean[at] = true
		if err := t.temps.RemoveStale(dir); err != nil {
			return err
		}
	}
	temp, err := t.temps.Create(dir, name)
	if err != nil {
		return err
	}
	defer temp.Abort()
	info, err := temp.Stat()
	if err != nil {
		return err
	}
	if err := fill(temp, from); err != nil {
		return err
	}
	if err := t.commit(dir, name, temp); err != nil {
		return err
	}
	t.written = append(t.written, writtenFile{path, info})
	return nil
}

// replaces reports whether there is a file called name in dir. It returns an error if that must
// not be replaced.
func (t *target) replaces(dir *os.Root, name string) (bool, error) {
	old, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !t.force || t.wrote(old):
		return true, fs.ErrExist
	}
	return true, regular(old)
}

// wrote reports whether this run wrote a file, maybe under another name: some file systems
// ignore case. The path is looked up because another run may have replaced the file, and the
// system may have used its number again.
func (t *target) wrote(file fs.FileInfo) bool {
	return slices.ContainsFunc(t.written, func(w writtenFile) bool {
		if !os.SameFile(w.info, file) {
			return false
		}
		now, err := t.root.Lstat(w.path)
		return err == nil && os.SameFile(now, file)
	})
}

// commit gives temp its name in dir.
func (t *target) commit(dir *os.Root, name string, temp *atomicfile.File) error {
	const tries = 10
	for try := 1; ; try++ {
		over, err := t.replaces(dir, name)
		switch {
		case err != nil:
			return err
		case over:
			return temp.CommitOver()
		}
		err = temp.CommitNew()
		if errors.Is(err, atomicfile.ErrNoLinks) {
			return temp.CommitOver()
		}
		if !t.force || !errors.Is(err, fs.ErrExist) || try == tries {
			return err
		}
		// Another run has just written the file.
	}
}

// fill writes the bytes of from, and gives temp its permissions.
func fill(temp *atomicfile.File, from *os.File) error {
	before, err := from.Stat()
	if err != nil {
		return err
	}
	n, err := io.Copy(temp, from)
	if err != nil {
		return err
	}
	after, err := from.Stat()
	if err != nil {
		return err
	}
	if n != before.Size() || n != after.Size() || !before.ModTime().Equal(after.ModTime()) {
		return errors.New("changed while it was read")
	}
	return temp.Chmod(before.Mode().Perm())
}

// descend returns the directory with these elements below the root. It makes it if it does not
// exist. The caller closes it.
func (t *target) descend(elements []string) (*os.Root, error) {
	dir, err := t.root.OpenRoot(".")
	for _, e := range elements {
		if err != nil {
			return nil, err
		}
		var next *os.Root
		next, err = enter(dir, e)
		dir.Close()
		dir = next
	}
	return dir, err
}

// enter returns the directory called name in dir. It makes it if it does not exist.
func enter(dir *os.Root, name string) (*os.Root, error) {
	if err := dir.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	found, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !found.IsDir() {
		if err := regular(found); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s: %w", name, syscall.ENOTDIR)
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if info, err := next.Stat("."); err != nil || !os.SameFile(found, info) {
		next.Close()
		return nil, fmt.Errorf("%s was replaced", name)
	}
	return next, nil
}

// regular returns an error if info does not describe a regular file.
func regular(info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is %s", info.Name(), session.KindOfFile(info.Mode()))
}
