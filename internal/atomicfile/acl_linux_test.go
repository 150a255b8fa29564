package atomicfile

import (
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// bobReads is an access control list that lets the user 4711 read, but not the group.
var bobReads = func() []byte {
	const none = 0xffffffff
	b := binary.LittleEndian.AppendUint32(nil, 2) // the version
	for _, e := range []struct {
		tag, perm uint16
		id        uint32
	}{{1, 6, none}, {2, 4, 4711}, {4, 0, none}, {0x10, 4, none}, {0x20, 0, none}} {
		b = binary.LittleEndian.AppendUint16(b, e.tag)
		b = binary.LittleEndian.AppendUint16(b, e.perm)
		b = binary.LittleEndian.AppendUint32(b, e.id)
	}
	return b
}()

// setACL gives a list to a file or, as the default of new files, to a directory.
func setACL(t *testing.T, path, attribute string) {
	t.Helper()
	if err := unix.Setxattr(path, attribute, bobReads, 0); err != nil {
		t.Skip("no access control lists here: ", err)
	}
}

// TestInheritedACL: a new file admits only those whom its mode admits, also in a directory
// that adds others.
func TestInheritedACL(t *testing.T) {
	dir, root := open(t)
	setACL(t, dir, "system.posix_acl_default")
	plain := filepath.Join(dir, "plain")
	require.NoError(t, os.WriteFile(plain, nil, 0o640))
	f, err := os.Open(plain)
	require.NoError(t, err)
	defer f.Close()
	list, err := readACL(f)
	require.NoError(t, err)
	require.NotEmpty(t, list, "the directory adds no one")

	temp, err := New(".temp-").Create(root, "f")
	require.NoError(t, err)
	defer temp.Abort()
	info, err := temp.Stat()
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode())
	require.NoError(t, temp.Chmod(0o640))
	list, err = readACL(temp.File)
	require.NoError(t, err)
	require.Nil(t, list)
}

// TestCopyACL: the file has the list of another one, or none.
func TestCopyACL(t *testing.T) {
	dir, root := open(t)
	name := filepath.Join(dir, "from")
	require.NoError(t, os.WriteFile(name, nil, 0o640))
	from, err := os.Open(name)
	require.NoError(t, err)
	defer from.Close()
	temp, err := New(".temp-").Create(root, "f")
	require.NoError(t, err)
	defer temp.Abort()
	require.NoError(t, temp.CopyACL(from))
	list, err := readACL(temp.File)
	require.NoError(t, err)
	require.Nil(t, list)

	setACL(t, name, accessACL)
	require.NoError(t, temp.CopyACL(from))
	list, err = readACL(temp.File)
	require.NoError(t, err)
	require.Equal(t, bobReads, list)
}
