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
// a message.
func ProblemOfEnd(program string, got Outcome) string {
	switch {
	case got.Died():
		return "hung or crashed: " + got.String()
	case got.Status == 2:
		return problemOfMessages(program, got.Stderr)
	case got.Status != 0 && got.Status != 1:
		return fmt.Sprintf("status %d", got.Status)
	}
	return ""
}

// Problem judges a run in which something failed. Either it does not matter, and
// everything is as in the run want, in which nothing failed; or the status is 2 and a
// message names one of the culprits. The messages count for promise P34.
func Problem(program string, want, got Outcome, culprits ...string) string {
	if got.Status == 2 && got.Stderr != want.Stderr {
		return ProblemOfFailure(program, got, culprits...)
	}
	return problem(program, want, got, culprits...)
}

// ProblemOfFailure judges a run that must fail.
func ProblemOfFailure(program string, got Outcome, culprits ...string) string {
	if got.Status != 2 {
		return "status is not 2: " + got.String()
	}
	if crashed.MatchString(got.Stderr) {
		return "crashed: " + got.Stderr
	}
	return ProblemOfMessages(program, got.Stderr, culprits...)
}

func problem(program string, want, got Outcome, culprits ...string) string {
	switch {
	case got.Died():
		return "hung or crashed: " + got.String()
	case got.Status == 2:
		return problemOfMessages(program, got.Stderr, culprits...)
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

	// capital matches a part of a message that begins with a capital letter, unless it
	// is an abbreviation.
	capital = regexp.MustCompile(`: [A-Z]([^A-Z]|$)`)
)

// ProblemOfMessages judges what a program prints on standard error when something
// fails: lines like "jlrev: a.jsonl: what is wrong", one of which names a culprit if
// any are given. Each call counts for promise P34.
func ProblemOfMessages(program, stderr string, culprits ...string) string {
	wrong := problemOfMessages(program, stderr, culprits...)
	table.mu.Lock()
	r := find(&table.rows, "P34", "messages name the culprit, one line each, no internals", "TestMessages")
	table.mu.Unlock()
	if wrong == "" {
		r.add(1, 1)
	} else {
		r.add(1, 0)
	}
	return wrong
}

func problemOfMessages(program, stderr string, culprits ...string) string {
	if stderr == "" {
		return "status 2 without a message"
	}
	lines, ended := strings.CutSuffix(stderr, "\n")
	if !ended {
		return fmt.Sprintf("a message without a newline: %q", stderr)
	}
	named := len(culprits) == 0
	for line := range strings.SplitSeq(lines, "\n") {
		text, ok := strings.CutPrefix(line, program+": ")
		switch {
		case !ok && strings.HasPrefix(line, "Try '"+program):
			continue
		case !ok:
			return fmt.Sprintf("a message that does not begin with %q: %q", program+": ", line)
		case strings.HasPrefix(text, "error:"), strings.HasSuffix(text, "."), capital.MatchString(": " + text):
			return fmt.Sprintf("a message that is not like the others: %q", line)
		case internals.MatchString(text):
			return fmt.Sprintf("a message that shows internals: %q", line)
		}
		for _, c := range culprits {
			named = named || strings.Contains(text, c)
		}
	}
	if !named {
		return fmt.Sprintf("no message names any of %q: %q", culprits, stderr)
	}
	return ""
}
