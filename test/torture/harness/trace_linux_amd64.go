package harness

import (
	"bytes"
	"encoding/binary"
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

	"golang.org/x/sys/unix"
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
	infoExit             = 2
	infoSeccomp          = 3
	syscallStop          = syscall.SIGTRAP | 0x80 // see PTRACE_O_TRACESYSGOOD
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
	const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK |
		unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_TRACESECCOMP | unix.PTRACE_O_EXITKILL
	if err := syscall.PtraceSetOptions(tr.pid, options); err != nil {
		return Outcome{}, err
	}
	if err := tr.filter(); err != nil {
		return Outcome{}, err
	}
	tr.executes()
	known := map[int]bool{tr.pid: true}
	tid, signal := tr.pid, 0
	for {
		resume := syscall.PtraceCont
		if tr.calls[tid] != nil {
			resume = syscall.PtraceSyscall // stop after the call
		}
		if err := resume(tid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
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
			switch status.TrapCause() {
			case unix.PTRACE_EVENT_EXEC:
				tr.executes()
			case unix.PTRACE_EVENT_SECCOMP:
				tr.stopped(tid)
			}
		case s == syscall.SIGSTOP && !known[tid]: // a thread begins
		default:
			signal = int(s)
		}
		known[tid] = true
	}
}

// filter makes the process, which has not begun to run, stop only before the calls in
// syscalls. Most others are those of the Go runtime, and a stop takes far longer than a
// call. Only the process itself can install a seccomp(2) filter, so filter makes it do so,
// with an instruction in the place of its first one.
func (tr *tracer) filter() error {
	rules := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}} // the number of the call
	for number := range syscalls {
		rules = append(rules,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: uint32(number), Jf: 1},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_TRACE})
	}
	rules = append(rules, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})

	var regs syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(tr.pid, &regs); err != nil {
		return err
	}
	free := regs.Rsp - 4096  // below the stack
	var program bytes.Buffer // a struct sock_fprog, and the rules that it points to
	for _, part := range []any{uint64(len(rules)), free + 16, rules} {
		_ = binary.Write(&program, binary.LittleEndian, part)
	}
	first := make([]byte, 2)
	poke := func(address uint64, data []byte) error {
		_, err := syscall.PtracePokeData(tr.pid, uintptr(address), data)
		return err
	}
	_, err := syscall.PtracePeekText(tr.pid, uintptr(regs.Rip), first)
	return errors.Join(err,
		poke(free, program.Bytes()),
		poke(regs.Rip, []byte{0x0f, 0x05}),             // SYSCALL
		tr.prctl(regs, unix.PR_SET_NO_NEW_PRIVS, 1, 0), // or no user but root may install it
		tr.prctl(regs, unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, free),
		poke(regs.Rip, first),
		syscall.PtraceSetRegs(tr.pid, &regs))
}

// prctl makes the process call prctl(2) by the instruction that it has come to. The
// registers are those that it stopped with.
func (tr *tracer) prctl(regs syscall.PtraceRegs, option, arg2, arg3 uint64) error {
	regs.Rax, regs.Rdi, regs.Rsi, regs.Rdx, regs.R10, regs.R8 = unix.SYS_PRCTL, option, arg2, arg3, 0, 0
	var status syscall.WaitStatus
	err := errors.Join(syscall.PtraceSetRegs(tr.pid, &regs), syscall.PtraceSingleStep(tr.pid))
	if err == nil {
		_, err = tr.wait(&status)
	}
	if err == nil {
		err = syscall.PtraceGetRegs(tr.pid, &regs)
	}
	if err == nil && regs.Rax != 0 {
		err = syscall.Errno(-regs.Rax)
	}
	return err
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
	case info.op == infoSeccomp:
		if c := tr.call(info); c != nil {
			if tr.before != nil {
				tr.before(c)
			}
			tr.apply(tid, c)
			if tr.after != nil {
				tr.calls[tid] = c
			}
		}
	case info.op == infoExit && c != nil:
		delete(tr.calls, tid)
		c.Ret = int64(info.nr)
		tr.after(c)
	}
}

// apply does what a test has asked for.
func (tr *tracer) apply(tid int, c *Call) {
	switch {
	case c.kill:
		tr.killed = true
		_ = syscall.Kill(tr.pid, syscall.SIGKILL)
	case c.errno != 0:
		setRegs(tid, func(r *syscall.PtraceRegs) {
			r.Orig_rax = ^uint64(0) // the number of no call
			r.Rax = -uint64(c.errno)
		})
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
	dir, path := int32(unix.AT_FDCWD), &c.Path
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
	case dir == unix.AT_FDCWD:
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
