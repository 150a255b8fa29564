package nonblock

import (
	"bytes"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

const text = "0123456789abcdefghijklmnopqrstuvwxyz"

// An empty reader returns EAGAIN at every third Read, and together with a byte at every third.
type empty struct {
	r io.Reader
	n int
}

func (e *empty) Read(p []byte) (int, error) {
	again := &os.PathError{Op: "read", Path: "|0", Err: syscall.EAGAIN}
	switch e.n++; e.n % 3 {
	case 0:
		return 0, again
	case 1:
		n, err := e.r.Read(p[:min(1, len(p))])
		if err == nil {
			err = again
		}
		return n, err
	}
	return e.r.Read(p[:min(7, len(p))])
}

// TestReadWaits: a Reader returns the bytes that come with EAGAIN, waits if there are none, and
// returns any other error.
func TestReadWaits(t *testing.T) {
	r := Reader{&empty{r: strings.NewReader(text)}}
	got, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, text, string(got))
	n, err := r.Read(make([]byte, 1))
	require.Zero(t, n)
	require.Equal(t, io.EOF, err)
}

// A full writer takes three bytes at every other Write, and fails with err once it has taken all
// of text.
type full struct {
	bytes.Buffer
	busy bool
	err  error
}

func (f *full) Write(p []byte) (int, error) {
	again := &os.PathError{Op: "write", Path: "|1", Err: syscall.EAGAIN}
	if f.busy = !f.busy; f.busy {
		return 0, again
	}
	n, _ := f.Buffer.Write(p[:min(3, len(p))])
	switch {
	case f.Len() >= len(text):
		return n, f.err
	case n < len(p):
		return n, again
	}
	return n, nil
}

// TestWriteWaits: a Writer writes the rest after EAGAIN, and returns any other error with how much
// was written.
func TestWriteWaits(t *testing.T) {
	for _, want := range []error{nil, syscall.EPIPE} {
		f := &full{err: want}
		n, err := Writer{f}.Write([]byte(text))
		require.Equal(t, want, err)
		require.Equal(t, len(text), n)
		require.Equal(t, text, f.String())
	}
}
