package archive

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"jl/internal/atomicfile"
)

// The limits of a batch. Its FILEs and the files that replace them exist at the same time,
// and each job has two files open. A FILE that is over maxBytes is a batch of its own: it
// spends little of its time waiting.
const (
	maxJobs  = 64
	maxBytes = 32 << 20 // of all FILEs
)

// maxBusy is how many jobs compress or decompress at the same time, at most, because each
// needs memory for it.
const maxBusy = 4

// A batch is jobs that run at the same time. No job depends on what another one does.
//
// While one batch waits for the disk at its end, the next one compresses.
type batch struct {
	*Archiver
	before *batch        // nil if there is none, or if it has ended
	ended  chan struct{} // closed when the last step is done, and the errors are reported

	jobs  []*job
	bytes int64
	dirs  map[string]*dir // by the path in the names of the jobs
	names map[fileName]bool
}

// A dir is an open directory in which the jobs of a batch change names.
type dir struct {
	*os.Root
	file    *os.File // the same, to sync it
	info    fs.FileInfo
	changed bool  // since the last sync
	err     error // of the last sync
}

// A fileName identifies a name in a directory, whatever the path to it is.
type fileName struct {
	dev, ino uint64
	name     string // in lower case: the file system may not distinguish the cases
}

func newBatch(a *Archiver, before *batch) *batch {
	return &batch{Archiver: a, before: before, ended: make(chan struct{}), dirs: map[string]*dir{}, names: map[fileName]bool{}}
}

// add adds a job. If the job must wait until the batch has run, add returns false. If it
// must wait until the batch before has ended, add waits.
func (b *batch) add(j *job) bool {
	size := int64(0)
	if info, err := os.Lstat(j.name); err == nil {
		size = info.Size()
	}
	if len(b.jobs) == maxJobs || len(b.jobs) > 0 && b.bytes+size > maxBytes {
		return false
	}
	if j.err = b.prepare(j); j.err == nil {
		from, to := j.from.fileName(j.name), j.to.fileName(j.target)
		if b.names[from] || b.names[to] {
			return false
		}
		if b.before != nil && (b.before.names[from] || b.before.names[to]) {
			<-b.before.ended
		}
		b.names[from], b.names[to] = true, true
	}
	b.jobs = append(b.jobs, j)
	b.bytes += size
	return true
}

// prepare opens the directories of a job, and removes what killed runs left in that of the
// target.
func (b *batch) prepare(j *job) error {
	var err error
	if j.target, err = b.target(j.name); err != nil {
		return err
	}
	path := directory(j.target)
	j.to, err = b.open(path)
	if err == nil && !b.clean[path] {
		b.clean[path] = true
		err = b.temps.RemoveStale(j.to.Root)
	}
	if err != nil {
		return j.inDirectory(err)
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

func (d *dir) fileName(path string) fileName {
	s := stat(d.info)
	return fileName{uint64(s.Dev), s.Ino, strings.ToLower(filepath.Base(path))}
}

func (d *dir) close() {
	d.Root.Close()
	d.file.Close()
}

// place puts the targets in their places, and waits until the batch before has ended. It
// reports false if there is nothing to finish, because no target is in its place.
func (b *batch) place() bool {
	atOnce(b.jobs, func(j *job) {
		if j.err == nil {
			j.err = j.place()
		}
	})
	if b.before != nil {
		<-b.before.ended
		b.before = nil
	}
	return slices.ContainsFunc(b.jobs, func(j *job) bool { return j.placed })
}

// finish removes the FILEs. What is wrong with a job is then in its err.
func (b *batch) finish() {
	for _, j := range b.jobs {
		if j.placed {
			j.to.changed = true
		}
	}
	b.sync()
	for _, j := range b.jobs {
		if j.placed {
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
