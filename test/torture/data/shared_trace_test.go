package torture

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// A traced run is stopped before and after each of the system calls that are about
// files or other processes. This is done by ptrace(2) and not by strace(1), which
// counts calls for each thread, so that the N-th is not the N-th of the program,
// cannot change what is transferred, and cannot wait for a test that changes files
// meanwhile. What the Go runtime looks up in /proc and /sys is not shown.

// A call is a system call that a traced program is about to make, or has made.
type call struct {
	name string // "openat"
	args [6]uint64
	path string // of the file: the argument, or what the descriptor stands for; "" if none
	to   string // the second path, of linkat and renameat
	made bool   // it has been made, and ret is what it returned; errors are negative
	ret  int64
	once bool // set by who watches: it is not to be shown again when it has been made

	tracee
}

// A tracee is what can be done to a program that is stopped at a call.
type tracee interface {
	fail(syscall.Errno) // not made: the call fails
	limit(n uint64)     // it transfers n bytes at most
	kill()              // not made: the program is killed
}

func (c *call) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", c.name, c.path, c.to))
}

// below reports whether the call is about a file below dir.
func (c *call) below(dir string) bool {
	return strings.HasPrefix(c.path, dir+"/") || c.path == dir || c.to != "" && strings.HasPrefix(c.to, dir+"/")
}

// writing reports whether an openat is for writing.
func (c *call) writing() bool {
	return c.name == "openat" && c.args[2]&(syscall.O_WRONLY|syscall.O_RDWR|syscall.O_CREAT|syscall.O_TRUNC) != 0
}

// stdio returns which of the standard streams the call is about, or -1.
func (c *call) stdio() int {
	switch c.name {
	case "read", "write", "readv", "writev", "pread64", "pwrite64", "close", "fstat", "lseek", "fsync", "copy_file_range", "sendfile", "splice":
		if fd := int32(c.args[0]); fd >= 0 && fd <= 2 {
			return int(fd)
		}
	}
	return -1
}

// ours reports whether the call is about the input or the output of the program:
// something in the world, or a standard stream. Else it is of the runtime's own.
func (c *call) ours(w *world) bool { return c.below(w.dir) || c.stdio() >= 0 }

var traceable struct {
	once sync.Once
	why  string // what is missing
}

// needTrace skips the test if no program can be traced here.
func (p *promised) needTrace() {
	p.t.Helper()
	if missing := traceMissing(p.t); missing != "" {
		p.skip(missing)
	}
}

func traceMissing(t testing.TB) string {
	t.Helper()
	traceable.once.Do(func() { traceable.why = tryTrace(t) })
	return traceable.why
}

// An injection has the N-th of some calls fail.
type injection struct {
	call  string // its name
	errno syscall.Errno
	at    int                // the first of them is 1
	from  bool               // all from that one on
	of    func(c *call) bool // which of that name; nil is all of ours
}

func (i injection) String() string {
	name := errnoName(i.errno)
	if i.from {
		return fmt.Sprintf("%s %s from %d on", i.call, name, i.at)
	}
	return fmt.Sprintf("%s %s at %d", i.call, name, i.at)
}

func errnoName(e syscall.Errno) string {
	for name, errno := range map[string]syscall.Errno{
		"EIO": syscall.EIO, "ENOSPC": syscall.ENOSPC, "EDQUOT": syscall.EDQUOT, "EACCES": syscall.EACCES, "EMFILE": syscall.EMFILE,
		"ENOENT": syscall.ENOENT, "EINTR": syscall.EINTR, "EPERM": syscall.EPERM, "EXDEV": syscall.EXDEV, "ESTALE": syscall.ESTALE, "EFBIG": syscall.EFBIG,
	} {
		if errno == e {
			return name
		}
	}
	return e.Error()
}

// inject runs an invocation on a world with an injection. It returns how often
// something was injected, and into what.
func inject(t testing.TB, v invocation, w *world, k kind, i injection) (got outcome, hits int, victim string) {
	t.Helper()
	n := 0
	got = runTraced(t, v.command(t, w, k), func(c *call) {
		if c.made || c.name != i.call || i.of == nil && !c.ours(w) || i.of != nil && !i.of(c) {
			return
		}
		if n++; n == i.at || i.from && n > i.at {
			hits++
			victim = c.path
			c.fail(i.errno)
		}
	})
	got.files = v.listing(t, w)
	return got, hits, victim
}

// culprits returns the names by which a message may call the victim of a fault,
// where the input is of some kind.
func (w *world) culprits(victim string, k kind) []string {
	base := filepath.Base(victim)
	switch {
	case strings.HasPrefix(victim, w.tmp+"/"):
		return []string{"temporary file in " + w.tmp}
	case !strings.HasPrefix(victim, w.dir+"/"), k == stdin && victim == w.forms[plain]:
		return []string{"-: ", "write: "} // a standard stream
	case strings.HasPrefix(base, ".jlcompact-"):
		return []string{"s.jsonl"}
	case strings.HasPrefix(base, ".jlsnap-"):
		return []string{"src/"}
	}
	return []string{base}
}

// This copy goes with the next changes.
