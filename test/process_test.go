package test

import (
	"os/exec"
	"syscall"
)

// own gives a command a process group of its own, so that end reaches every process of a
// pipeline.
func own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end kills the process group of a command.
func end(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
