package session

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"jl/internal/entry"
)

// Dir returns the directory that is the home: dir if it is not empty, else
// $CLAUDE_CONFIG_DIR, else ~/.claude.
func Dir(dir string) (string, error) {
	if dir == "" {
		dir = os.Getenv("CLAUDE_CONFIG_DIR")
	}
	if dir != "" {
		return filepath.Clean(dir), nil
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("none of --home, CLAUDE_CONFIG_DIR and HOME says where the home is")
	}
	return filepath.Join(user, ".claude"), nil
}

// A Home is an open home. It remembers what it has seen of directories.
type Home struct {
	dir  string
	root *os.Root
	last openDir // where the file was that was looked at last

	// Refuses returns why a file that is in the home must not be read, or nil. If it is nil, all files
	// may. Several goroutines call it.
	Refuses func(fs.FileInfo) error

	// What readProjects returns, and so on. Each is read once.
	projects func() ([]*folder, error)
	sessions func() map[string][]*folder
	others   func() (others, error)
	pastes   func() (map[string][]string, error)
}

// Open opens the home in dir.
func Open(dir string) (*Home, error) {
	// Only a directory may be opened: opening a named pipe would block.
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	h := &Home{dir: dir, root: root}
	h.projects = sync.OnceValues(h.readProjects)
	h.sessions = sync.OnceValue(h.readSessions)
	h.others = sync.OnceValues(h.readOthers)
	h.pastes = sync.OnceValues(h.readPastes)
	return h, nil
}

// Close closes the home.
func (h *Home) Close() error {
	h.last.close()
	return h.root.Close()
}

// twin returns a Home for another goroutine, which knows what h knows by now. The caller
// closes last of it, not all of it.
func (h *Home) twin() *Home {
	t := *h
	t.last = openDir{}
	return &t
}

// An openDir is a directory of the home that is open. The zero openDir is none.
type openDir struct {
	name string
	root *os.Root
}

func (d *openDir) close() {
	if d.root != nil {
		d.root.Close()
	}
	*d = openDir{}
}

// Path returns the path of the file that has the name in the home.
func (h *Home) Path(name string) string { return filepath.Join(h.dir, name) }

// Name returns the name in the home of the file or directory at a path, "" if it is not
// in the home. Links above it, and the home's own, are followed.
func (h *Home) Name(file string) string {
	dir, err := realPath(filepath.Dir(file))
	top, topErr := realPath(h.dir)
	name, relErr := filepath.Rel(top, filepath.Join(dir, filepath.Base(file)))
	if err != nil || topErr != nil || relErr != nil || !filepath.IsLocal(name) || name == "." {
		return ""
	}
	return filepath.ToSlash(name)
}

func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// A skippedError says why something was not opened on purpose.
type skippedError struct{ error }

func (e *skippedError) Error() string { return "not read: " + e.error.Error() }

func (e *skippedError) Unwrap() error { return e.error }

func skipped(why string) error { return &skippedError{errors.New(why)} }

// IsSkipped reports whether err says that something was not opened on purpose: because it is
// not a regular file, or is where it must not be.
func IsSkipped(err error) bool { return errors.As(err, new(*skippedError)) }

// A PlaceError names what could not be read in the home, so that members may be missing.
type PlaceError struct {
	Name string // in the home
	Kind string // of the members that are there, if it is a directory; else ""
	Err  error  // for a damaged line of a log an *entry.Damage
}

// Error returns the name and what is wrong with it, not how that was noticed.
func (e *PlaceError) Error() string {
	err := e.Err
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return e.Name + ": " + err.Error()
}

// Unwrap returns e.Err.
func (e *PlaceError) Unwrap() error { return e.Err }

// errChanged is for a file that was replaced between two looks at it.
var errChanged = errors.New("it changed while it was opened")

// Open opens the regular file that has the name in the home. It follows no link and
// does not wait for the writer of a named pipe.
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
	if before.Mode().Type() != want {
		return nil, before, skipped(KindOfFile(before.Mode()))
	}
	dir, base, err := h.in(name)
	if err != nil {
		return nil, before, err
	}
	f, err := dir.OpenFile(base, os.O_RDONLY|syscall.O_NONBLOCK, 0)
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
	if h.last.root == nil || h.last.name != dir {
		root, err := h.openDir(dir)
		if err != nil {
			return nil, "", err
		}
		h.last.close()
		h.last = openDir{dir, root}
	}
	return h.last.root, base, nil
}

// openDir opens the directory called name. It refuses a name that leads through a link.
func (h *Home) openDir(name string) (*os.Root, error) {
	var before fs.FileInfo
	for i := range len(name) + 1 {
		if i < len(name) && name[i] != '/' {
			continue
		}
		var err error
		if before, err = h.root.Lstat(name[:i]); err != nil {
			return nil, err
		}
		if !before.IsDir() {
			return nil, skipped("behind " + KindOfFile(before.Mode()))
		}
	}
	root, err := h.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	after, err := root.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = errChanged
	}
	if err != nil {
		root.Close()
		return nil, named(err, name)
	}
	return root, nil
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

// A dirEntry is a name in a directory.
type dirEntry struct {
	name string
	dir  bool
	link bool
}

// unrooted returns the directory d as one that was not opened in a root, and closes d. ReadDir of a
// directory in a root asks the system about each file there, even if the directory says what it is.
func unrooted(d *os.File) (*os.File, error) {
	defer d.Close()
	fd, err := syscall.Dup(int(d.Fd()))
	if err != nil {
		return nil, &fs.PathError{Op: "dup", Path: d.Name(), Err: err}
	}
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), d.Name()), nil
}

// list returns what is in the directory name, sorted.
func (h *Home) list(name string) ([]dirEntry, error) {
	d, _, err := h.open(name, fs.ModeDir)
	if err == nil {
		d, err = unrooted(d)
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	const some = 1024 // all at once would take several times the memory
	var entries []dirEntry
	for err == nil {
		var found []fs.DirEntry
		found, err = d.ReadDir(some)
		for _, f := range found {
			entries = append(entries, dirEntry{f.Name(), f.IsDir(), f.Type() == fs.ModeSymlink})
		}
	}
	if err == io.EOF {
		err = nil
	}
	slices.SortFunc(entries, func(a, b dirEntry) int { return strings.Compare(a.name, b.name) })
	return entries, err
}

// Stat looks at the file name and opens it to see whether it can be read. It sets only
// the Name, Bytes, Time, Missing and Err of the Member.
func (h *Home) Stat(name string) Member {
	f, info, err := h.open(name, 0)
	if err == nil {
		f.Close()
	}
	return memberOf(name, info, err)
}

// look looks at a file outside of the home and does not open it: it may be of any size
// and kind, and be in a place that the system forbids. It sets what Stat sets.
func look(file string) Member {
	info, err := os.Lstat(file)
	if err != nil {
		err = &skippedError{err}
	} else if !info.Mode().IsRegular() {
		err = skipped(KindOfFile(info.Mode()))
	}
	return memberOf(file, info, err)
}

func memberOf(name string, info fs.FileInfo, err error) Member {
	m := Member{Name: name, Err: err}
	if info != nil {
		m.Time = info.ModTime()
		if info.Mode().IsRegular() {
			m.Bytes = info.Size()
		}
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENAMETOOLONG) { // no file can have such a name
		m.Missing, m.Err = true, nil
	}
	return m
}
