package cli

import (
	"io"

	"jl/internal/nonblock"
)

// An output is standard output. After a failure it writes nothing more.
type output struct {
	w   io.Writer
	err error // the failure
}

func (o *output) Write(b []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := nonblock.Writer{W: o.w}.Write(b)
	o.err = err
	return n, err
}
