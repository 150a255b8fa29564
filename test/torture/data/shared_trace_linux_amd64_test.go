package torture

import (
	"bytes"
	"cmp"
	bytesOrder "encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A syscallKind says which arguments of a call are what.
type syscallKind struct {
	name string
	fd   int // which argument is the descriptor of the file; -1 if none
	at   int // which is a directory, with a path behind it; -1 if none
	to   int // which is a second one
}

// Calls that take a path alone have at -2: the path is the first argument.
const pathAlone = -2

var syscalls = map[uint64]syscallKind{
	syscall.SYS_READ:       {"read", 0, -1, -1},
	syscall.SYS_WRITE:      {"write", 0, -1, -1},
	syscall.SYS_CLOSE:      {"close", 0, -1, -1},
	syscall.SYS_FSTAT:      {"fstat", 0, -1, -1},
	syscall.SYS_LSEEK:      {"lseek", 0, -1, -1},
	syscall.SYS_PREAD64:    {"pread64", 0, -1, -1},
	syscall.SYS_PWRITE64:   {"pwrite64", 0, -1, -1},
	syscall.SYS_READV:      {"readv", 0, -1, -1},
	syscall.SYS_WRITEV:     {"writev", 0, -1, -1},
	syscall.SYS_MMAP:       {"mmap", 4, -1, -1},
	syscall.SYS_FSYNC:      {"fsync", 0, -1, -1},
	syscall.SYS_FDATASYNC:  {"fdatasync", 0, -1, -1},
	syscall.SYS_FTRUNCATE:  {"ftruncate", 0, -1, -1},
	syscall.SYS_FCHMOD:     {"fchmod", 0, -1, -1},
	syscall.SYS_FCHOWN:     {"fchown", 0, -1, -1},
	syscall.SYS_FLOCK:      {"flock", 0, -1, -1},
	syscall.SYS_GETDENTS64: {"getdents64", 0, -1, -1},
	syscall.SYS_SENDFILE:   {"sendfile", 1, -1, -1},
	syscall.SYS_SPLICE:     {"splice", 0, -1, -1},
	326:                    {"copy_file_range", 0, -1, -1},
	syscall.SYS_OPEN:       {"open", -1, pathAlone, -1},
	syscall.SYS_OPENAT:     {"openat", -1, 0, -1},
	syscall.SYS_NEWFSTATAT: {"newfstatat", -1, 0, -1},
	332:                    {"statx", -1, 0, -1},
	syscall.SYS_READLINKAT: {"readlinkat", -1, 0, -1},
	syscall.SYS_FACCESSAT:  {"faccessat", -1, 0, -1},
	syscall.SYS_MKDIRAT:    {"mkdirat", -1, 0, -1},
	syscall.SYS_MKNODAT:    {"mknodat", -1, 0, -1},
	syscall.SYS_UNLINKAT:   {"unlinkat", -1, 0, -1},
	syscall.SYS_SYMLINKAT:  {"symlinkat", -1, 1, -1},
	syscall.SYS_FCHMODAT:   {"fchmodat", -1, 0, -1},
	452:                    {"fchmodat2", -1, 0, -1},
	syscall.SYS_FCHOWNAT:   {"fchownat", -1, 0, -1},
	syscall.SYS_UTIMENSAT:  {"utimensat", -1, 0, -1},
	syscall.SYS_LINKAT:     {"linkat", -1, 0, 2},
	syscall.SYS_RENAMEAT:   {"renameat", -1, 0, 2},
	316:                    {"renameat2", -1, 0, 2},
	syscall.SYS_RENAME:     {"rename", -1, pathAlone, -1},
	syscall.SYS_UNLINK:     {"unlink", -1, pathAlone, -1},
	syscall.SYS_MKDIR:      {"mkdir", -1, pathAlone, -1},
	syscall.SYS_RMDIR:      {"rmdir", -1, pathAlone, -1},
	syscall.SYS_CREAT:      {"creat", -1, pathAlone, -1},
	syscall.SYS_TRUNCATE:   {"truncate", -1, pathAlone, -1},
	syscall.SYS_CHMOD:      {"chmod", -1, pathAlone, -1},
	syscall.SYS_SOCKET:     {"socket", -1, -1, -1},
	syscall.SYS_SOCKETPAIR: {"socketpair", -1, -1, -1},
	syscall.SYS_CONNECT:    {"connect", -1, -1, -1},
	syscall.SYS_BIND:       {"bind", -1, -1, -1},
	syscall.SYS_SENDTO:     {"sendto", -1, -1, -1},
	syscall.SYS_SENDMSG:    {"sendmsg", -1, -1, -1},
	syscall.SYS_EXECVE:     {"execve", -1, pathAlone, -1},
	syscall.SYS_FORK:       {"fork", -1, -1, -1},
	syscall.SYS_VFORK:      {"vfork", -1, -1, -1},
}

// What package syscall has no names for.
const (
	ptraceGetSyscallInfo = 0x420e
	ptraceOTraceSeccomp  = 0x80
	ptraceOExitKill      = 0x100000
	ptraceEventSeccomp   = 7
	infoExit             = 2
	infoSeccomp          = 3
	atCwd                = -100
)

// A syscallInfo is struct ptrace_syscall_info.
type syscallInfo struct {
	op   uint8
	_    [3]uint8
	arch uint32
	ip   uint64
	sp   uint64
	nr   uint64 // of an entry; the returned value of an exit
	args [6]uint64
}

// A stopped is a thread of a traced program at a system call.
type stopped struct {
	tid, pid int
	entering *call // what it is about to do or in the middle of
	name     string
	verdict  syscall.Errno // what the call is to fail with
	killed   *bool
}

func (s *stopped) setRegs(change func(*syscall.PtraceRegs)) {
	var regs syscall.PtraceRegs
	if syscall.PtraceGetRegs(s.tid, &regs) == nil {
		change(&regs)
		_ = syscall.PtraceSetRegs(s.tid, &regs)
	}
}

func (s *stopped) fail(errno syscall.Errno) {
	s.verdict = errno
	s.setRegs(func(r *syscall.PtraceRegs) { r.Orig_rax = ^uint64(0) }) // no call has this number
}

func (s *stopped) limit(n uint64) {
	s.setRegs(func(r *syscall.PtraceRegs) {
		switch s.name {
		case "copy_file_range", "splice":
			r.R8 = min(r.R8, n)
		case "sendfile":
			r.R10 = min(r.R10, n)
		default:
			r.Rdx = min(r.Rdx, n)
		}
	})
}

func (s *stopped) kill() {
	*s.killed = true
	_ = syscall.Kill(s.pid, syscall.SIGKILL)
}

// runTraced runs a command to its end, and shows each call to watch before it is
// made and after.
func runTraced(t testing.TB, cmd *exec.Cmd, watch func(*call)) outcome {
	t.Helper()
	cmd = traceFrom(cmd)
	var out, errs bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &out
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &errs
	}
	cmd.WaitDelay = 5 * time.Second
	var got outcome
	var err error
	// The thread that has started a program is the one that traces it.
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with this function
		if err = cmd.Start(); err == nil {
			pid := cmd.Process.Pid
			hung := time.AfterFunc(patience, func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
			got, err = follow(pid, watch)
			got.hung = !hung.Stop()
		}
	}()
	<-done
	require.NoError(t, err)
	_ = cmd.Wait() // it is gone; what is left is to copy its output
	got.stdout, got.stderr = out.String(), errs.String()
	return got
}

// traceFrom returns cmd as one that stops when it is executed.
func traceFrom(cmd *exec.Cmd) *exec.Cmd {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Ptrace = true
	cmd.SysProcAttr.Setpgid = true // see wait
	return cmd
}

// follow traces a process that has stopped at its execve until it ends. What
// executes the program in the end, a shell perhaps, is let go; the program is given
// a filter that stops it at the calls to be shown, and at no others: it makes ten
// times as many.
func follow(pid int, watch func(*call)) (outcome, error) {
	var status syscall.WaitStatus
	if _, err := wait(pid, &status); err != nil {
		return outcome{}, err
	}
	if status.Exited() || status.Signaled() {
		return ended(status), nil
	}
	const options = syscall.PTRACE_O_TRACESYSGOOD | syscall.PTRACE_O_TRACECLONE | syscall.PTRACE_O_TRACEFORK |
		syscall.PTRACE_O_TRACEVFORK | syscall.PTRACE_O_TRACEEXEC | ptraceOTraceSeccomp | ptraceOExitKill
	if err := syscall.PtraceSetOptions(pid, options); err != nil {
		return outcome{}, err
	}
	executed := false // the program is at the end of the execve that began it
	if isProgram(pid) {
		if err := addFilter(pid); err != nil {
			return outcome{}, err
		}
	}
	threads := map[int]*stopped{}
	killed := false
	tid, deliver, toExit := pid, 0, false
	for {
		var err error
		if toExit {
			err = syscall.PtraceSyscall(tid, deliver)
		} else {
			err = syscall.PtraceCont(tid, deliver)
		}
		if err != nil && !errors.Is(err, syscall.ESRCH) {
			return outcome{}, err
		}
		for {
			if tid, err = wait(pid, &status); err != nil {
				return outcome{}, err
			}
			if status.Stopped() {
				break
			}
			if tid == pid {
				return ended(status), nil
			}
		}
		s := threads[tid]
		known := s != nil
		if !known {
			s = &stopped{tid: tid, pid: pid, killed: &killed}
			threads[tid] = s
		}
		deliver, toExit = 0, false
		switch signal := status.StopSignal(); {
		case signal == syscall.SIGTRAP|0x80 && executed:
			executed = false
			if err := addFilter(pid); err != nil {
				return outcome{}, err
			}
		case signal == syscall.SIGTRAP|0x80:
			s.made(watch)
		case signal == syscall.SIGTRAP && status.TrapCause() == ptraceEventSeccomp:
			toExit = !killed && s.about(watch)
		case signal == syscall.SIGTRAP && status.TrapCause() == syscall.PTRACE_EVENT_EXEC:
			// Here execve has still to return, and would spoil a register.
			executed = isProgram(pid)
			toExit = executed
		case signal == syscall.SIGTRAP, signal == syscall.SIGSTOP && !known:
			// Another event, or the beginning of a thread.
		default:
			deliver = int(signal)
		}
	}
}

// addFilter has a stopped program make the calls that put a filter of calls before
// it: those that are to be shown stop it, the others do not.
func addFilter(pid int) error {
	const (
		load, jumpEqual, ret  = 0x20, 0x15, 0x06
		offsetNr, offsetArch  = 0, 4
		archAmd64             = 0xc000003e
		retAllow, retTrace    = 0x7fff0000, 0x7ff00000
		prNoNewPrivs, setMode = 38, 1
		sysSeccomp            = 317
		below                 = 4096 // the stack pointer, where there is room
	)
	type instruction struct {
		code   uint16
		jt, jf uint8
		k      uint32
	}
	n := uint8(len(syscalls))
	filter := []instruction{{load, 0, 0, offsetArch}, {jumpEqual, 0, n + 1, archAmd64}, {load, 0, 0, offsetNr}}
	for nr := range syscalls {
		filter = append(filter, instruction{jumpEqual, n, 0, uint32(nr)}) // to the last one
		n--
	}
	filter = append(filter, instruction{ret, 0, 0, retAllow}, instruction{ret, 0, 0, retTrace})

	var regs syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(pid, &regs); err != nil {
		return err
	}
	address := uintptr(regs.Rsp-below) &^ 15
	var b []byte
	b = bytesOrder.LittleEndian.AppendUint64(b, uint64(len(filter)))
	b = bytesOrder.LittleEndian.AppendUint64(b, uint64(address)+16)
	for _, i := range filter {
		b = bytesOrder.LittleEndian.AppendUint16(b, i.code)
		b = append(b, i.jt, i.jf)
		b = bytesOrder.LittleEndian.AppendUint32(b, i.k)
	}
	if _, err := syscall.PtracePokeData(pid, address, b); err != nil {
		return err
	}
	text := make([]byte, 2)
	if _, err := syscall.PtracePeekText(pid, uintptr(regs.Rip), text); err != nil {
		return err
	}
	if _, err := syscall.PtracePokeText(pid, uintptr(regs.Rip), []byte{0x0f, 0x05}); err != nil { // syscall
		return err
	}
	do := func(nr uint64, args ...uint64) error {
		r := regs
		r.Rax, r.Orig_rax = nr, ^uint64(0)
		r.Rdi, r.Rsi, r.Rdx, r.R10, r.R8 = args[0], args[1], args[2], 0, 0
		err := cmp.Or(syscall.PtraceSetRegs(pid, &r), syscall.PtraceSingleStep(pid))
		var status syscall.WaitStatus
		if err == nil {
			_, err = wait(pid, &status)
		}
		if err == nil {
			err = syscall.PtraceGetRegs(pid, &r)
		}
		if err == nil && r.Rax != 0 {
			err = syscall.Errno(-r.Rax)
		}
		return err
	}
	err := cmp.Or(do(syscall.SYS_PRCTL, prNoNewPrivs, 1, 0), do(sysSeccomp, setMode, 0, uint64(address)))
	_, e := syscall.PtracePokeText(pid, uintptr(regs.Rip), text)
	return cmp.Or(err, e, syscall.PtraceSetRegs(pid, &regs))
}

// wait waits for any thread of a process, which leads a process group: the tests
// run others, and this OS thread may have started some of them.
func wait(pid int, status *syscall.WaitStatus) (int, error) {
	for {
		tid, err := syscall.Wait4(-pid, status, syscall.WALL|syscall.WNOTHREAD, nil)
		if !errors.Is(err, syscall.EINTR) {
			return tid, err
		}
	}
}

func ended(status syscall.WaitStatus) outcome {
	if status.Signaled() {
		return outcome{status: -1, signal: status.Signal()}
	}
	return outcome{status: status.ExitStatus()}
}

// isProgram reports whether a process has come to execute one of the programs,
// and not what executes it.
func isProgram(pid int) bool {
	exe, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
	return err == nil && filepath.Dir(exe) == made.bin
}

// info returns what the thread has stopped at.
func (s *stopped) info() (info syscallInfo) {
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, ptraceGetSyscallInfo, uintptr(s.tid), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0)
	if errno != 0 {
		return syscallInfo{}
	}
	return info
}

// about shows the call that the thread is about to make, and reports whether it is
// to be shown again.
func (s *stopped) about(watch func(*call)) bool {
	s.verdict, s.entering = 0, nil
	info := s.info()
	kind, known := syscalls[info.nr]
	if info.op != infoSeccomp || !known {
		return false
	}
	c := &call{name: kind.name, args: info.args, tracee: s}
	s.name = kind.name
	s.paths(c, kind)
	if hidden(c) {
		return false
	}
	watch(c)
	s.entering = c
	return !c.once || s.verdict != 0
}

// made shows the call that it has made.
func (s *stopped) made(watch func(*call)) {
	c, info := s.entering, s.info()
	if c == nil || info.op != infoExit {
		return
	}
	s.entering = nil
	c.made, c.ret = true, int64(info.nr)
	if s.verdict != 0 {
		c.ret = -int64(s.verdict)
		s.setRegs(func(r *syscall.PtraceRegs) { r.Rax = -uint64(s.verdict) })
	}
	if !c.once {
		watch(c)
	}
}

// hidden reports whether a call is the runtime's own: it looks at its limits, and
// wakes itself.
func hidden(c *call) bool {
	return strings.HasPrefix(c.path, "/proc/") || strings.HasPrefix(c.path, "/sys/") ||
		strings.HasPrefix(c.path, "anon_inode:")
}

// paths says what files a call is about.
func (s *stopped) paths(c *call, kind syscallKind) {
	switch {
	case kind.fd >= 0:
		c.path = s.descriptor(int32(c.args[kind.fd]))
	case kind.at == pathAlone:
		c.path = s.join(atCwd, c.args[0])
	case kind.at >= 0:
		c.path = s.join(int32(c.args[kind.at]), c.args[kind.at+1])
	}
	if kind.to >= 0 {
		c.to = s.join(int32(c.args[kind.to]), c.args[kind.to+1])
	}
}

func (s *stopped) link(name string) string {
	path, _ := os.Readlink("/proc/" + strconv.Itoa(s.pid) + "/" + name)
	return path
}

func (s *stopped) descriptor(fd int32) string { return s.link("fd/" + strconv.Itoa(int(fd))) }

// join returns the path at an address of the program, relative to a directory it
// has open.
func (s *stopped) join(dir int32, address uint64) string {
	path := s.text(address)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	if dir == atCwd {
		return filepath.Join(s.link("cwd"), path)
	}
	return filepath.Join(s.descriptor(dir), path)
}

// text returns the string at an address of the program.
func (s *stopped) text(address uint64) string {
	var b []byte
	word := make([]byte, 8)
	for address != 0 && len(b) < 8192 {
		if _, err := syscall.PtracePeekData(s.tid, uintptr(address), word); err != nil {
			break
		}
		if i := bytes.IndexByte(word, 0); i >= 0 {
			return string(append(b, word[:i]...))
		}
		b = append(b, word...)
		address += uint64(len(word))
	}
	return string(b)
}

// tryTrace says what is missing to trace programs, "" if nothing is.
func tryTrace(t testing.TB) string {
	t.Helper()
	if os.Getenv("TORTURE_TRACE") == "no" {
		return "ptrace"
	}
	seen := false
	cmd := traceFrom(program(t, "jlrev", "--version"))
	errs := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := cmd.Start()
		if err == nil {
			_, err = follow(cmd.Process.Pid, func(c *call) { seen = seen || c.name == "write" })
		}
		errs <- err
	}()
	if err := <-errs; err != nil || !seen {
		return "ptrace that may trace here"
	}
	return ""
}

// This copy goes with the next changes.
