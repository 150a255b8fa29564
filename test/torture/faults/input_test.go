package torture

import (
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const inputFailure = "input failure is never success"

// inputCalls are the calls by which the programs read, and what they may fail
// with.
var inputCalls = map[string][]syscall.Errno{
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

// TestEveryReadFails has the N-th call of each kind fail that looks at the input:
// the log, the home, what is in it. All N in a long run, else some.
func TestEveryReadFails(t *testing.T) {
	t.Parallel()
	p := promise(t, "P2", inputFailure)
	p.needTrace()
	each(p, allKinds, func(p *promised, v invocation, k kind) {
		w := middle(p.t)
		input := func(w *world) func(c *call) bool {
			return func(c *call) bool { return (c.below(w.dir) || c.stdio() == 0) && !c.writing() }
		}
		fresh := v.on(p.t, w)
		is, calls := input(fresh), map[string]int{}
		want := runTraced(p.t, v.command(p.t, fresh, k), func(c *call) {
			if !c.made && is(c) {
				calls[c.name]++
			}
		})
		want.files = v.listing(p.t, fresh)
		require.Contains(p.t, []int{0, 1}, want.status)
		for name := range calls {
			require.True(p.t, inputCalls[name] != nil || outputCall(name), "what if %s fails?", name)
		}
		for _, name := range slices.Sorted(maps.Keys(inputCalls)) {
			for _, trial := range trials(calls[name], inputCalls[name]) {
				fresh := v.on(p.t, w)
				trial.call, trial.of = name, input(fresh)
				got, hits, victim := inject(p.t, v, fresh, k, trial)
				if hits == 0 {
					continue // threads may read more or less
				}
				culprits := fresh.culprits(victim, k)
				if v.program == "jlsnap" {
					culprits = append(culprits, "src/") // for its backup
				}
				if name == "newfstatat" {
					culprits = append(culprits, filepath.Base(filepath.Dir(victim))) // which is read with all that is in it
				}
				p.tryWell(judge(v.program, want, got, culprits...), "%v on %v, %v of %s", v, k, trial, victim)
				if v.writes {
					p.tryWell(fresh.half(p.t, w, v), "%v, %v of %s leaves", v, trial, victim)
				}
			}
		}
	})
}

func outputCall(name string) bool {
	for _, c := range outputCalls {
		if c.name == name {
			return true
		}
	}
	return slices.Contains([]string{"flock", "fchown"}, name)
}

// trials returns which of n calls are to fail, with what: in a long run all, or
// many of very many, with everything, once and for good; else the first, the
// second, one in the middle and the last.
func trials(n int, errors []syscall.Errno) []injection {
	var all []injection
	if thorough() {
		const most = 100
		for at := 1; at <= n; at += 1 + n/most {
			for _, errno := range errors {
				all = append(all, injection{errno: errno, at: at}, injection{errno: errno, at: at, from: true})
			}
		}
		return all
	}
	for i, at := range slices.Compact([]int{1, 2, (n + 1) / 2, n}) {
		if at >= 1 && at <= n && !slices.ContainsFunc(all, func(t injection) bool { return t.at == at }) {
			all = append(all, injection{errno: errors[i%len(errors)], at: at, from: i%2 == 1})
		}
	}
	return all
}

// TestNoSuchFile: an operand that is not there, or goes just before it is opened.
func TestNoSuchFile(t *testing.T) {
	t.Parallel()
	p := promise(t, "P2", inputFailure+": no such operand")
	p.needTrace()
	each(p, func(v invocation) []kind {
		if !strings.Contains(v.args, "FILE") {
			return nil
		}
		return v.kinds[:1]
	}, func(p *promised, v invocation, k kind) {
		for _, errno := range []syscall.Errno{syscall.ENOENT, syscall.EACCES, syscall.EMFILE, syscall.ENXIO} {
			w := v.on(p.t, small(p.t))
			in := injection{call: "openat", errno: errno, at: 1, from: true, of: func(c *call) bool { return c.path == w.forms[plain] }}
			got, _, _ := inject(p.t, v, w, k, in)
			p.tryWell(judgeFailed(v.program, got, "s.jsonl"), "%v, %v", v, in)
		}
	})
}

// TestOneAmongMany gives the programs many logs of which some cannot be read: the
// others are all answered for, and those are named.
func TestOneAmongMany(t *testing.T) {
	t.Parallel()
	p := promise(t, "P23", "unreadable ones among many are named, the rest is done")
	w := small(t)
	dir := filepath.Join(space(t), "many")
	require.NoError(t, os.Mkdir(dir, 0o777))
	const many = 100
	var names []string
	for i := range many {
		name := fmt.Sprintf("many/%d.jsonl", i)
		names = append(names, name)
		text, _ := session(uint64(i), 1)
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(dir), name), []byte(text), 0o644))
	}
	type bad struct{ name, reason string }
	var bads []bad
	spoil := func(i int, reason string, how func(path string) error) {
		path := filepath.Join(filepath.Dir(dir), names[i])
		require.NoError(t, os.Remove(path))
		require.NoError(t, how(path))
		bads = append(bads, bad{names[i], reason})
	}
	spoil(3, "", func(path string) error { return os.Mkdir(path, 0o755) })
	spoil(20, "no such file or directory", func(path string) error { return os.Symlink("nowhere", path) })
	spoil(40, "no such file or directory", func(string) error { return nil })
	spoil(41, "too many levels of symbolic links", func(path string) error { return os.Symlink(filepath.Base(path), path) })
	spoil(60, "", func(path string) error { return listen(t, path) })
	secret := func(path string) error { return os.WriteFile(path, []byte("{}\n"), 0o000) }
	var nobody *syscall.SysProcAttr
	if os.Geteuid() == 0 {
		nobody = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		if cmd := program(t, "jlrev", "--version"); !runsAs(cmd, nobody) {
			nobody = nil
			p.lacks("way for nobody to run the programs")
		}
	}
	if nobody != nil || os.Geteuid() != 0 {
		spoil(80, "permission denied", secret)
		spoil(99, "permission denied", secret)
	}
	for _, v := range invocations(t) {
		if !strings.Contains(v.args, "FILE") || v.writes {
			continue
		}
		good := func(name string) bool {
			return !slices.ContainsFunc(bads, func(b bad) bool { return b.name == name })
		}
		of := func(names []string) outcome {
			var args []string
			for _, a := range strings.Fields(v.args) {
				switch a {
				case "FILE":
					args = append(args, names...)
				case "HOME":
					args = append(args, w.home)
				case "ID":
					args = append(args, w.id)
				case "LEAF":
					args = append(args, "00") // of no entry
				default:
					args = append(args, a)
				}
			}
			cmd := program(t, v.program, args...)
			cmd.Dir, cmd.SysProcAttr = filepath.Dir(dir), nobody
			return execute(t, cmd)
		}
		want := of(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !good(name) }))
		got := of(names)
		wrong := ""
		said := strings.Split(got.stderr, "\n")
		for _, b := range bads {
			if !slices.ContainsFunc(said, func(line string) bool { return strings.Contains(line, b.name+": ") && strings.Contains(line, b.reason) }) {
				wrong = fmt.Sprintf("%s is not named: %s", b.name, b.reason)
			}
		}
		switch {
		case wrong != "":
		case got.status != 2:
			wrong = "the status is not 2"
		case got.stdout != want.stdout:
			wrong = fmt.Sprintf("%d bytes for %d", len(got.stdout), len(want.stdout))
		}
		p.tryWell(wrong, "%v: %v", v, got)
		p.tryWell(judgeMessages(v.program, got.stderr, bads[0].name), "%v", v)
	}
	p.figure("%d of %d unreadable", len(bads), many)
}

func runsAs(cmd *exec.Cmd, who *syscall.SysProcAttr) bool {
	cmd.SysProcAttr = who
	return cmd.Run() == nil
}

// listen puts a socket at path until the test ends.
func listen(t testing.TB, path string) error {
	dir, err := os.MkdirTemp("", "") // the path of a socket must be short
	if err != nil {
		return err
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	short := filepath.Join(dir, "s")
	l, err := net.Listen("unix", short)
	if err != nil {
		return err
	}
	t.Cleanup(func() { l.Close() })
	return os.Rename(short, path)
}

// soon is when a run on an odd file has ended, on whatever machine.
const soon = 20 * time.Second

// oddFiles are what may stand where a file is expected.
var oddFiles = map[string]func(t testing.TB, path string) error{
	"fifo":      func(_ testing.TB, path string) error { return syscall.Mkfifo(path, 0o666) },
	"zero":      func(_ testing.TB, path string) error { return os.Symlink("/dev/zero", path) },
	"tty":       func(_ testing.TB, path string) error { return os.Symlink("/dev/ptmx", path) },
	"socket":    listen,
	"directory": func(_ testing.TB, path string) error { return os.Mkdir(path, 0o755) },
	"loop":      func(_ testing.TB, path string) error { return os.Symlink(filepath.Base(path), path) },
	"dangling":  func(_ testing.TB, path string) error { return os.Symlink("nowhere", path) },
}

// TestOddFilesInHome has odd files in all places of a home: none is waited for, or
// read without an end.
func TestOddFilesInHome(t *testing.T) {
	t.Parallel()
	p := promise(t, "P24", "no odd file in a home is waited for")
	for _, what := range slices.Sorted(maps.Keys(oddFiles)) {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			p := p.in(t)
			w := small(t).again(t)
			// One in the place of each file but the log, and some beside them.
			var places []string
			require.NoError(t, filepath.WalkDir(w.home, func(path string, e os.DirEntry, err error) error {
				if err == nil && e.IsDir() {
					places = append(places, filepath.Join(path, "0dd"), filepath.Join(path, "00000000-0000-4000-8000-000000000000.jsonl"))
				} else if filepath.Base(path) != w.id+".jsonl" {
					places = append(places, path)
				}
				return err
			}))
			for _, path := range places {
				require.NoError(t, os.RemoveAll(path))
				require.NoError(t, oddFiles[what](t, path))
			}
			for _, v := range invocations(t) {
				if v.program != "jlrel" && !(v.program == "jlsnap" && strings.Contains(v.args, "HOME")) {
					continue
				}
				got := executeFor(t, v.command(t, w, v.kinds[0]), soon)
				wrong := ""
				switch {
				case got.hung:
					wrong = "it hangs"
				case got.signal != 0 || crashed.MatchString(got.stderr):
					wrong = "it crashed"
				case got.status == 2:
					wrong = judgeMessages(v.program, got.stderr)
				case v.program == "jlsnap" && v.writes:
					wrong = "it cannot have restored anything"
				}
				p.tryWell(wrong, "%v: %v", v, got)
			}
		})
	}
}

// TestOddOperands gives them as operands. A FIFO is read as cat(1) does, others that
// do not end are left to who names them; those that cannot be read are named. An
// archive is made of none.
func TestOddOperands(t *testing.T) {
	t.Parallel()
	p := promise(t, "P24", "odd operands are read as the contract says, or named")
	w := small(t)
	dir := space(t)
	for what, create := range oddFiles {
		require.NoError(t, create(t, filepath.Join(dir, what)))
	}
	endless := []string{"zero", "tty"}
	for _, v := range invocations(t) {
		if !strings.Contains(v.args, "FILE") {
			continue
		}
		want := v.run(t, v.on(t, w), plain)
		for _, what := range slices.Sorted(maps.Keys(oddFiles)) {
			w := v.on(t, w)
			odd := *w
			odd.forms = map[kind]string{plain: filepath.Join(dir, what)}
			if strings.Contains(v.args, "--archive") {
				got := executeFor(t, v.command(t, &odd, plain), soon)
				p.tryWell(judgeFailed(v.program, got, what), "%v with a %s", v, what)
				continue
			}
			switch {
			case slices.Contains(endless, what):
				continue
			case what == "fifo" && v.program == "jlrel" && v.args == "--home HOME FILE":
				// It is a name there, and no log.
				got := executeFor(t, v.command(t, &odd, plain), soon)
				p.try(!got.hung && got.status != 0, "%v with a fifo: %v", v, got)
			case what == "fifo":
				odd := *small(t).again(t)
				fifo := odd.forms[plain]
				require.NoError(t, os.Remove(fifo))
				require.NoError(t, syscall.Mkfifo(fifo, 0o666))
				// A writer that nobody reads must not hold up the test.
				go func() {
					if f, err := os.OpenFile(fifo, os.O_WRONLY, 0); err == nil {
						_, _ = f.WriteString(w.text)
						f.Close()
					}
				}()
				got := executeFor(t, v.command(t, &odd, plain), soon)
				got.files = v.listing(t, &odd)
				if r, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
					r.Close()
				}
				if v.program == "jlrel" && got.status == 2 && !got.hung {
					p.tryWell(judge(v.program, want, got, "s.jsonl"), "%v with a fifo", v)
					continue
				}
				p.try(got.status == want.status && got.stdout == want.stdout && got.files == want.files, "%v with a fifo: %v", v, got)
			default:
				got := executeFor(t, v.command(t, &odd, plain), soon)
				p.tryWell(judgeFailed(v.program, got, what), "%v with a %s", v, what)
			}
		}
	}
	for _, args := range [][]string{
		{"jlcompact", "--archive", "--keep", "--to", "fifo", w.forms[plain]},
		{"jlcompact", "--archive", "--keep", "--to", "socket", w.forms[plain]},
		{"jlsnap", "--home", w.home, "--restore", "fifo", w.forms[plain]},
		{"jlsnap", "--home", w.home, "--restore", "socket", w.forms[plain]},
		{"jlsnap", "--home", w.home, "--restore", "loop", w.forms[plain]},
		{"jlsnap", "--home", "fifo", "--files", w.forms[plain]},
		{"jlrel", "--home", "fifo", w.id},
		{"jlrel", "--home", "zero", "--list"},
		{"jlrel", "--home", "socket", "--orphans"},
	} {
		cmd := program(t, args[0], args[1:]...)
		cmd.Dir = dir
		got := executeFor(t, cmd, soon)
		p.tryWell(judgeFailed(args[0], got, "fifo", "zero", "socket", "loop", "src/"), "%v", args)
	}
}

// TestTerminal has a terminal where standard input is, with an end typed.
func TestTerminal(t *testing.T) {
	t.Parallel()
	p := promise(t, "P24", "a terminal is read until its end is typed")
	if _, err := exec.LookPath("script"); err != nil {
		p.skip("script(1)")
	}
	if exec.Command("script", "-qec", "true", "/dev/null").Run() != nil {
		p.skip("script(1) that has -e and -c")
	}
	for _, name := range names {
		if name == "jlrel" {
			continue // it has to have a home first
		}
		cmd := exec.Command("script", "-qec", binary(t, name), "/dev/null")
		cmd.Stdin = strings.NewReader(`{"uuid":"a","parentUuid":null,"type":"user"}` + "\n\x04")
		got := executeFor(t, cmd, soon)
		p.try(!got.hung && got.signal == 0 && !crashed.MatchString(got.stdout), "%s: %v", name, got)
	}
}
