package session

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"jl/internal/entry"
)

// A Home is an open home: the directory in which an agent keeps its sessions. It remembers what it
// has seen of directories.
type Home struct {
	dir   string
	agent *agent
	root  *os.Root

	lastName string   // where the file was that was looked at last
	last     *os.Root // that directory, open, or nil

	// Refuses returns why a file that is in the home must not be read, or nil. If it is nil, all files
	// may. Several goroutines call it.
	Refuses func(fs.FileInfo) error

	// Ready is called after the logs of a session, and before what is in its logs is looked for, which may
	// take long, so that the caller can write what it has.
	Ready func()

	// What readFolders returns, and so on. Each is read once.
	folders  func() []*folder
	sessions func() map[string]place
	ids      func() []string
	others   func() others
	parents  func() map[string]string
	history  func() (history, error)
	titles   func() map[string]string

	agentLogs func() ([]Member, []error)
	index     func() (map[string][]string, []error)
}

// Path returns the path of the file that has the name in the home.
func (h *Home) Path(name string) string { return filepath.Join(h.dir, name) }

// Name returns the name in the home of the file or directory at a path, "" if it is not
// in the home. Links above it, and the home's own, are followed, but a folder that is a link is
// in the home, wherever it leads.
func (h *Home) Name(file string) string {
	for i, place := range []func(string) (string, error){realPath, filepath.Abs} {
		dir, err := place(filepath.Dir(file))
		top, topErr := place(h.dir)
		if err != nil || topErr != nil {
			continue
		}
		name, err := filepath.Rel(top, filepath.Join(dir, filepath.Base(file)))
		if err != nil || !filepath.IsLocal(name) || name == "." {
			continue
		}
		name = filepath.ToSlash(name)
		if _, _, inFolder := h.agent.folderIn(name); inFolder || i == 0 {
			return name
		}
	}
	return ""
}

func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// errChanged is for a file that was replaced between two looks at it.
var errChanged = errors.New("it changed while it was opened")

// Open opens the regular file that has the name in the home. It follows no link, unless the file is
// the log of a session, and does not wait for the writer of a named pipe.
func (h *Home) Open(name string) (*os.File, error) {
	f, _, err := h.open(name, 0)
	return f, err
}

// ReadObject returns the JSON object that the file of that name holds. It fails if the file holds
// something else, or more than a megabyte.
func (h *Home) ReadObject(name string) (entry.Value, error) {
	f, err := h.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const most = 1 << 20
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	object := entry.Parse(b)
	switch {
	case err != nil:
		return nil, err
	case len(b) > most:
		return nil, errors.New("more than 1 MiB")
	case !object.IsObject():
		return nil, errors.New("not a JSON object")
	}
	return object, nil
}

// open opens a file of the wanted kind, and returns what is known of it, with an error too.
func (h *Home) open(name string, want fs.FileMode) (*os.File, fs.FileInfo, error) {
	before, err := h.lstat(name)
	if err != nil {
		return nil, nil, err
	}
	followed := before.Mode().Type() == fs.ModeSymlink && h.follows(name)
	if followed {
		if before, err = os.Stat(h.Path(name)); err != nil {
			return nil, nil, named(err, name)
		}
	}
	if before.Mode().Type() != want {
		return nil, before, skipped(KindOfFile(before.Mode()))
	}
	var f *os.File
	const flags = os.O_RDONLY | syscall.O_NONBLOCK
	if dir, base, dirErr := h.in(name); followed {
		f, err = os.OpenFile(h.Path(name), flags, 0)
	} else if err = dirErr; err == nil {
		f, err = dir.OpenFile(base, flags, 0)
	}
	if err != nil {
		return nil, before, named(err, name)
	}
	after, err := f.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = errChanged
	}
	if err != nil {
		f.Close()
		return nil, before, err
	}
	return f, after, nil
}

// lstat returns what is known of a file. It refuses a name that leads through a link,
// even one that stays in the home, which the root would follow.
func (h *Home) lstat(name string) (fs.FileInfo, error) {
	dir, base, err := h.in(name)
	if err != nil {
		return nil, err
	}
	info, err := dir.Lstat(base)
	if err == nil && h.Refuses != nil {
		err = h.Refuses(info)
	}
	return info, named(err, name)
}

// in returns the directory of the file called name, and the name of the file there. The
// directory stays open until another one is asked for: a list looks at thousands of files in
// the same directory.
func (h *Home) in(name string) (*os.Root, string, error) {
	dir, base := path.Split(name)
	if dir == "" {
		return h.root, base, nil
	}
	dir = dir[:len(dir)-1]
	if h.last == nil || h.lastName != dir {
		root, err := h.openDir(dir)
		if err != nil {
			return nil, "", err
		}
		h.closeLast()
		h.lastName, h.last = dir, root
	}
	return h.last, base, nil
}

func (h *Home) closeLast() {
	if h.last != nil {
		h.last.Close()
	}
}

// follows reports whether a name may be a link: one of a folder, a directory above one, or a log.
func (h *Home) follows(name string) bool {
	if h.agent.leading(name) == name {
		return true
	}
	_, rest, ok := h.agent.folderIn(name)
	id, _ := h.agent.logAt(rest, false)
	return ok && id != ""
}

// openDir opens the directory called name. It refuses a name that leads through a link, but for
// folders and the directories above them.
func (h *Home) openDir(name string) (*os.Root, error) {
	root, err := openDirIn(h.root, name)
	top := h.agent.leading(name)
	if top == "" || !isSkipped(err) {
		return root, err
	}
	if info, err := os.Stat(h.Path(top)); err != nil {
		return nil, named(err, top)
	} else if !info.IsDir() { // to open a named pipe would block
		return nil, skipped("behind " + KindOfFile(info.Mode()))
	}
	root, err = os.OpenRoot(h.Path(top))
	if err != nil || top == name {
		return root, err
	}
	defer root.Close()
	return openDirIn(root, name[len(top)+1:])
}

// openDirIn opens the directory called name in root. It follows no link.
func openDirIn(root *os.Root, name string) (*os.Root, error) {
	var before fs.FileInfo
	for n := range strings.Count(name, "/") + 1 {
		var err error
		if before, err = root.Lstat(firstOf(name, n+1)); err != nil {
			return nil, err
		}
		if !before.IsDir() {
			return nil, skipped("behind " + KindOfFile(before.Mode()))
		}
	}
	dir, err := root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	after, err := dir.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = errChanged
	}
	if err != nil {
		dir.Close()
		return nil, named(err, name)
	}
	return dir, nil
}

// named makes an error about a file in a directory name the file in the home.
func named(err error, name string) error {
	if e, ok := err.(*fs.PathError); ok {
		return &fs.PathError{Op: e.Op, Path: name, Err: e.Err}
	}
	return err
}

// KindOfFile says what kind of file has the mode, as a message does: "a directory".
func KindOfFile(mode fs.FileMode) string { return cmp.Or(kindsOfFile[mode.Type()], "a device") }

var kindsOfFile = map[fs.FileMode]string{
	0:                "a regular file",
	fs.ModeDir:       "a directory",
	fs.ModeSymlink:   "a symbolic link, which is not followed",
	fs.ModeNamedPipe: "a named pipe",
	fs.ModeSocket:    "a socket",
}

// list returns what is in the directory name, sorted.
func (h *Home) list(name string) ([]fs.DirEntry, error) {
	rooted, _, err := h.open(name, fs.ModeDir)
	if err != nil {
		return nil, err
	}
	defer rooted.Close()
	// ReadDir of a directory in a root asks the system about each file there, even if the directory says what
	// it is.
	fd, err := syscall.Dup(int(rooted.Fd()))
	if err != nil {
		return nil, &fs.PathError{Op: "dup", Path: name, Err: err}
	}
	syscall.CloseOnExec(fd)
	d := os.NewFile(uintptr(fd), name)
	defer d.Close()
	entries, err := d.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// Stat looks at the file name and opens it to see whether it can be read. It sets only
// the Home, Name, Bytes, Time, Missing and Err of the Member.
func (h *Home) Stat(name string) Member {
	f, info, err := h.open(name, 0)
	if err == nil {
		f.Close()
	}
	m := memberOf(name, info, err)
	m.Home = h
	return m
}

// look looks at a file outside of the home and does not open it: it may be of any size
// and kind, and be in a place that the system forbids. It sets what Stat sets.
func look(file string) Member {
	info, err := os.Lstat(file)
	if err != nil {
		err = fmt.Errorf("%w: %w", errSkipped, err)
	} else if !info.Mode().IsRegular() {
		err = skipped(KindOfFile(info.Mode()))
	}
	return memberOf(file, info, err)
}

func memberOf(name string, info fs.FileInfo, err error) Member {
	m := Member{Name: name, Err: err}
	if info != nil && info.Mode().IsRegular() {
		m.Bytes, m.Time = info.Size(), info.ModTime()
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENAMETOOLONG) { // no file can have such a name
		m.Missing, m.Err = true, nil
	}
	return m
}
