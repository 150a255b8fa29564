package torture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What a test needs, in short:
//
//	p := promise(t, "P1", "output failure is never success")
//	p.try(ok, "%s: %v", …)      counts; says what is wrong if it did not hold
//	p.figure("peak %d MB", n)   something measured, for the last column
//	p.skip("strace")            what is missing here, and ends the test
//	p.lacks("root")             what is missing here for a part of it
//	p.in(t)                     the same promise in a subtest
//	long(t)                     skips but in a long run; thorough() only asks
//
//	got := execute(t, program(t, "jlrev", "a.jsonl"))   an outcome, never a hang
//	for _, v := range invocations(t) { for _, k := range v.kinds {
//		got := execute(t, v.command(t, w, k)) … } }
//
// where w is a world: tiny(t), small(t), middle(t) and large(t) are shared, and only
// to be read; w.again(t) makes one to be written to. What is wrong with a run in
// which something failed says judge; runTraced and inject make things fail.

func TestMain(m *testing.M) {
	status := m.Run()
	if err := report(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	if made.dir != "" {
		_ = os.RemoveAll(made.dir)
	}
	os.Exit(status)
}

// Promises.

// A row is one line of the table.
type row struct {
	id, text, test string

	mu          sync.Mutex
	tried, held int
	remarks     []string // in the order they were made
}

var rows struct {
	mu  sync.Mutex
	all []*row
}

// A promised is a row that a test works on.
type promised struct {
	*row
	t testing.TB
}

// promise begins, or goes on with, the row of the promise id in a test.
func promise(t testing.TB, id, text string) *promised {
	test, _, _ := strings.Cut(t.Name(), "/")
	return &promised{rowOf(id, text, test), t}
}

func rowOf(id, text, test string) *row {
	rows.mu.Lock()
	defer rows.mu.Unlock()
	for _, r := range rows.all {
		if r.id == id && r.test == test {
			return r
		}
	}
	r := &row{id: id, text: text, test: test}
	rows.all = append(rows.all, r)
	return r
}

// in returns p for a subtest.
func (p *promised) in(t testing.TB) *promised { return &promised{p.row, t} }

// try counts one trial. If it did not hold the test fails, and says why.
func (p *promised) try(ok bool, format string, args ...any) bool {
	p.t.Helper()
	const most = 10 // reasons of one promise that are told; more are of no use
	p.mu.Lock()
	p.tried++
	if ok {
		p.held++
	}
	broken := p.tried - p.held
	p.mu.Unlock()
	switch {
	case ok:
	case broken <= most:
		p.t.Errorf(p.id+": "+format, args...)
	default:
		p.t.Fail()
	}
	return ok
}

// tryWell counts one trial that held if wrong, the reason, is empty.
func (p *promised) tryWell(wrong string, format string, args ...any) bool {
	p.t.Helper()
	return p.try(wrong == "", "%s: %s", wrong, fmt.Sprintf(format, args...))
}

// figure puts something into the last column of the table, once.
func (p *promised) figure(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := fmt.Sprintf(format, args...); !slices.Contains(p.remarks, s) {
		p.remarks = append(p.remarks, s)
	}
}

// skip ends the test for want of what is named.
func (p *promised) skip(missing string) {
	p.t.Helper()
	p.lacks(missing)
	p.t.Skip("no " + missing)
}

// lacks says that a part of the trials was not made for want of what is named.
func (p *promised) lacks(missing string) { p.figure("skipped: no %s", missing) }

// thorough reports whether this is a long run.
func thorough() bool { return os.Getenv("TORTURE") == "long" }

func long(t testing.TB) {
	t.Helper()
	if !thorough() {
		t.Skip("TORTURE=long runs this")
	}
}

// often returns how often to try something.
func often(short, long int) int {
	if thorough() {
		return long
	}
	return short
}

// table returns the table: by the number of the promise, then in the order of the
// tests.
func table() string {
	rows.mu.Lock()
	defer rows.mu.Unlock()
	number := func(r *row) int {
		n, _ := strconv.Atoi(strings.TrimLeft(r.id, "P"))
		return n
	}
	slices.SortStableFunc(rows.all, func(a, b *row) int {
		return cmp.Or(number(a)-number(b), strings.Compare(a.test, b.test))
	})
	var b strings.Builder
	b.WriteString("| promise | in words | test | tried | held | remark |\n|---|---|---|---:|---:|---|\n")
	for _, r := range rows.all {
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %s |\n", r.id, r.text, r.test, r.tried, r.held, strings.Join(r.remarks, "; "))
	}
	return b.String()
}

// report prints the table, if there is any, and writes it to where it is wanted.
func report() error {
	if len(rows.all) == 0 {
		return nil
	}
	fmt.Print(table())
	if name := os.Getenv("TORTURE_TABLE"); name != "" {
		return os.WriteFile(name, []byte(table()), 0o666)
	}
	return nil
}

// Programs.

// names are all the programs there are.
var names = []string{"jlrev", "jltree", "jlleaf", "jlpath", "jlsnap", "jlrel", "jlcompact"}

// made is what is made once for all tests.
var made struct {
	once sync.Once
	err  error
	dir  string // another user may come in
	bin  string // where the programs are
}

func makeAll() {
	made.dir, made.err = os.MkdirTemp("", "torture-")
	if made.err != nil {
		return
	}
	if made.dir, made.err = filepath.EvalSymlinks(made.dir); made.err != nil {
		return
	}
	if made.err = os.Chmod(made.dir, 0o755); made.err != nil {
		return
	}
	if made.bin = os.Getenv("TORTURE_BIN"); made.bin != "" {
		made.bin, made.err = filepath.Abs(made.bin)
		return
	}
	// The go command does not see what the build reads. It sees this, and so does
	// not take the result of an earlier run.
	for _, dir := range []string{"../../cmd", "../../internal"} {
		made.err = cmp.Or(made.err, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				_, err = os.Stat(path)
			}
			return err
		}))
	}
	made.bin = filepath.Join(made.dir, "bin")
	build := exec.Command("go", "build", "-o", made.bin+"/", "../../cmd/...")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		made.err = fmt.Errorf("go build: %w: %s", err, out)
	}
}

// binary returns the path of a program.
func binary(t testing.TB, name string) string {
	t.Helper()
	made.once.Do(makeAll)
	require.NoError(t, made.err)
	return filepath.Join(made.bin, name)
}

// space returns a new directory that goes with the test, and that another user
// may come into, unlike that of t.TempDir.
func space(t testing.TB) string {
	t.Helper()
	binary(t, "") // makes made.dir
	dir, err := os.MkdirTemp(made.dir, "s-")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// patience is how long a run may take that is not meant to hang, on whatever
// machine.
const patience = time.Minute

// program returns a command that runs one of the programs. Its environment is
// the same everywhere, and names no home of a user.
func program(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	return wrapped(t, nil, name, args...)
}

// wrapped returns the command that runs a program by another one, which is given
// with its arguments and executes what follows them.
func wrapped(t testing.TB, by []string, name string, args ...string) *exec.Cmd {
	t.Helper()
	argv := slices.Concat(by, []string{binary(t, name)}, args)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = made.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "TMPDIR=" + os.TempDir(), "LC_ALL=C"}
	return cmd
}

// shell returns words for wrapped: a shell that does something first.
func shell(first string) []string {
	return []string{"/bin/sh", "-c", first + `; exec "$@"`, "sh"}
}

// An outcome is how a run ended.
type outcome struct {
	status         int            // -1 if a signal ended it
	signal         syscall.Signal // which one; 0 if none
	hung           bool           // it was ended after too long a time
	stdout, stderr string
	files          string // what is where it was to write, as listing has it
}

func (o outcome) String() string {
	end := fmt.Sprintf("status %d", o.status)
	if o.hung {
		end = "hung"
	} else if o.signal != 0 {
		end = o.signal.String()
	}
	return fmt.Sprintf("%s, %d bytes %q, stderr %q, files %q", end, len(o.stdout), shorten(o.stdout), shorten(o.stderr), shorten(o.files))
}

func shorten(s string) string {
	const most = 300
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// execute runs a command to its end. What hangs is killed after some patience.
func execute(t testing.TB, cmd *exec.Cmd) outcome {
	t.Helper()
	return executeFor(t, cmd, patience)
}

func executeFor(t testing.TB, cmd *exec.Cmd, patience time.Duration) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &out
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &errs
	}
	cmd.WaitDelay = 5 * time.Second // what it left running may hold its output
	require.NoError(t, cmd.Start())
	hung := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	o := outcomeOf(cmd.ProcessState)
	o.hung = !hung.Stop()
	if _, ok := errors.AsType[*exec.ExitError](err); !ok && !errors.Is(err, syscall.EPIPE) {
		require.NoError(t, err)
	}
	o.stdout, o.stderr = out.String(), errs.String()
	return o
}

func outcomeOf(state *os.ProcessState) outcome {
	o := outcome{status: state.ExitCode()}
	if s, ok := state.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		o.signal = s.Signal()
	}
	return o
}

// start runs a command in the background. It is killed with the test, or after
// some patience; the function waits for its end.
func start(t testing.TB, cmd *exec.Cmd) func() outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	var out, errs bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &out
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &errs
	}
	cmd.WaitDelay = 5 * time.Second
	require.NoError(t, cmd.Start())
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	return sync.OnceValue(func() outcome {
		_ = cmd.Wait()
		o := outcomeOf(cmd.ProcessState)
		o.hung = !stop()
		cancel()
		o.stdout, o.stderr = out.String(), errs.String()
		return o
	})
}

// Verdicts.

// crashed is what the Go runtime says when it ends a program, by status 2, which
// is that of trouble too.
var crashed = regexp.MustCompile(`(?m)^(panic:|fatal error:|goroutine \d|runtime:|SIG[A-Z]+:|unexpected fault)`)

// judge says what is wrong with a run in which something failed, "" if nothing
// is: either the failure was of no account, and all is as in the plain run, or it
// is said, by status 2 and a message that names a culprit. What it says counts for
// the promise on messages, P34.
func judge(program string, plain, got outcome, culprits ...string) string {
	if got.status == 2 && got.stderr != plain.stderr {
		judgeMessages(program, got.stderr, culprits...)
	}
	return wrongRun(program, plain, got, culprits...)
}

// judgeFailed says what is wrong with a run that must not succeed.
func judgeFailed(program string, got outcome, culprits ...string) string {
	if got.status != 2 {
		return "no trouble: " + got.String()
	}
	return judge(program, outcome{}, got, culprits...)
}

func wrongRun(program string, plain, got outcome, culprits ...string) string {
	switch {
	case got.hung:
		return "it hangs"
	case got.signal != 0:
		return fmt.Sprintf("ended by signal %v: %v", got.signal, got)
	case crashed.MatchString(got.stderr):
		return "it crashed: " + got.stderr
	case got.status == 2:
		return wrongMessages(program, got.stderr, culprits...)
	case got.status != plain.status:
		return fmt.Sprintf("status %d for %d, and no trouble said: %v", got.status, plain.status, got)
	case got.stdout != plain.stdout:
		return fmt.Sprintf("silent success with other output: %d bytes for %d: %v", len(got.stdout), len(plain.stdout), got)
	case got.files != plain.files:
		return fmt.Sprintf("silent success with other files: %q for %q", got.files, plain.files)
	}
	return ""
}

// internals is what a message shows only by mistake.
var internals = regexp.MustCompile(`goroutine |panic|runtime error|0x[0-9a-f]{6,}|\.go:\d|%!|<nil>|\*[a-z]+\.[A-Z]|\b(open|read|lstat|stat|fstat|lseek|readdirent|linkat|renameat|unlinkat|openat|fsync|fstatat|getdents) /|errno `)

// upper finds a part of a message that does not begin in lower case, but for CRC
// and the like. The names of files in these tests all do.
var upper = regexp.MustCompile(`: [A-Z]([^A-Z]|$)`)

// judgeMessages says what is wrong with what a program says on standard error if
// something failed: "" if it is one line or more like "jlrev: a.jsonl: what is
// wrong", and one of the culprits, if any, is named. Each call counts for the
// promise on messages, P34.
func judgeMessages(program, stderr string, culprits ...string) string {
	wrong := wrongMessages(program, stderr, culprits...)
	r := messages()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tried++
	if wrong == "" {
		r.held++
	}
	return wrong
}

// messages returns the row of the promise on messages.
func messages() *row {
	return rowOf("P34", "messages name the culprit, one line each, no internals", "TestMessages")
}

func wrongMessages(program, stderr string, culprits ...string) string {
	if stderr == "" {
		return "status 2 without a message"
	}
	named := len(culprits) == 0
	lines, ended := strings.CutSuffix(stderr, "\n")
	if !ended {
		return fmt.Sprintf("a message without an end: %q", stderr)
	}
	for message := range strings.SplitSeq(lines, "\n") {
		text, ok := strings.CutPrefix(message, program+": ")
		switch {
		case !ok && strings.HasPrefix(message, "Try '"+program):
			continue
		case !ok:
			return fmt.Sprintf("a message that does not begin with %q: %q", program+": ", message)
		case strings.HasPrefix(text, "error:"), strings.HasSuffix(text, "."), upper.MatchString(": " + text):
			return fmt.Sprintf("a message not as the others are: %q", message)
		case internals.MatchString(text):
			return fmt.Sprintf("a message with internals: %q", message)
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

// TestMessages shows that what is counted by judgeMessages can fail. The row of
// the table is filled by all tests in which something fails.
func TestMessages(t *testing.T) {
	for _, bad := range []string{
		"",
		"jlrev: a.jsonl: input/output error",
		"jlpath: a.jsonl: input/output error\n",
		"jlrev: b.jsonl: input/output error\n",
		"jlrev: a.jsonl: Input/output error\n",
		"jlrev: a.jsonl: input/output error.\n",
		"jlrev: error: a.jsonl: input/output error\n",
		"jlrev: a.jsonl: read /tmp/a.jsonl: input/output error\n",
		"jlrev: a.jsonl: input/output error\n\n",
		"jlrev: a.jsonl: %!v(MISSING)\n",
		"jlrev: a.jsonl: &{%!s(*fs.PathError=0xc000012345)}\n",
		"panic: a.jsonl\n\ngoroutine 1 [running]:\n",
	} {
		require.NotEmpty(t, wrongMessages("jlrev", bad, "a.jsonl"), "%q", bad)
	}
	require.Empty(t, wrongMessages("jlrev", "jlrev: /x/a.jsonl:812: torn entry\n", "a.jsonl"))

	plain := outcome{stdout: "a\nb\n"}
	for _, bad := range []outcome{
		{stdout: "a\n"},
		{},
		{status: 1},
		{status: -1, signal: syscall.SIGBUS},
		{status: 2},
		{status: 2, stderr: "panic: x\n\ngoroutine 1 [running]:\n"},
		{stdout: "a\nb\n", hung: true},
		{stdout: "a\nb\n", files: "half"},
	} {
		require.NotEmpty(t, wrongRun("jlrev", plain, bad, "a.jsonl"), "%v", bad)
	}
	require.Empty(t, wrongRun("jlrev", plain, plain, "a.jsonl"))
}
