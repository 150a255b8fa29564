package source

import (
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A busy reader returns EAGAIN at every third Read, and together with a byte at every
// third.
type busy struct {
	r io.Reader
	n int
}

func (b *busy) Read(p []byte) (int, error) {
	again := &os.PathError{Op: "read", Path: "|0", Err: syscall.EAGAIN}
	switch b.n++; b.n % 3 {
	case 0:
		return 0, again
	case 1:
		n, err := b.r.Read(p[:min(1, len(p))])
		if err == nil {
			err = again
		}
		return n, err
	}
	return b.r.Read(p[:min(100, len(p))])
}

// TestReadWaitsForAnEmptyPipe has a pipe that another process made non-blocking.
func TestReadWaitsForAnEmptyPipe(t *testing.T) {
	got, err := io.ReadAll(open(t, "-", &busy{r: strings.NewReader(text)}))
	require.NoError(t, err)
	require.Equal(t, text, string(got))
}
