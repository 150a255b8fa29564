//go:build !(linux && amd64)

package calls

import (
	"errors"
	"syscall"
)

func run(func(), func(string) syscall.Errno) error { return errors.New("not linux/amd64") }
