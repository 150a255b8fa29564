package archive

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"jl/internal/atomicfile"
	"jl/internal/source"
)

// A block holds the bytes that are read, written or compared at once.
type block [256 << 10]byte

// blocks keeps blocks, because Go clears each that it makes.
var blocks = sync.Pool{New: func() any { return new(block) }}

// open opens FILE, if it is still what it was when the job began.
func (j *job) open() (*os.File, error) {
	// If it has become a named pipe, opening it does not block.
	f, err := os.OpenFile(j.name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	now, err := f.Stat()
	if err == nil {
		err = j.compareInfo(now)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// unchanged returns errChanged if FILE is not what it was when the job began.
func (j *job) unchanged() error {
	now, err := os.Lstat(j.name)
	if errors.Is(err, fs.ErrNotExist) {
		return errChanged
	}
	if err != nil {
		return err
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

// contents returns a reader of what r holds, decompressed if it is an archive.
func contents(r io.Reader, archive bool) (io.ReadCloser, error) {
	if !archive {
		return io.NopCloser(r), nil
	}
	return source.Open("-", r, nil)
}

// An exactly reads a file. It returns errChanged if the file has more or less than the
// bytes that are left: a file that grows as fast as it is read would have no end.
type exactly struct {
	f    *os.File
	left int64
	show *progress
}

func (r *exactly) Read(p []byte) (int, error) {
	n, err := r.f.Read(p)
	r.left -= int64(n)
	r.show.add(n)
	if r.left < 0 || err == io.EOF && r.left > 0 {
		return 0, errChanged
	}
	return n, err
}

// read opens FILE and calls do with all that it holds, in order and decompressed if it is
// an archive. The progress shows step.
func (j *job) read(step string, do func([]byte) error) error {
	f, err := j.open()
	if err != nil {
		return err
	}
	defer f.Close()
	j.show.begin(step, j.was.Size())
	src, err := contents(&exactly{f, j.was.Size(), j.show}, j.Extract)
	if err != nil {
		return err
	}
	defer src.Close()
	buf := blocks.Get().(*block)
	defer blocks.Put(buf)
	for {
		n, err := io.ReadFull(src, buf[:])
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return err
		}
		if err := do(buf[:n]); err != nil {
			return err
		}
		if end {
			return cmp.Or(j.unchanged(), f.Close())
		}
	}
}

// compare reads a target and FILE, and returns an error unless they hold the same bytes.
// It passes errors about the target through blame.
func (j *job) compare(target io.Reader, blame func(error) error) error {
	defer j.hold()()
	src, err := contents(target, !j.Extract)
	if err != nil {
		return blame(err)
	}
	defer src.Close()
	buf := blocks.Get().(*block)
	defer blocks.Put(buf)
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
		return errChanged // which explains the other error
	}
	return err
}

// accept accepts a file that already has the name of the target as the work of a killed
// run, but only if it holds the same bytes as FILE and has the time of FILE.
func (j *job) accept() error {
	f, info, err := j.openTarget()
	if err != nil {
		return j.accepting(err)
	}
	defer f.Close()
	if info.ModTime().Unix() != j.was.ModTime().Unix() { // some file systems keep seconds only
		return j.accepting(errors.New("has a different time"))
	}
	if err := j.compare(f, j.accepting); err != nil {
		return err
	}
	j.made = info
	return j.writing(f.Sync())
}

// replaced reports whether FILE, which does not exist, has been replaced in its own
// directory: by a run that was killed just before its end, or because FILE was given
// twice. A target in another directory may be that of another file of that name.
func (j *job) replaced() bool {
	if j.Keep || directory(j.target) != directory(j.name) {
		return false
	}
	f, _, err := j.openTarget()
	if err != nil {
		return false
	}
	defer f.Close()
	defer j.hold()()
	src, err := contents(f, !j.Extract)
	if err != nil {
		return false
	}
	defer src.Close()
	_, err = io.Copy(io.Discard, src)
	return cmp.Or(err, f.Sync(), atomicfile.SyncDir(j.to.file), atomicfile.SyncDir(j.from.file)) == nil
}

// openTarget opens the file that has the name of the target, if it may be the target.
func (j *job) openTarget() (*os.File, fs.FileInfo, error) {
	info, err := j.to.Lstat(j.base())
	if err == nil && !info.Mode().IsRegular() {
		err = errRegular
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := j.to.OpenFile(j.base(), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(info, opened) {
		err = errChanged
	}
	if err == nil && !j.Extract {
		var kind string
		if kind, err = source.Kind(f); err == nil && kind != "zstd" {
			err = errNotZstd
		}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, opened, nil
}

// recheck returns an error unless FILE and the target are still what was compared.
func (j *job) recheck() error {
	now, err := j.to.Lstat(j.base())
	if err == nil && !os.SameFile(j.made, now) {
		err = errChanged
	}
	if err != nil {
		return j.reading(err)
	}
	return j.unchanged()
}

// dropStale removes the target if err says that FILE has changed or may change: the target
// is stale, or soon will be, and would block the next run. But if FILE was removed or
// replaced, the target may be the only copy: then it stays.
func (j *job) dropStale(err error) error {
	if !j.fresh || err != errChanged && err != atomicfile.ErrOpen {
		return err
	}
	if now, e := os.Lstat(j.name); e == nil && os.SameFile(j.was, now) {
		if e := j.to.Remove(j.base()); e != nil {
			return fmt.Errorf("%w, and %s, which is stale, was not removed: %w", err, j.target, e)
		}
	}
	return err
}
