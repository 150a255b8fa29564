package harness

import (
	"fmt"
	"regexp"
	"strings"
)

// The functions in this file say what is wrong with a run. They return "" if
// nothing is.

// crashed matches what the Go runtime prints when it ends a program. The status is
// then 2, as for trouble.
var crashed = regexp.MustCompile(`(?m)^(panic:|fatal error:|goroutine \d|runtime:|SIG[A-Z]+:|unexpected fault)`)

// Died reports whether a run hung, crashed or was ended by a signal.
func (o Outcome) Died() bool { return o.Hung || o.Signal != 0 || crashed.MatchString(o.Stderr) }

// ProblemOfEnd judges a run on any input: it ends by itself, and status 2 comes with
// messages.
func ProblemOfEnd(program string, got Outcome, culprits ...string) string {
	switch {
	case got.Died():
		return "hung or crashed: " + got.String()
	case got.Status == 2:
		return ProblemOfMessages(program, got.Stderr, culprits...)
	case got.Status != 0 && got.Status != 1:
		return fmt.Sprintf("status %d", got.Status)
	}
	return ""
}

// ProblemOfFailure judges a run that must fail.
func ProblemOfFailure(program string, got Outcome, culprits ...string) string {
	if got.Status != 2 {
		return "status is not 2: " + got.String()
	}
	return ProblemOfEnd(program, got, culprits...)
}

// Problem judges a run in which something failed. Either it does not matter, and
// everything is as in the run want, in which nothing failed; or the status is 2 and a
// message names one of the culprits.
func Problem(program string, want, got Outcome, culprits ...string) string {
	switch {
	case got.Died() || got.Status == 2:
		return ProblemOfEnd(program, got, culprits...)
	case got.Status != want.Status:
		return fmt.Sprintf("status %d, want %d: %v", got.Status, want.Status, got)
	case got.Stdout != want.Stdout:
		return fmt.Sprintf("success with %d bytes of other output, want %d: %v", len(got.Stdout), len(want.Stdout), got)
	case got.Files != want.Files:
		return fmt.Sprintf("success with other files: %q, want %q", got.Files, want.Files)
	}
	return ""
}

var (
	// internals matches what a message shows only by mistake.
	internals = regexp.MustCompile(`goroutine |panic|runtime error|0x[0-9a-f]{6,}|\.go:\d|%!|<nil>|\*[a-z]+\.[A-Z]|\b(open|read|lstat|stat|fstat|lseek|readdirent|linkat|renameat|unlinkat|openat|fsync|fstatat|getdents) /|errno `)

	// unlike matches a message that is not like the others: it begins with a capital
	// letter, but not an abbreviation, or with "error:", or ends with a full stop.
	unlike = regexp.MustCompile(`: [A-Z]([^A-Z]|$)|^jl[a-z]+: error:|\.$`)
)

// ProblemOfMessages judges what a program prints on standard error when something
// fails: lines like "jlrev: a.jsonl: what is wrong", one of which names a culprit if
// any are given. Each call counts for promise P34.
func ProblemOfMessages(program, stderr string, culprits ...string) string {
	wrong := problemOfMessages(program, stderr, culprits...)
	find("P34", "messages name the culprit, one line each, no internals", "TestMessages").add(1, wrong == "")
	return wrong
}

func problemOfMessages(program, stderr string, culprits ...string) string {
	if !strings.HasSuffix(stderr, "\n") {
		return fmt.Sprintf("no message, or one without a newline: %q", stderr)
	}
	named := len(culprits) == 0
	for line := range strings.SplitSeq(strings.TrimSuffix(stderr, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "Try '"+program):
		case !strings.HasPrefix(line, program+": "), unlike.MatchString(line):
			return fmt.Sprintf("a message that is not like the others: %q", line)
		case internals.MatchString(line):
			return fmt.Sprintf("a message that shows internals: %q", line)
		}
		for _, c := range culprits {
			named = named || strings.Contains(strings.TrimPrefix(line, program), c)
		}
	}
	if !named {
		return fmt.Sprintf("no message names any of %q: %q", culprits, stderr)
	}
	return ""
}
