package archive

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"jl/internal/atomicfile"
	"jl/internal/source"
)

// A block holds the bytes that are read, written or compared at once.
type block [256 << 10]byte

// blocks keeps blocks, because Go clears each that it makes.
var blocks = sync.Pool{New: func() any { return new(block) }}

// fill fills b from r and returns what it has read, which is less at the end only.
func (b *block) fill(r io.Reader) ([]byte, error) {
	n, err := io.ReadFull(r, b[:])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return b[:n], err
}

// openSame opens the file at a path to d, if it still is what it was.
func (d *dir) openSame(path string, was fs.FileInfo) (*os.File, error) {
	// If it has become a named pipe, opening it does not block.
	f, err := d.OpenFile(filepath.Base(path), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	now, err := f.Stat()
	if err == nil {
		err = same(was, now)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// same returns errChanged if a file is not what it was.
func same(was, now fs.FileInfo) error {
	_, before := stamps(was)
	_, after := stamps(now)
	if os.SameFile(was, now) && was.Size() == now.Size() && was.ModTime().Equal(now.ModTime()) && before.Equal(after) {
		return nil
	}
	return errChanged
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
	return same(j.was, now)
}

// contents returns a reader of what r holds, decompressed if it is an archive. A file is read from its
// present offset on.
func contents(r io.Reader, archive bool) (io.ReadCloser, error) {
	if !archive {
		return io.NopCloser(r), nil
	}
	src, err := source.Open("-", r, nil)
	if err != nil || !src.InPlace() {
		return src, err
	}
	at, size, err := src.At() // which decodes frames on other goroutines
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(at, 0, size), src}, err
}

// A sizedReader reads a file of a known size. It returns errChanged if the file is longer or
// shorter: a file that grows as fast as it is read would have no end.
type sizedReader struct {
	*job
	f    *os.File
	left int64
	step string // that the progress shows
}

func (r *sizedReader) Read(p []byte) (int, error) {
	n, err := r.f.Read(p)
	r.left -= int64(n)
	r.screen.show(r.number, r.name, r.step, r.was.Size()-r.left, r.was.Size())
	if r.left < 0 || err == io.EOF && r.left > 0 {
		return 0, errChanged
	}
	return n, err
}

// read calls do with all that FILE holds, decompressed if it is an archive, in whole blocks
// and a last shorter one, which may be empty. The progress shows step.
func (j *job) read(step string, do func([]byte) error) error {
	f, err := j.from.openSame(j.name, j.was)
	if err != nil {
		return err
	}
	defer f.Close()
	src, err := contents(&sizedReader{j, f, j.was.Size(), step}, j.Extract)
	if err != nil {
		return err
	}
	defer src.Close()
	buf := blocks.Get().(*block)
	defer blocks.Put(buf)
	for {
		p, err := buf.fill(src)
		if err == nil {
			err = do(p)
		}
		if err != nil || len(p) < len(buf) {
			return cmp.Or(err, j.unchanged())
		}
	}
}

// compare reads a target and FILE, and returns an error unless they hold the same bytes, or, if
// part is true, the target holds a beginning of FILE. It reports whether that is all of FILE. An
// error about the target gets the given format.
func (j *job) compare(target io.Reader, format string, part bool) (whole bool, err error) {
	defer j.hold()()
	src, err := contents(target, !j.Extract)
	if err != nil {
		return false, j.wrap(format, err)
	}
	defer src.Close()
	buf := blocks.Get().(*block)
	defer blocks.Put(buf)
	whole = true
	err = j.read("checking", func(p []byte) error {
		q, err := buf.fill(src)
		whole = whole && bytes.Equal(p, q)
		if err == nil && !whole && !(part && bytes.HasPrefix(p, q)) {
			err = errDiffers
		}
		return j.wrap(format, err)
	})
	if err != nil && j.unchanged() == errChanged {
		err = errChanged // which explains the other error
	}
	return whole, err
}

// accept accepts a file that has the name of the target as the work of a killed run, if it has
// the bytes, the mode and the time of FILE. With Update, it replaces an archive that has a beginning of
// FILE, or another mode or time.
func (j *job) accept() error {
	f, info, err := j.openTarget()
	if err != nil {
		return j.wrap(existing, err)
	}
	defer f.Close()
	unlike := sameStamp(info, j.was)
	if unlike != nil && !j.Update {
		return j.wrap(existing, unlike)
	}
	whole, err := j.compare(f, existing, j.Update)
	switch {
	case err != nil:
		return err
	case unlike != nil || !whole:
		return j.write(f)
	}
	j.made = info
	return j.wrap(writing, f.Sync())
}

// replaced reports whether FILE, which does not exist, has been replaced in its own directory,
// by a run that was killed just before its end, or because FILE was given twice. A target in
// another directory may have replaced another file of that name.
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
	f, err := j.to.openSame(j.target, info)
	if err != nil {
		return nil, nil, err
	}
	if kind, err := source.Kind(f); !j.Extract && (err != nil || kind != "zstd") {
		f.Close()
		return nil, nil, cmp.Or(err, errNotZstd)
	}
	return f, info, nil
}

// recheck returns an error unless FILE and the target are still what was compared.
func (j *job) recheck() error {
	now, err := j.to.Lstat(j.base())
	if err == nil && !os.SameFile(j.made, now) {
		err = errChanged
	}
	if err != nil {
		return j.wrap(reading, err)
	}
	return j.unchanged()
}

// dropStale removes the target if err tells that FILE has changed or may change, because the
// target would block the next run. But if FILE was removed or replaced, the target stays: it
// may be the only copy.
func (j *job) dropStale(err error) error {
	if !j.fresh || err != errChanged && err != atomicfile.ErrOpen {
		return err
	}
	if now, e := os.Lstat(j.name); e != nil || !os.SameFile(j.was, now) {
		return err
	}
	if e := j.to.Remove(j.base()); e != nil {
		return fmt.Errorf("%w, and %s, which is stale, was not removed: %w", err, j.target, e)
	}
	return err
}
