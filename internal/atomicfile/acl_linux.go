package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// accessACL is the attribute that holds the access control list of a file. If there is a
// list, the permissions of the group in the mode are only the upper limit of what it gives.
const accessACL = "system.posix_acl_access"

// readACL returns the access control list of a file, nil if there is none.
func readACL(f *os.File) ([]byte, error) {
	for {
		n, err := unix.Fgetxattr(int(f.Fd()), accessACL, nil)
		switch {
		case errors.Is(err, unix.ENODATA), errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOSYS):
			return nil, nil
		case err != nil:
			return nil, os.NewSyscallError("fgetxattr", err)
		}
		list := make([]byte, n)
		n, err = unix.Fgetxattr(int(f.Fd()), accessACL, list)
		if !errors.Is(err, unix.ERANGE) && !errors.Is(err, unix.ENODATA) { // it has changed meanwhile
			return list[:max(n, 0)], os.NewSyscallError("fgetxattr", err)
		}
	}
}

func writeACL(f *os.File, list []byte) error {
	return os.NewSyscallError("fsetxattr", unix.Fsetxattr(int(f.Fd()), accessACL, list, 0))
}

// dropACL removes the access control list that a new file has inherited from its directory.
// It admits nobody as long as the mode is 0600, but would admit others after a chmod.
func dropACL(f *os.File) error {
	list, err := readACL(f)
	if err != nil || list == nil {
		return err
	}
	return os.NewSyscallError("fremovexattr", unix.Fremovexattr(int(f.Fd()), accessACL))
}
