package cli

import (
	"errors"
	"io"
	"syscall"
	"time"
)

// A retryWriter waits while w is full. A pipe can be full without blocking the writer if
// another process that shares it has made it non-blocking: os.File checks the mode only
// when it opens a file, and returns EAGAIN with part of the data written.
type retryWriter struct {
	w   io.Writer
	err error // the first failure
}

func (r *retryWriter) Write(b []byte) (n int, err error) {
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
