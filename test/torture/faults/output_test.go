package torture

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

const outputFailure = "output failure is never success"

// fullErrors are what a write fails with.
var fullErrors = []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EDQUOT}

// TestFullDevice writes to a device that is always full.
func TestFullDevice(t *testing.T) {
	t.Parallel()
	p := promise(t, "P1", outputFailure+": /dev/full")
	w := middle(t)
	each(p, readers(allKinds), func(p *promised, v invocation, k kind) {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			p.skip("/dev/full")
		}
		defer full.Close()
		cmd := v.command(p.t, w, k)
		cmd.Stdout = full
		got := execute(p.t, cmd)
		p.tryWell(judgeFailed(v.program, got, "write: no space left on device"), "%v on %v", v, k)
	})
}

// TestEveryWriteFails has the N-th write to standard output fail, for all N, and
// all from the N-th on.
func TestEveryWriteFails(t *testing.T) {
	t.Parallel()
	p := promise(t, "P1", outputFailure+": the N-th write")
	p.needTrace()
	w := middle(t)
	each(p, readers(func(v invocation) []kind { return v.kinds[:often(1, len(v.kinds))] }), func(p *promised, v invocation, k kind) {
		for at := 1; ; at++ {
			hits := 0
			for i, errno := range fullErrors {
				if !thorough() && i != at%len(fullErrors) {
					continue
				}
				for _, from := range []bool{false, true} {
					var got outcome
					in := injection{call: "write", errno: errno, at: at, from: from, of: func(c *call) bool { return c.stdio() == 1 }}
					got, hits, _ = inject(p.t, v, w, k, in)
					if hits == 0 {
						break
					}
					p.tryWell(judgeFailed(v.program, got, "write: "), "%v on %v, %v", v, k, in)
				}
			}
			if hits == 0 {
				require.Greater(p.t, at, 1, "%v writes nothing", v)
				return
			}
		}
	})
}

// outputCalls are the calls by which archives and restored files come to be, and
// what they may fail with.
var outputCalls = []struct {
	name   string
	errors []syscall.Errno
}{
	{"write", fullErrors},
	{"copy_file_range", fullErrors},
	{"sendfile", fullErrors},
	{"openat", []syscall.Errno{syscall.ENOSPC, syscall.EACCES, syscall.EMFILE}},
	{"mkdirat", []syscall.Errno{syscall.ENOSPC, syscall.EACCES}},
	{"fsync", []syscall.Errno{syscall.EIO, syscall.ENOSPC}},
	{"close", []syscall.Errno{syscall.EIO, syscall.EDQUOT}},
	{"fchmod", []syscall.Errno{syscall.EPERM}},
	{"fchmodat", []syscall.Errno{syscall.EPERM}},
	{"utimensat", []syscall.Errno{syscall.EPERM}},
	{"linkat", []syscall.Errno{syscall.EXDEV, syscall.ENOSPC, syscall.EIO}},
	{"renameat", []syscall.Errno{syscall.EXDEV, syscall.EIO}},
	{"unlinkat", []syscall.Errno{syscall.EPERM, syscall.EIO}},
}

// TestArchiveAndRestoreFail has each call by which jlcompact --archive and jlsnap
// --restore write fail. If it matters it is said, and no file is half.
func TestArchiveAndRestoreFail(t *testing.T) {
	t.Parallel()
	p := promise(t, "P1", outputFailure+": archives, restored files")
	p.needTrace()
	each(p, writers, func(p *promised, v invocation, k kind) {
		w := middle(p.t)
		want := v.run(p.t, w.again(p.t), k)
		for _, calls := range outputCalls {
			for i, errno := range calls.errors {
				for at := 1; thorough() || at%len(calls.errors) == i || at == 1; at++ {
					fresh := w.again(p.t)
					output := func(c *call) bool {
						return c.below(fresh.out) || c.below(filepath.Dir(fresh.forms[plain])) && (c.name != "openat" || c.writing())
					}
					in := injection{call: calls.name, errno: errno, at: at, of: output}
					got, hits, victim := inject(p.t, v, fresh, k, in)
					if hits == 0 {
						break
					}
					// It is the archive, the file or the directory that is named.
					p.tryWell(judge(v.program, want, got, append(fresh.culprits(victim, k), "s.jsonl", "src", "out")...), "%v, %v of %s", v, in, victim)
					p.tryWell(fresh.half(p.t, w, v), "%v, %v of %s leaves", v, in, victim)
				}
			}
		}
	})
}

// half says what is half, of all that v has left in w; like was a world like it
// before. "" says that old or new is whole, everywhere.
func (w *world) half(t testing.TB, like *world, v invocation) string {
	t.Helper()
	if strings.Contains(v.args, "--restore") {
		return w.halfRestored(t)
	}
	text, err := os.ReadFile(w.forms[plain])
	old := err == nil
	if old && string(text) != like.text {
		return "a log with other bytes"
	}
	if !old && strings.Contains(v.args, "--keep") {
		return "no log, which was to be kept"
	}
	target := w.target(v)
	if _, err := os.Lstat(target); err != nil {
		if !old {
			return "neither the log nor its archive"
		}
		return ""
	}
	if got := execute(t, program(t, "jlrev", target)); got.status != 0 || got.stdout != reversed(like.text) {
		return "half an archive: " + got.String()
	}
	return ""
}

// target returns the path of the archive that v makes.
func (w *world) target(v invocation) string {
	if strings.Contains(v.args, "--to") {
		return filepath.Join(w.out, "s.jsonl.zst")
	}
	return w.forms[plain] + ".zst"
}

// restored are the files that are restored, and the backup of each.
var restored = map[string]string{"src/integrate.go": "0000000000000001@v1", "src/energy.go": "0000000000000002@v1"}

func (w *world) halfRestored(t testing.TB) string {
	t.Helper()
	for name, backup := range restored {
		text, err := os.ReadFile(filepath.Join(w.out, name))
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		want, err := os.ReadFile(filepath.Join(w.home, "file-history", w.id, backup))
		require.NoError(t, err)
		if string(text) != string(want) {
			return "half a file: " + name
		}
	}
	return ""
}

func reversed(text string) string {
	lines := strings.SplitAfter(text, "\n")
	var b strings.Builder
	for i := len(lines) - 1; i >= 0; i-- {
		b.WriteString(lines[i])
	}
	return b.String()
}

// TestSpoolFails has the temporary file fail that is for input that cannot seek.
func TestSpoolFails(t *testing.T) {
	t.Parallel()
	p := promise(t, "P1", outputFailure+": the temporary file in TMPDIR")
	p.needTrace()
	for _, v := range []invocation{{program: "jlrev", args: "FILE"}, {program: "jlpath", args: "FILE"}, {program: "jlcompact", args: "FILE"}} {
		t.Run(v.program, func(t *testing.T) {
			t.Parallel()
			p := p.in(t)
			own := *large(t)
			w := &own
			w.tmp = space(t)
			want := v.run(t, w, pipe)
			require.Zero(t, want.status)
			for _, calls := range []struct {
				name  string
				errno syscall.Errno
				least int
			}{{"openat", syscall.EACCES, 1}, {"openat", syscall.EMFILE, 1}, {"unlinkat", syscall.EIO, 1}, {"write", syscall.ENOSPC, 2}, {"write", syscall.EIO, 2}, {"pread64", syscall.EIO, 2}} {
				hit := 0
				for at := 1; at <= often(2, 1000); at++ {
					in := injection{call: calls.name, errno: calls.errno, at: at, of: func(c *call) bool { return strings.HasPrefix(c.path, w.tmp+"/") }}
					got, hits, victim := inject(t, v, w, pipe, in)
					if hits == 0 {
						break
					}
					hit++
					p.tryWell(judge(v.program, want, got, w.culprits(victim, pipe)...), "%v, %v", v, in)
				}
				require.GreaterOrEqual(t, hit, calls.least, "%v: %s of the temporary file", v, calls.name)
				if calls.name == "unlinkat" {
					require.NoError(t, os.RemoveAll(w.tmp))
					require.NoError(t, os.Mkdir(w.tmp, 0o755))
				}
			}
			p.try(listing(t, w.tmp) == "", "%v leaves %q in TMPDIR", v, listing(t, w.tmp))
		})
	}
}

// TestFileSizeLimit lets files grow to half a KiB or one, as the shell counts.
func TestFileSizeLimit(t *testing.T) {
	t.Parallel()
	p := promise(t, "P1", outputFailure+": ulimit -f")
	w := small(t)
	each(p, firstKind, func(p *promised, v invocation, k kind) {
		const limit = 1024
		want := v.run(p.t, v.on(p.t, w), k)
		w := v.on(p.t, w)
		name := filepath.Join(space(p.t), "out")
		out, err := os.Create(name)
		require.NoError(p.t, err)
		defer out.Close()
		cmd := v.wrapped(p.t, w, k, shell("ulimit -f 1"))
		cmd.Stdout = out
		got := execute(p.t, cmd)
		text, err := os.ReadFile(name)
		require.NoError(p.t, err)
		got.stdout, got.files = string(text), v.listing(p.t, w)
		culprits := []string{"write: file too large"}
		if v.writes {
			culprits = []string{"s.jsonl", "src/"}
		}
		if !v.writes && len(want.stdout) > limit {
			p.tryWell(judgeFailed(v.program, got, culprits...), "%v", v)
		} else {
			p.tryWell(judge(v.program, want, got, culprits...), "%v", v)
		}
	})
}

// TestFullDisk has all the programs print, archive and restore to a file system
// of 64 KiB.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	p := promise(t, "P1", outputFailure+": a full file system")
	if os.Geteuid() != 0 {
		p.skip("root")
	}
	disk := space(t)
	mounted := []string{"unshare", "-m", "sh", "-c", `mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@"`, disk}
	if err := exec.Command(mounted[0], append(mounted[1:], "true")...).Run(); err != nil {
		p.skip("unshare(1) that may mount")
	}
	w := middle(t)
	for _, v := range invocations(t) {
		if v.writes {
			continue
		}
		want := v.run(t, w, v.kinds[0])
		// A shell has to open the file, below the mount.
		got := execute(t, v.wrapped(t, w, v.kinds[0], append(mounted, "sh", "-c", `"$@" >"$0"/out; status=$?; exit $status`, disk)))
		if len(want.stdout) > 64<<10 {
			p.tryWell(judgeFailed(v.program, got, "write: no space left on device"), "%v", v)
		} else {
			p.try(got.status == want.status && got.stderr == "", "%v: %v", v, got)
		}
	}
	for _, args := range [][]string{
		{"jlcompact", "--archive", "--keep", "--to", disk, w.forms[plain]},
		{"jlsnap", "--home", w.home, "--restore", disk + "/out", w.forms[plain]},
	} {
		full := append(mounted, "sh", "-c", `head -c 60K /dev/zero >"$0"/rest; exec "$@"`, disk)
		got := execute(t, wrapped(t, full, args[0], args[1:]...))
		p.tryWell(judgeFailed(args[0], got, "s.jsonl", "src/"), "%v", args)
	}
}

// TestReaderGoes closes the pipe behind the first line, or before it.
func TestReaderGoes(t *testing.T) {
	t.Parallel()
	p := promise(t, "P5", "a reader that goes ends it silently, and soon")
	w := large(t)
	each(p, readers(firstKind), func(p *promised, v invocation, k kind) {
		for range often(1, 50) {
			for _, ignored := range []string{":", "trap '' PIPE"} {
				for _, lines := range []int{0, 1} {
					got, all := readLines(p.t, v.wrapped(p.t, w, k, shell(ignored)), lines)
					wrong := ""
					switch {
					case got.hung:
						wrong = "it hangs"
					case got.stderr != "":
						wrong = "it says something"
					case got.status == 141 || got.signal == syscall.SIGPIPE:
					case lines > 0 && (got.status == 0 || got.status == 1) && all <= 64<<10:
						// All of it was in the pipe by then.
					default:
						wrong = "it did not end so"
					}
					p.tryWell(wrong, "%v on %v | head -%d, %s: %v", v, k, lines, ignored, got)
				}
			}
		}
	})
}

// readLines runs a command, and closes its output when some lines have been read:
// before it is started, if none. It returns how many bytes it would have printed,
// at least.
func readLines(t testing.TB, cmd *exec.Cmd, lines int) (outcome, int) {
	t.Helper()
	r, out, err := os.Pipe()
	require.NoError(t, err)
	cmd.Stdout = out
	if lines == 0 {
		r.Close()
	}
	wait := start(t, cmd)
	out.Close()
	n := 0
	if lines > 0 {
		b := bufio.NewReaderSize(r, 16)
		for range lines {
			line, _ := b.ReadString('\n')
			n += len(line)
		}
		r.Close()
	}
	return wait(), n
}
