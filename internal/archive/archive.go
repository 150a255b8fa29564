// Package archive replaces files by zstd archives of their bytes, and archives by the
// files that they hold.
//
// What it promises. Whatever is killed, fails or loses power, FILE or its replacement is
// whole at any instant, and FILE is removed only after every byte of the replacement has
// been read back. The steps are:
//
//	write a temporary file, fsync    in the directory of the replacement, mode 0600
//	read it back, compare            with FILE, opened anew and decompressed again
//	owner, mode, times, fsync        copied from FILE
//	link, unlink                     gives the file its name; fails if that is taken
//	fsync the directory
//	look at FILE again               it must still be what was read
//	unlink FILE, fsync its directory
//
// The replacement gets its name by link(2) and not by rename(2), which would replace a
// file that another process has put there meanwhile; where there are no hard links,
// nothing is replaced. The next run in the same directory removes what a killed run left,
// but not the files of a running one. FILE is locked too, so two runs do not replace it at
// the same time. If a run was killed before the last step, both files are whole: the next
// run compares them and removes FILE.
//
// One gap is left: an entry that is appended in the microseconds between the last look
// and unlink is lost, because no system call removes a file only if it is unchanged.
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
	Count    int       // how many FILEs there will be, for the progress
}

// An Archiver replaces files by their archives, or archives by their files, one at a time.
type Archiver struct {
	Options
	show  *progress
	temps *atomicfile.Set
	stop  func()
	clean map[string]bool // the directories that stale files were removed from
}

// New returns an Archiver. The error is about the directory To. Until Close, a signal
// that ends the process removes the file that is being written.
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
		show:    newProgress(o.Terminal, o.Count),
		temps:   temps,
		stop:    temps.RemoveOnSignal(),
		clean:   map[string]bool{},
	}, nil
}

// Close ends the handling of signals.
func (a *Archiver) Close() { a.stop() }

// Replace replaces FILE by its archive, or by the file that it holds. The error is about
// FILE; if something is wrong with the new file, the error names it.
func (a *Archiver) Replace(name string) error {
	target, err := a.target(name)
	if err != nil {
		return err
	}
	a.show.next(name)
	defer a.show.clear()
	j := job{Archiver: a, name: name, target: target}
	return j.run()
}

// target returns the name of the file that replaces FILE.
func (a *Archiver) target(name string) (string, error) {
	target := name + suffix
	if a.Extract {
		var ok bool
		if target, ok = strings.CutSuffix(name, suffix); !ok || target == "" || os.IsPathSeparator(target[len(target)-1]) {
			return "", errors.New("is not named *" + suffix)
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
