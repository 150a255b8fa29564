// Package calls runs functions and watches their system calls: it can make one fail, or do
// something else before it. Only tests import it.
package calls

import (
	"slices"
	"syscall"
	"testing"
)

// A Fault makes system calls fail.
type Fault struct {
	Calls  []string      // their names
	Errno  syscall.Errno // how they fail
	At     int           // which of the calls of each name, from 1 on
	Onward bool          // all later ones, too

	Injected int // how many calls have failed
	made     map[string]int
}

// Before makes a call fail if its turn has come. It is an argument of Run.
func (f *Fault) Before(call string) syscall.Errno {
	if !slices.Contains(f.Calls, call) {
		return 0
	}
	if f.made == nil {
		f.made = map[string]int{}
	}
	f.made[call]++
	if n := f.made[call]; n < f.At || n > f.At && !f.Onward {
		return 0
	}
	f.Injected++
	return f.Errno
}

// After returns an argument of Run that calls do once, after the n-th call of a name.
func After(call string, n int, do func()) func(string) syscall.Errno {
	return func(next string) syscall.Errno {
		if n == 0 {
			do()
		}
		if n == 0 || next == call {
			n--
		}
		return 0
	}
}

// Run runs do on a thread of its own. Before each system call of that thread, if it is
// about files, Run calls before with its name. If before returns an error, the call is not
// made, and fails with that error; but a file is closed all the same. Before runs in the
// goroutine of the caller, and its own calls are not watched. Run skips the test where
// calls cannot be watched.
func Run(t testing.TB, do func(), before func(call string) syscall.Errno) {
	t.Helper()
	if err := run(do, before); err != nil {
		t.Skip("system calls cannot be watched: ", err)
	}
}
