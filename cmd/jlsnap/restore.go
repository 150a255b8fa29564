package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"jl/internal/cli"
	"jl/internal/tree"
)

// restore writes the state of each tracked path into the directory that --restore
// names, and prints what it wrote. It returns a failed write of that only.
func (s *snapper) restore(shot tree.Snapshot) error {
	files := s.load(shot).files()
	id := s.session(shot.Node)
	if s.t.Err() != nil {
		return nil
	}
	to, err := openTarget(s.f.Restore, s.f.Force)
	if err != nil {
		s.c.Fail(s.f.Restore, err)
		return nil
	}
	defer to.root.Close()
	s.answered = true
	for _, f := range files {
		path, err := s.restoreFile(to, f, id)
		if err != nil {
			s.c.Fail(cli.Line(s.name, f.line)+": "+string(f.name), err)
		}
		if path == "" {
			continue
		}
		if err := s.wrote(path); err != nil {
			return err
		}
	}
	return nil
}

// wrote prints the name of a file that was written.
func (s *snapper) wrote(path string) error {
	name, end := filepath.Join(s.f.Restore, path), byte(0)
	if !s.f.Null {
		name, end = strings.ReplaceAll(name, "\n", `\u000a`), '\n'
	}
	if _, err := s.c.Out.WriteString(name); err != nil {
		return err
	}
	return s.c.Out.WriteByte(end)
}

// restoreFile writes one tracked path and returns its path below the directory, ""
// if it wrote none.
func (s *snapper) restoreFile(to *target, f tracked, id string) (string, error) {
	elements, err := split(f.path)
	if err != nil {
		return "", err
	}
	path := filepath.Join(elements...)
	from, b := s.open(f, id)
	switch b.state {
	case absent:
		if _, err := to.root.Lstat(path); err == nil {
			s.c.Note(cli.Line(s.name, f.line), "%s did not exist then; it is left in %s", f.name, s.f.Restore)
		}
		return "", nil
	case pruned, unreadable:
		return "", b.trouble()
	}
	defer from.Close()
	if err := to.put(elements, from); err != nil {
		return "", cause(err)
	}
	return path, nil
}

// longest is the most bytes that a file name has on the common systems.
const longest = 255

// split returns the elements of a tracked path, relative to the directory that it
// is restored into. It refuses a path that could lead elsewhere or nowhere.
func split(path string) ([]string, error) {
	const longestPath = 4095
	switch {
	case path == "":
		return nil, errors.New("an empty path")
	case strings.Contains(path, "\x00"):
		return nil, errors.New("a path with a NUL")
	case len(path) > longestPath:
		return nil, syscall.ENAMETOOLONG
	}
	var elements []string
	for e := range strings.SplitSeq(path, "/") {
		switch {
		case e == "" || e == ".":
			continue
		case e == "..":
			return nil, errors.New(`a path with ".."`)
		case len(e) > longest:
			return nil, syscall.ENAMETOOLONG
		}
		elements = append(elements, e)
	}
	if len(elements) == 0 {
		return nil, errors.New("a path without a file name")
	}
	return elements, nil
}

// A target is the directory that is restored into. Nothing outside of it is ever
// created or opened, and no link in it followed.
type target struct {
	root  *os.Root
	force bool
	mine  []fs.FileInfo   // the files written so far
	swept map[string]bool // the directories without leftovers
}

func openTarget(dir string, force bool) (*target, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, cause(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, cause(err)
	}
	t := &target{root, force, nil, map[string]bool{}}
	if !force {
		if err := isEmpty(root); err != nil {
			root.Close()
			return nil, cause(err)
		}
	}
	return t, nil
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

// regular says what is wrong if info is of no regular file.
func regular(info fs.FileInfo) error {
	what := "no regular file"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "a directory"
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	}
	return fmt.Errorf("%s is %s", info.Name(), what)
}

// put writes the file with these elements. At each instant the name stands for the
// file that was there, or none, or for the whole new one.
func (t *target) put(elements []string, from *os.File) error {
	last := len(elements) - 1
	parent, err := t.descend(elements[:last])
	if err != nil {
		return err
	}
	defer parent.Close()
	path, name := filepath.Join(elements...), elements[last]
	old, err := parent.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !t.force || t.isMine(old):
		return fs.ErrExist
	default:
		if err := regular(old); err != nil {
			return err
		}
	}
	if err := t.sweep(parent, filepath.Dir(path)); err != nil {
		return err
	}
	aside := asidePrefix + rand.Text() + asideSuffix
	written, err := write(parent, aside, from)
	if err != nil {
		return err
	}
	if old != nil {
		err = parent.Rename(aside, name)
	} else {
		err = link(parent, aside, name)
	}
	if err != nil {
		discard(parent, aside)
		return err
	}
	t.mine = append(t.mine, written)
	return nil
}

// isMine reports whether this run wrote a file, maybe under another name: there are
// file systems that do not tell case apart.
func (t *target) isMine(file fs.FileInfo) bool {
	return slices.ContainsFunc(t.mine, func(mine fs.FileInfo) bool { return os.SameFile(mine, file) })
}

// discard removes what will not be used. The error that led here says more than
// one of this could.
func discard(dir *os.Root, aside string) { _ = dir.Remove(aside) }

// descend returns the directory with these elements below the root, made if it
// does not exist. The caller closes it.
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

// enter returns the directory name in dir, made if it does not exist.
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

// A file is written under a name like this one.
const asidePrefix, asideSuffix = ".jlsnap-", ".tmp"

func isAside(name string) bool {
	return len(name) == len(asidePrefix)+len(rand.Text())+len(asideSuffix) &&
		strings.HasPrefix(name, asidePrefix) && strings.HasSuffix(name, asideSuffix)
}

// sweep removes what a killed run left in dir. If files may not be replaced there
// was no run before.
func (t *target) sweep(dir *os.Root, path string) error {
	if !t.force || t.swept[path] {
		return nil
	}
	t.swept[path] = true
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, n := range names {
		if !isAside(n) {
			continue
		}
		if err := dir.Remove(n); err != nil {
			return err
		}
	}
	return nil
}

// write writes all of from into a new file in dir, with its permissions, and returns
// what that file is. It leaves no file behind an error.
func write(dir *os.Root, name string, from *os.File) (fs.FileInfo, error) {
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = fill(f, from)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		discard(dir, name)
	}
	return info, err
}

var errChanged = errors.New("changed while it was read")

func fill(f, from *os.File) error {
	before, err := from.Stat()
	if err != nil {
		return err
	}
	n, err := io.Copy(f, from)
	if err != nil {
		return err
	}
	after, err := from.Stat()
	if err != nil {
		return err
	}
	if n != before.Size() || n != after.Size() || !before.ModTime().Equal(after.ModTime()) {
		return errChanged
	}
	if err := f.Chmod(before.Mode().Perm()); err != nil {
		return err
	}
	return f.Sync()
}

// link gives the file aside the name, which must be free, and takes its own away.
func link(dir *os.Root, aside, name string) error {
	err := dir.Link(aside, name)
	switch {
	case err == nil:
		return dir.Remove(aside)
	case errors.Is(err, syscall.EPERM), errors.Is(err, errors.ErrUnsupported):
		return dir.Rename(aside, name) // there are no hard links here
	}
	return err
}
