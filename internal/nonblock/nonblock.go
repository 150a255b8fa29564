// Package nonblock reads and writes pipes that another process may make non-blocking.
//
// A read from such a pipe returns EAGAIN while it is empty, and a write while it is full, because
// os.File checks the mode only when it opens a file. A Reader and a Writer wait instead.
package nonblock

import (
	"errors"
	"io"
	"syscall"
	"time"
)

// A Reader waits while R is empty.
type Reader struct{ R io.Reader }

// Read reads from R.
func (r Reader) Read(p []byte) (int, error) {
	for idle := wait(0); ; idle.sleep() {
		n, err := r.R.Read(p)
		switch {
		case !errors.Is(err, syscall.EAGAIN):
			return n, err
		case n > 0:
			return n, nil
		}
	}
}

// A Writer waits while W is full.
type Writer struct{ W io.Writer }

// Write writes all of p to W.
func (w Writer) Write(p []byte) (int, error) {
	written := 0
	for idle := wait(0); ; idle.sleep() {
		n, err := w.W.Write(p[written:])
		written += n
		if !errors.Is(err, syscall.EAGAIN) {
			return written, err
		}
		if n > 0 {
			idle = 0
		}
	}
}

// A wait is the length of the last sleep, 0 before the first.
type wait time.Duration

// sleep sleeps for a millisecond at first, then twice as long as the last time, up to 64.
func (w *wait) sleep() {
	*w = min(max(2**w, wait(time.Millisecond)), wait(64*time.Millisecond))
	time.Sleep(time.Duration(*w))
}
