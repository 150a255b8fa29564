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
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
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
	if limit := os.Getenv(measureVariable); limit != "" {
		measureChild(limit)
	}
	fmt.Printf("TORTURE_SEED=%d TORTURE_TIMES=%d\n", seed, times)
	status := m.Run()
	if err := report(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	if scratch.dir != "" {
		_ = os.RemoveAll(scratch.dir)
	}
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

// Times returns how many random cases to try: TORTURE_TIMES times what Pick returns.
func Times(short, long int) int { return Pick(short, long) * int(times) }

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

// NewPromise returns the promise that a test proves. Its id is that of the table in
// doc/reliability.md.
func NewPromise(t *testing.T, id, text string) *Promise {
	test, _, _ := strings.Cut(t.Name(), "/")
	table.mu.Lock()
	defer table.mu.Unlock()
	return &Promise{t, find(&table.rows, id, text, test)}
}

// find returns the row of a promise and its test, which it may have to add.
func find(rows *[]*row, id, text, test string) *row {
	for _, r := range *rows {
		if r.id == id && r.test == test {
			return r
		}
	}
	r := &row{id: id, text: text, test: test}
	*rows = append(*rows, r)
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
func (r *row) add(tried, held int) int {
	table.mu.Lock()
	defer table.mu.Unlock()
	r.tried += tried
	r.held += held
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
	if ok {
		p.row.add(n, n)
	} else if p.row.add(n, 0) <= max(n, most) {
		p.Errorf(p.row.id+": "+format, args...)
	} else {
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
func (p *Promise) Lacks(missing string) { p.Remark("skipped: no %s", missing) }

// SkipWithout ends the test, because something is missing.
func (p *Promise) SkipWithout(missing string) {
	p.Helper()
	p.Lacks(missing)
	p.Skip("no " + missing)
}

// format returns rows as a table, sorted by the number of the promise.
func format(rows []*row) string {
	number := func(r *row) int {
		n, _ := strconv.Atoi(strings.TrimPrefix(r.id, "P"))
		return n
	}
	slices.SortStableFunc(rows, func(a, b *row) int {
		return cmp.Or(number(a)-number(b), strings.Compare(a.test, b.test))
	})
	var b strings.Builder
	b.WriteString("| promise | in words | test | tried | held | remark |\n|---|---|---|---:|---:|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %s |\n", r.id, r.text, r.test, r.tried, r.held, strings.Join(r.remarks, "; "))
	}
	return b.String()
}

// parse returns the rows of a table.
func parse(text string) []*row {
	var rows []*row
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(cells) < 5 || !strings.HasPrefix(cells[0], "P") {
			continue
		}
		r := &row{id: cells[0], text: cells[1], test: cells[2]}
		r.tried, _ = strconv.Atoi(cells[3])
		r.held, _ = strconv.Atoi(cells[4])
		r.remarks = cells[5:]
		rows = append(rows, r)
	}
	return rows
}

// report prints the table and adds it to the one in TORTURE_TABLE.
func report() error {
	if len(table.rows) == 0 {
		return nil
	}
	fmt.Print(format(table.rows))
	name := os.Getenv("TORTURE_TABLE")
	if name == "" {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	rows := parse(string(text))
	for _, r := range table.rows {
		all := find(&rows, r.id, r.text, r.test)
		all.tried += r.tried
		all.held += r.held
		all.remarks = append(all.remarks, r.remarks...)
	}
	return os.WriteFile(name, []byte(format(rows)), 0o666)
}
