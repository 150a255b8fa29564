package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A full writer takes three bytes at every other Write.
type full struct {
	bytes.Buffer
	busy bool
}

func (f *full) Write(p []byte) (int, error) {
	again := &os.PathError{Op: "write", Path: "|1", Err: syscall.EAGAIN}
	f.busy = !f.busy
	if f.busy {
		return 0, again
	}
	n, _ := f.Buffer.Write(p[:min(3, len(p))])
	if n < len(p) {
		return n, again
	}
	return n, nil
}

func TestWriteWaitsForAFullPipe(t *testing.T) {
	var out, err full
	c := newCommand("jlx", Stdio{Out: &out, Err: &err}, false)
	fmt.Fprint(c.Out, "0123456789")
	c.Note(Place{}, "it was full")
	require.Zero(t, c.finish())
	require.Equal(t, "0123456789", out.String())
	require.Equal(t, "jlx: it was full\n", err.String())
}

// TestPipeMadeNonBlocking runs itself with a pipe as standard output, makes the pipe
// non-blocking once that process has opened it, and lets it fill.
func TestPipeMadeNonBlocking(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16)
	if os.Getenv("JL_TEST_NONBLOCK") != "" {
		os.Exit(Run("jlx", "", nil, process, func(c *Command, _ *flags) {
			c.Print([]byte("open\n"))
			c.Flush()
			_, _ = io.ReadAll(c.In) // until the pipe is changed
			c.Print(data)
		}))
	}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	self := exec.Command(os.Args[0], "-test.run=^TestPipeMadeNonBlocking$")
	self.Env = append(os.Environ(), "JL_TEST_NONBLOCK=1")
	self.Stdout = w
	var stderr bytes.Buffer
	self.Stderr = &stderr
	ready, err := self.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, self.Start())
	opened := make([]byte, len("open\n"))
	_, err = io.ReadFull(r, opened)
	require.NoError(t, err)
	require.NoError(t, syscall.SetNonblock(int(w.Fd()), true))
	require.NoError(t, w.Close())
	require.NoError(t, ready.Close())
	time.Sleep(20 * time.Millisecond)
	got, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, self.Wait(), stderr.String())
	require.Empty(t, stderr.String())
	require.True(t, bytes.Equal(data, got), "%d bytes of %d", len(got), len(data))
}
