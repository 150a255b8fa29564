package archive

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"jl/internal/source"
)

// The promise of --archive is that at any instant, whatever is killed, fails or
// loses power, FILE or FILE.zst is whole, and that FILE goes only when every
// byte of it has been read back from what is on its way to the disk. So:
//
//	write aside, fsync      in the directory of the archive, mode 0600
//	read back, compare      with FILE, opened anew
//	mode, times, fsync      those of FILE
//	link, unlink            gives the archive its name, and fails if that is taken
//	fsync the directory
//	look at FILE again      is it what it was?
//	unlink FILE, fsync its directory
//
// link(2) and not rename(2), which would replace what another process has put
// there meanwhile. What a killed run leaves aside, the next one in the same
// directory removes; one that is still being written is locked, and left alone.
// FILE is locked too: two runs do not archive it at once. A run that was killed
// before the last step has left both whole: the next one compares them and
// removes FILE.
//
// One gap is left: an entry appended between the last look and unlink, some
// microseconds, is lost, as there is no way to unlink a file if it has not changed.

// asideName begins the name of an archive that is not finished.
const asideName = ".jlcompact-"

// archiveBlock is how many bytes of FILE are read, packed or compared at once.
const archiveBlock = 256 << 10

var (
	errChanged = errors.New("changed meanwhile")
	errDiffers = errors.New("holds other bytes")
	errRegular = errors.New("is no regular file")
)

// Options say how files are archived.
type Options struct {
	To    string // the directory of the archives; empty: the directory of each file
	Level int    // of compression, as zstd(1) counts; 0 is the default
	Keep  bool   // do not remove the files

	Terminal io.Writer // where progress is shown; nil: nowhere
	Count    int       // how many files there will be, for the progress
}

// An Archiver replaces files by their archives.
type Archiver struct {
	Options
	show    *progress
	cleared map[string]bool // the directories without leftovers
}

// New returns an Archiver, or what is wrong with the directory that the archives are to
// be in.
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
	return &Archiver{o, newProgress(o.Terminal, o.Count), map[string]bool{}}, nil
}

// Archive replaces a file by its archive.
func (a *Archiver) Archive(name string) error {
	j := job{name: name, target: name + ".zst", level: a.Level, keep: a.Keep, show: a.show}
	if a.To != "" {
		j.target = strings.TrimSuffix(a.To, "/") + "/" + filepath.Base(name) + ".zst"
	}
	a.show.next(name)
	defer a.show.clear()
	if dir := directory(j.target); !a.cleared[dir] {
		a.cleared[dir] = true
		if err := j.inDirectory(clearAside(dir)); err != nil {
			return err
		}
	}
	return j.run()
}

// directory returns the directory that path is in. It takes no ".." out, as
// filepath.Dir does: behind a symbolic link that leads elsewhere.
func directory(path string) string {
	dir, _ := filepath.Split(path)
	return cmp.Or(dir, ".")
}

// A job is one FILE to be archived.
type job struct {
	name, target string // as messages call them
	level        int
	keep         bool
	show         *progress

	was       fs.FileInfo // of FILE when it was looked at first
	made      fs.FileInfo // of the archive that was compared with it
	fresh     bool        // and that this run has written
	dir, from *os.File    // the directories of the archive and of FILE
}

// run does the job. Its error is what a message says of FILE.
func (j *job) run() error {
	var err error
	if j.dir, err = os.Open(directory(j.target)); err != nil {
		return j.inDirectory(err)
	}
	defer j.dir.Close()
	if j.from, err = os.Open(directory(j.name)); err != nil {
		return errno(err)
	}
	defer j.from.Close()

	j.was, err = os.Lstat(j.name)
	if errors.Is(err, fs.ErrNotExist) && !j.keep && j.target == j.name+".zst" && j.done() == nil {
		return nil
	}
	if err != nil {
		return errno(err)
	}
	file, err := j.take()
	if err != nil {
		return err
	}
	defer file.Close() // and with it goes the lock
	if _, err = os.Lstat(j.target); err == nil {
		err = j.accept()
	} else if errors.Is(err, fs.ErrNotExist) {
		err = j.write()
	} else {
		err = j.writing(err)
	}
	if err == nil {
		err = j.writing(syncDir(j.dir))
	}
	if err == nil {
		err = j.lastLook()
	}
	if err == nil && !j.keep {
		err = j.remove()
	}
	return err
}

// done reports whether FILE, which is gone, has been archived beside its place: by a
// run that was killed just before its end, or for which FILE was given twice. In
// another directory the archive may be of another FILE of that name.
func (j *job) done() error {
	f, _, err := openArchive(j.target)
	if err != nil {
		return err
	}
	defer f.Close()
	src, err := source.Open("-", f, nil)
	if err != nil {
		return err
	}
	defer src.Close()
	if _, err := io.Copy(io.Discard, src); err != nil {
		return err
	}
	return cmp.Or(f.Sync(), syncDir(j.dir), syncDir(j.from))
}

// take opens FILE and locks it. It refuses what cannot be replaced by an archive
// of its bytes.
func (j *job) take() (*os.File, error) {
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
	if err == nil && kind != "" {
		err = errors.New("is compressed already")
	}
	if err == nil && lock(f) == syscall.EWOULDBLOCK {
		err = errors.New("is in use by another jlcompact")
	}
	if err != nil {
		f.Close()
		return nil, errno(err)
	}
	return f, nil
}

// kindOf tells how what f holds is compressed, as source.Kind does.
func kindOf(f *os.File) (string, error) {
	head := make([]byte, source.HeadLen)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	return source.Kind(head[:n]), nil
}

// open opens FILE, if it is still the one that was looked at.
func (j *job) open() (*os.File, error) {
	// Should it have become a named pipe, to open it does not wait.
	f, err := os.OpenFile(j.name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, errno(err)
	}
	now, err := f.Stat()
	if err == nil {
		err = j.compareInfo(now)
	}
	if err != nil {
		f.Close()
		return nil, errno(err)
	}
	return f, nil
}

// unchanged returns errChanged if FILE is not any more what was looked at.
func (j *job) unchanged() error {
	now, err := os.Lstat(j.name)
	if errors.Is(err, fs.ErrNotExist) {
		return errChanged
	}
	if err != nil {
		return errno(err)
	}
	return j.compareInfo(now)
}

func (j *job) compareInfo(now fs.FileInfo) error {
	_, was := stamps(j.was)
	_, is := stamps(now)
	if !os.SameFile(j.was, now) || now.Size() != j.was.Size() || !now.ModTime().Equal(j.was.ModTime()) || !is.Equal(was) {
		return errChanged
	}
	return nil
}

// read calls do with all the bytes of FILE, in order.
func (j *job) read(what string, do func([]byte) error) error {
	f, err := j.open()
	if err != nil {
		return err
	}
	defer f.Close()
	j.show.begin(what, j.was.Size())
	buf := make([]byte, archiveBlock)
	for size := int64(0); ; {
		n, err := io.ReadFull(f, buf)
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return errno(err)
		}
		// A file that grows as fast as it is read would have no end.
		size += int64(n)
		if size > j.was.Size() || end && size < j.was.Size() {
			return errChanged
		}
		if err := do(buf[:n]); err != nil {
			return err
		}
		if end {
			return cmp.Or(j.unchanged(), errno(f.Close()))
		}
		j.show.add(n)
	}
}

// write makes the archive.
func (j *job) write() (err error) {
	aside, err := createAside(j.dir.Name())
	if err != nil {
		return j.writing(err)
	}
	err = cmp.Or(j.fill(aside), j.unchanged())
	if err == nil {
		err = j.writing(os.Link(aside.Name(), j.target))
		j.fresh = err == nil
	}
	// The order matters: while the name is there, so is the lock.
	if e := os.Remove(aside.Name()); err == nil {
		err = j.writing(e)
	}
	if e := aside.Close(); err == nil {
		err = j.writing(e)
	}
	return err
}

// fill makes aside all that the archive is to be, but for its name.
func (j *job) fill(aside *os.File) error {
	written, back := sha256.New(), sha256.New()
	if err := j.pack(io.MultiWriter(aside, written)); err != nil {
		return err
	}
	if err := aside.Sync(); err != nil {
		return j.writing(err)
	}
	if _, err := aside.Seek(0, io.SeekStart); err != nil {
		return j.reading(err)
	}
	if err := j.compare(io.TeeReader(aside, back), j.reading); err != nil {
		return err
	}
	// The bytes of FILE say nothing of the seek table.
	if !bytes.Equal(written.Sum(nil), back.Sum(nil)) {
		return j.reading(errDiffers)
	}
	if err := j.dress(aside); err != nil {
		return err
	}
	var err error
	j.made, err = aside.Stat()
	return j.writing(err)
}

// pack writes FILE to w, compressed.
func (j *job) pack(w io.Writer) error {
	z, err := source.NewWriter(w, j.level)
	if err != nil {
		return err
	}
	err = j.read("writing", func(p []byte) error {
		_, err := z.Write(p)
		return j.writing(err)
	})
	if err != nil {
		return err
	}
	return j.writing(z.Close())
}

// compare reads an archive and FILE anew, and fails unless they hold the same
// bytes. An error that is the archive's goes through blame.
func (j *job) compare(archive io.Reader, blame func(error) error) error {
	src, err := source.Open("-", archive, nil)
	if err != nil {
		return blame(err)
	}
	defer src.Close()
	buf := make([]byte, archiveBlock)
	err = j.read("checking", func(p []byte) error {
		q := buf[:len(p)]
		switch _, err := io.ReadFull(src, q); {
		case err == io.EOF, err == io.ErrUnexpectedEOF, err == nil && !bytes.Equal(p, q):
			return blame(errDiffers)
		default:
			return blame(err)
		}
	})
	if err == nil {
		switch n, e := src.Read(buf[:1]); {
		case n > 0:
			err = blame(errDiffers)
		case e != io.EOF:
			err = blame(e)
		}
	}
	if err != nil && j.unchanged() == errChanged {
		return errChanged // whatever came of that
	}
	return err
}

// dress gives aside the owner, the mode and the times of FILE, and makes that
// last. Before, aside is readable by no one else.
func (j *job) dress(aside *os.File) error {
	now, err := aside.Stat()
	if err != nil {
		return j.writing(err)
	}
	// The mode would mean something else with another owner or group.
	if was, is := stat(j.was), stat(now); was.Uid != is.Uid || was.Gid != is.Gid {
		if err := aside.Chown(int(was.Uid), int(was.Gid)); err != nil {
			return fmt.Errorf("its owner cannot be kept: %w", errno(err))
		}
	}
	if err := aside.Chmod(j.was.Mode()); err != nil {
		return j.writing(err)
	}
	atime, _ := stamps(j.was)
	if err := os.Chtimes(aside.Name(), atime, j.was.ModTime()); err != nil {
		return j.writing(err)
	}
	return j.writing(aside.Sync())
}

// accept looks at a file that has the name of the archive already. It is taken
// for the work of a run that was killed only if it is an archive of the very
// bytes of FILE and has its time.
func (j *job) accept() error {
	f, info, err := openArchive(j.target)
	if err != nil {
		return j.exists(err)
	}
	defer f.Close()
	if info.ModTime().Unix() != j.was.ModTime().Unix() { // some file systems keep seconds only
		return j.exists(errors.New("has another time"))
	}
	if err := j.compare(f, j.exists); err != nil {
		return err
	}
	j.made = info
	return j.writing(f.Sync())
}

// openArchive opens what has the name of an archive, if it may be one.
func openArchive(name string) (*os.File, fs.FileInfo, error) {
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errRegular
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil {
		var kind string
		if kind, err = kindOf(f); err == nil && kind != "zstd" {
			err = errors.New("is no zstd file")
		}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// lastLook makes sure that FILE and its archive are still what was compared.
func (j *job) lastLook() error {
	now, err := os.Lstat(j.target)
	if err == nil && !os.SameFile(j.made, now) {
		err = errChanged
	}
	if err != nil {
		return j.reading(err)
	}
	err = j.unchanged()
	if err == errChanged && j.fresh {
		// What it was is of no use, and would be in the way of the next run.
		// But if it is gone, this may be all there is.
		if now, e := os.Lstat(j.name); e == nil && os.SameFile(j.was, now) {
			if e := os.Remove(j.target); e != nil {
				err = fmt.Errorf("%w, and %s, which holds what it was, not removed: %w", err, j.target, errno(e))
			}
		}
	}
	return err
}

// remove removes FILE. The archive is in place and lasts.
func (j *job) remove() error {
	if err := os.Remove(j.name); err != nil {
		return fmt.Errorf("archived in %s, but not removed: %w", j.target, errno(err))
	}
	if err := syncDir(j.from); err != nil {
		return fmt.Errorf("archived in %s, and removed: %w", j.target, errno(err))
	}
	return nil
}

// writing, reading and exists say of an error, if it is one, that it is the
// archive's.
func (j *job) writing(err error) error {
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists", j.target)
	case err != nil:
		return fmt.Errorf("write %s: %w", j.target, errno(err))
	}
	return nil
}

// inDirectory names the directory of the archive in an error of opening or reading
// it, if it is another one than that of FILE.
func (j *job) inDirectory(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok && directory(j.target) != directory(j.name) {
		return fmt.Errorf("%s: %w", directory(j.target), errno(err))
	}
	return errno(err)
}

func (j *job) reading(err error) error {
	if err != nil {
		err = fmt.Errorf("read back %s: %w", j.target, errno(err))
	}
	return err
}

func (j *job) exists(err error) error {
	if err != nil {
		err = fmt.Errorf("%s exists: %w", j.target, errno(err))
	}
	return err
}

// createAside creates a file in dir with a name that clearAside knows, and locks
// it.
func createAside(dir string) (*os.File, error) {
	for try := 0; ; try++ {
		f, err := os.CreateTemp(dir, asideName+"*")
		if err != nil {
			return nil, err
		}
		held := lock(f)
		info, err := f.Stat()
		named, gone := os.Lstat(f.Name())
		if held != syscall.EWOULDBLOCK && err == nil && gone == nil && os.SameFile(info, named) {
			return f, nil
		}
		// Another run took it for a leftover before it was locked.
		f.Close()
		os.Remove(f.Name())
		if try == 10 || gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			return nil, cmp.Or(err, gone, held)
		}
	}
}

// clearAside removes from dir what killed runs have left there. What is locked
// is being written by another run; where there are no locks, all is left alone.
func clearAside(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, name := range names {
		digits, ok := strings.CutPrefix(name, asideName)
		if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		name = strings.TrimSuffix(dir, "/") + "/" + name
		f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
		if err != nil {
			continue // another user's, or gone
		}
		if info, e := f.Stat(); e == nil && info.Mode().IsRegular() && lock(f) == nil {
			err = os.Remove(name)
		}
		f.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove %s, left by a killed run: %w", name, errno(err))
		}
	}
	return nil
}

// lock takes the only lock on f, or says why not. The lock goes with the process.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// syncDir makes the names in a directory last. Some file systems cannot, and say
// that the call has no meaning there.
func syncDir(d *os.File) error {
	if err := d.Sync(); !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

func stat(info fs.FileInfo) *syscall.Stat_t { return info.Sys().(*syscall.Stat_t) }

// unixTime is t as package time has it.
func unixTime(t syscall.Timespec) time.Time { return time.Unix(t.Unix()) }

// errno returns an error of the system as a user knows it, without the call and
// the paths before it, and any other as it is.
func errno(err error) error {
	if e, ok := errors.AsType[syscall.Errno](err); ok {
		return e
	}
	return err
}
