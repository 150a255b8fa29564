package archive

import (
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"jl/test/calls"
)

// bobReads is an access control list that lets the user 4711 read, but not the group: with
// the mode 0640 alone, the group would read.
const bobReads = "\x02\x00\x00\x00" +
	"\x01\x00\x06\x00\xff\xff\xff\xff" + "\x02\x00\x04\x00\x67\x12\x00\x00" + "\x04\x00\x00\x00\xff\xff\xff\xff" +
	"\x10\x00\x04\x00\xff\xff\xff\xff" + "\x20\x00\x00\x00\xff\xff\xff\xff"

const (
	accessACL  = "system.posix_acl_access"
	defaultACL = "system.posix_acl_default"
)

func setACL(t *testing.T, path, attribute string) {
	t.Helper()
	if err := unix.Setxattr(path, attribute, []byte(bobReads), 0); err != nil {
		t.Skip("no access control lists here: ", err)
	}
}

func readACL(t *testing.T, path string) string {
	t.Helper()
	list := make([]byte, 1000)
	n, err := unix.Getxattr(path, accessACL, list)
	if !errors.Is(err, unix.ENODATA) {
		require.NoError(t, err)
	}
	return string(list[:max(n, 0)])
}

// TestACL: the new file admits those whom FILE admits, and nobody else.
func TestACL(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		s := deed.scene(t, logText(1000), 0o640)
		setACL(t, s.file, accessACL)
		var err error
		s.was, err = os.Lstat(s.file)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o640), s.was.Mode())
		require.Equal(t, silent, s.run())
		s.replaced(t)
		require.Equal(t, bobReads, readACL(t, s.target))

		// The directory lets others read its new files.
		s.reset(t, 0o640)
		setACL(t, s.dir, defaultACL)
		require.Equal(t, silent, s.run())
		s.replaced(t)
		require.Empty(t, readACL(t, s.target))
	})
}

// TestACLCannotBeKept: where a list cannot be written, or read, FILE stays.
func TestACLCannotBeKept(t *testing.T) {
	eachDeed(t, func(t *testing.T, deed deed) {
		for _, fault := range []*calls.Fault{
			{Calls: []string{"fsetxattr"}, Errno: unix.EOPNOTSUPP, At: 1}, {Calls: []string{"fgetxattr"}, Errno: unix.EIO, At: 2, Onward: true},
		} {
			s := deed.scene(t, logText(1000), 0o640)
			setACL(t, s.file, accessACL)
			var err error
			s.was, err = os.Lstat(s.file)
			require.NoError(t, err)
			got := s.watched(t, fault.Before)
			require.Equal(t, outcome{2, "", "archive: " + s.file + ": its access control list cannot be kept: " + fault.Errno.Error() + "\n"}, got)
			s.untouched(t)
			require.Equal(t, bobReads, readACL(t, s.file))
		}
	})
}
