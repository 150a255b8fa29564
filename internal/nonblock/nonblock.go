// Package nonblock reads and writes pipes that another process may make non-blocking.
//
// A read from such a pipe returns EAGAIN while it is empty, and a write while it is full, because
// os.File checks the mode only when it opens a file. A Reader and a Writer wait instead. They do
// nothing else: what they are wrapped around need not be a pipe, or a file.
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
	var w wait
	for {
		n, err := r.R.Read(p)
		switch {
		case !errors.Is(err, syscall.EAGAIN):
			return n, err
		case n > 0:
			return n, nil
		}
		w.sleep()
	}
}

// A Writer waits while W is full.
type Writer struct{ W io.Writer }

// Write writes all of p to W.
func (w Writer) Write(p []byte) (int, error) {
	var idle wait
	written := 0
	for {
		n, err := w.W.Write(p[written:])
		written += n
		if !errors.Is(err, syscall.EAGAIN) {
			return written, err
		}
		if n > 0 {
			idle = 0
		}
		idle.sleep()
	}
}

// A wait is how long the last sleep was, 0 before the first.
type wait time.Duration

// sleep sleeps twice as long as the last time, for a millisecond at first, and 64 at most.
func (w *wait) sleep() {
	*w = min(max(2**w, wait(time.Millisecond)), wait(64*time.Millisecond))
	time.Sleep(time.Duration(*w))
}
