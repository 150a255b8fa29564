package cli

import (
	"os"
	"syscall"
)

// reserve makes the runtime open the descriptors that it needs to wait for files, and
// returns an error if there are not enough. If it had to open them later and none were left,
// it would end the process with a dump.
func reserve() error {
	const need = 4 // two for a pipe, two of the runtime
	var free []int
	release := func() {
		for _, fd := range free {
			_ = syscall.Close(fd)
		}
		free = nil
	}
	defer release()
	for range need {
		fd, err := syscall.Dup(syscall.Stderr)
		if err != nil {
			return err
		}
		free = append(free, fd)
	}
	release()
	if r, w, err := os.Pipe(); err == nil { // the runtime waits for pipes
		r.Close()
		w.Close()
	}
	return nil
}
