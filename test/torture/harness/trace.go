package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A traced run stops before and after each system call that concerns files or other
// processes. The tracer uses ptrace(2), because strace(1) cannot do what the tests
// need: it counts the calls of each thread, not of the program; it knows files by
// their exact names only; it cannot shorten a transfer; and it cannot wait while a
// test changes a file.

// A Call is a system call of a traced program.
type Call struct {
	Name string // "openat"
	Args [6]uint64
	Path string // the file: the argument, or what the descriptor refers to
	To   string // the second path of linkat and renameat
	Ret  int64  // once the call is made: what it returned, a negative number on failure

	errno syscall.Errno
	limit uint64
	kill  bool
}

// Fail prevents the call and makes it return an error.
func (c *Call) Fail(errno syscall.Errno) { c.errno = errno }

// Limit makes the call transfer n bytes at most.
func (c *Call) Limit(n uint64) { c.limit = n }

// Kill kills the program before it makes the call.
func (c *Call) Kill() { c.kill = true }

func (c *Call) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", c.Name, c.Path, c.To))
}

// Below reports whether the call concerns a file below dir, or dir itself.
func (c *Call) Below(dir string) bool { return below(c.Path, dir) || below(c.To, dir) }

func below(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// Opens reports whether the call opens a file for writing.
func (c *Call) Opens() bool {
	return c.Name == "openat" && c.Args[2]&(syscall.O_WRONLY|syscall.O_RDWR|syscall.O_CREAT|syscall.O_TRUNC) != 0
}

var onDescriptor = []string{"read", "write", "readv", "writev", "pread64", "pwrite64", "close", "fstat", "lseek", "fsync", "copy_file_range", "sendfile", "splice"}

// Stream returns which standard stream the call concerns, or -1.
func (c *Call) Stream() int {
	if fd := int32(c.Args[0]); slices.Contains(onDescriptor, c.Name) && fd >= 0 && fd <= 2 {
		return int(fd)
	}
	return -1
}

// Concerns reports whether the call concerns the fixture or a standard stream. The
// other calls are those of the Go runtime.
func (c *Call) Concerns(f *Fixture) bool { return c.Below(f.Dir) || c.Stream() >= 0 }

var (
	changing = []string{"mkdirat", "mkdir", "mknodat", "symlinkat", "linkat", "renameat", "renameat2", "rename", "unlinkat", "unlink", "rmdir", "creat",
		"truncate", "ftruncate", "chmod", "fchmod", "fchmodat", "fchmodat2", "fchown", "fchownat", "utimensat"}
	communicating = []string{"socket", "socketpair", "connect", "bind", "sendto", "sendmsg", "execve", "fork", "vfork"}
)

// Stray reports whether the call talks to another process or changes the file system
// outside the allowed directories.
func (c *Call) Stray(allowed ...string) bool {
	if slices.Contains(communicating, c.Name) {
		return true
	}
	return (slices.Contains(changing, c.Name) || c.Opens()) && !slices.ContainsFunc(allowed, func(dir string) bool {
		return below(c.Path, dir) && (c.To == "" || below(c.To, dir))
	})
}

// Trace runs a command. It passes each call to before, and once it is made to after;
// either may be nil.
func Trace(t testing.TB, cmd *exec.Cmd, before, after func(*Call)) Outcome {
	got, err := trace(cmd, before, after)
	require.NoError(t, err)
	return got
}

var traceable struct {
	once    sync.Once
	missing string
}

// TraceUntil traces a command and passes the n-th of the chosen calls to do. It also
// returns that call, "" if there are fewer.
func TraceUntil(t testing.TB, cmd *exec.Cmd, n int, chosen func(*Call) bool, do func(*Call)) (got Outcome, at string) {
	got = Trace(t, cmd, func(c *Call) {
		if chosen(c) {
			if n--; n == 0 {
				at = c.String()
				do(c)
			}
		}
	}, nil)
	return got, at
}

// TraceMissing returns what is missing to trace programs here, or "".
func TraceMissing(t testing.TB) string {
	traceable.once.Do(func() {
		seen := false
		cmd := Program(t, "jlrev", "--version")
		if os.Getenv("TORTURE_TRACE") == "no" {
			traceable.missing = "ptrace"
		} else if _, err := trace(cmd, func(c *Call) { seen = seen || c.Name == "write" }, nil); err != nil || !seen {
			traceable.missing = "ptrace that works here"
		}
	})
	return traceable.missing
}

// A Fault makes a system call fail.
type Fault struct {
	Call   string // its name
	Errno  syscall.Errno
	At     int              // the first is 1
	Onward bool             // all later ones fail, too
	Of     func(*Call) bool // which calls of that name count; nil stands for Concerns
}

func (f Fault) String() string {
	if f.Onward {
		return fmt.Sprintf("%s %d and later: %v", f.Call, f.At, f.Errno)
	}
	return fmt.Sprintf("%s %d: %v", f.Call, f.At, f.Errno)
}

// Inject runs a command with a fault. It returns the file whose call failed, "" if
// none did.
func (c Command) Inject(t testing.TB, f *Fixture, form Form, fault Fault) (got Outcome, victim string) {
	n := 0
	got = Trace(t, c.Cmd(t, f, form), func(call *Call) {
		if call.Name != fault.Call || fault.Of == nil && !call.Concerns(f) || fault.Of != nil && !fault.Of(call) {
			return
		}
		if n++; n == fault.At || fault.Onward && n > fault.At {
			victim = call.Path
			call.Fail(fault.Errno)
		}
	}, nil)
	got.Files = c.Written(t, f)
	return got, victim
}

// StandardStreams are the names by which a message may call a standard stream.
var StandardStreams = []string{"-: ", "write", "standard input", "standard output"}

// Culprits returns the names by which a message may call the victim of a fault.
func (f *Fixture) Culprits(victim string, form Form) []string {
	base := filepath.Base(victim)
	switch {
	case below(victim, f.Tmp):
		return []string{f.Tmp}
	case !below(victim, f.Dir), form == Stdin && victim == f.Path(Log):
		return StandardStreams
	case strings.HasPrefix(base, ".jlcompact-"):
		return []string{"s.jsonl"}
	case strings.HasPrefix(base, ".jlsnap-"):
		return []string{"src/"}
	}
	return []string{base}
}
