package tempfile

import (
	"io"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f, err := New()
	require.NoError(t, err)
	_, err = f.Write([]byte("some bytes"))
	require.NoError(t, err)
	b := make([]byte, 5)
	_, err = f.ReadAt(b, 5)
	require.NoError(t, err)
	require.Equal(t, "bytes", string(b))
	_, err = f.ReadAt(b, 8)
	require.Equal(t, io.EOF, err)
	info, err := f.file.Stat()
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	f.Close()
	_, err = f.Write(b)
	require.ErrorAs(t, err, new(Error))
	require.ErrorIs(t, err, os.ErrClosed)
	(*File)(nil).Close()

	t.Setenv("TMPDIR", "/nowhere")
	f, err = New()
	require.ErrorContains(t, err, "temporary file in /nowhere: ")
	f.Close()
}
