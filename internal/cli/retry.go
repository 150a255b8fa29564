package cli

import (
	"errors"
	"io"
	"syscall"
	"time"
)

// A patient writer waits where w has no room for the moment. A pipe does that
// once another process that shares it has made it non-blocking: os.File looks
// at the mode only when it is opened, and gives EAGAIN with half of the data
// written.
type patient struct {
	w   io.Writer
	err error // the first failure
}

func (p *patient) Write(b []byte) (n int, err error) {
	const short, long = time.Millisecond, 64 * time.Millisecond
	for wait := short; ; wait = min(2*wait, long) {
		var m int
		m, err = p.w.Write(b[n:])
		n += m
		if !errors.Is(err, syscall.EAGAIN) {
			break
		}
		if m > 0 {
			wait = short
		}
		time.Sleep(wait)
	}
	if p.err == nil {
		p.err = err
	}
	return n, err
}
