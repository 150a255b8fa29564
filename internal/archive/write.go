package archive

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"jl/internal/atomicfile"
	"jl/internal/frames"
)

// write makes the target. If there is an old one, it is replaced.
func (j *job) write(old *os.File) error {
	temp, err := j.temps.Create(j.to.Root, j.base())
	if err != nil {
		return j.wrap(writing, err)
	}
	defer temp.Abort()
	if err := j.fill(temp, old); err != nil {
		return err
	}
	if err := j.unchanged(); err != nil {
		return err
	}
	if old != nil {
		was, err := old.Stat()
		now, failed := j.to.Lstat(j.base())
		if err = cmp.Or(err, failed); err == nil && !os.SameFile(was, now) {
			err = errChanged // another file has the name by now
		}
		if err == nil {
			err = temp.CommitOver()
		}
		return j.wrap(writing, err)
	}
	err = temp.CommitNew()
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists", j.target)
	}
	j.fresh = err == nil
	return j.wrap(writing, err)
}

// fill gives temp the contents and metadata of the target, and checks the contents.
func (j *job) fill(temp *atomicfile.File, old *os.File) error {
	var written, back maphash.Hash
	back.SetSeed(written.Seed())
	out := io.Writer(temp)
	if j.Extract {
		out = sparse{temp.File}
	}
	if err := j.convert(io.MultiWriter(out, &written), old); err != nil {
		return err
	}
	size, err := temp.Seek(0, io.SeekCurrent)
	if err == nil && j.Extract {
		err = temp.Truncate(size) // it may end in a hole
	}
	if err == nil {
		err = temp.Sync()
	}
	if err != nil {
		return j.wrap(writing, err)
	}
	if _, err = temp.Seek(0, io.SeekStart); err != nil {
		return j.wrap(reading, err)
	}
	if _, err := j.compare(temp.File, reading, false); err != nil {
		return err
	}
	// The comparison with FILE does not cover the seek table of an archive.
	_, err = io.Copy(&back, io.NewSectionReader(temp, 0, size))
	if err == nil && written.Sum64() != back.Sum64() {
		err = errDiffers
	}
	if err != nil {
		return j.wrap(reading, err)
	}
	if err := j.copyMetadata(temp); err != nil {
		return err
	}
	j.made, err = temp.Stat()
	if err != nil {
		return j.wrap(writing, err)
	}
	switch sameStamp(j.was, j.made) {
	case errMode:
		err = fmt.Errorf("its mode, %s, cannot be kept", j.was.Mode())
	case errTime:
		err = fmt.Errorf("its time, %s, cannot be kept", j.was.ModTime().UTC().Format(time.DateTime))
	}
	return err
}

// A sparse file gets a hole for each block of zeros that is written to it.
type sparse struct{ *os.File }

var zeros block

func (f sparse) Write(p []byte) (int, error) {
	if len(p) < len(zeros) || !bytes.Equal(p, zeros[:]) {
		return f.File.Write(p)
	}
	_, err := f.Seek(int64(len(p)), io.SeekCurrent)
	return len(p), err
}

// convert writes to w what the target holds: FILE, compressed or decompressed. What an old archive
// holds of FILE is not compressed again, where its frames allow that.
func (j *job) convert(w io.Writer, old *os.File) error {
	defer j.hold()()
	var z *frames.Writer
	var done int64
	if !j.Extract {
		var err error
		if z, err = frames.NewWriter(w, j.Level); err != nil {
			return err
		}
		if old != nil {
			if done, err = z.Continue(old); err != nil {
				return j.wrap(writing, err)
			}
		}
		w = z
	}
	err := j.read("writing", func(p []byte) error {
		skip := min(done, int64(len(p)))
		done -= skip
		_, err := w.Write(p[skip:])
		return j.wrap(writing, err)
	})
	if z != nil {
		err = cmp.Or(err, j.wrap(writing, z.Close()))
	}
	return err
}

// hold waits until few other jobs compress or decompress. The caller releases it when it no
// longer does.
func (j *job) hold() (release func()) {
	j.busy <- struct{}{}
	return func() { <-j.busy }
}

// copyMetadata gives temp the owner, access control list, mode and times of FILE. Until
// then, no other user can read it.
func (j *job) copyMetadata(temp *atomicfile.File) error {
	now, err := temp.Stat()
	if err != nil {
		return j.wrap(writing, err)
	}
	// The owner comes first: under another owner, the mode would admit other users.
	if was, is := stat(j.was), stat(now); was.Uid != is.Uid || was.Gid != is.Gid {
		if err := temp.Chown(int(was.Uid), int(was.Gid)); err != nil {
			what := "owner"
			if was.Uid == is.Uid {
				what = "group"
			}
			return fmt.Errorf("its %s cannot be kept: %w", what, err)
		}
	}
	// With a list, the mode alone would admit the group to what the list admits others to.
	if err := temp.CopyACL(j.file); err != nil {
		return fmt.Errorf("its access control list cannot be kept: %w", err)
	}
	if err := temp.Chmod(j.was.Mode()); err != nil {
		return j.wrap(writing, err)
	}
	atime, _ := stamps(j.was)
	return j.wrap(writing, temp.SetTimes(atime, j.was.ModTime()))
}

// sameStamp returns errMode or errTime unless two files have the same mode, and the same time in
// seconds: some file systems keep no parts of them.
func sameStamp(a, b fs.FileInfo) error {
	switch {
	case a.Mode() != b.Mode():
		return errMode
	case a.ModTime().Unix() != b.ModTime().Unix():
		return errTime
	}
	return nil
}

func stat(info fs.FileInfo) *syscall.Stat_t { return info.Sys().(*syscall.Stat_t) }
