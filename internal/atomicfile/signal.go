package atomicfile

import (
	"os"
	"os/signal"
	"syscall"
)

// RemoveOnSignal removes the temporary files of the set when SIGINT, SIGTERM or SIGHUP
// arrives; then the process dies of that signal. A signal that the process ignores, as
// under nohup(1), stays ignored. The caller calls stop when it has written its files.
func (s *Set) RemoveOnSignal() (stop func()) {
	c := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) {
			signal.Notify(c, sig)
		}
	}
	go func() {
		sig, ok := <-c
		if !ok {
			return
		}
		s.mu.Lock() // for good: no file is created or committed meanwhile
		for f := range s.live {
			_ = f.remove()
		}
		signal.Reset(sig)
		_ = syscall.Kill(syscall.Getpid(), sig.(syscall.Signal))
	}()
	return func() {
		signal.Stop(c)
		close(c)
	}
}
