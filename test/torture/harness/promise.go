// Package harness is what the tests in data and faults share. It builds the
// programs, runs them, traces them and makes their system calls fail; it writes
// the logs that they read; and it counts, for each promise, how often a test tried
// it and how often it held.
//
// The environment controls a run:
//
//	TORTURE=long     also try what takes long
//	TORTURE_SEED=n   the seed of all random choices; 1 if unset
//	TORTURE_TIMES=n  try n times as many random cases
//	TORTURE_TABLE=f  add the table of promises, in Markdown, to the file f
//	TORTURE_BIN=dir  test the programs in dir; if unset, build them
//	TORTURE_TRACE=no trace nothing
package harness

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"jl/test/env"
)

var (
	seed  = setting("TORTURE_SEED")
	times = setting("TORTURE_TIMES")
)

// setting returns the number in an environment variable, 1 if it is unset.
func setting(name string) uint64 {
	n, err := strconv.ParseUint(cmp.Or(os.Getenv(name), "1"), 10, 32)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(2)
	}
	return n
}

// Main runs the tests of a package and prints the table of their promises. It is
// all that TestMain does.
func Main(m *testing.M) {
	if os.Getenv(measureVariable) != "" {
		measureChild()
	}
	fmt.Printf("TORTURE_SEED=%d TORTURE_TIMES=%d\n", seed, times)
	status := m.Run()
	if err := report(table.rows, os.Getenv("TORTURE_TABLE")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	_ = os.RemoveAll(scratch.dir)
	os.Exit(status)
}

// Long reports whether this run also tries what takes long.
func Long() bool { return os.Getenv("TORTURE") == "long" }

// Pick returns how often to try something in a short run, or in a long one.
func Pick(short, long int) int {
	if Long() {
		return long
	}
	return short
}

// Each returns the step in which a test goes through many alike points: 1, or n if the tests run with -short.
func Each(n int) int {
	if testing.Short() {
		return n
	}
	return 1
}

// Times returns how many random cases to try: TORTURE_TIMES times what Pick returns, and a fifth of that if the tests run
// with -short.
func Times(short, long int) int { return max(Pick(short, long)*int(times)/Each(5), 1) }

// Rand returns the i-th source of random numbers of a test. It depends on the seed
// and on the name of the test.
func Rand(t testing.TB, i int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, t.Name(), " ", i)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// A row is a line of the table.
type row struct {
	id, text, test string
	tried, held    int
	remarks        []string
}

var table struct {
	mu   sync.Mutex
	rows []*row
}

// A Promise is a row of the table in the hands of a test, or of a subtest.
type Promise struct {
	*testing.T
	row *row
}

// NewPromise returns a promise that a test proves. Its id is that of the table in
// doc/reliability.md.
func NewPromise(t *testing.T, id, text string) *Promise {
	test, _, _ := strings.Cut(t.Name(), "/")
	return &Promise{t, find(id, text, test)}
}

// Traced is NewPromise for a test that runs in parallel with others and is skipped if
// programs cannot be traced.
func Traced(t *testing.T, id, text string) *Promise {
	t.Parallel()
	p := NewPromise(t, id, text)
	if missing := TraceMissing(t); missing != "" {
		p.SkipWithout(missing)
	}
	return p
}

// Parallel is NewPromise for a test that runs in parallel with others.
func Parallel(t *testing.T, id, text string) *Promise {
	t.Parallel()
	return NewPromise(t, id, text)
}

// find returns the row of a promise, which it may have to add.
func find(id, text, test string) *row {
	table.mu.Lock()
	defer table.mu.Unlock()
	for _, r := range table.rows {
		if r.id == id && r.text == text {
			return r
		}
	}
	r := &row{id: id, text: text, test: test}
	table.rows = append(table.rows, r)
	return r
}

// Subtest runs do as a parallel subtest.
func (p *Promise) Subtest(name string, do func(p *Promise)) {
	p.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
		t.Parallel()
		do(&Promise{t, p.row})
	})
}

// add counts trials, and returns how many did not hold so far.
func (r *row) add(n int, held bool) int {
	table.mu.Lock()
	defer table.mu.Unlock()
	if r.tried += n; held {
		r.held += n
	}
	return r.tried - r.held
}

// Try counts one trial. If it did not hold, the test fails with the message.
func (p *Promise) Try(ok bool, format string, args ...any) bool {
	p.Helper()
	return p.TryAll(1, ok, format, args...)
}

// TryAll counts n trials that were made at once.
func (p *Promise) TryAll(n int, ok bool, format string, args ...any) bool {
	p.Helper()
	const most = 10 // messages about one promise
	if broken := p.row.add(n, ok); !ok && broken <= max(n, most) {
		p.Errorf(p.row.id+": "+format, args...)
	} else if !ok {
		p.Fail()
	}
	return ok
}

// Check counts one trial, which held if there is no problem.
func (p *Promise) Check(problem, format string, args ...any) bool {
	p.Helper()
	return p.Try(problem == "", "%s: %s", fmt.Sprintf(format, args...), problem)
}

// Remark adds something to the last column of the table, once.
func (p *Promise) Remark(format string, args ...any) {
	table.mu.Lock()
	defer table.mu.Unlock()
	if s := fmt.Sprintf(format, args...); !slices.Contains(p.row.remarks, s) {
		p.row.remarks = append(p.row.remarks, s)
	}
}

// Lacks records that a part of the trials was skipped, because something is missing.
func (p *Promise) Lacks(missing string) {
	p.Remark("skipped: no %s", missing)
	env.NotTested(p, p.row.id, "there is no "+missing)
}

// SkipWithout ends the test, because something is missing.
func (p *Promise) SkipWithout(missing string) {
	p.Remark("skipped: no %s", missing)
	p.Skip("there is no " + missing)
}

// report adds rows to the table in a file, or prints them if name is empty. The table
// is sorted by the numbers of the promises; rows of the same promise are added up.
func report(rows []*row, name string) error {
	if len(rows) == 0 {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	lines := strings.SplitAfter(string(text), "\n")
	lines = lines[min(2, len(lines)-1) : len(lines)-1]
	for _, r := range rows {
		begin := fmt.Sprintf("| %s | %s | %s | ", r.id, r.text, r.test)
		if i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, begin) }); i >= 0 {
			var tried, held int
			_, _ = fmt.Sscanf(lines[i][len(begin):], "%d | %d", &tried, &held)
			r.tried, r.held = r.tried+tried, r.held+held
			lines = slices.Delete(lines, i, i+1)
		}
		lines = append(lines, fmt.Sprintf("%s%d | %d | %s |\n", begin, r.tried, r.held, strings.Join(r.remarks, "; ")))
	}
	number := func(line string) (n int) {
		_, _ = fmt.Sscanf(line, "| P%d", &n)
		return n
	}
	slices.SortFunc(lines, func(a, b string) int { return cmp.Or(number(a)-number(b), strings.Compare(a, b)) })
	header := "| promise | in words | test | tried | held | remark |\n|---|---|---|---:|---:|---|\n"
	all := header + strings.Join(lines, "")
	if name == "" {
		fmt.Print(all)
		return nil
	}
	return os.WriteFile(name, []byte(all), 0o666)
}

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

	// quoted matches an id or another text out of a log, which may look like anything.
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

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
		case internals.MatchString(quoted.ReplaceAllString(line, `""`)):
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
