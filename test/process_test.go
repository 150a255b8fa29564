package test

import (
	"os/exec"
	"syscall"
)

// own puts a command into a process group of its own, so that end reaches all of
// a pipeline.
func own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end kills the group of a command.
func end(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
