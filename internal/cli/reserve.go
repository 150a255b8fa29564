package cli

import (
	"os"
	"syscall"
)

// reserve makes the runtime open the descriptors that it needs to wait for files, and
// returns an error if there are not enough. If it had to open them later and none were left,
// it would end the process with a dump.
func reserve() error {
	if err := spare(4); err != nil { // two for a pipe, two of the runtime
		return err
	}
	if r, w, err := os.Pipe(); err == nil { // the runtime waits for pipes
		r.Close()
		w.Close()
	}
	return nil
}

// spare returns an error if n more descriptors cannot be open at once.
func spare(n int) error {
	for range n {
		fd, err := syscall.Dup(syscall.Stderr)
		if err != nil {
			return err
		}
		defer syscall.Close(fd)
	}
	return nil
}
