package source

import (
	"errors"
	"io"
	"syscall"
	"time"
)

// A retryReader waits while r is empty. If another process that shares a pipe has made it
// non-blocking, a read from the empty pipe returns EAGAIN, because os.File checks the mode
// only when it opens a file.
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
