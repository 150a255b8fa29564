package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"jlrev": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status,
			"pack":   pack,
			"sparse": sparse,
		},
		Condition: condition,
	})
}

func condition(cond string) (bool, error) {
	switch cond {
	case "root":
		return os.Geteuid() == 0, nil
	case "strace": // installed, and allowed to trace
		return exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run() == nil, nil
	}
	return false, errors.New("unknown condition")
}

// status N PROGRAM [ARG]... runs a program that must exit with N, and not by a
// panic, whose status is 2 as well.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program [arg...]")
	}
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
		ts.Fatalf("it crashed")
	}
}

// pack gzip|zstd FROM TO writes a compressed copy of a file.
func pack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: pack gzip|zstd from to")
	}
	var out bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&out)
	if args[0] == "zstd" {
		var err error
		w, err = zstd.NewWriter(&out)
		ts.Check(err)
	}
	_, err := io.WriteString(w, ts.ReadFile(args[1]))
	ts.Check(err)
	ts.Check(w.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), out.Bytes(), 0o666))
}

// sparse FILE makes a file of 1 TiB of NULs that take no space.
func sparse(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sparse file")
	}
	name := ts.MkAbs(args[0])
	ts.Check(os.WriteFile(name, nil, 0o666))
	ts.Check(os.Truncate(name, 1<<40))
}
