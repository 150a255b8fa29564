package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLease: a writer is noticed, whether it comes before the lease or after it. Readers
// are not.
func TestLease(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(name, []byte("x"), 0o600))
	open := func(flag int) (*os.File, error) { return os.OpenFile(name, flag, 0) }
	f, err := open(os.O_RDONLY)
	require.NoError(t, err)
	defer f.Close()
	take := func() Lease {
		l, err := TakeLease(f)
		require.NoError(t, err)
		if l == (Lease{}) {
			require.False(t, l.Wanted())
			l.Release()
			if runtime.GOOS == "linux" {
				t.Skip("no leases on this file system")
			}
			t.Skip("no leases on this system")
		}
		return l
	}

	l := take()
	reader, err := open(os.O_RDONLY)
	require.NoError(t, err)
	defer reader.Close()
	require.False(t, l.Wanted())
	_, err = open(os.O_WRONLY | syscall.O_NONBLOCK)
	require.ErrorIs(t, err, syscall.EAGAIN)
	require.True(t, l.Wanted())
	l.Release()

	for _, flag := range []int{os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_APPEND} {
		writer, err := open(flag)
		require.NoError(t, err)
		_, err = TakeLease(f)
		require.Equal(t, ErrOpen, err)
		require.NoError(t, writer.Close())
		take().Release()
	}

	// A writer that soon closes the file does not keep the lease away.
	writer, err := open(os.O_WRONLY)
	require.NoError(t, err)
	go writer.Close()
	take().Release()

	// A writer that waits goes on when the lease is released.
	l = take()
	opened := make(chan error)
	go func() {
		writer, err := open(os.O_WRONLY)
		if err == nil {
			writer.Close()
		}
		opened <- err
	}()
	for !l.Wanted() {
		time.Sleep(time.Millisecond)
	}
	l.Release()
	require.NoError(t, <-opened)
}
