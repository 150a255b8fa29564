// Package archive replaces files by zstd archives of their bytes, and archives by the
// files that they hold.
//
// What it promises. Whatever is killed, fails or loses power, FILE or its replacement is
// whole at any instant, and FILE is removed only after every byte of the replacement has
// been read back. The steps are:
//
//	write a temporary file, fsync    in the directory of the replacement, mode 0600
//	read it back, compare            with FILE, opened anew and decompressed again
//	owner, access list, mode, times  copied from FILE
//	fsync
//	link, unlink                     gives the file its name; fails if that is taken
//	fsync the directory
//	look at FILE again               it must be what was read, and not open for writing
//	unlink FILE, fsync its directory
//
// Several small FILEs are replaced at once, in a batch, so that waiting for the disk costs
// less: each step begins when the one above is done for that FILE, but a directory is
// synced once for all FILEs of the batch. Messages and results do not depend on the
// timing. A single FILE needs no goroutine.
//
// The replacement gets its name by link(2) and not by rename(2), which would replace a
// file that another process has put there meanwhile. On a file system without hard
// links, nothing is replaced. The next run in the same directory removes what a killed run left,
// but not the files of a running one. FILE is locked too, so two runs do not replace it at
// the same time. If a run was killed before the last step, both files are whole: the next
// run compares them and removes FILE.
//
// A FILE that a process has open for writing is left alone, where the system can tell (see
// [atomicfile.TakeLease]): at the beginning, and when it is looked at again.
//
// One gap is left, because no system call removes a file only if nobody writes to it, and only
// if it is still the file that was looked at. A file that takes the name of FILE in the
// microseconds between the last look and unlink is removed instead. A process that opens FILE
// during the unlink writes to a file without a name; this is reported, where the system can
// tell. Elsewhere, an entry that is appended in the microseconds between the last look and
// unlink, or later by a process that has opened FILE before, is lost.
//
// What it does not do. It prints only progress, and knows nothing about entries: a file
// may hold any bytes, and any zstd may have made an archive of it.
package archive

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"jl/internal/atomicfile"
)

const (
	// tempPrefix begins the name of a file that is not finished.
	tempPrefix = ".jlcompact-"

	// suffix ends the name of an archive.
	suffix = ".zst"
)

// Options say how files are replaced.
type Options struct {
	Extract bool   // replace archives by the files that they hold, not files by archives
	To      string // the directory of the new files; empty: the directory of each FILE
	Level   int    // of compression, as zstd(1) counts; 0 is the default
	Keep    bool   // do not remove the FILEs

	Terminal io.Writer // where progress is shown; nil: nowhere
}

// An Archiver replaces files by their archives, or archives by their files.
type Archiver struct {
	Options
	temps *atomicfile.Set
	stop  func()
	clean map[string]bool // the directories that stale files were removed from
	busy  chan struct{}   // holds a value for each job that compresses or decompresses
}

// New returns an Archiver. The error is about the directory To. Until Close, a signal
// that ends the process removes the files that are being written.
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
	temps := atomicfile.New(tempPrefix)
	return &Archiver{
		Options: o,
		temps:   temps,
		stop:    temps.RemoveOnSignal(),
		clean:   map[string]bool{},
		busy:    make(chan struct{}, min(maxBusy, runtime.GOMAXPROCS(0))),
	}, nil
}

// Close ends the handling of signals.
func (a *Archiver) Close() { a.stop() }

// Replace replaces the FILEs by their archives, or by the files that they hold. It calls
// fail for each that it does not replace, in their order, and maybe while it goes on with
// the next FILEs, but not twice at once. The error is about the FILE; if something is wrong
// with the new file, the error names it.
func (a *Archiver) Replace(names []string, fail func(name string, err error)) {
	show := newScreen(a.Terminal, len(names))
	end := func(b *batch) {
		b.finish()
		show.clear(func() {
			for _, j := range b.jobs {
				if j.err != nil {
					fail(j.name, j.err)
				}
			}
		})
		close(b.ended)
	}
	b := newBatch(a, nil)
	for i, name := range names {
		j := &job{Archiver: a, name: name, show: show.file(i+1, name)}
		for !b.add(j) {
			if b.place() {
				go end(b)
			} else {
				end(b)
			}
			b = newBatch(a, b)
		}
	}
	b.place()
	end(b)
}

// target returns the name of the file that replaces FILE.
func (a *Archiver) target(name string) (string, error) {
	target := name + suffix
	if a.Extract {
		var ok bool
		if target, ok = strings.CutSuffix(name, suffix); !ok {
			return "", errors.New("is not named *" + suffix)
		}
		if target == "" || os.IsPathSeparator(target[len(target)-1]) {
			return "", errors.New("has no name before " + suffix)
		}
	}
	if a.To != "" {
		target = strings.TrimSuffix(a.To, "/") + "/" + filepath.Base(target)
	}
	return target, nil
}

// directory returns the directory of a path, with the slash. It does not shorten "..",
// as filepath.Dir does, because that is wrong after a symbolic link to a directory.
func directory(path string) string {
	dir, _ := filepath.Split(path)
	return cmp.Or(dir, ".")
}
