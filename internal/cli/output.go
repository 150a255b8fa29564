package cli

import (
	"errors"
	"io"
	"os"
	"sync/atomic"

	"jl/internal/nonblock"
)

// errIsInput is the failure if standard output is a file that is read.
var errIsInput = errors.New("the input is also the output")

// An output is standard output. After a failure it writes nothing more.
type output struct {
	w       io.Writer
	info    os.FileInfo // nil if it is not a regular file
	isInput atomic.Bool
	err     error // the first failure
}

// failure returns why nothing more is written, or nil.
func (o *output) failure() error {
	if o.isInput.Load() {
		return errIsInput
	}
	return o.err
}

func (o *output) Write(b []byte) (int, error) {
	if err := o.failure(); err != nil {
		return 0, err
	}
	n, err := nonblock.Writer{W: o.w}.Write(b)
	o.err = err
	return n, err
}

// close closes standard output of a process, because some file systems say only then that a write has failed.
func (o *output) close() {
	if o.w == os.Stdout {
		if err := os.Stdout.Close(); o.err == nil {
			o.err = err
		}
	}
}
