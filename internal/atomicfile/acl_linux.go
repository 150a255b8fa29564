package atomicfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// accessACL is the attribute that holds the access control list of a file. If there is a
// list, the permissions of the group in the mode are only the upper limit of what it gives.
const accessACL = "system.posix_acl_access"

// readACL returns the access control list of a file, or nil.
func readACL(f *os.File) ([]byte, error) {
	list := make([]byte, 64<<10) // no attribute is longer
	n, err := unix.Fgetxattr(int(f.Fd()), accessACL, list)
	switch err {
	case nil:
		return list[:n], nil
	case unix.ENODATA, unix.EOPNOTSUPP, unix.ENOSYS:
		return nil, nil
	}
	return nil, os.NewSyscallError("fgetxattr", err)
}

func copyACL(from, to *os.File) error {
	list, err := readACL(from)
	if err != nil || list == nil {
		return err
	}
	return os.NewSyscallError("fsetxattr", unix.Fsetxattr(int(to.Fd()), accessACL, list, 0))
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
