package session

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"jl/internal/entry"
)

// A disk is the directory of a home, and the rules by which files in it are opened. A goroutine needs one of its own.
type disk struct {
	dir   string
	info  fs.FileInfo // of the directory
	agent *agent
	root  *os.Root

	lastName string   // where the file was that was looked at last
	last     *os.Root // that directory, open, or nil

	reader reader

	// Refuses returns why a file that is in the home must not be read, or nil. If it is nil, all files
	// may. Several goroutines call it.
	Refuses func(fs.FileInfo) error
}

// Path returns the path of the file that has the name in the home.
func (d *disk) Path(name string) string { return filepath.Join(d.dir, name) }

// Name returns the name in the home of the file or directory at a path, "" if it is not
// in the home. Links above it, and the home's own, are followed, but a folder that is a link is
// in the home, wherever it leads.
func (d *disk) Name(file string) string {
	for i, resolve := range []func(string) (string, error){realPath, filepath.Abs} {
		dir, err := resolve(filepath.Dir(file))
		top, topErr := resolve(d.dir)
		if err != nil || topErr != nil {
			continue
		}
		name, err := filepath.Rel(top, filepath.Join(dir, filepath.Base(file)))
		if err != nil || !filepath.IsLocal(name) || name == "." {
			continue
		}
		name = filepath.ToSlash(name)
		if _, inFolder := d.agent.inFolder(name); inFolder || i == 0 {
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
func (d *disk) Open(name string) (*os.File, error) {
	f, _, err := d.open(name, 0)
	return f, err
}

// ReadObject returns the JSON object that the file of that name holds. It fails if the file holds
// something else, or more than a megabyte.
func (d *disk) ReadObject(name string) (entry.Value, error) { return objectIn(d.open(name, 0)) }

// objectIn reads what ReadObject returns from an open file, and closes it.
func objectIn(f *os.File, _ fs.FileInfo, err error) (entry.Value, error) {
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
func (d *disk) open(name string, want fs.FileMode) (*os.File, fs.FileInfo, error) {
	before, err := d.lstat(name)
	if err != nil {
		return nil, nil, err
	}
	followed := before.Mode().Type() == fs.ModeSymlink && d.follows(name)
	if followed {
		if before, err = os.Stat(d.Path(name)); err != nil {
			return nil, nil, named(err, name)
		}
	}
	if before.Mode().Type() != want {
		return nil, before, skipped(KindOfFile(before.Mode()))
	}
	var f *os.File
	const flags = os.O_RDONLY | syscall.O_NONBLOCK
	if dir, base, dirErr := d.in(name); followed {
		f, err = os.OpenFile(d.Path(name), flags, 0)
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
func (d *disk) lstat(name string) (fs.FileInfo, error) {
	dir, base, err := d.in(name)
	if err != nil {
		return nil, err
	}
	info, err := dir.Lstat(base)
	if err == nil && d.Refuses != nil {
		err = d.Refuses(info)
	}
	return info, named(err, name)
}

// in returns the directory of the file called name, and the name of the file there. The
// directory stays open until another one is asked for: a list looks at thousands of files in
// the same directory.
func (d *disk) in(name string) (*os.Root, string, error) {
	dir, base := path.Split(name)
	if dir == "" {
		return d.root, base, nil
	}
	dir = dir[:len(dir)-1]
	if d.last == nil || d.lastName != dir {
		root, err := d.openDir(dir)
		if err != nil {
			return nil, "", err
		}
		d.closeLast()
		d.lastName, d.last = dir, root
	}
	return d.last, base, nil
}

func (d *disk) closeLast() {
	if d.last != nil {
		d.last.Close()
	}
}

// follows reports whether a name may be a link: one of a folder, a directory above one, or a log.
func (d *disk) follows(name string) bool {
	m := d.agent.match(name, false)
	return d.agent.leading(name) == name || m.isSession() && m.rest == ""
}

// openDir opens the directory called name. It refuses a name that leads through a link, but for
// folders and the directories above them.
func (d *disk) openDir(name string) (*os.Root, error) {
	root, err := openDirIn(d.root, name)
	top := d.agent.leading(name)
	if top == "" || !isSkipped(err) {
		return root, err
	}
	if info, err := os.Stat(d.Path(top)); err != nil {
		return nil, named(err, top)
	} else if !info.IsDir() { // to open a named pipe would block
		return nil, skipped("behind " + KindOfFile(info.Mode()))
	}
	root, err = os.OpenRoot(d.Path(top))
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
func (d *disk) list(name string) ([]fs.DirEntry, error) {
	rooted, _, err := d.open(name, fs.ModeDir)
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
	dir := os.NewFile(uintptr(fd), name)
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
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

// packed returns the name of the log with a stem, packed or not, "" if there is none.
func (d *disk) packed(stem string) string {
	for _, suffix := range logSuffixes {
		if _, err := d.lstat(stem + suffix); err == nil {
			return stem + suffix
		}
	}
	return ""
}

// deepest is how many directories may be nested below one of a session.
// The programs that write there use two.
const deepest = 32

// below yields the names of all files below the directory name, and, with an error, those of the
// directories that cannot be read. If there is no such directory, it yields nothing.
func (d *disk) below(name string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		var walk func(name string, depth int) bool
		walk = func(name string, depth int) bool {
			var entries []fs.DirEntry
			err := skipped("too many nested directories")
			if depth < deepest {
				entries, err = d.list(name)
			}
			goOn := err == nil || errors.Is(err, fs.ErrNotExist) || yield(name, err)
			for i := 0; goOn && i < len(entries); i++ {
				if child := path.Join(name, entries[i].Name()); entries[i].IsDir() {
					goOn = walk(child, depth+1)
				} else {
					goOn = yield(child, nil)
				}
			}
			return goOn
		}
		walk(name, 0)
	}
}
