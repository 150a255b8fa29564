package atomicfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// A process that opens the file is announced by SIGIO, which Go ignores.

func takeLease(f *os.File) (Lease, error) {
	switch err := lease(f, unix.F_RDLCK); err {
	case nil:
		return Lease{f}, nil
	case unix.EAGAIN:
		return Lease{}, ErrOpen
	}
	return Lease{}, nil
}

func lease(f *os.File, kind int) error {
	_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, kind)
	return err
}

// Wanted reports whether a process has begun to open the file for writing, or to truncate
// it, since the lease was taken.
func (l Lease) Wanted() bool {
	if l.f == nil {
		return false
	}
	kind, err := unix.FcntlInt(l.f.Fd(), unix.F_GETLEASE, 0) // the lease that the process is left with
	return err == nil && kind != unix.F_RDLCK
}

// Release lets the processes that wait go on.
func (l Lease) Release() {
	if l.f != nil {
		_ = lease(l.f, unix.F_UNLCK)
	}
}
