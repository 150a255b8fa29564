package source

import (
	"errors"
	"io"
	"syscall"
	"time"
)

// A retryReader waits while r is empty. A pipe can be empty without an end if another
// process that shares it has made it non-blocking: os.File checks the mode only when it
// opens a file, and returns EAGAIN.
type retryReader struct{ r io.Reader }

func (r retryReader) Read(p []byte) (int, error) {
	const short, long = time.Millisecond, 64 * time.Millisecond
	for wait := short; ; wait = min(2*wait, long) {
		n, err := r.r.Read(p)
		if !errors.Is(err, syscall.EAGAIN) {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
		time.Sleep(wait)
	}
}
