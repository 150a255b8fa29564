// Package archive replaces files by zstd archives of their bytes, and archives by the files
// that they hold. A file may hold any bytes, and any zstd may have made an archive.
//
// Whatever is killed, fails or loses power, FILE or its replacement is whole at any instant,
// and FILE is removed only after every byte of the replacement has been read back:
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
// Small FILEs are replaced in batches, so that waiting for the disk costs less. The FILEs of a
// batch go through these steps at the same time, but a directory is synced once for all of
// them.
//
// The replacement gets its name by link(2), because rename(2) would replace a file that another
// process has put there meanwhile. So nothing is replaced on a file system without hard links, except
// that with [Options.Update] rename(2) replaces an archive of which every byte has been compared with
// the beginning of FILE.
//
// FILE is locked, so two runs do not replace it at the same time. The next run in the same
// directory removes the temporary files of a killed run, by their marks: see [atomicfile]. If a run
// was killed before the last step, both files are whole: the next run compares them and removes FILE.
//
// A FILE that a process has open for writing is left alone where the system can tell, see
// [atomicfile.TakeLease]. One gap is left, because no system call removes a file only if nobody
// writes to it. A file that takes the name of FILE in the microseconds between the last look
// and unlink is removed instead. If a process opens FILE during the unlink, what it writes is lost;
// this is reported where the system can tell. Elsewhere, all that a process writes to FILE after the
// last look is lost.
package archive

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
	Update  bool   // replace an archive that holds a beginning of its FILE

	Terminal io.Writer // where progress is shown; nil: nowhere

	Removed func(name string) // is called for each file that a killed run left and this one has removed
}

// An archiver is one call of Replace.
type archiver struct {
	Options
	names  []string // the FILEs
	temps  *atomicfile.Set
	clean  map[string]bool // the directories that stale files were removed from
	busy   chan struct{}   // holds a value for each job that compresses or decompresses
	most   int             // jobs of a batch
	screen *screen
}

func newArchiver(o Options, names []string) *archiver {
	var limit syscall.Rlimit // of the files that may be open
	_ = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit)
	return &archiver{
		Options: o,
		names:   names,
		temps:   atomicfile.New(tempPrefix),
		clean:   map[string]bool{},
		busy:    make(chan struct{}, min(maxBusy, runtime.GOMAXPROCS(0))),
		most:    int(max(1, min(limit.Cur/6, maxJobs))),
		screen:  newScreen(o.Terminal, len(names)),
	}
}

// Replace replaces the FILEs by their archives, or by the files that they hold. It calls
// fail for each that it does not replace, in their order, with an error about the FILE; if
// something is wrong with the new file, the error names it. The error that Replace returns is about
// the directory To. A signal that ends the process removes the files that are being written.
func Replace(names []string, o Options, fail func(name string, err error)) error {
	if o.To != "" {
		info, err := os.Stat(o.To)
		if err == nil && !info.IsDir() {
			err = syscall.ENOTDIR
		}
		if err != nil {
			return err
		}
	}
	a := newArchiver(o, names)
	defer a.temps.RemoveOnSignal()()
	b := newBatch(a)
	run := func() {
		b.run()
		a.screen.clear()
		for _, j := range b.jobs {
			if j.err != nil {
				fail(j.name, j.err)
			}
		}
	}
	for i, name := range names {
		j := &job{archiver: a, name: name, number: i + 1}
		if !b.add(j) {
			run()
			b = newBatch(a)
			b.add(j)
		}
	}
	run()
	return nil
}

// isOperand reports whether a file is one of the FILEs.
func (a *archiver) isOperand(file fs.FileInfo) bool {
	return slices.ContainsFunc(a.names, func(name string) bool {
		info, err := os.Lstat(name)
		return err == nil && os.SameFile(info, file)
	})
}

// target returns the name of the file that replaces FILE.
func (a *archiver) target(name string) (string, error) {
	target := name + suffix
	if a.Extract {
		var ok bool
		target, ok = strings.CutSuffix(name, suffix)
		switch {
		case !ok:
			return "", errors.New("is not named *" + suffix)
		case filepath.Base(name) == suffix:
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
