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
	for idle := first; ; idle = sleep(idle) {
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
	for idle := first; ; idle = sleep(idle) {
		n, err := w.W.Write(p[written:])
		written += n
		if !errors.Is(err, syscall.EAGAIN) {
			return written, err
		}
		if n > 0 {
			idle = first
		}
	}
}

// first is how long the first sleep is.
const first = time.Millisecond

// sleep sleeps for d, and returns how long to sleep the next time: twice as long, up to 64 ms.
func sleep(d time.Duration) time.Duration {
	time.Sleep(d)
	return min(2*d, 64*time.Millisecond)
}
