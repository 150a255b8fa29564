// Package scripttest runs the scripts that test a program from the outside: what a user
// types, with the exit status and both streams. Only tests import it.
//
// A script is a file of testdata/script in the txtar format, run by
// [testscript.Run]. The program under test is started with exec or status, as a process
// of its own. Besides the commands and conditions of package testscript a script has
//
//	status N PROGRAM [ARG]...  run a program that must exit with status N
//	age TIME FILE...           set the modification time of files (RFC 3339)
//	fifo FILE...               make named pipes
//	null FROM TO               copy a file with a newline for each NUL
//	pack FROM TO               compress a file: with gzip if TO ends in .gz, else with zstd
//	sparse FILE                make a file of 1 TiB of NULs that takes no space
//
//	[cover]   the programs record which statements they run
//	[root]    the test runs as root
//	[strace]  strace(1) is installed and may trace
//
// Its PATH has the program and those tools that it names, and no others. A script that names a tool which is not
// installed is skipped, unless all lines that name it are for [exec:TOOL] alone, or come after [!exec:TOOL] skip or
// stop. What is left out on this machine is said, as [env.NotTested] does.
package scripttest

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"jl/test/env"
)

// An Env is the environment of one script, before it runs.
type Env = testscript.Env

// OneThread in the environment of a program that Main runs makes it use one thread for all
// that it does. strace(1) counts the calls of each thread, so the N-th call of that thread
// is then the N-th of the program.
const OneThread = oneThread + "=1"

const oneThread = "JL_TEST_ONE_THREAD"

func init() {
	if os.Getenv(oneThread) != "" {
		runtime.LockOSThread()
	}
}

// Main is the TestMain of a program. It runs the tests, and in the processes that
// scripts start under the program's name it runs main. It does not return.
func Main(m *testing.M, name string, main func()) {
	testscript.Main(tests{m}, map[string]func(){name: main})
}

// Tests are the tests of a package; their processes do not inherit ignored signals.
type tests struct{ *testing.M }

// Run runs the tests and returns the exit status.
func (t tests) Run() int {
	DefaultSignals()
	return t.M.Run()
}

// DefaultSignals lets SIGHUP and SIGINT end the programs that this process starts, even if this
// process ignores them, as it does under nohup(1) and in the background of a script. A signal
// that a process catches has its default action again in the programs that it starts; one that
// it ignores stays ignored.
func DefaultSignals() {
	for _, sig := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(sig) {
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
}

// Run runs each script of a directory as a subtest. Setup, if it is not nil, is called
// before each script, once its files are there.
func Run(t *testing.T, dir string, setup func(*Env) error) {
	program := filepath.SplitList(os.Getenv("PATH"))[0] // where Main has put it
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *Env) error {
			name := strings.TrimPrefix(filepath.Base(e.WorkDir), "script-") + ".txtar"
			archive, err := txtar.ParseFile(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			n := needsOf(archive)
			for _, tool := range n.always {
				if !env.Has(tool) {
					why := tool + " is not installed"
					env.NotTested(t, name, why)
					e.T().Skip(why)
				}
			}
			for _, p := range n.leftOut() {
				env.NotTested(t, name+":"+p.String(), p.why)
			}
			e.Setenv("PATH", program+string(filepath.ListSeparator)+env.Folder(t, n.tools))
			if setup == nil {
				return nil
			}
			return setup(e)
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           holding,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"age":    command("time file...", 2, math.MaxInt, age),
			"fifo":   command("file...", 1, math.MaxInt, fifo),
			"null":   command("from to", 2, 2, null),
			"pack":   command("from to", 2, 2, pack),
			"sparse": command("file", 1, 1, sparse),
			"status": command("n program [arg...]", 2, math.MaxInt, status),
		},
	})
}

// command returns a command of a script that takes from least to most arguments and
// cannot be negated.
func command(usage string, least, most int, run func(*testscript.TestScript, []string)) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) < least || len(args) > most {
			ts.Fatalf("want the arguments %s, and no !", usage)
		}
		run(ts, args)
	}
}

func holding(name string) (bool, error) {
	switch name {
	case "cover":
		return testing.CoverMode() != "", nil
	case "root":
		return os.Geteuid() == 0, nil
	case "strace":
		return exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run() == nil, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// status also refuses a panic, whose exit status is 2 too.
func status(ts *testscript.TestScript, args []string) {
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
	if strings.Contains(ts.ReadFile("stderr"), "goroutine ") {
		ts.Fatalf("%s crashed", args[1])
	}
}

func age(ts *testscript.TestScript, args []string) {
	at, err := time.Parse(time.RFC3339, args[0])
	ts.Check(err)
	for _, name := range args[1:] {
		ts.Check(os.Chtimes(ts.MkAbs(name), at, at))
	}
}

func fifo(ts *testscript.TestScript, args []string) {
	for _, name := range args {
		ts.Check(syscall.Mkfifo(ts.MkAbs(name), 0o666))
	}
}

func null(ts *testscript.TestScript, args []string) {
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "\x00", "\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}

func pack(ts *testscript.TestScript, args []string) {
	var out bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&out)
	if !strings.HasSuffix(args[1], ".gz") {
		var err error
		w, err = zstd.NewWriter(&out)
		ts.Check(err)
	}
	_, err := io.WriteString(w, ts.ReadFile(args[0]))
	ts.Check(err)
	ts.Check(w.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out.Bytes(), 0o666))
}

func sparse(ts *testscript.TestScript, args []string) {
	name := ts.MkAbs(args[0])
	ts.Check(os.WriteFile(name, nil, 0o666))
	ts.Check(os.Truncate(name, 1<<40))
}
