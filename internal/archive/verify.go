package archive

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"jl/internal/atomicfile"
	"jl/internal/source"
)

// blockSize is how many bytes of FILE are read, packed or compared at once.
const blockSize = 256 << 10

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

// read opens FILE and calls do with all of its bytes, in order. The progress shows step.
func (j *job) read(step string, do func([]byte) error) error {
	f, err := j.open()
	if err != nil {
		return err
	}
	defer f.Close()
	j.show.begin(step, j.was.Size())
	buf := make([]byte, blockSize)
	for size := int64(0); ; {
		n, err := io.ReadFull(f, buf)
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return err
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
			return cmp.Or(j.unchanged(), f.Close())
		}
		j.show.add(n)
	}
}

// compare reads an archive and FILE, and returns an error unless they hold the same
// bytes. It passes errors about the archive through blame.
func (j *job) compare(archive io.Reader, blame func(error) error) error {
	src, err := source.Open("-", archive, nil)
	if err != nil {
		return blame(err)
	}
	defer src.Close()
	buf := make([]byte, blockSize)
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

// accept accepts a file that already has the name of the archive as the work of a killed
// run, but only if it is an archive of the bytes of FILE and has the time of FILE.
func (j *job) accept() error {
	f, info, err := j.openArchive()
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

// archived returns nil if FILE, which does not exist, has been archived in its own
// directory: by a run that was killed just before its end, or because FILE was given
// twice. An archive in another directory may be of another file of that name.
func (j *job) archived() error {
	f, _, err := j.openArchive()
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
	return cmp.Or(f.Sync(), atomicfile.SyncDir(j.toDir), atomicfile.SyncDir(j.fromDir))
}

// openArchive opens the file that has the name of the archive, if it is a zstd file.
func (j *job) openArchive() (*os.File, fs.FileInfo, error) {
	info, err := j.dir.Lstat(j.base())
	if err == nil && !info.Mode().IsRegular() {
		err = errRegular
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := j.dir.OpenFile(j.base(), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(info, opened) {
		err = errChanged
	}
	if err == nil {
		var kind string
		if kind, err = kindOf(f); err == nil && kind != "zstd" {
			err = errors.New("is not a zstd file")
		}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, opened, nil
}

// kindOf returns how the contents of f are compressed, as source.Kind does.
func kindOf(f *os.File) (string, error) {
	head := make([]byte, source.HeadLen)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	return source.Kind(head[:n]), nil
}

// recheck returns an error unless FILE and its archive are still what was compared.
func (j *job) recheck() error {
	now, err := j.dir.Lstat(j.base())
	if err == nil && !os.SameFile(j.made, now) {
		err = errChanged
	}
	if err != nil {
		return j.reading(err)
	}
	err = j.unchanged()
	if err != errChanged || !j.fresh {
		return err
	}
	// The archive is stale and would block the next run. But if FILE was removed or
	// replaced, the archive may be the only copy: then it stays.
	if now, e := os.Lstat(j.name); e == nil && os.SameFile(j.was, now) {
		if e := j.dir.Remove(j.base()); e != nil {
			return fmt.Errorf("%w, and %s, its stale archive, was not removed: %w", err, j.target, e)
		}
	}
	return err
}
