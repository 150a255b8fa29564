package archive

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"jl/internal/atomicfile"
)

// The limits of a batch. Its FILEs and the files that replace them exist at the same time,
// and each job has up to five files open: three, and two for its directory. A FILE over maxBytes is a
// batch of its own: it spends little of its time waiting.
const (
	maxJobs  = 256
	maxBytes = 256 << 20 // of all FILEs
)

// maxBusy bounds how many jobs compress or decompress at the same time, since each needs
// memory for it.
const maxBusy = 4

// A batch is jobs that run at the same time. No job depends on what another one does.
type batch struct {
	*archiver
	jobs  []*job
	bytes int64
	dirs  map[string]*dir // by the path in the names of the jobs
	names map[string]bool // of files, as key returns them
}

// A dir is an open directory in which the jobs of a batch change names.
type dir struct {
	*os.Root
	file    *os.File // the same, to sync it
	info    fs.FileInfo
	changed bool  // since the last sync
	err     error // of the last sync
}

func newBatch(a *archiver) *batch {
	return &batch{archiver: a, dirs: map[string]*dir{}, names: map[string]bool{}}
}

// add adds a job, or returns false if the job must wait until the batch has run.
func (b *batch) add(j *job) bool {
	size := int64(0)
	if info, err := os.Lstat(j.name); err == nil {
		size = info.Size()
	}
	if len(b.jobs) == b.most || len(b.jobs) > 0 && b.bytes+size > maxBytes {
		return false
	}
	if j.err = b.prepare(j); j.err == nil {
		from, to := j.from.key(j.name), j.to.key(j.target)
		if b.names[from] || b.names[to] {
			return false
		}
		b.names[from], b.names[to] = true, true
	}
	b.jobs = append(b.jobs, j)
	b.bytes += size
	return true
}

// prepare opens the directories of a job, and removes what killed runs left in the directory
// of the target.
func (b *batch) prepare(j *job) error {
	var err error
	if j.target, err = b.target(j.name); err != nil {
		return err
	}
	path := directory(j.target)
	j.to, err = b.open(path)
	if err == nil && !b.clean[path] {
		b.clean[path] = true
		var removed []string
		removed, err = b.temps.RemoveStale(j.to.Root, b.isOperand)
		for _, name := range removed {
			b.Removed(strings.TrimPrefix(path, ".") + name)
		}
	}
	switch {
	case err != nil && path != directory(j.name):
		return fmt.Errorf("%s: %w", path, err)
	case err != nil:
		return err
	}
	j.from, err = b.open(directory(j.name))
	return err
}

// open opens a directory, once.
func (b *batch) open(path string) (*dir, error) {
	if d := b.dirs[path]; d != nil {
		return d, nil
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	d := &dir{Root: root}
	if d.file, err = root.Open("."); err == nil {
		d.info, err = d.file.Stat()
	}
	if err != nil {
		d.close()
		return nil, err
	}
	b.dirs[path] = d
	return d, nil
}

// key returns the same for all paths to a file in d. The file system may not distinguish the cases.
func (d *dir) key(path string) string {
	s := stat(d.info)
	return fmt.Sprintf("%d/%d/%s", s.Dev, s.Ino, strings.ToLower(filepath.Base(path)))
}

func (d *dir) close() {
	d.Root.Close()
	d.file.Close()
}

// run runs the jobs. What is wrong with a job is then in its err.
func (b *batch) run() {
	atOnce(b.jobs, func(j *job) {
		if j.err == nil {
			j.err = j.produce()
		}
	})
	for _, j := range b.jobs {
		if j.produced {
			j.to.changed = true
		}
	}
	b.sync()
	for _, j := range b.jobs {
		if j.produced {
			j.err = j.finish()
		}
	}
	b.sync()
	for _, j := range b.jobs {
		j.end()
	}
	for _, d := range b.dirs {
		d.close()
	}
}

// sync waits until the names in the directories that were changed are on the disk.
func (b *batch) sync() {
	var changed []*dir
	for _, d := range b.dirs {
		if d.changed {
			changed = append(changed, d)
		}
	}
	atOnce(changed, func(d *dir) { d.err, d.changed = atomicfile.SyncDir(d.file), false })
}

// atOnce calls do for all of them, each in a goroutine unless there is only one.
func atOnce[T any](all []T, do func(T)) {
	if len(all) == 1 {
		do(all[0])
		return
	}
	var wg sync.WaitGroup
	for _, one := range all {
		wg.Go(func() { do(one) })
	}
	wg.Wait()
}
