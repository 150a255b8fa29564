package cli

import (
	"errors"
	"io"
	"syscall"
	"time"
)

// A retryWriter waits while w is full. If another process that shares a pipe has made it
// non-blocking, a write to the full pipe returns EAGAIN with part of the data written,
// because os.File checks the mode only when it opens a file.
type retryWriter struct {
	w    io.Writer
	err  error // the first failure
	once bool  // after a failure, write nothing more
}

func (r *retryWriter) Write(b []byte) (n int, err error) {
	if r.once && r.err != nil {
		return 0, r.err
	}
	const short, long = time.Millisecond, 64 * time.Millisecond
	for wait := short; ; wait = min(2*wait, long) {
		var m int
		m, err = r.w.Write(b[n:])
		n += m
		if !errors.Is(err, syscall.EAGAIN) {
			break
		}
		if m > 0 {
			wait = short
		}
		time.Sleep(wait)
	}
	if r.err == nil {
		r.err = err
	}
	return n, err
}
