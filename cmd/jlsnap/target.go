package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	removed func(path string)
}

type writtenFile struct {
	path string // below the root
	info fs.FileInfo
}

// openTarget opens the directory dir. Removed is called with the path below it of each file that a killed
// run left and this one has removed.
func openTarget(dir string, force bool, removed func(path string)) (*target, error) {
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
		files, err := fs.ReadDir(root.FS(), ".")
		if err == nil && len(files) > 0 {
			err = errors.New("is not empty; --force restores into it and replaces files")
		}
		if err != nil {
			root.Close()
			return nil, err
		}
	}
	temps := atomicfile.New(".jlsnap-")
	return &target{root: root, force: force, temps: temps, stop: temps.RemoveOnSignal(), clean: map[string]bool{}, removed: removed}, nil
}

func (t *target) close() {
	t.stop()
	t.root.Close()
}

// restoreFile writes the file at a path below the root, as write does.
func (t *target) restoreFile(path string, from *os.File) error {
	return t.write(path, func(temp *atomicfile.File) error { return fill(temp, from) })
}

// restoreText writes a text into the file at a path below the root, as write does, with the permissions of like, if
// that is not nil.
func (t *target) restoreText(path string, text []byte, like *os.File) error {
	return t.write(path, func(temp *atomicfile.File) error {
		mode := fs.FileMode(0o644)
		if like != nil {
			info, err := like.Stat()
			if err != nil {
				return err
			}
			mode = info.Mode().Perm()
		}
		if _, err := temp.Write(text); err != nil {
			return err
		}
		return temp.Chmod(mode)
	})
}

// write fills the file at a path below the root. At any instant the name refers to nothing, to
// the file that it referred to before, or to the whole new one.
func (t *target) write(path string, fill func(*atomicfile.File) error) error {
	at, name := filepath.Split(path)
	dir, err := t.descend(at)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := t.mayWrite(dir, name); err != nil {
		return err
	}
	if t.force && !t.clean[at] { // without force, there was no other run
		t.clean[at] = true
		stale, err := t.temps.RemoveStale(dir, nil)
		for _, name := range stale {
			t.removed(at + name)
		}
		if err != nil {
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
	if err := fill(temp); err != nil {
		return err
	}
	err = atomicfile.ErrNoLinks
	if !t.force {
		err = temp.CommitNew()
	}
	if errors.Is(err, atomicfile.ErrNoLinks) {
		err = temp.CommitOver()
	}
	if err == nil {
		t.written = append(t.written, writtenFile{path, info})
	}
	return err
}

// mayWrite returns an error if there is something called name in dir that must not be replaced.
func (t *target) mayWrite(dir *os.Root, name string) error {
	old, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !t.force || t.wrote(old):
		return fs.ErrExist
	}
	return regular(old)
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

// descend returns the directory at a path below the root, which is empty or ends with a slash. It
// makes it if it does not exist. The caller closes it.
func (t *target) descend(dir string) (*os.Root, error) {
	path := "."
	for name := range strings.SplitSeq(dir, "/") {
		path = filepath.Join(path, name)
		if err := t.root.Mkdir(path, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		found, err := t.root.Lstat(path)
		if err == nil && !found.IsDir() {
			err = cmp.Or(regular(found), fmt.Errorf("%s: %w", name, syscall.ENOTDIR))
		}
		if err != nil {
			return nil, err
		}
	}
	return t.root.OpenRoot(path)
}

// regular returns an error if info does not describe a regular file.
func regular(info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is %s", info.Name(), session.KindOfFile(info.Mode()))
}
