package calls

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// watched are the names of the calls that stop a thread.
var watched = map[int32]string{
	unix.SYS_CLOSE: "close", unix.SYS_FCNTL: "fcntl", unix.SYS_FCHMOD: "fchmod", unix.SYS_FGETXATTR: "fgetxattr", unix.SYS_FLOCK: "flock",
	unix.SYS_FSETXATTR: "fsetxattr", unix.SYS_FSTAT: "fstat", unix.SYS_FSYNC: "fsync", unix.SYS_GETDENTS64: "getdents64",
	unix.SYS_LINKAT: "linkat", unix.SYS_LSEEK: "lseek", unix.SYS_NEWFSTATAT: "newfstatat", unix.SYS_OPENAT: "openat",
	unix.SYS_PREAD64: "pread64", unix.SYS_READ: "read", unix.SYS_RENAMEAT: "renameat", unix.SYS_UNLINKAT: "unlinkat",
	unix.SYS_UTIMENSAT: "utimensat", unix.SYS_WRITE: "write",
}

// end is the number of a call that says that the function has returned.
const end = unix.SYS_GETPPID

// A notification is struct seccomp_notif.
type notification struct {
	id         uint64
	pid, flags uint32
	nr         int32
	arch       uint32
	ip         uint64
	args       [6]uint64
}

// A response is struct seccomp_notif_resp.
type response struct {
	id    uint64
	val   int64
	errno int32
	flags uint32
}

const (
	receive    = 0xc0502100 // SECCOMP_IOCTL_NOTIF_RECV
	send       = 0xc0182101 // SECCOMP_IOCTL_NOTIF_SEND
	goOn       = 1          // SECCOMP_USER_NOTIF_FLAG_CONTINUE
	setFilter  = 1          // SECCOMP_SET_MODE_FILTER
	listener   = 8 | 32     // SECCOMP_FILTER_FLAG_NEW_LISTENER, …_WAIT_KILLABLE_RECV: no signal restarts a call
	allow      = 0x7fff0000 // SECCOMP_RET_ALLOW
	notify     = 0x7fc00000 // SECCOMP_RET_USER_NOTIF
	offsetNr   = 0          // in struct seccomp_data
	offsetArg2 = 32
)

// The go command may tell a test to note which files it opens. Package testing does so under a lock:
// if a thread that is stopped holds it, and what is called before the call opens a file, neither goes
// on. So a test without that option takes the place of this one.
func init() {
	args := slices.DeleteFunc(slices.Clone(os.Args), func(arg string) bool { return strings.HasPrefix(arg, "-test.testlogfile=") })
	if len(args) < len(os.Args) {
		_ = syscall.Exec("/proc/self/exe", args, os.Environ())
	}
}

// filter returns a program that stops the thread at each watched call. It lets reads and
// writes of 8 bytes pass: those of Go's scheduler, which no other goroutine may wait for.
func filter() []unix.SockFilter {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	// skip skips so many instructions if the loaded word is k, or is not.
	skip := func(k uint32, is, isNot uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: k, Jt: is, Jf: isNot}
	}
	answer := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	program := []unix.SockFilter{load(offsetNr)}
	for nr := range watched {
		if nr != unix.SYS_READ && nr != unix.SYS_WRITE {
			program = append(program, skip(uint32(nr), 0, 1), answer(notify))
		}
	}
	return append(program,
		skip(end, 0, 1), answer(notify),
		skip(unix.SYS_READ, 2, 0), skip(unix.SYS_WRITE, 1, 0), answer(allow),
		load(offsetArg2), skip(8, 0, 1), answer(allow), answer(notify))
}

func run(do func(), before func(string) syscall.Errno) error {
	type opened struct {
		fd  uintptr
		err error
	}
	begun := make(chan opened)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		fd, err := listen()
		begun <- opened{fd, err}
		if err == nil {
			do()
			_, _, _ = unix.Syscall(end, 0, 0, 0)
		}
	}()
	watch := <-begun
	if watch.err != nil {
		return watch.err
	}
	defer unix.Close(int(watch.fd)) // makes a call that waits fail
	for {
		var n notification
		if _, _, err := unix.Syscall(unix.SYS_IOCTL, watch.fd, receive, uintptr(unsafe.Pointer(&n))); err != 0 {
			if err == unix.EINTR || err == unix.ENOENT { // a signal has interrupted the call; it begins again
				continue
			}
			return err
		}
		r := response{id: n.id, flags: goOn}
		if n.nr != end {
			if err := before(watched[n.nr]); err != 0 {
				r.flags, r.errno = 0, -int32(err)
				if n.nr == unix.SYS_CLOSE {
					_ = unix.Close(int(n.args[0]))
				}
			}
		}
		if _, _, err := unix.Syscall(unix.SYS_IOCTL, watch.fd, send, uintptr(unsafe.Pointer(&r))); err != 0 {
			return err
		}
		if n.nr == end {
			return nil
		}
	}
}

// listen returns a descriptor that tells of the watched calls of this thread.
func listen() (uintptr, error) {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, err
	}
	program := filter()
	all := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	fd, _, err := unix.Syscall(unix.SYS_SECCOMP, setFilter, listener, uintptr(unsafe.Pointer(&all)))
	if err != 0 {
		return 0, err
	}
	return fd, nil
}
