package session

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
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

// An Unpack returns what a file holds, decompressed, given the file as it was opened,
// which it does not close.
type Unpack func(f *os.File) (io.ReadCloser, error)

// A Home is an open home. What it has seen of directories it remembers.
type Home struct {
	dir    string
	root   *os.Root
	unpack Unpack

	folders  []string              // under projects, sorted
	contents map[string]folder     // by folder
	places   map[string][]string   // by session id the folders with its log or directory; nil until they are known
	beside   map[string][]string   // by session id the names in directories other than projects
	nameless []string              // of those the names that hold no id
	closed   []Member              // of those directories the ones that cannot be read
	agents   map[string][]oldAgent // by folder the agents of the old layout
	unread   []Member              // of those the ones that cannot be read, until they are told
	pastes   map[string][]string   // by session id the hashes of pastes; nil until they are known
}

// Open opens the home in dir. Logs are looked into through unpack, as they are if
// that is nil.
func Open(dir string, unpack Unpack) (*Home, error) {
	// What is no directory must not be opened: it may be a named pipe.
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if unpack == nil {
		unpack = func(f *os.File) (io.ReadCloser, error) { return io.NopCloser(f), nil }
	}
	return &Home{dir: dir, root: root, unpack: unpack, agents: map[string][]oldAgent{}}, nil
}

// Close closes the home.
func (h *Home) Close() error { return h.root.Close() }

// Path returns the path of what is called name in the home.
func (h *Home) Path(name string) string { return filepath.Join(h.dir, name) }

// Name returns what the file or directory at path is called in the home; "" if it
// is not in the home. Links in its directory, and the home's own, are followed.
func (h *Home) Name(path string) string {
	dir, err := realPath(filepath.Dir(path))
	if err != nil {
		return ""
	}
	top, err := realPath(h.dir)
	if err != nil {
		return ""
	}
	name, err := filepath.Rel(top, filepath.Join(dir, filepath.Base(path)))
	if err != nil || !filepath.IsLocal(name) || name == "." {
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

// errChanged is for a file that was replaced between two looks at it.
var errChanged = errors.New("it changed while it was opened")

// Open opens the regular file name for reading. It follows no link and does not
// wait for the writer of a named pipe.
func (h *Home) Open(name string) (*os.File, error) {
	return h.open(name, 0)
}

func (h *Home) open(name string, want fs.FileMode) (*os.File, error) {
	before, err := h.lstat(name)
	if err != nil {
		return nil, err
	}
	if before.Mode().Type() != want {
		return nil, &SkippedError{irregular(before.Mode())}
	}
	f, err := h.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, cause(err)
	}
	after, err := f.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = errChanged
	}
	if err != nil {
		f.Close()
		return nil, cause(err)
	}
	return f, nil
}

// lstat looks at name, which no link may lead to. (The root would follow links that
// stay in the home.)
func (h *Home) lstat(name string) (fs.FileInfo, error) {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		dir, err := h.root.Lstat(name[:i])
		if err != nil {
			return nil, cause(err)
		}
		if !dir.IsDir() {
			return nil, &SkippedError{"behind " + irregular(dir.Mode())}
		}
	}
	info, err := h.root.Lstat(name)
	return info, cause(err)
}

// irregular says what a file is that is no regular one.
func irregular(mode fs.FileMode) string {
	switch mode.Type() {
	case fs.ModeSymlink:
		return "a symbolic link, which is not followed"
	case fs.ModeDir:
		return "a directory"
	case fs.ModeNamedPipe:
		return "a named pipe"
	case fs.ModeSocket:
		return "a socket"
	case 0:
		return "a regular file"
	}
	return "a device"
}

// cause returns err without the operation and the path that package os put
// before it.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// A dirEntry is a name in a directory.
type dirEntry struct {
	name string
	dir  bool
	link bool
}

// list returns what is in the directory name, sorted.
func (h *Home) list(name string) ([]dirEntry, error) {
	d, err := h.open(name, fs.ModeDir)
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
	return entries, cause(err)
}

// Stat looks at the file name and opens it to see whether it can be read. Only the
// Name, Bytes, Time, Missing and Err of the Member are set.
func (h *Home) Stat(name string) Member {
	m := Member{Name: name}
	info, err := h.lstat(name)
	if err != nil {
		m.Missing = errors.Is(err, fs.ErrNotExist)
		if !m.Missing {
			m.Err = err
		}
		return m
	}
	m.Time = info.ModTime()
	if !info.Mode().IsRegular() {
		m.Err = &SkippedError{irregular(info.Mode())}
		return m
	}
	m.Bytes = info.Size()
	f, err := h.Open(name)
	if err != nil {
		m.Err = err
		return m
	}
	f.Close()
	return m
}

// Look looks at a file outside of the home, which nobody opens: it may be of any size
// and kind. Only the Name, Bytes, Time, Missing and Err of the Member are set.
func Look(file string) Member {
	m := Member{Name: file}
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		m.Missing = true
	case err != nil:
		m.Err = &SkippedError{cause(err).Error()}
	case !info.Mode().IsRegular():
		m.Err = &SkippedError{irregular(info.Mode())}
	default:
		m.Bytes, m.Time = info.Size(), info.ModTime()
	}
	return m
}

// A SkippedError says why a member was not opened: it is no regular file, or lies
// where it must not.
type SkippedError struct{ Why string }

func (e *SkippedError) Error() string { return "not read: " + e.Why }

// A Member is a file that belongs to a session.
type Member struct {
	Session string
	Kind    string
	Name    string // in the home
	Bytes   int64
	Time    time.Time // of the last change
	Missing bool      // it is not there
	Err     error     // why it cannot be read: an *SkippedError, or what the system said
}

// Shared reports whether m is no member but a directory that cannot be read, and in
// which members of all sessions lie, or the logs of a project.
func (m Member) Shared() bool {
	name := strings.TrimPrefix(m.Name, "projects/")
	return m.Err != nil && !strings.Contains(name, "/")
}
