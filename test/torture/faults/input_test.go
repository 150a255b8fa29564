package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jl/test/torture/harness"
)

const inputFailure = "input failure is never success"

// inputCalls are the calls that read input, and their errors.
var inputCalls = map[string][]errno{
	"read":       {syscall.EIO, syscall.ESTALE},
	"pread64":    {syscall.EIO, syscall.ESTALE},
	"openat":     {syscall.EACCES, syscall.EMFILE, syscall.EIO},
	"newfstatat": {syscall.EIO, syscall.EACCES},
	"statx":      {syscall.EIO},
	"fstat":      {syscall.EIO},
	"lseek":      {syscall.EIO},
	"getdents64": {syscall.EIO},
	"readlinkat": {syscall.EIO},
	"close":      {syscall.EIO},
}

// TestEveryReadFails fails the N-th call of each kind that reads the input: the log,
// the home, the files in it.
func TestEveryReadFails(t *testing.T) {
	p := harness.Traced(t, "P2", inputFailure)
	input := func(f *harness.Fixture) func(*harness.Call) bool {
		return func(call *harness.Call) bool { return (call.Below(f.Dir) || call.Stream() == 0) && !call.Opens() }
	}
	p.Each(harness.AllForms, func(p *harness.Promise, c harness.Command, form harness.Form) {
		s := sweep{errors: inputCalls, of: input}
		if c.Program == "jlsnap" {
			s.names = []string{"src/"} // the file whose backup fails
		}
		for name := range s.run(p, c, form, harness.Middle(p)) {
			if inputCalls[name] == nil && outputCalls[name] == nil && name != "flock" && name != "fchown" {
				p.Errorf("%v makes a call for which there is no fault: %s", c, name)
			}
		}
	})
}

// TestNoSuchFile fails to open the operand.
func TestNoSuchFile(t *testing.T) {
	p := harness.Traced(t, "P2", inputFailure+": no such operand")
	first := func(c harness.Command) []harness.Form {
		if c.ReadsLog() {
			return c.Forms[:1]
		}
		return nil
	}
	p.Each(first, func(p *harness.Promise, c harness.Command, form harness.Form) {
		for _, err := range []errno{syscall.ENOENT, syscall.EACCES, syscall.EMFILE, syscall.ENXIO} {
			f := c.On(p, harness.Small(p))
			fault := harness.Fault{Call: "openat", Errno: err, At: 1, Onward: true, Of: func(call *harness.Call) bool { return call.Path == f.Path(harness.Log) }}
			got, _ := c.Inject(p, f, form, fault)
			p.Check(harness.ProblemOfFailure(c.Program, got, "s.jsonl"), "%v, %v", c, fault)
		}
	})
}

// TestOneAmongMany gives many logs to the programs, some of which cannot be read. The
// programs name those and answer for the others.
func TestOneAmongMany(t *testing.T) {
	p := harness.Parallel(t, "P23", "unreadable ones among many are named, the rest is done")
	f := harness.Small(t).Copy(t)
	f.Leaf = "00" // of no entry
	const many = 100
	names, logs := make([]string, many), map[string]string{}
	for i := range names {
		names[i] = fmt.Sprintf("many/%d.jsonl", i)
		logs[names[i]], _ = harness.Session(uint64(i), 1)
	}
	harness.Write(t, f.Dir, logs)

	// The wanted reason is what the system says, or "".
	bad := map[string]string{}
	spoil := func(i int, reason string, create func(path string) error) {
		require.NoError(t, os.Remove(f.Path(names[i])))
		require.NoError(t, create(f.Path(names[i])))
		bad[names[i]] = reason
	}
	spoil(3, "", func(path string) error { return os.Mkdir(path, 0o755) })
	spoil(20, syscall.ENOENT.Error(), func(path string) error { return os.Symlink("nowhere", path) })
	spoil(40, syscall.ENOENT.Error(), func(string) error { return nil })
	spoil(41, syscall.ELOOP.Error(), func(path string) error { return os.Symlink(filepath.Base(path), path) })
	spoil(60, "", func(path string) error { return listen(t, path) })
	var user *syscall.SysProcAttr
	if os.Geteuid() == 0 {
		user = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		cmd := harness.Program(t, "jlrev", "--version")
		if cmd.SysProcAttr = user; cmd.Run() != nil {
			user = nil
			p.Lacks("way for nobody to run the programs")
		}
	}
	if user != nil || os.Geteuid() != 0 {
		for _, i := range []int{80, 99} {
			spoil(i, syscall.EACCES.Error(), func(path string) error { return os.WriteFile(path, []byte("{}\n"), 0) })
		}
	}
	for _, c := range harness.Commands {
		if !c.ReadsLog() || c.Writes {
			continue
		}
		run := func(operands []string) harness.Outcome {
			f := *f
			f.Operands = operands
			cmd := c.Cmd(t, &f, harness.Plain)
			cmd.SysProcAttr = user
			return harness.Execute(t, cmd)
		}
		want := run(slices.DeleteFunc(slices.Clone(names), func(name string) bool { _, ok := bad[name]; return ok }))
		got := run(names)
		messages := strings.Split(got.Stderr, "\n")
		problem := ""
		for name, reason := range bad {
			if !slices.ContainsFunc(messages, func(m string) bool { return strings.Contains(m, name) && strings.Contains(m, reason) }) {
				problem = fmt.Sprintf("%s is not named: %s", name, reason)
			}
		}
		if got.Status != 2 || got.Stdout != want.Stdout {
			problem = fmt.Sprintf("want status 2 and %d bytes", len(want.Stdout))
		}
		p.Check(problem, "%v: %v", c, got)
		p.Check(harness.ProblemOfMessages(c.Program, got.Stderr, names[3]), "%v", c)
	}
	p.Remark("%d of %d unreadable", len(bad), many)
}
