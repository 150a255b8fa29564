package harness

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// syscalls are the calls that a trace shows. In args, f is a descriptor, p a path, d
// the directory of the path that follows, and . anything else.
var syscalls = map[uint64]struct{ name, args string }{
	syscall.SYS_READ: {"read", "f"}, syscall.SYS_PREAD64: {"pread64", "f"}, syscall.SYS_READV: {"readv", "f"},
	syscall.SYS_WRITE: {"write", "f"}, syscall.SYS_PWRITE64: {"pwrite64", "f"}, syscall.SYS_WRITEV: {"writev", "f"},
	syscall.SYS_SENDFILE: {"sendfile", ".f"}, syscall.SYS_SPLICE: {"splice", "f"}, 326: {"copy_file_range", "f"},
	syscall.SYS_CLOSE: {"close", "f"}, syscall.SYS_LSEEK: {"lseek", "f"}, syscall.SYS_MMAP: {"mmap", "....f"},
	syscall.SYS_FSYNC: {"fsync", "f"}, syscall.SYS_FDATASYNC: {"fdatasync", "f"}, syscall.SYS_FTRUNCATE: {"ftruncate", "f"},
	syscall.SYS_FCHMOD: {"fchmod", "f"}, syscall.SYS_FCHOWN: {"fchown", "f"}, syscall.SYS_FLOCK: {"flock", "f"},
	syscall.SYS_FGETXATTR: {"fgetxattr", "f"}, syscall.SYS_FSETXATTR: {"fsetxattr", "f"}, syscall.SYS_FREMOVEXATTR: {"fremovexattr", "f"},
	syscall.SYS_FSTAT: {"fstat", "f"}, syscall.SYS_NEWFSTATAT: {"newfstatat", "dp"}, 332: {"statx", "dp"},
	syscall.SYS_GETDENTS64: {"getdents64", "f"}, syscall.SYS_READLINKAT: {"readlinkat", "dp"}, syscall.SYS_FACCESSAT: {"faccessat", "dp"},
	syscall.SYS_OPEN: {"open", "p"}, syscall.SYS_OPENAT: {"openat", "dp"}, syscall.SYS_CREAT: {"creat", "p"},
	syscall.SYS_MKDIR: {"mkdir", "p"}, syscall.SYS_MKDIRAT: {"mkdirat", "dp"}, syscall.SYS_MKNODAT: {"mknodat", "dp"},
	syscall.SYS_UNLINK: {"unlink", "p"}, syscall.SYS_UNLINKAT: {"unlinkat", "dp"}, syscall.SYS_RMDIR: {"rmdir", "p"},
	syscall.SYS_LINKAT: {"linkat", "dpdp"}, syscall.SYS_SYMLINKAT: {"symlinkat", ".dp"}, syscall.SYS_TRUNCATE: {"truncate", "p"},
	syscall.SYS_RENAME: {"rename", "p"}, syscall.SYS_RENAMEAT: {"renameat", "dpdp"}, 316: {"renameat2", "dpdp"},
	syscall.SYS_CHMOD: {"chmod", "p"}, syscall.SYS_FCHMODAT: {"fchmodat", "dp"}, 452: {"fchmodat2", "dp"},
	syscall.SYS_FCHOWNAT: {"fchownat", "dp"}, syscall.SYS_UTIMENSAT: {"utimensat", "dp"},
	syscall.SYS_SOCKET: {"socket", ""}, syscall.SYS_SOCKETPAIR: {"socketpair", ""}, syscall.SYS_CONNECT: {"connect", ""},
	syscall.SYS_BIND: {"bind", ""}, syscall.SYS_SENDTO: {"sendto", ""}, syscall.SYS_SENDMSG: {"sendmsg", ""},
	syscall.SYS_EXECVE: {"execve", "p"}, syscall.SYS_FORK: {"fork", ""}, syscall.SYS_VFORK: {"vfork", ""},
}

// Constants that package syscall lacks.
const (
	ptraceGetSyscallInfo = 0x420e
	ptraceOExitKill      = 0x100000
	infoEntry            = 1
	infoExit             = 2
	syscallStop          = syscall.SIGTRAP | 0x80 // see PTRACE_O_TRACESYSGOOD
	atCwd                = -100
)

// A syscallInfo is a struct ptrace_syscall_info.
type syscallInfo struct {
	op   uint8
	_    [3]uint8
	arch uint32
	ip   uint64
	sp   uint64
	nr   uint64 // on exit: what the call returned
	args [6]uint64
}

// A tracer follows the threads of one program.
type tracer struct {
	pid           int
	before, after func(*Call)
	running       bool          // the process executes the program, not its wrapper
	killed        bool          // by Call.Kill
	calls         map[int]*Call // that a thread is making
}

func trace(cmd *exec.Cmd, before, after func(*Call)) (got Outcome, err error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Ptrace = true
	cmd.SysProcAttr.Setpgid = true // see wait
	output := capture(cmd)
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // only the thread that starts the program can trace it
		if err = cmd.Start(); err != nil {
			return
		}
		pid := cmd.Process.Pid
		timer := time.AfterFunc(patience, func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
		tr := tracer{pid: pid, before: before, after: after, calls: map[int]*Call{}}
		got, err = tr.follow()
		got.Hung = !timer.Stop()
	}()
	<-done
	if cmd.Process != nil {
		_ = cmd.Wait() // fails, as the process is gone, but copies the rest of the output
	}
	output(&got)
	return got, err
}

// follow traces the process, which has stopped at the end of its execve, until it
// ends.
func (tr *tracer) follow() (Outcome, error) {
	var status syscall.WaitStatus
	if _, err := tr.wait(&status); err != nil || !status.Stopped() {
		return ended(status), err
	}
	const options = syscall.PTRACE_O_TRACESYSGOOD | syscall.PTRACE_O_TRACECLONE | syscall.PTRACE_O_TRACEFORK |
		syscall.PTRACE_O_TRACEVFORK | syscall.PTRACE_O_TRACEEXEC | ptraceOExitKill
	if err := syscall.PtraceSetOptions(tr.pid, options); err != nil {
		return Outcome{}, err
	}
	tr.executes()
	known := map[int]bool{tr.pid: true}
	tid, signal := tr.pid, 0
	for {
		if err := syscall.PtraceSyscall(tid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return Outcome{}, err
		}
		for {
			var err error
			if tid, err = tr.wait(&status); err != nil {
				return Outcome{}, err
			}
			if status.Stopped() {
				break
			}
			if tid == tr.pid {
				return ended(status), nil
			}
		}
		signal = 0
		switch s := status.StopSignal(); {
		case s == syscallStop:
			tr.stopped(tid)
		case s == syscall.SIGTRAP: // an event, such as a new thread
			if status.TrapCause() == syscall.PTRACE_EVENT_EXEC {
				tr.executes()
			}
		case s == syscall.SIGSTOP && !known[tid]: // a thread begins
		default:
			signal = int(s)
		}
		known[tid] = true
	}
}

func ended(status syscall.WaitStatus) Outcome {
	if status.Signaled() {
		return Outcome{Status: -1, Signal: status.Signal()}
	}
	return Outcome{Status: status.ExitStatus()}
}

// executes notes whether the process has come to execute a program.
func (tr *tracer) executes() {
	tr.running = filepath.Dir(tr.link("exe")) == scratch.bin
}

// wait waits for a thread of the process, which leads a process group: the thread of
// the tracer may have other children.
func (tr *tracer) wait(status *syscall.WaitStatus) (int, error) {
	for {
		tid, err := syscall.Wait4(-tr.pid, status, syscall.WALL|syscall.WNOTHREAD, nil)
		if !errors.Is(err, syscall.EINTR) {
			return tid, err
		}
	}
}

// stopped handles a thread that has stopped before a call, or after it.
func (tr *tracer) stopped(tid int) {
	var info syscallInfo
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, ptraceGetSyscallInfo, uintptr(tid), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0)
	if errno != 0 || !tr.running || tr.killed {
		return
	}
	switch c := tr.calls[tid]; {
	case info.op == infoEntry:
		if c := tr.call(info); c != nil {
			tr.calls[tid] = c
			if tr.before != nil {
				tr.before(c)
			}
			tr.apply(tid, c)
		}
	case info.op == infoExit && c != nil:
		delete(tr.calls, tid)
		c.Ret = int64(info.nr)
		if c.errno != 0 {
			c.Ret = -int64(c.errno)
			setRegs(tid, func(r *syscall.PtraceRegs) { r.Rax = -uint64(c.errno) })
		}
		if tr.after != nil {
			tr.after(c)
		}
	}
}

// apply does what a test has asked for.
func (tr *tracer) apply(tid int, c *Call) {
	switch {
	case c.kill:
		tr.killed = true
		_ = syscall.Kill(tr.pid, syscall.SIGKILL)
	case c.errno != 0:
		setRegs(tid, func(r *syscall.PtraceRegs) { r.Orig_rax = ^uint64(0) }) // the number of no call
	case c.limit != 0:
		setRegs(tid, func(r *syscall.PtraceRegs) {
			count := &r.Rdx
			switch c.Name {
			case "copy_file_range", "splice":
				count = &r.R8
			case "sendfile":
				count = &r.R10
			}
			*count = min(*count, c.limit)
		})
	}
}

func setRegs(tid int, change func(*syscall.PtraceRegs)) {
	var regs syscall.PtraceRegs
	if syscall.PtraceGetRegs(tid, &regs) == nil {
		change(&regs)
		_ = syscall.PtraceSetRegs(tid, &regs)
	}
}

// call returns the call that info describes, nil if it is not shown.
func (tr *tracer) call(info syscallInfo) *Call {
	spec, ok := syscalls[info.nr]
	if !ok {
		return nil
	}
	c := &Call{Name: spec.name, Args: info.args}
	dir, path := int32(atCwd), &c.Path
	for i, kind := range spec.args {
		switch kind {
		case 'f':
			*path = tr.descriptor(int32(info.args[i]))
		case 'd':
			dir = int32(info.args[i])
		case 'p':
			*path = tr.path(dir, tr.text(info.args[i]))
			path = &c.To
		}
	}
	for _, runtime := range []string{"/proc/", "/sys/", "anon_inode:"} {
		if strings.HasPrefix(c.Path, runtime) { // a call of the Go runtime
			return nil
		}
	}
	return c
}

// link returns where a link of the process in /proc leads.
func (tr *tracer) link(name string) string {
	path, _ := os.Readlink("/proc/" + strconv.Itoa(tr.pid) + "/" + name)
	return path
}

func (tr *tracer) descriptor(fd int32) string { return tr.link("fd/" + strconv.Itoa(int(fd))) }

// path returns the absolute path of one that the program names.
func (tr *tracer) path(dir int32, path string) string {
	switch {
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	case dir == atCwd:
		return filepath.Join(tr.link("cwd"), path)
	}
	return filepath.Join(tr.descriptor(dir), path)
}

// text returns the string at an address of the program.
func (tr *tracer) text(address uint64) string {
	mem, err := os.Open("/proc/" + strconv.Itoa(tr.pid) + "/mem")
	if err != nil {
		return ""
	}
	defer mem.Close()
	b := make([]byte, 8192)
	n, _ := mem.ReadAt(b, int64(address)) // fails at the end of a mapping
	text, _, _ := strings.Cut(string(b[:n]), "\x00")
	return text
}
