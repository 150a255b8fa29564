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

// wanted asks for the lease that the process is left with.
func (l Lease) wanted() bool {
	kind, err := unix.FcntlInt(l.f.Fd(), unix.F_GETLEASE, 0)
	return err == nil && kind != unix.F_RDLCK
}

func (l Lease) release() { _ = lease(l.f, unix.F_UNLCK) }
